"""How many requests a caller may make: a token bucket for each harbour and subject, kept in memory.

A bucket fills at the harbour's rate and never above `BURST`, so the map of free berths may fire a dozen requests at
once while a script that polls is slowed down. A restart empties the buckets' debts; that is accepted, because the
limit protects the machine and is not sold to anybody.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

BURST = 20
"""Opening the berth map takes 12 requests; the rest is room for an impatient reload."""

MAX_BUCKETS = 10_000
"""About 2 MB. Above it the full buckets are dropped: a full bucket and none at all are the same."""


@dataclass
class _Bucket:
    tokens: float
    seen: float


class Limiter:
    """Counts requests by key. The clock is the caller's, so a test can let a minute pass at once."""

    def __init__(self, burst: int = BURST, max_buckets: int = MAX_BUCKETS) -> None:
        self._burst = float(burst)
        self._max_buckets = max_buckets
        self._buckets: dict[tuple[str, str], _Bucket] = {}
        self._lock = threading.Lock()

    def wait_seconds(self, key: tuple[str, str], per_minute: int, now: float) -> float:
        """Take one token: 0.0 if the request may go on, else the seconds until the next token is there."""
        rate = per_minute / 60
        with self._lock:
            bucket = self._buckets.get(key)
            if bucket is None:
                if len(self._buckets) >= self._max_buckets:
                    self._drop_full(rate, now)
                bucket = self._buckets[key] = _Bucket(self._burst, now)
            # A clock that steps back must not take tokens away.
            elapsed = max(0.0, now - bucket.seen)
            bucket.tokens = min(self._burst, bucket.tokens + elapsed * rate)
            bucket.seen = max(bucket.seen, now)
            if bucket.tokens >= 1:
                bucket.tokens -= 1
                return 0.0
            return (1 - bucket.tokens) / rate

    def __len__(self) -> int:
        return len(self._buckets)

    def _drop_full(self, rate: float, now: float) -> None:
        """Drop every bucket that would be full by now.

        `rate` is the new caller's, which may differ from the bucket's own: an over-eager drop grants a burst
        early, and nothing else.
        """
        full = [key for key, b in self._buckets.items() if b.tokens + (now - b.seen) * rate >= self._burst]
        for key in full:
            del self._buckets[key]
