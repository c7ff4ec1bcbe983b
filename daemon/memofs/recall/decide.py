"""What is shown: a decision on evidence alone, so that age never excludes and recency never rescues.

Invariant: a named memory is always kept. Nothing else is shown unless the best answer stands on its own; then what
comes near it is shown too, and at least `floor` memories.
"""

import math
from collections.abc import Mapping
from typing import Final

import msgspec
import numpy as np

from memofs.model.config import Precision
from memofs.recall.arrays import Bools, Floats
from memofs.recall.calibration import COSINE_TAU, Calibration, usual_tau
from memofs.recall.candidates import Candidates, highest

__all__ = ["COSINE_NEAR", "Decision", "Limits", "decide", "limits"]

COSINE_NEAR: Final = 0.8
"""Of the best cosine: what others must reach then."""

_WORDS_ONLY_TAU: Final = 0.45
_STRICT_TAU: Final = 0.45
_INFORMATION_POWER: Final = 0.6
_STRENGTH: Final[Mapping[Precision, float]] = {"balanced": 0.3, "strict": 0.5}
_STRENGTH_GROWTH: Final = 0.2
_LARGEST_MAGNITUDE: Final = 3.0
"""Words were measured in stores of up to a few thousand; beyond, limits stay what they are there."""
_TITLE_SHARE: Final = 0.2


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """`tau` is the least best evidence, `strength` the least best strength of words (words only).

    `near` is the part of the best evidence that others must reach, `lead` the part of the best named one's, and
    `floor` how many are kept at least. From `cosine_tau` on meaning alone is an answer.
    """

    tau: float
    strength: float
    near: float
    lead: float
    floor: int
    cosine_tau: float = COSINE_TAU


class Decision(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Masks over the candidates, and why.

    `lead` is each one's evidence with its title's share, `bar` what it had to reach (a cosine where meaning alone
    answered); `answered` says whether any but named ones were let in at all.
    """

    kept: Bools
    by_meaning: Bools
    lead: Floats
    answered: bool
    bar: float
    best: float
    strength: float


_NEAR: Final[Mapping[Precision, tuple[float, float, int]]] = {
    "balanced": (0.6, 0.9, 3),
    "strict": (0.8, 1.0, 1),
    "all": (0.0, 0.0, 0),
}


def limits(precision: Precision, *, documents: int, words_only: bool, calibrated: Calibration | None = None) -> Limits:
    """The limits of a precision for a store of so many eligible memories.

    The best of many is better than the best of few, so limits on it grow with the logarithm of the number.
    `calibrated` are limits for another model than the one that all this was measured with.
    """
    near, lead, floor = _NEAR[precision]
    magnitude = math.log10(max(1, documents))
    shift = 0.0 if calibrated is None else calibrated.shift
    tau, strength = 0.0, 0.0
    if precision != "all" and words_only:
        tau = _WORDS_ONLY_TAU
        strength = _STRENGTH[precision] + _STRENGTH_GROWTH * min(magnitude, _LARGEST_MAGNITUDE)
    elif precision == "balanced":
        tau = usual_tau(documents) + shift
    elif precision == "strict":
        tau = _STRICT_TAU + shift
    cosine_tau = COSINE_TAU if calibrated is None else calibrated.cosine_tau
    return Limits(tau=tau, strength=strength, near=near, lead=lead, floor=floor, cosine_tau=cosine_tau)


def decide(among: Candidates, limit: Limits, *, information: float, whole_only: bool = False) -> Decision:
    """Which candidates are kept; with `whole_only` just those that have every word of the question.

    Words answer if the best evidence reaches `tau` and the best strength, BM25 by what the question tells
    (b / information^0.6), reaches its limit; or if some memory has every word of the question. Meaning answers
    where words do not, and the best cosine reaches `cosine_tau`.
    """
    evidence, named = among.evidence, among.named
    lead = evidence + (_TITLE_SHARE * among.title / information if information > 0.0 else 0.0)
    best = _most(evidence)
    strength = _most(among.words) / information**_INFORMATION_POWER if information > 0.0 else 0.0
    whole = among.coverage > 1.0 - 1e-9
    decided = Decision(
        kept=named.copy(),
        by_meaning=np.zeros(len(evidence), dtype=np.bool_),
        lead=lead,
        answered=False,
        bar=limit.tau,
        best=best,
        strength=strength,
    )
    if whole_only:
        return msgspec.structs.replace(decided, kept=named | whole, answered=bool(whole.any()), bar=1.0)
    if whole.any() or (best >= limit.tau and strength >= limit.strength):
        bar = max(limit.near * best, limit.lead * _most(lead[named]))
        kept = named | (lead >= bar)
        short = limit.floor - int(np.count_nonzero(kept))
        if short > 0:
            rest = np.where(kept, 0.0, lead)
            kept |= highest(rest, short)
        return msgspec.structs.replace(decided, kept=kept, answered=True, bar=bar)
    if among.cosine is not None:
        cosine = np.nan_to_num(among.cosine, nan=-1.0)
        bar = max(limit.cosine_tau, COSINE_NEAR * _most(cosine))
        near = cosine >= bar
        if near.any():
            return msgspec.structs.replace(decided, kept=named | near, by_meaning=near & ~named, answered=True, bar=bar)
    return decided


def _most(values: Floats) -> float:
    return float(values.max()) if len(values) else 0.0
