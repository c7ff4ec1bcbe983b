"""What a session's last briefings left out, so that it can be given without looking anywhere.

Invariant: the lists of at most `MOST_KEPT` briefings, none older than `KEPT_MS`; only making a briefing adds to them,
and looking at one keeps it from being the first to go but does not prolong its life. Safe to call from several
threads.
"""

import threading
from collections import deque
from collections.abc import Mapping
from typing import Final, Generic, TypeVar

__all__ = ["KEPT_MS", "MOST_KEPT", "Kept"]

MOST_KEPT: Final = 8
KEPT_MS: Final = 600_000

T = TypeVar("T")


class Kept(Generic[T]):
    """Values by handle, those of one briefing together with the time at which it was made."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._briefings: deque[tuple[int, Mapping[str, T]]] = deque(maxlen=MOST_KEPT)

    def put(self, values: Mapping[str, T], *, now_ms: int) -> None:
        """Keep the values of one briefing; the briefing that was not looked at for the longest goes."""
        if values:
            with self._lock:
                self._briefings.append((now_ms, dict(values)))

    def get(self, handle: str, *, now_ms: int) -> T | None:
        """The value, if it is still here and not too old."""
        with self._lock:
            fresh = [each for each in self._briefings if now_ms - each[0] <= KEPT_MS]
            found = next((each for each in reversed(fresh) if handle in each[1]), None)
            if found is not None:
                fresh.remove(found)
                fresh.append(found)
            self._briefings.clear()
            self._briefings.extend(fresh)
            return None if found is None else found[1][handle]
