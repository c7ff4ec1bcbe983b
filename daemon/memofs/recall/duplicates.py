"""Memories that say nearly the same: found through the index, folded in an answer.

Invariant: candidates are found by counting postings, never by reading every memory. A memory's terms in the index
include those of its text, so counting cannot miss one whose text is alike.
"""

from collections.abc import Iterable, Set

import numpy as np

from memofs.recall.index import LexicalIndex, alive, column, find, id_at, terms_of
from memofs.recall.segment import RETIRED
from memofs.recall.similarity import DUPLICATE, jaccard

__all__ = ["alike", "folded"]

_MOST = 32


def alike(index: LexicalIndex, terms: Set[str], threshold: float) -> list[str]:
    """The ids of current memories that have at least `threshold` of the terms, those with most first."""
    if not terms:
        return []
    counts = np.zeros(index.size, dtype=np.int32)
    for term in terms:
        counts[find(index, term, among=lambda segment: segment.words).slots] += 1
    current = alive(index) & ~column(index, lambda segment: segment.superseded, np.bool_)
    current &= column(index, lambda segment: segment.status, np.int32) != RETIRED
    slots = np.flatnonzero(current & (counts >= threshold * len(terms)))
    ordered = sorted((-int(counts[slot]), id_at(index, slot)) for slot in slots.tolist())
    return [id_ for _, id_ in ordered[:_MOST]]


def folded(index: LexicalIndex, slots: Iterable[int], *, limit: int) -> tuple[list[int], dict[int, int]]:
    """The first `limit` slots without those that nearly repeat an earlier one, and for each of these the earlier."""
    shown: list[tuple[int, frozenset[str]]] = []
    repeats: dict[int, int] = {}
    for slot in slots:
        terms = terms_of(index, slot)
        like = next((other for other, known in shown if jaccard(terms, known) >= DUPLICATE), None)
        if like is not None:
            repeats[slot] = like
        elif len(shown) < limit:
            shown.append((slot, terms))
        else:
            break
    return [slot for slot, _ in shown], repeats
