"""How memories are ordered: signals compared in deviations from what is usual among the eligible.

rank = α·z(v) + (1 − α)·(share of words·z(b) + share of coverage·z(c)) + share of title·z(t), where a memory whose
title has no word of the question gets nothing for it. Where the question is nothing but identifiers, those that have
them whole come before those that have pieces of them.

Invariant: no signal of a memory is zeroed because it is outside some pool. Means and deviations are shrunk by
`PRIOR_DOCUMENTS` imagined memories, so that five memories do not make statistics. Without vectors α is 0.
"""

from typing import Final, NamedTuple

import msgspec
import numpy as np

from memofs.recall.arrays import Floats, Rows
from memofs.recall.fusion import clamp
from memofs.recall.lookup import PRIOR_DOCUMENTS
from memofs.recall.pool import Pool
from memofs.recall.signals import WordSignals

__all__ = ["Neighbours", "Ranked", "Scale", "Shares", "rank", "relevance", "scale", "z"]


class Shares(NamedTuple):
    """What each word signal weighs, and what an entry takes over from its neighbour in a log."""

    words: float
    coverage: float
    title: float


WITH_MEANING: Final = Shares(words=0.5, coverage=0.5, title=0.08)
WORDS_ONLY: Final = Shares(words=0.75, coverage=0.25, title=0.25)
"""Without vectors titles speak for the meaning and coverage weighs less (tests/bench/quality_words.py)."""

NEIGHBOUR_WORDS: Final = 0.3
NEIGHBOUR_MEANING: Final = 0.1

IDENTIFIER_ALPHA: Final = 0.1
"""What meaning weighs where a question is nothing but identifiers: they are asked for by their letters."""

WHOLE_LEAD: Final = 1.0
"""By so many deviations at least a memory with the identifiers whole leads all that only have pieces of them."""

_MEANING_MEAN, _MEANING_DEVIATION = 0.20, 0.11
_WORDS_DEVIATION: Final = 0.15
"""Of the imagined memories: the usual cosine, and the deviation of words as a part of the best score."""


class Scale(NamedTuple):
    """The usual value of a signal and its deviation, shrunk."""

    mean: float
    deviation: float


class Neighbours(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The slot before and after each entry of a log, int32 (size,), -1 for none: an index to one past the slots."""

    before: Rows
    after: Rows


class Ranked(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """`rank` (n_pool,), higher is better; α, the shares and the scales say how it came about."""

    rank: Floats
    alpha: float
    shares: Shares
    words: Scale
    coverage: Scale
    title: Scale
    meaning: Scale | None = None


def rank(
    signals: WordSignals,
    pool: Pool,
    *,
    documents: int,
    meaning: Floats | None = None,
    neighbours: Neighbours | None = None,
) -> Ranked:
    """The rank of the memories of the pool among `documents` eligible ones.

    `meaning` (n_pool,) holds each memory's cosine, NaN where it has no vector; with it the pool is all eligible.
    """
    shares = WORDS_ONLY if meaning is None else WITH_MEANING
    words, coverage, title = (
        scale(values, documents, deviation=_WORDS_DEVIATION * _most(values))
        for values in (signals.steered, signals.coverage, signals.title)
    )
    ranked = shares.words * z(signals.steered, words) + shares.coverage * z(signals.coverage, coverage)
    if neighbours is not None:
        ranked = _lean(ranked, pool, neighbours, NEIGHBOUR_WORDS)
    alpha, usual = 0.0, None
    if meaning is not None:
        embedded = ~np.isnan(meaning)
        cosines = np.where(embedded, meaning, 0.0)
        usual = scale(cosines, int(np.count_nonzero(embedded)), mean=_MEANING_MEAN, deviation=_MEANING_DEVIATION)
        by_meaning = np.where(embedded, z(cosines, usual), 0.0)
        if neighbours is not None:
            by_meaning = _lean(by_meaning, pool, neighbours, NEIGHBOUR_MEANING)
        alpha = _alpha(signals.words) if signals.whole is None else IDENTIFIER_ALPHA
        ranked = alpha * by_meaning + (1.0 - alpha) * ranked
    titled = np.flatnonzero(signals.title)
    ranked[titled] += shares.title * z(signals.title[titled], title)
    if signals.whole is not None and len(ranked):
        ranked += signals.whole * (float(np.ptp(ranked)) + WHOLE_LEAD)
    return Ranked(rank=ranked, alpha=alpha, shares=shares, words=words, coverage=coverage, title=title, meaning=usual)


def scale(values: Floats, documents: int, *, deviation: float, mean: float = 0.0) -> Scale:
    """Mean and deviation of the values of `documents` memories, zero for those not given, and of the imagined ones."""
    count = documents + PRIOR_DOCUMENTS
    total = float(values.sum())
    usual = (total + PRIOR_DOCUMENTS * mean) / count
    # Not the dot product: its threads cost more than they save at this length, and stall on a busy machine.
    squares = float(np.square(values).sum()) - 2.0 * usual * total + documents * usual * usual
    prior = PRIOR_DOCUMENTS * (deviation * deviation + (mean - usual) ** 2)
    return Scale(usual, float(np.sqrt(max(0.0, squares + prior) / count)))


def z(values: Floats, usual: Scale) -> Floats:
    """How many deviations above the usual; 0 for all where nothing deviates."""
    if usual.deviation <= 0.0:
        return np.zeros_like(values)
    return (values - usual.mean) / usual.deviation


def relevance(ranked: Floats, evidence: Floats) -> Floats:
    """Relevance in [0, 1] by which candidates enter the composite: the best evidence, shared out by rank."""
    if not len(ranked):
        return ranked
    best = float(ranked.max())
    if best <= 0.0:
        return np.where(ranked == best, float(evidence.max()), 0.0)
    return float(evidence.max()) * clamp(ranked / best)


def _alpha(words: Floats) -> float:
    """What meaning weighs: a flat list of words means trust meaning, a steep one trust words; 0.4 to 0.9."""
    best = _most(words)
    tenth = float(np.partition(words, -10)[-10]) if len(words) >= 10 else 0.0
    steepness = (best - tenth) / best if best > 0.0 else 0.0
    return min(0.9, max(0.4, 0.65 - 0.4 * (steepness - 0.5)))


def _lean(values: Floats, pool: Pool, neighbours: Neighbours, share: float) -> Floats:
    """Add to each entry of a log a share of its better neighbour's value, where that is above the usual."""
    above = np.zeros(len(pool.places) + 1)
    above[pool.slots] = np.maximum(values, 0.0)
    better = np.maximum(above[neighbours.before[pool.slots]], above[neighbours.after[pool.slots]])
    return values + share * better


def _most(values: Floats) -> float:
    return float(values.max()) if len(values) else 0.0
