"""What is shown: a decision on evidence and rank alone, so that age never excludes and recency never rescues.

Invariant: a named memory is always kept. Nothing else is shown unless the best answer stands on its own, by its
evidence; then what comes near it is shown too, by its rank.
"""

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec
import numpy as np

from memofs.model.config import Precision, Ranking
from memofs.recall.arrays import Bools, Floats
from memofs.recall.calibration import COSINE_TAU, Calibration, usual_cosine_tau, usual_tau
from memofs.recall.candidates import Candidates

__all__ = ["COSINE_NEAR", "Decision", "Limits", "decide", "limits"]

COSINE_NEAR: Final = 0.8
"""Of the best cosine: what others must reach where meaning alone answers."""

_STRICT_TAU: Final = 0.08
_STRICT_COSINE_TAU: Final = 0.05
"""How much more than the usual limits is strict."""
_WORDS_ONLY_TAU: Final = 0.45
_INFORMATION_POWER: Final = 0.6
_STRENGTH: Final[Mapping[Precision, float]] = {"balanced": 0.3, "strict": 0.5}
_STRENGTH_GROWTH: Final = 0.2
_LARGEST_MAGNITUDE: Final = 3.0
"""Words were measured in stores of up to a few thousand; beyond, limits stay what they are there."""


class _Near(NamedTuple):
    """Near the best is what has this share of its rank, or lies at most the gap below it, whichever is less."""

    share: float
    gap: float


# Ranks are sums of deviations: in a large store the best stands at 6 to 8 and the share decides, in one of five at 2
# to 3, where the gap does. A cut on evidence cost .020 of R@10 where this costs .008, and returned more of what does
# not matter (tests/bench/quality.py); a least number of hits only adds to that.
_WITH_MEANING: Final[Mapping[Precision, _Near]] = {"balanced": _Near(0.25, 2.25), "strict": _Near(0.5, 1.25)}
_BY_WORDS: Final[Mapping[Precision, _Near]] = {"balanced": _Near(0.2, 2.25), "strict": _Near(0.4, 1.25)}
_BY_EVIDENCE: Final[Mapping[Precision, _Near]] = {"balanced": _Near(0.6, 0.0), "strict": _Near(0.8, 0.0)}
_USUAL: Final = 0.0
"""The rank of a memory that is as near as any other."""
_LEAD: Final[Mapping[Precision, float]] = {"balanced": 0.5, "strict": 1.0}


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """`tau` is the least best evidence, `strength` the least best strength of words (words only).

    `near` is the share of the best rank that others must reach, unless they are at most `gap` below it, but no less
    than `least`; `lead` the share of the best named one's evidence. From `cosine_tau` on meaning alone is an answer.
    """

    tau: float = 0.0
    strength: float = 0.0
    near: float = 0.0
    gap: float = math.inf
    least: float = -math.inf
    lead: float = 0.0
    cosine_tau: float = COSINE_TAU


class Decision(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Masks over the candidates, and why.

    `answered` says whether any but named ones were let in at all: whether the `best` evidence reached what was
    `needed` (a cosine where meaning alone answered) and the words found were of enough `strength`. `rank_bar` is what
    rank had to reach then, `named_bar` what evidence had to reach beside a named one.
    """

    kept: Bools
    by_meaning: Bools
    answered: bool
    needed: float
    best: float
    strength: float
    rank_bar: float = -math.inf
    named_bar: float = 0.0


def limits(
    precision: Precision,
    *,
    documents: int,
    words_only: bool,
    ranking: Ranking = "adaptive",
    calibrated: Calibration | None = None,
) -> Limits:
    """The limits of a precision for a store of so many eligible memories; none for `all`.

    The best of many is better than the best of few, so limits on it grow with the logarithm of the number.
    `calibrated` are limits for another model than the one that all this was measured with.
    """
    if precision == "all":
        return Limits()
    strict = precision == "strict"
    by_rank = _BY_EVIDENCE if ranking == "classic" else _BY_WORDS if words_only else _WITH_MEANING
    near, gap = by_rank[precision]
    tau, strength = _WORDS_ONLY_TAU, 0.0
    if words_only:
        magnitude = min(math.log10(max(1, documents)), _LARGEST_MAGNITUDE)
        strength = _STRENGTH[precision] + _STRENGTH_GROWTH * magnitude
    else:
        tau = usual_tau(documents) + strict * _STRICT_TAU + (0.0 if calibrated is None else calibrated.shift)
    cosine_tau = usual_cosine_tau(documents) + strict * _STRICT_COSINE_TAU
    if calibrated is not None:
        cosine_tau += calibrated.cosine_tau - COSINE_TAU
    return Limits(
        tau=tau, strength=strength, near=near, gap=gap, least=_USUAL, lead=_LEAD[precision], cosine_tau=cosine_tau
    )


def decide(among: Candidates, limit: Limits, *, information: float, whole_only: bool = False) -> Decision:
    """Which candidates are kept; with `whole_only` just those that have every word of the question.

    Words answer if the best evidence reaches `tau` and the best strength, BM25 by what the question tells
    (b / information^0.6), reaches its limit; or if some memory has every word of the question. Meaning answers
    where words do not, and the best cosine reaches `cosine_tau`.
    """
    evidence, named = among.evidence, among.named
    best = _most(evidence)
    strength = _most(among.words) / information**_INFORMATION_POWER if information > 0.0 else 0.0
    whole = among.coverage > 1.0 - 1e-9
    decided = Decision(
        kept=named.copy(),
        by_meaning=np.zeros(len(evidence), dtype=np.bool_),
        answered=False,
        needed=limit.tau,
        best=best,
        strength=strength,
    )
    if whole_only:
        return msgspec.structs.replace(decided, kept=named | whole, answered=bool(whole.any()), needed=1.0)
    if whole.any() or (best >= limit.tau and strength >= limit.strength):
        highest = _most(among.rank)
        rank_bar = min(highest, max(limit.least, min(limit.near * highest, highest - limit.gap)))
        named_bar = limit.lead * _most(evidence[named])
        return msgspec.structs.replace(
            decided,
            kept=named | ((among.rank >= rank_bar) & (evidence >= named_bar)),
            answered=True,
            rank_bar=rank_bar,
            named_bar=named_bar,
        )
    if among.cosine is not None:
        cosine = np.nan_to_num(among.cosine, nan=-1.0)
        needed = max(limit.cosine_tau, COSINE_NEAR * _most(cosine))
        near = cosine >= needed
        if near.any():
            return msgspec.structs.replace(
                decided, kept=named | near, by_meaning=near & ~named, answered=True, needed=needed
            )
    return decided


def _most(values: Floats) -> float:
    return float(values.max()) if len(values) else 0.0
