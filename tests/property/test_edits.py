"""What holds of the edits between any two texts, and of spans carried through them."""

from hypothesis import given
from hypothesis import strategies as st

from memofs.anchors.edits import edits_between
from memofs.anchors.source import Source
from memofs.anchors.track import apply, track, tracked

LINES = st.lists(st.sampled_from(["", "a = 1", "  a = 1", "b(c, d)", "b(c, e)", "}", "é 😀", "return x"]), max_size=12)
TEXTS = LINES.map("\n".join) | LINES.map("\r\n".join) | st.text("ab \n\r", max_size=30)


@given(TEXTS, TEXTS)
def test_the_edits_make_the_new_text(old: str, new: str) -> None:
    assert apply(old, edits_between(Source(old), Source(new))) == new


@given(TEXTS)
def test_the_same_text_needs_no_edit(text: str) -> None:
    assert edits_between(Source(text), Source(text)) == ()


@given(TEXTS, TEXTS)
def test_what_an_edit_does_not_touch_keeps_its_text(old: str, new: str) -> None:
    edits = edits_between(Source(old), Source(new))
    spans = [tracked(start, start + 3) for start in range(max(0, len(old) - 3))]
    for before, after in zip(spans, track(old, spans, edits), strict=True):
        if not after.dirty:
            assert new[after.span.start : after.span.end] == old[before.span.start : before.span.end]
