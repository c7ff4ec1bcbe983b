"""A document after edits is what a plain string would be, in every encoding, and its plain edits say the same."""

from hypothesis import given
from hypothesis import strategies as st

from memofs.anchors.track import TextEdit, apply
from memofs.text.document import (
    Change,
    Document,
    Position,
    changed,
    document,
    offset_of,
    plain,
    plain_edits,
    position_of,
)
from memofs.text.lines import line_index
from memofs.text.positions import Encoding, from_units, to_units

TEXT = st.text(alphabet=st.sampled_from("ab é😀e\u0301\n\r\t"), max_size=30)
ENCODINGS: st.SearchStrategy[Encoding] = st.sampled_from(["utf-8", "utf-16", "utf-32"])
PLACES = st.tuples(st.integers(0, 6), st.integers(0, 12))


def offset(text: str, line: int, character: int, encoding: Encoding) -> int:
    """The offset of a position by the plain definition of the protocol."""
    index = line_index(text)
    if line >= len(index.starts):
        return len(text)
    start, end = index.starts[line], index.ends[line]
    return start + from_units(text[start:end], character, encoding)


@given(TEXT, st.lists(st.tuples(PLACES, PLACES, TEXT), max_size=6), ENCODINGS)
def test_edits_do_to_a_document_what_they_do_to_a_string(
    text: str, edits: list[tuple[tuple[int, int], tuple[int, int], str]], encoding: Encoding
) -> None:
    now, expected = document(text), text
    for version, (one, other, inserted) in enumerate(edits, start=1):
        start, end = sorted((one, other))
        first, last = offset(expected, *start, encoding), offset(expected, *end, encoding)
        expected = expected[:first] + inserted + expected[last:]
        change = Change(text=inserted, start=Position(*one), end=Position(*other))
        now = changed(now, [change], version=version, encoding=encoding)
        assert now.text == expected
        assert now == Document(lines=document(expected).lines, version=version, has_returns=now.has_returns)
        assert "\r" not in expected or now.has_returns


@given(TEXT, st.lists(st.tuples(PLACES, PLACES, TEXT), max_size=6), st.booleans(), ENCODINGS)
def test_plain_edits_make_the_plain_text(
    text: str, edits: list[tuple[tuple[int, int], tuple[int, int], str]], whole: bool, encoding: Encoding
) -> None:
    before = document(text)
    changes = [
        Change(text=inserted)
        if whole and number % 2
        else Change(text=inserted, start=Position(*one), end=Position(*other))
        for number, (one, other, inserted) in enumerate(edits)
    ]
    after, made = plain_edits(before, changes, version=1, encoding=encoding)
    assert after.text == changed(before, changes, version=1, encoding=encoding).text
    assert apply(plain(before), [TextEdit(each.start, each.end, each.text) for each in made]) == plain(after)


@given(TEXT, ENCODINGS, st.data())
def test_offsets_and_positions_are_one_another(text: str, encoding: Encoding, data: st.DataObject) -> None:
    doc = document(text)
    at = data.draw(st.integers(0, len(text)))
    place = position_of(doc, at, encoding)
    index = line_index(text)
    start, end = index.starts[place.line], index.ends[place.line]
    assert place.character == to_units(text[start:end], min(at, end) - start, encoding)
    assert offset_of(doc, place, encoding) == min(at, end)
