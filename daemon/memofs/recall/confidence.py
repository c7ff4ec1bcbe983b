"""How sure a memory is of itself."""

from typing import Final, overload

import numpy as np

from memofs.recall.arrays import Floats

__all__ = ["UNSTATED", "confidence"]

UNSTATED: Final = 0.5
"""The confidence of a memory that does not say."""


@overload
def confidence(stated: float | None) -> float: ...
@overload
def confidence(stated: Floats) -> Floats: ...
def confidence(stated: float | Floats | None) -> float | Floats:
    """Return stated confidence clamped to [0, 1]; 0.5 where none is (None, NaN).

    Source: the original system (golden case `confidence`).
    """
    if stated is None:
        return UNSTATED
    sure = np.where(np.isnan(stated), UNSTATED, np.clip(stated, 0.0, 1.0))
    return sure if isinstance(stated, np.ndarray) else float(sure)
