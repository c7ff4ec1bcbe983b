"""The wall clock, in the one place that reads it."""

import os
import time
from datetime import UTC, datetime

from memofs.model.errors import InvalidRequest

__all__ = ["now_ms"]

VARIABLE = "MEMOFS_NOW"


def now_ms() -> int:
    """Milliseconds since the epoch.

    The environment variable MEMOFS_NOW (ISO 8601) fixes the clock, so that documentation and tests can show output
    that does not depend on the day. Raises InvalidRequest if it is not a time.
    """
    fixed = os.environ.get(VARIABLE)
    if not fixed:
        return time.time_ns() // 1_000_000
    try:
        moment = datetime.fromisoformat(fixed)
    except ValueError as error:
        raise InvalidRequest("clock", f"{VARIABLE} is not an ISO 8601 time: {fixed!r}") from error
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)
