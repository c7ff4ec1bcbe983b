"""One score out of several: the original's way (`ranking: classic`), and the parts the adaptive one keeps.

Invariant: signals are clamped to [0, 1] before they are weighed. Numbers and arrays are taken alike.
"""

from typing import Final, NamedTuple, overload

import numpy as np

from memofs.recall.arrays import Floats

__all__ = [
    "BONUS",
    "DRIFTED",
    "DRIFTED_UNVERIFIED",
    "UNVERIFIED",
    "FusionWeights",
    "base",
    "blend",
    "clamp",
    "composite",
    "penalty",
    "round_score",
    "weights",
]

BONUS: Final = 0.25
"""What it is worth that both sides found a memory."""

RERANK_SHARE: Final = 0.5
DRIFTED: Final = 0.5
UNVERIFIED: Final = 0.6
DRIFTED_UNVERIFIED: Final = 0.3


class FusionWeights(NamedTuple):
    """What meaning and words weigh; they sum to 1."""

    vector: float
    lexical: float


def weights(*, vector_hits: bool, lexical_hits: bool) -> FusionWeights | None:
    """Return the weights by which sides found anything; None if neither did.

    Source: the original system (golden case `dynamic_weights`).
    """
    if vector_hits and lexical_hits:
        return FusionWeights(0.6, 0.4)
    if lexical_hits:
        return FusionWeights(0.0, 1.0)
    return FusionWeights(1.0, 0.0) if vector_hits else None


@overload
def clamp(value: float) -> float: ...
@overload
def clamp(value: Floats) -> Floats: ...
def clamp(value: float | Floats) -> float | Floats:
    """Return `value` brought into [0, 1]."""
    return np.clip(value, 0.0, 1.0) if isinstance(value, np.ndarray) else min(1.0, max(0.0, value))


@overload
def base(vector: float, lexical: float, weighed: FusionWeights, *, bonus: float = 0.0) -> float: ...
@overload
def base(vector: Floats, lexical: Floats, weighed: FusionWeights, *, bonus: float = 0.0) -> Floats: ...
def base(
    vector: float | Floats, lexical: float | Floats, weighed: FusionWeights, *, bonus: float = 0.0
) -> float | Floats:
    """Return the relevance from cosine and saturated BM25, with `bonus` times the lesser where both hit; 0 to 1.

    Source: the original system (golden cases `fusion_*`, bonus 0, and `fusion13_double_hit`, bonus 0.25).
    """
    meaning, words = clamp(vector), clamp(lexical)
    lesser = np.minimum(meaning, words)
    fused = np.clip(weighed.vector * meaning + weighed.lexical * words + bonus * lesser, 0.0, 1.0)
    return fused if isinstance(vector, np.ndarray) else float(fused)


@overload
def blend(relevance: float, rerank: float, *, share: float = RERANK_SHARE) -> float: ...
@overload
def blend(relevance: Floats, rerank: Floats, *, share: float = RERANK_SHARE) -> Floats: ...
def blend(relevance: float | Floats, rerank: float | Floats, *, share: float = RERANK_SHARE) -> float | Floats:
    """Return relevance with `share` of it left to the reranker.

    Source: the original system (golden cases `fusion_rerank_*`), where the share is a half.
    """
    return (1.0 - share) * relevance + share * clamp(rerank)


@overload
def composite(relevance: float, recency: float, confidence: float) -> float: ...
@overload
def composite(relevance: Floats, recency: Floats, confidence: Floats) -> Floats: ...
def composite(relevance: float | Floats, recency: float | Floats, confidence: float | Floats) -> float | Floats:
    """Return 0.7 relevance + 0.2 recency + 0.1 confidence, not rounded.

    Source: the original system (golden cases `fusion_*`).
    """
    return 0.7 * relevance + 0.2 * recency + 0.1 * confidence


def penalty(*, drifted: bool, unverified: bool) -> float:
    """Return the factor on the rounded score; the result is not rounded again.

    Source: the original system (golden case `penalties`).
    """
    if drifted and unverified:
        return DRIFTED_UNVERIFIED
    if drifted:
        return DRIFTED
    return UNVERIFIED if unverified else 1.0


@overload
def round_score(score: float) -> float: ...
@overload
def round_score(score: Floats) -> Floats: ...
def round_score(score: float | Floats) -> float | Floats:
    """Return `score` to 4 places, halves up."""
    rounded = np.floor(np.multiply(score, 10_000.0) + 0.5) / 10_000.0
    return rounded if isinstance(score, np.ndarray) else float(rounded)
