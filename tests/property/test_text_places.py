"""What holds of offsets, lines, sections, chunks and passages of every text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memofs.text.analyzer import query_words
from memofs.text.chunk import chunks
from memofs.text.lines import line_index, line_span, offset_at, position_at
from memofs.text.passage import passage
from memofs.text.positions import Encoding, from_units, to_units, units
from memofs.text.sections import sections

TEXTS = st.text(max_size=80) | st.text("ab#`~ \t\r\n😀é-", max_size=60)
ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(text=TEXTS)
def test_units_there_and_back(encoding: Encoding, text: str) -> None:
    codec, size = CODECS[encoding]
    for offset in range(len(text) + 1):
        there = to_units(text, offset, encoding)
        assert there == len(text[:offset].encode(codec)) // size
        assert from_units(text, there, encoding) == offset
    for offset in range(units(text, encoding) + 1):
        assert to_units(text, from_units(text, offset, encoding), encoding) <= offset


@given(TEXTS)
def test_lines_partition_the_text(text: str) -> None:
    index = line_index(text)
    ends = [*index.starts[1:], len(text)]
    assert "".join(text[start:end] for start, end in zip(index.starts, ends, strict=True)) == text
    for line in range(len(index.starts)):
        start, end = line_span(index, line)
        assert text[end : ends[line]] in ("\n", "\r\n", "\r", "")
        for offset in range(start, end + 1):
            assert position_at(index, offset) == (line, offset - start)
            assert offset_at(index, line, offset - start) == offset


@given(TEXTS)
def test_sections_partition_the_text(text: str) -> None:
    found = sections(text)
    assert "".join(text[section.start : section.end] for section in found) == text
    for section in found:
        assert section.start <= section.body <= section.end
        assert section.start < section.end
        assert position_at(line_index(text), section.start) == (section.line, 0)
        assert (section.level == 0) == (section.body == section.start)


@given(TEXTS, st.integers(5, 40), st.integers(0, 2))
def test_chunks_cover_the_text(text: str, size: int, overlap: int) -> None:
    found = chunks(text, size=size, overlap=overlap)
    assert bool(found) == bool(text)
    reached = 0
    for start, end in found:
        assert start < end <= start + size
        assert start == max(0, reached - overlap)
        assert end > reached
        reached = end
    assert reached == len(text)


@given(TEXTS, TEXTS, st.integers(10, 60))
def test_passages_fit(text: str, query: str, width: int) -> None:
    terms = {word.term for word in query_words(query)}
    found = passage(text, terms, width=width)
    assert len(found.text) <= width
    assert "\n" not in found.text
    assert "\r" not in found.text
    before = -1
    for start, end in found.marks:
        assert before < start < end <= len(found.text)
        before = end
    assert 0 <= found.line < len(line_index(text).starts)


@given(st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta"]), min_size=1, max_size=80))
def test_a_passage_shows_what_is_asked_for(text: list[str]) -> None:
    found = passage(" ".join(text), {text[-1]}, width=40)
    assert found.marks
    assert {found.text[start:end] for start, end in found.marks} == {text[-1]}
