"""How fresh a memory is."""

from typing import Final, overload

import numpy as np

from memofs.recall.arrays import Floats

__all__ = ["DAY_MS", "HALF_LIFE_DAYS", "UNDATED", "age_days", "newest_ms", "recency"]

DAY_MS: Final = 86_400_000
HALF_LIFE_DAYS: Final = 30.0

UNDATED: Final = 0.5
"""The recency of what has no date."""


def newest_ms(*times_ms: int | None) -> int | None:
    """Return the newest of the times that are known: verified, updated, created."""
    return max((time for time in times_ms if time is not None), default=None)


def age_days(now_ms: int, at_ms: int | None) -> float:
    """Return the days between, negative for the future, NaN for no date."""
    return float("nan") if at_ms is None else (now_ms - at_ms) / DAY_MS


@overload
def recency(days: float, *, half_life_days: float = HALF_LIFE_DAYS) -> float: ...
@overload
def recency(days: Floats, *, half_life_days: float = HALF_LIFE_DAYS) -> Floats: ...
def recency(days: float | Floats, *, half_life_days: float = HALF_LIFE_DAYS) -> float | Floats:
    """Return 0.5 to the power of age over half-life: 1 now and in the future, 0.5 without a date (NaN).

    A half-life of 0 means that age does not matter: 1 for all that has a date.

    Source: the original system (golden cases `recency`).
    """
    half_lives = np.maximum(days, 0.0) / half_life_days if half_life_days > 0.0 else np.multiply(days, 0.0)
    fresh = np.where(np.isnan(days), UNDATED, np.power(0.5, half_lives))
    return fresh if isinstance(days, np.ndarray) else float(fresh)
