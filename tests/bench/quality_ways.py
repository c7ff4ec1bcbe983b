"""The ways of ranking that are compared, each from the same index and the same vectors.

Single signals and their reciprocal rank fusion are computed here; the original's formula and ours are what `recall`
answers with `precision=all`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec
import numpy as np

from bench.quality_cases import NOW_MS, Store, first_of_like
from bench.shared_data import Asked
from memofs.model.config import Config, Layer, Precision
from memofs.model.query import Query, TaskType
from memofs.recall.arrays import Floats
from memofs.recall.index import alive, id_at
from memofs.recall.lookup import Lookup
from memofs.recall.pool import pool_of
from memofs.recall.question import COMPOUND_WEIGHT, ask
from memofs.recall.rewrite import rewrite
from memofs.recall.score import words_score
from memofs.recall.vectors import Matrix
from memofs.world.meaning import cosines
from memofs.world.recall import recall
from memofs.world.state import World, configure

__all__ = ["OURS", "WAYS", "Posed", "answer", "pose"]


class Posed(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A question to one store: scores by words and by meaning, (index.size,); NaN where there is no vector."""

    store: Store
    asked: Asked
    words: Floats
    meaning: Floats


def pose(store: Store, asked: Asked, vector: Matrix) -> Posed:
    """The question with both signals; `vector` is its own, (dimension,)."""
    return Posed(store=store, asked=asked, words=_bm25(store.world, asked.text), meaning=cosines(store.world, vector))


def answer(
    posed: Posed,
    precision: Precision = "all",
    *,
    words_only: bool = False,
    classic: bool = False,
    without: tuple[Layer, ...] = (),
    task: TaskType | None = None,
) -> list[str]:
    """The ids that recall shows."""
    world = posed.store.world
    if classic or without:
        world = configure(world, Config(ranking="classic" if classic else "adaptive", without=without))
    query = Query(text=posed.asked.text, limit=10 + len(posed.asked.exclude), precision=precision, task_type=task)
    found = recall(world, query, now_ms=NOW_MS, cosines=None if words_only else posed.meaning)
    return first_of_like(posed.store, [hit.id for hit in found.hits], posed.asked)


def _by(score: Callable[[Posed], Floats]) -> Callable[[Posed], list[str]]:
    def ranked(posed: Posed) -> list[str]:
        scores = score(posed)
        index = posed.store.world.index
        slots = np.flatnonzero(scores > 0.0)
        best = sorted((-scores[slot], id_at(index, slot)) for slot in slots.tolist())
        return first_of_like(posed.store, [id_ for _, id_ in best], posed.asked)

    return ranked


def _fused(k: int) -> Callable[[Posed], Floats]:
    """Reciprocal rank fusion: Σ 1/(k + place) over both lists.

    Source: G. Cormack, C. Clarke and S. Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank
    learning methods", SIGIR 2009, where k is 60.
    """

    def fused(posed: Posed) -> Floats:
        total = np.zeros(len(posed.words))
        for scores in (posed.words, np.nan_to_num(posed.meaning)):
            order = np.argsort(-scores, kind="stable")
            place = np.empty(len(order))
            place[order] = np.arange(1, len(order) + 1)
            total += np.where(scores > 0.0, 1.0 / (k + place), 0.0)
        return total

    return fused


OURS: Final = "ours"
WAYS: Final[Mapping[str, Callable[[Posed], list[str]]]] = {
    "BM25": _by(lambda posed: posed.words),
    "cosine": _by(lambda posed: np.nan_to_num(posed.meaning)),
    "RRF 10": _by(_fused(10)),
    "RRF 60": _by(_fused(60)),
    "original": lambda posed: answer(posed, classic=True),
    OURS: answer,
    "our words": lambda posed: answer(posed, words_only=True),
}


def _bm25(world: World, text: str) -> Floats:
    """BM25 of the question's own words and identifiers over the product's index, and nothing around it."""
    lookup = Lookup(world.index, alive(world.index), prior=0)
    question = ask(lookup, rewrite(text))
    pool = pool_of(lookup, question, everything=True)
    scores = np.zeros(world.index.size)
    terms = [*question.words, *(name.term for name in question.names if name.weight == COMPOUND_WEIGHT)]
    scores[pool.slots] = words_score(lookup, pool, [(term, 1.0) for term in terms])
    return scores
