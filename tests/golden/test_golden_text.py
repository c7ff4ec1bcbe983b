"""Tokens, chunks, sections and rewriting, as the original system has them."""

import msgspec
import pytest

from golden.cases import STOP_WORDS, pairs, single
from memofs.recall.lexicon import original
from memofs.recall.rewrite_original import rewrite_original, rewrite_tokens
from memofs.recall.section_search import section_score
from memofs.recall.tasks import task
from memofs.text.analyzer import plain
from memofs.text.chunk import chunks
from memofs.text.sections import sections


def test_tokenize() -> None:
    texts, expected = single("tokenize", list[str], list[list[str]])
    assert [plain(text, STOP_WORDS) for text in texts] == expected


def test_tokenize_no_stop() -> None:
    texts, expected = single("tokenize_no_stop", list[str], list[list[str]])
    assert [plain(text, frozenset()) for text in texts] == expected


def test_rewrite_tokenize() -> None:
    texts, expected = single("rewrite_tokenize_1.1", list[str], list[list[str]])
    assert [list(rewrite_tokens(text)) for text in texts] == expected


class Asked(msgspec.Struct, rename="camel"):
    query: str
    task_type: str | None


class Answered(msgspec.Struct, rename="camel"):
    original: str
    tokens: tuple[str, ...]
    expanded_terms: tuple[str, ...]
    expanded: bool


@pytest.mark.parametrize(("asked", "expected"), pairs("rewrite_1.1", Asked, Answered))
def test_rewrite(asked: Asked, expected: Answered) -> None:
    got = rewrite_original(asked.query, task(asked.task_type), original())
    assert got.original == expected.original
    assert got.tokens == expected.tokens
    assert got.terms == expected.expanded_terms
    assert got.expanded is expected.expanded


class ChunkInput(msgspec.Struct, rename="camel"):
    text: str
    max_chars: int
    overlap_chars: int


class ChunkOutput(msgspec.Struct):
    start: int
    end: int


def test_chunk() -> None:
    asked, expected = single("chunk", ChunkInput, list[ChunkOutput])
    got = chunks(asked.text, size=asked.max_chars, overlap=asked.overlap_chars)
    assert got == [(chunk.start, chunk.end) for chunk in expected]
    assert got == chunks(asked.text)


class SectionInput(msgspec.Struct):
    query: str
    content: str


class SectionOutput(msgspec.Struct):
    text: str
    index: int
    score: int


def test_section_search() -> None:
    asked, expected = single("section_search", SectionInput, list[SectionOutput])
    query = frozenset(plain(asked.query, STOP_WORDS))
    scored = [
        (section_score(query, plain(section.heading, STOP_WORDS), plain(body, STOP_WORDS)), at, text.strip())
        for at, section in enumerate(sections(asked.content))
        for text in [asked.content[section.start : section.end]]
        for body in [asked.content[section.body : section.end]]
    ]
    found = sorted((one for one in scored if one[0]), key=lambda one: (-one[0], one[1]))
    assert found == [(section.score, section.index, section.text) for section in expected]
