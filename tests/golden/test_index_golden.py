"""The golden BM25 cases against the real index: the same postings, statistics and guesses that recall uses."""

from collections.abc import Sequence

import msgspec
import numpy as np
import pytest

from golden.cases import FLOATS, STOP_WORDS, pairs, single
from memofs.model.memory import Memory
from memofs.recall.bm25 import FUZZY_BOOST, saturate
from memofs.recall.fields import Analyzer, document_of
from memofs.recall.index import EMPTY, LexicalIndex, alive, change, id_at
from memofs.recall.lookup import Lookup
from memofs.recall.pool import pool_of
from memofs.recall.question import Question
from memofs.recall.score import fuzzy_score, words_score
from memofs.recall.segment import Document as Indexed
from memofs.recall.unknown import guess
from memofs.text.analyzer import WORD, plain


def plain_terms(text: str) -> list[tuple[str, int]]:
    return [(term, WORD) for term in plain(text, STOP_WORDS)]


def nothing(_text: str) -> tuple[str, ...]:
    return ()


def nameless(_text: str) -> None:
    return None


PLAIN = Analyzer(terms=plain_terms, stop_words=nothing, name=nameless)


class Document(msgspec.Struct, frozen=True):
    id: str
    text: str


class Bm25Input(msgspec.Struct, frozen=True):
    docs: tuple[Document, ...]
    query: str


class Scored(msgspec.Struct, frozen=True):
    id: str
    score: float
    raw: float | None = None


def indexed(documents: Sequence[Document]) -> list[Indexed]:
    return [
        document_of(Memory(id=each.id, kind="note", title="", body=each.text, path="", digest=each.text), PLAIN)
        for each in documents
    ]


def index_of(documents: Sequence[Document]) -> LexicalIndex:
    return change(EMPTY, put=indexed(documents))


def search(index: LexicalIndex, query: str) -> list[Scored]:
    """Documents that score at all, best first, ties by id (where the original keeps the order of insertion)."""
    lookup = Lookup(index, alive(index), prior=0)
    words = plain(query, STOP_WORDS)
    unknown = {word: guess(index, word, known=lookup.known) for word in words if not lookup.known(word)}
    question = Question(
        words=tuple(dict.fromkeys(words)),
        repeated=tuple(words),
        guesses={word: meant for word, meant in unknown.items() if meant is not None},
    )
    pool = pool_of(lookup, question)
    raw = words_score(lookup, pool, [(word, 1.0) for word in question.words])
    raw += FUZZY_BOOST * fuzzy_score(lookup, pool, question.repeated, question.guesses)
    scored = zip(pool.slots.tolist(), raw.tolist(), saturate(raw).tolist(), strict=True)
    found = [Scored(id_at(index, slot), score, before) for slot, before, score in scored]
    return sorted(found, key=lambda each: (-each.score, each.id))


def check(found: list[Scored], expected: list[Scored]) -> None:
    assert [each.id for each in found] == [each.id for each in expected]
    for got, wanted in zip(found, expected, strict=True):
        assert got.score == pytest.approx(wanted.score, abs=FLOATS, rel=0.0)
        if wanted.raw is not None:
            assert got.raw == pytest.approx(wanted.raw, abs=FLOATS, rel=0.0)


CASES = [*pairs("bm25", Bm25Input, list[Scored]), *pairs("bm25_single_doc", Bm25Input, list[Scored])]


@pytest.mark.parametrize(("asked", "expected"), CASES)
def test_bm25(asked: Bm25Input, expected: list[Scored]) -> None:
    check(search(index_of(asked.docs), asked.query), expected)


@pytest.mark.parametrize(("asked", "expected"), CASES)
def test_bm25_of_an_index_that_grew_one_by_one(asked: Bm25Input, expected: list[Scored]) -> None:
    index = EMPTY
    for document in asked.docs:
        index = change(index, put=indexed([document]))
    check(search(index, asked.query), expected)


class TiesInput(msgspec.Struct, frozen=True):
    docs: tuple[str, ...]
    query: str


def test_bm25_ties_break_by_id() -> None:
    asked, expected = single("bm25_ties_keep_insertion_order", TiesInput, list[Scored])
    # The file names the documents only; these lengths are the ones whose scores it gives.
    others = dict(zip(asked.docs, ("beta", "gamma", "delta epsilon"), strict=True))
    index = index_of([Document(id_, f"{asked.query} {rest}") for id_, rest in others.items()])
    check(search(index, asked.query), sorted(expected, key=lambda scored: (-scored.score, scored.id)))


class ChangeInput(msgspec.Struct, frozen=True):
    replace: Document
    delete: tuple[str, ...]
    query: str


def test_bm25_after_replace_and_delete() -> None:
    asked, expected = single("bm25_after_replace_and_delete", ChangeInput, list[Scored])
    before, _ = pairs("bm25", Bm25Input, list[Scored])[0]
    index = change(index_of(before.docs), put=indexed([asked.replace]), removed=asked.delete)
    check(search(index, asked.query), expected)
    assert int(np.count_nonzero(alive(index))) == len(before.docs) - len(asked.delete)
