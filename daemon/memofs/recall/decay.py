"""When a memory counts as unverified: too long ago that anybody said it holds."""

from collections.abc import Mapping

from memofs.model.config import FLOORS_DAYS
from memofs.recall.recency import DAY_MS

__all__ = ["checked_ms", "floors", "is_unverified"]


def checked_ms(verified_ms: int | None, updated_ms: int | None, created_ms: int | None) -> int | None:
    """Return when the memory last counted as checked: verified, else updated, else created."""
    return next((time for time in (verified_ms, updated_ms, created_ms) if time is not None), None)


def floors(overrides: Mapping[str, int]) -> Mapping[str, int]:
    """Return the floor in days of every kind that has one, the config's before ours."""
    return {**FLOORS_DAYS, **overrides}


def is_unverified(kind: str, at_ms: int | None, *, now_ms: int, floors_days: Mapping[str, int]) -> bool:
    """Return whether more than the kind's floor has passed; never for a kind without floor, or without a date.

    Source: the original system (golden case `decay_boundary`): strictly more, to the millisecond.
    """
    floor = floors_days.get(kind)
    return floor is not None and at_ms is not None and now_ms - at_ms > floor * DAY_MS
