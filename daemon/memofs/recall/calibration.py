"""What another model's cosines mean, told from the store itself.

The limits of recall were measured with the built-in model. Another one may call everything similar (cosines of .7 to
.9) or hardly anything. So its limit is put where the built-in one's lies among the cosines of titles to the other
memories: above all but 3 %. Evidence, in which a cosine counts .48, moves along.

Measured with the built-in model on eleven stores of 40 to 2,700 memories: .27 to .42, on the average .354, where the
fixed limit is .35. The 2 % quantile of the best evidence for titles, as first designed, hangs on the two oddest titles
of a store: .08 to .54 without the memory itself, .79 and more with it, where .38 to .47 is right.

Invariant: one title more or less hardly moves a limit; too few titles set none.
"""

import math
from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from memofs.recall.arrays import Floats

__all__ = [
    "COSINE_TAU",
    "FEWEST_TITLES",
    "MOST_TITLES",
    "Calibration",
    "calibration",
    "is_due",
    "near_cosine",
    "usual_cosine_tau",
    "usual_tau",
]

COSINE_TAU: Final = 0.35
"""From this cosine on meaning alone is an answer, in a store of up to a hundred memories."""
FEWEST_TITLES: Final = 20
MOST_TITLES: Final = 200
_QUANTILE: Final = 0.97
_COSINE_IN_EVIDENCE: Final = 0.48
"""0.8 of the evidence is fused, and 0.6 of that is the cosine."""
_GROWTH: Final = 1.5
_LARGEST_MAGNITUDE: Final = 3.5
"""Limits were measured in stores of up to some three thousand; beyond, they stay what they are there."""


class Calibration(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Limits for one model: `tau` on evidence in a store of so many memories, `cosine_tau` in a small one."""

    memories: int
    tau: float
    cosine_tau: float

    @property
    def shift(self) -> float:
        """How much higher the limit on evidence is than with the built-in model."""
        return self.tau - usual_tau(self.memories)


def usual_tau(memories: int) -> float:
    """The limit on the best evidence with the built-in model: the best of many is better than the best of few.

    Measured so that it takes .001 of R@10 on questions that a store of 10 to 2,700 memories can answer.
    """
    return 0.33 + 0.06 * _magnitude(memories)


def usual_cosine_tau(memories: int) -> float:
    """The limit on the best cosine with the built-in model."""
    return max(COSINE_TAU, 0.23 + 0.06 * _magnitude(memories))


def near_cosine(cosines: Floats) -> float:
    """The cosine that 3 % of the memories exceed, of a title's cosines to all others; there must be one."""
    return float(np.quantile(cosines, _QUANTILE))


def calibration(near: Sequence[float], *, memories: int) -> Calibration | None:
    """The limits by the near cosines of titles; None if there are too few to tell."""
    if len(near) < FEWEST_TITLES:
        return None
    cosine_tau = min(1.0, max(0.0, float(np.median(near))))
    tau = usual_tau(memories) + _COSINE_IN_EVIDENCE * (cosine_tau - COSINE_TAU)
    return Calibration(memories=memories, tau=round(tau, 4), cosine_tau=round(cosine_tau, 4))


def is_due(known: Calibration | None, *, memories: int) -> bool:
    """Whether limits are to be set: never done before, or the store has grown by half since."""
    return memories >= FEWEST_TITLES and (known is None or memories >= _GROWTH * known.memories)


def _magnitude(memories: int) -> float:
    return min(math.log10(max(1, memories)), _LARGEST_MAGNITUDE)
