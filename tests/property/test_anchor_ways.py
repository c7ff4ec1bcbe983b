"""Following a region by arithmetic, finding it by the old text and finding it by its mark lead to the same place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memofs.anchors.anchoring import anchored
from memofs.anchors.fingerprint import GENEROUS
from memofs.anchors.language import LanguageName
from memofs.anchors.resolution import Comparison, resolve
from memofs.anchors.source import Source
from memofs.anchors.track import TextEdit, apply, track, tracked
from memofs.model.place import Span

LANGUAGES: tuple[LanguageName | None, ...] = (None, "python", "markdown")
WORDS = [f"{first}_{second}" for first in ("alpha", "beta", "gamma") for second in ("open", "close", "read", "seek")]


@st.composite
def edits_around(draw: st.DrawFn) -> tuple[str, Span, list[TextEdit]]:
    """A text of lines that all differ, the span of some of them, and edits of whole lines elsewhere."""
    lines = [f"{word} = {word}({index})\n" for index, word in enumerate(WORDS)]
    first = draw(st.integers(0, len(lines) - 3))
    last = draw(st.integers(first, first + 2))
    start = sum(map(len, lines[:first]))
    region = Span(start, start + sum(map(len, lines[first : last + 1])) - 1)
    text, span, edits = "".join(lines), tracked(region.start, region.end), list[TextEdit]()
    for number in range(draw(st.integers(0, 6))):
        ends = [0, *(at + 1 for at, sign in enumerate(text) if sign == "\n")]
        outside = [at for at in ends if at <= span.span.start or at > span.span.end]
        at = draw(st.sampled_from(outside))
        end = draw(st.sampled_from([other for other in outside if other in (at, *ends[ends.index(at) + 1 :][:2])]))
        if at <= span.span.start < end:
            end = at
        edit = TextEdit(at, end, draw(st.sampled_from(["", f"new_{number} = made({number})\n", "\n"])))
        edits.append(edit)
        (span,) = track(text, [span], [edit])
        text = apply(text, [edit])
    return "".join(lines), region, edits


@given(edits_around(), st.sampled_from(LANGUAGES))
def test_tracking_is_finding_again_where_the_text_survives(
    case: tuple[str, Span, list[TextEdit]], language: LanguageName | None
) -> None:
    text, region, edits = case
    old, new = Source(text, language), Source(apply(text, edits), language)
    (followed,) = track(text, [tracked(region.start, region.end)], edits)
    anchor = anchored(old, "file", region, budget_bytes=GENEROUS)
    by_text, by_mark = resolve(anchor, Comparison(old, new)), resolve(anchor, new)
    assert new.text[followed.span.start : followed.span.end] == text[region.start : region.end]
    assert by_text.span == by_mark.span == followed.span
    assert by_text.verdict == by_mark.verdict
    assert by_text.verdict in ("current", "moved")


@given(edits_around(), st.sampled_from(LANGUAGES))
def test_going_back_is_current(case: tuple[str, Span, list[TextEdit]], language: LanguageName | None) -> None:
    text, region, edits = case
    anchor = anchored(Source(text, language), "file", region)
    resolve(anchor, Source(apply(text, edits), language))
    assert resolve(anchor, Source(text, language)).verdict == "current"


@given(st.text("ab \n\r\té😀", max_size=40), st.data())
def test_an_anchor_in_its_own_text_is_current(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    source = Source(text)
    anchor = anchored(source, "file", Span(start, end))
    assert resolve(anchor, source).verdict == "current"


@given(st.text("ab()\n:= ", max_size=60), st.text("ab()\n:= ", max_size=60), st.sampled_from(LANGUAGES), st.data())
def test_no_text_is_too_odd(old: str, new: str, language: LanguageName | None, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(old)))
    end = data.draw(st.integers(start, len(old)))
    before, after = Source(old, language), Source(new, language)
    anchor = anchored(before, "file", Span(start, end))
    for found in (resolve(anchor, Comparison(before, after)), resolve(anchor, after)):
        assert (found.span is None) == (found.verdict == "missing")
        if found.span is not None:
            assert 0 <= found.span.start <= found.span.end <= len(new)


@pytest.mark.parametrize("old", [":\n=", "a\n=", "- a\n=", "a | b\n- | -", "> a\n#"])
def test_a_grammar_that_counts_a_line_end_too_many(old: str) -> None:
    before, after = Source(old, "markdown"), Source("", "markdown")
    for start in range(len(old)):
        anchor = anchored(before, "file", Span(start, len(old)))
        assert resolve(anchor, before).verdict == "current"
        assert resolve(anchor, Comparison(before, after)).verdict == "missing"
        assert resolve(anchor, after).verdict == "missing"
