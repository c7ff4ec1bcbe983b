"""The usual measures of ranked retrieval, as means over questions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import msgspec

__all__ = ["Measures", "measures", "ndcg"]


class Measures(msgspec.Struct, frozen=True):
    """Means over the questions of a set; `precision` over those that were answered, NaN if none was."""

    ndcg10: float
    r5: float
    r10: float
    mrr10: float
    hits: float
    answered: float
    precision: float


def ndcg(ranked: Sequence[str], relevant: Mapping[str, float], k: int) -> float:
    """The normalised discounted cumulative gain at k, with gains 2^grade - 1."""
    gains = [2.0 ** relevant.get(id_, 0.0) - 1.0 for id_ in ranked[:k]]
    ideal = sorted((2.0**grade - 1.0 for grade in relevant.values()), reverse=True)[:k]
    best = sum(gain / math.log2(place + 2) for place, gain in enumerate(ideal))
    return sum(gain / math.log2(place + 2) for place, gain in enumerate(gains)) / best if best else 0.0


def measures(answers: Iterable[tuple[Sequence[str], Mapping[str, float]]]) -> Measures:
    """The means over (ids in order, relevance) pairs."""
    rows: list[tuple[float, ...]] = []
    precisions: list[float] = []
    for ranked, relevant in answers:
        right = {id_ for id_, grade in relevant.items() if grade > 0.0}
        first = next((place for place, id_ in enumerate(ranked[:10], 1) if id_ in right), None)
        if ranked:
            precisions.append(len(right.intersection(ranked)) / len(ranked))
        rows.append(
            (
                ndcg(ranked, relevant, 10),
                len(right.intersection(ranked[:5])) / len(right),
                len(right.intersection(ranked[:10])) / len(right),
                1.0 / first if first else 0.0,
                float(len(ranked)),
                float(bool(ranked)),
            )
        )
    precision = sum(precisions) / len(precisions) if precisions else math.nan
    ndcg10, r5, r10, mrr10, hits, answered = (sum(column) / len(rows) for column in zip(*rows, strict=True))
    return Measures(ndcg10, r5, r10, mrr10, hits, answered, precision)
