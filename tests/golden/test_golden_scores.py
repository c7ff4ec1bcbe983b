"""Scores, to the golden file's tolerance, as the original system computes them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated

import msgspec
import pytest

from golden.cases import FLOATS, STOP_WORDS, pairs, single
from memofs.model.config import FLOORS_DAYS
from memofs.recall.bm25 import bm25_raw, saturate
from memofs.recall.confidence import confidence
from memofs.recall.cosine import cosine
from memofs.recall.decay import is_unverified
from memofs.recall.fusion import BONUS, FusionWeights, base, blend, composite, penalty, round_score, weights
from memofs.recall.fuzzy import overlap
from memofs.recall.recency import DAY_MS, age_days, newest_ms, recency
from memofs.recall.rerank import plain_rerank
from memofs.recall.similarity import DUPLICATE, jaccard
from memofs.text.analyzer import plain

Terms = list[str]


def near(value: float) -> object:
    return pytest.approx(value, abs=FLOATS, rel=0.0)


def terms(text: str) -> Terms:
    return plain(text, STOP_WORDS)


def all_terms(text: str) -> Terms:
    return plain(text, frozenset())


def test_fuzzy() -> None:
    asked, expected = single("fuzzy", list[tuple[str, str]], list[float])
    assert [overlap(all_terms(query), all_terms(text)) for query, text in asked] == [near(value) for value in expected]


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


def search(query: str, documents: Mapping[str, str]) -> list[Scored]:
    """Documents that score at all, best first, ties by id (where the original keeps the order of insertion)."""
    raws = bm25_raw(terms(query), [terms(text) for text in documents.values()])
    found = [Scored(id_, saturate(raw), raw) for id_, raw in zip(documents, raws, strict=True) if raw > 0.0]
    return sorted(found, key=lambda scored: (-scored.score, scored.id))


def check(found: list[Scored], expected: list[Scored]) -> None:
    assert [one.id for one in found] == [one.id for one in expected]
    for got, wanted in zip(found, expected, strict=True):
        assert got.score == near(wanted.score)
        if wanted.raw is not None:
            assert got.raw == near(wanted.raw)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [*pairs("bm25", Bm25Input, list[Scored]), *pairs("bm25_single_doc", Bm25Input, list[Scored])],
)
def test_bm25(asked: Bm25Input, expected: list[Scored]) -> None:
    check(search(asked.query, {document.id: document.text for document in asked.docs}), expected)


class TiesInput(msgspec.Struct, frozen=True):
    docs: tuple[str, ...]
    query: str


def test_bm25_ties() -> None:
    asked, expected = single("bm25_ties_keep_insertion_order", TiesInput, list[Scored])
    # The file names the documents only; these lengths are the ones whose scores it gives.
    others = dict(zip(asked.docs, ("beta", "gamma", "delta epsilon"), strict=True))
    found = search(asked.query, {id_: f"{asked.query} {rest}" for id_, rest in others.items()})
    check(found, sorted(expected, key=lambda scored: (-scored.score, scored.id)))


class ChangeInput(msgspec.Struct, frozen=True):
    replace: Document
    delete: tuple[str, ...]
    query: str


def test_bm25_after_replace_and_delete() -> None:
    asked, expected = single("bm25_after_replace_and_delete", ChangeInput, list[Scored])
    before, _ = pairs("bm25", Bm25Input, list[Scored])[0]
    documents = {document.id: document.text for document in before.docs}
    documents[asked.replace.id] = asked.replace.text
    for id_ in asked.delete:
        del documents[id_]
    check(search(asked.query, documents), expected)


Loose = str | float | None
"""What the original found in its metadata, of whatever type."""


class Metadata(msgspec.Struct, frozen=True, rename="camel"):
    created_at: Loose = None
    updated_at: Loose = None
    inserted_at: Loose = None
    timestamp: Loose = None
    confidence: Loose = None

    def newest_ms(self) -> int | None:
        return newest_ms(*map(_ms, (self.created_at, self.updated_at, self.inserted_at, self.timestamp)))

    def sure(self) -> float | None:
        return self.confidence if isinstance(self.confidence, float | int) else None


def _ms(value: Loose) -> int | None:
    if not isinstance(value, str):
        return None
    try:
        return round(datetime.fromisoformat(value).timestamp() * 1000)
    except ValueError:
        return None


class RecencyInput(msgspec.Struct, frozen=True, rename="camel"):
    now: str
    half_life_days: float
    metadata: tuple[Metadata, ...]


def test_recency() -> None:
    asked, expected = single("recency", RecencyInput, list[float])
    now_ms = _ms(asked.now)
    assert now_ms is not None
    got = [
        recency(age_days(now_ms, metadata.newest_ms()), half_life_days=asked.half_life_days)
        for metadata in asked.metadata
    ]
    assert got == [near(value) for value in expected]


class HalfLifeInput(msgspec.Struct, frozen=True, rename="camel"):
    half_life_days: float
    metadata: Metadata


def test_recency_without_half_life() -> None:
    asked, expected = single("recency_half_life_zero", HalfLifeInput, float)
    days = age_days(1_800_000_000_000, asked.metadata.newest_ms())
    assert recency(days, half_life_days=asked.half_life_days) == near(expected)


def test_confidence() -> None:
    asked, expected = single("confidence", list[Metadata], list[float])
    assert [confidence(metadata.sure()) for metadata in asked] == [near(value) for value in expected]


def test_cosine() -> None:
    asked, expected = single("cosine", list[tuple[list[float], list[float]]], list[float])
    assert [cosine(a, b) for a, b in asked] == [near(value) for value in expected]


class RerankInput(msgspec.Struct, frozen=True):
    query: str
    documents: tuple[Document, ...]


class Ranked(msgspec.Struct, frozen=True):
    id: str
    score: float
    rank: int


def test_rerank() -> None:
    asked, expected = single("rerank", RerankInput, list[Ranked])
    query = all_terms(asked.query)
    scored = sorted((-plain_rerank(query, all_terms(document.text)), document.id) for document in asked.documents)
    got = [(id_, -score, rank) for rank, (score, id_) in enumerate(scored, 1)]
    assert got == [(one.id, near(one.score), one.rank) for one in expected]


class Row(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    text: str
    vector_score: float
    lexical_score: float
    metadata: Metadata = Metadata()


class FusionInput(msgspec.Struct, frozen=True, rename="camel"):
    rows: tuple[Row, ...]
    now: str = "2026-09-01T00:00:00.000Z"
    query: str | None = None
    vector_weight: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.6


class Fused(msgspec.Struct, frozen=True):
    id: str
    score: float
    rerank: float | None = None


def fuse(asked: FusionInput, *, bonus: float = 0.0) -> list[Fused]:
    """The rows as the classic ranking orders them."""
    now_ms = _ms(asked.now)
    assert now_ms is not None
    weighed = FusionWeights(asked.vector_weight, 1.0 - asked.vector_weight)
    found: list[Fused] = []
    for row in asked.rows:
        relevance = base(row.vector_score, row.lexical_score, weighed, bonus=bonus)
        rerank = None
        if asked.query is not None:
            rerank = plain_rerank(all_terms(asked.query), all_terms(row.text))
            relevance = blend(relevance, rerank)
        fresh = recency(age_days(now_ms, row.metadata.newest_ms()))
        score = round_score(composite(relevance, fresh, confidence(row.metadata.sure())))
        found.append(Fused(row.id, score, rerank))
    return sorted(found, key=lambda fused: (-fused.score, fused.id))


def check_fused(found: list[Fused], expected: list[Fused]) -> None:
    assert [(one.id, one.score) for one in found] == [(one.id, near(one.score)) for one in expected]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        *pairs("fusion_no_rerank_default", FusionInput, list[Fused]),
        *pairs("fusion_no_rerank_lexical_only", FusionInput, list[Fused]),
        *pairs("fusion_no_rerank_vector_only", FusionInput, list[Fused]),
        *pairs("fusion_rerank_default", FusionInput, list[Fused]),
        *pairs("fusion_rerank_lexical_only", FusionInput, list[Fused]),
        *pairs("fusion_rerank_vector_only", FusionInput, list[Fused]),
    ],
)
def test_fusion(asked: FusionInput, expected: list[Fused]) -> None:
    check_fused(fuse(asked), expected)


def test_fusion_with_bonus() -> None:
    asked, expected = single("fusion13_double_hit", FusionInput, list[Fused])
    found = fuse(asked, bonus=BONUS)
    check_fused(found, sorted(expected, key=lambda fused: (-fused.score, fused.id)))
    assert {one.id: one.rerank for one in found} == {one.id: near(one.rerank or 0.0) for one in expected}


class WeightsOutput(msgspec.Struct, frozen=True):
    vector: bool
    lexical: bool
    w: tuple[float, float] | None


def test_dynamic_weights() -> None:
    _, expected = single("dynamic_weights", dict[str, str], list[WeightsOutput])
    assert len(expected) == 4
    for case in expected:
        assert weights(vector_hits=case.vector, lexical_hits=case.lexical) == case.w


class PenaltyInput(msgspec.Struct, frozen=True):
    base: tuple[float, ...]
    stale_factor: float
    unverified_factor: float


class PenaltyOutput(msgspec.Struct, frozen=True):
    stale: float
    unverified: float
    both: float


def test_penalties() -> None:
    asked, expected = single("penalties", PenaltyInput, list[PenaltyOutput])
    for score, wanted in zip(asked.base, expected, strict=True):
        assert score * penalty(drifted=False, unverified=False) == score
        assert score * penalty(drifted=True, unverified=False) == near(wanted.stale)
        assert score * penalty(drifted=False, unverified=True) == near(wanted.unverified)
        assert score * penalty(drifted=True, unverified=True) == near(wanted.both)


class DecayInput(msgspec.Struct, frozen=True):
    floors_days: dict[str, int]


class DecayOutput(msgspec.Struct, frozen=True):
    kind: str
    at_floor: bool
    one_ms_after: bool
    days: int


def test_decay_boundary() -> None:
    asked, expected = single("decay_boundary", DecayInput, list[DecayOutput])
    assert dict(FLOORS_DAYS) == asked.floors_days
    for case in expected:
        floor_ms = case.days * DAY_MS
        at = is_unverified(case.kind, 0, now_ms=floor_ms, floors_days=FLOORS_DAYS)
        after = is_unverified(case.kind, 0, now_ms=floor_ms + 1, floors_days=FLOORS_DAYS)
        assert (at, after) == (case.at_floor, case.one_ms_after)


class DuplicateInput(msgspec.Struct, frozen=True):
    a: str
    b: tuple[str, ...]
    threshold: float


class DuplicateOutput(msgspec.Struct, frozen=True):
    jaccard: float
    duplicate: bool


def test_dedupe_threshold() -> None:
    asked, expected = single("dedupe_threshold", DuplicateInput, list[DuplicateOutput])
    assert asked.threshold == DUPLICATE
    for text, wanted in zip(asked.b, expected, strict=True):
        alike = jaccard(frozenset(terms(asked.a)), frozenset(terms(text)))
        assert alike == near(wanted.jaccard)
        assert (alike >= DUPLICATE) is wanted.duplicate
