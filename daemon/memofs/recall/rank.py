"""How memories are ordered: signals compared in deviations from what is usual among the eligible.

rank = α·z(v) + (1 − α)·(share of words·z(b) + share of coverage·z(c)) + share of title·z(t)

Invariant: no signal of a memory is zeroed because it is outside some pool. Means and deviations are shrunk by
`PRIOR_DOCUMENTS` imagined memories, so that five memories do not make statistics. Without vectors α is 0.
"""

from typing import Final, NamedTuple

import msgspec
import numpy as np

from memofs.recall.arrays import Floats, Rows
from memofs.recall.fusion import clamp
from memofs.recall.lookup import PRIOR_DOCUMENTS
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

NEIGHBOUR_WORDS: Final = 0.2
NEIGHBOUR_MEANING: Final = 0.1

_MEANING_MEAN, _MEANING_DEVIATION = 0.20, 0.11
_WORDS_DEVIATION: Final = 0.15
"""Of the imagined memories: the usual cosine, and the deviation of words as a part of the best score."""


class Scale(NamedTuple):
    """The usual value of a signal and its deviation, shrunk."""

    mean: float
    deviation: float


class Neighbours(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The slot before and after each entry of a log, int32 (size,), -1 where there is none."""

    before: Rows
    after: Rows


class Ranked(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """`rank` (size,), higher is better; α and the scales say how it came about."""

    rank: Floats
    alpha: float
    shares: Shares
    words: Scale
    coverage: Scale
    title: Scale
    meaning: Scale | None = None


def rank(
    signals: WordSignals,
    *,
    documents: int,
    meaning: Floats | None = None,
    neighbours: Neighbours | None = None,
) -> Ranked:
    """The rank of all slots; only that of eligible ones means anything.

    `meaning` (size,) holds each memory's cosine, NaN where it has no vector and outside the eligible.
    """
    shares = WORDS_ONLY if meaning is None else WITH_MEANING
    words = scale(signals.steered, documents, deviation=_WORDS_DEVIATION * _most(signals.steered))
    coverage = scale(signals.coverage, documents, deviation=_WORDS_DEVIATION * _most(signals.coverage))
    title = scale(signals.title, documents, deviation=_WORDS_DEVIATION * _most(signals.title))
    by_words = shares.words * z(signals.steered, words) + shares.coverage * z(signals.coverage, coverage)
    by_title = np.where(signals.title > 0.0, z(signals.title, title), 0.0)
    if neighbours is not None:
        by_words = _lean(by_words, neighbours, NEIGHBOUR_WORDS)
    if meaning is None:
        return Ranked(
            rank=by_words + shares.title * by_title,
            alpha=0.0,
            shares=shares,
            words=words,
            coverage=coverage,
            title=title,
        )
    embedded = ~np.isnan(meaning)
    cosines = np.where(embedded, meaning, 0.0)
    usual = scale(cosines, int(np.count_nonzero(embedded)), mean=_MEANING_MEAN, deviation=_MEANING_DEVIATION)
    by_meaning = np.where(embedded, z(cosines, usual), 0.0)
    if neighbours is not None:
        by_meaning = _lean(by_meaning, neighbours, NEIGHBOUR_MEANING)
    alpha = _alpha(signals.words)
    return Ranked(
        rank=alpha * by_meaning + (1.0 - alpha) * by_words + shares.title * by_title,
        alpha=alpha,
        shares=shares,
        words=words,
        coverage=coverage,
        title=title,
        meaning=usual,
    )


def scale(values: Floats, documents: int, *, deviation: float, mean: float = 0.0) -> Scale:
    """Mean and deviation of the values of `documents` memories, zero for all others, and of the imagined ones."""
    count = documents + PRIOR_DOCUMENTS
    usual = (float(values.sum()) + PRIOR_DOCUMENTS * mean) / count
    squares = float(values @ values) - 2.0 * usual * float(values.sum()) + documents * usual * usual
    prior = PRIOR_DOCUMENTS * (deviation * deviation + (mean - usual) ** 2)
    return Scale(usual, float(np.sqrt(max(0.0, squares + prior) / count)))


def z(values: Floats, usual: Scale) -> Floats:
    """How many deviations above the usual; 0 for all where nothing deviates."""
    if usual.deviation <= 0.0:
        return np.zeros_like(values)
    return (values - usual.mean) / usual.deviation


def _alpha(words: Floats) -> float:
    """What meaning weighs: a flat list of words means trust meaning, a steep one trust words; 0.4 to 0.9."""
    best = _most(words)
    tenth = float(np.partition(words, -10)[-10]) if len(words) >= 10 else 0.0
    steepness = (best - tenth) / best if best > 0.0 else 0.0
    return min(0.9, max(0.4, 0.65 - 0.4 * (steepness - 0.5)))


def _lean(values: Floats, neighbours: Neighbours, share: float) -> Floats:
    """Add to each entry of a log a share of its better neighbour's value, where that is above the usual."""
    above = np.append(np.maximum(values, 0.0), 0.0)
    return values + share * np.maximum(above[neighbours.before], above[neighbours.after])


def _most(values: Floats) -> float:
    return float(values.max()) if len(values) else 0.0


def relevance(ranked: Floats, evidence: Floats) -> Floats:
    """Relevance in [0, 1] by which candidates enter the composite: the best evidence, shared out by rank."""
    if not len(ranked):
        return ranked
    best = float(ranked.max())
    if best <= 0.0:
        return np.where(ranked == best, float(evidence.max()), 0.0)
    return float(evidence.max()) * clamp(ranked / best)
