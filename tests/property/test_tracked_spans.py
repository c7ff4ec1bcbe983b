"""What holds of spans carried through every sequence of edits."""

from hypothesis import given
from hypothesis import strategies as st

from memofs.anchors.track import TextEdit, Tracked, apply, track, tracked
from memofs.model.place import Span

TEXTS = st.text("ab\n é😀", min_size=0, max_size=30)
NEW_SIGNS = "".join(chr(0x4E00 + index) for index in range(64))


@st.composite
def texts_and_edits(draw: st.DrawFn) -> tuple[str, list[TextEdit], list[TextEdit]]:
    """A text, edits of it, and the edits that take them back, the last one first.

    No sign is there twice: what is typed anew and reads like what was deleted counts as put back, and rightly so.
    """
    text = draw(st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ\n é😀", max_size=30))
    text = "".join(dict.fromkeys(text))
    fresh = iter(NEW_SIGNS)
    current = text
    edits: list[TextEdit] = []
    inverse: list[TextEdit] = []
    for _ in range(draw(st.integers(0, 8))):
        start = draw(st.integers(0, len(current)))
        end = draw(st.integers(start, min(len(current), start + 12)))
        edit = TextEdit(start, end, "".join(next(fresh) for _ in range(draw(st.integers(0, 4)))))
        edits.append(edit)
        inverse.insert(0, TextEdit(start, start + len(edit.text), current[start:end]))
        current = apply(current, [edit])
    return text, edits, inverse


def spans_of(text: str) -> list[Tracked]:
    return [tracked(start, end) for start in range(len(text) + 1) for end in range(start, len(text) + 1, 3)]


@given(texts_and_edits())
def test_undo_returns_to_the_same_spans(case: tuple[str, list[TextEdit], list[TextEdit]]) -> None:
    text, edits, inverse = case
    before = spans_of(text)
    there = track(text, before, edits)
    back = track(apply(text, edits), there, inverse)
    assert apply(apply(text, edits), inverse) == text
    assert [item.span for item in back] == [item.span for item in before]


@given(texts_and_edits())
def test_spans_stay_within_the_text(case: tuple[str, list[TextEdit], list[TextEdit]]) -> None:
    text, edits, _ = case
    after = apply(text, edits)
    for item in track(text, spans_of(text), edits):
        assert 0 <= item.span.start <= item.span.end <= len(after)


@given(texts_and_edits())
def test_what_is_not_dirty_reads_as_before(case: tuple[str, list[TextEdit], list[TextEdit]]) -> None:
    text, edits, _ = case
    after = apply(text, edits)
    before = spans_of(text)
    for old, new in zip(before, track(text, before, edits), strict=True):
        if not new.dirty:
            assert after[new.span.start : new.span.end] == text[old.span.start : old.span.end]


@given(texts_and_edits())
def test_edits_one_by_one_are_edits_at_once(case: tuple[str, list[TextEdit], list[TextEdit]]) -> None:
    text, edits, _ = case
    at_once = track(text, spans_of(text), edits)
    step_by_step = tuple(spans_of(text))
    for edit in edits:
        step_by_step = track(text, step_by_step, [edit])
        text = apply(text, [edit])
    assert step_by_step == at_once


@given(TEXTS, st.data())
def test_typing_beside_a_span_does_not_grow_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    (item,) = track(text, [tracked(start, end)], [TextEdit(end, end, "xyz")])
    assert item.span == Span(start, end)
    if start < end:
        (item,) = track(text, [tracked(start, end)], [TextEdit(start, start, "xyz")])
        assert item.span == Span(start + 3, end + 3)
