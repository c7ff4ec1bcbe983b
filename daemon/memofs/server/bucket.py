"""A token bucket: how fast somebody may do something. Reads no clock."""

from typing import Final

__all__ = ["BURST", "PER_SECOND", "Bucket"]

BURST: Final = 60.0
"""As many at once: an agent that writes down a long session stays below it."""
PER_SECOND: Final = 1.0


class Bucket:
    """Invariant: over any time of t seconds, at most BURST + t * PER_SECOND tokens are taken."""

    def __init__(self) -> None:
        self._tokens = BURST
        self._at_s: float | None = None

    def take(self, now_s: float) -> float:
        """0 if a token was there, and is taken; else how many seconds there is none."""
        passed_s = 0.0 if self._at_s is None else max(0.0, now_s - self._at_s)
        self._at_s = now_s
        self._tokens = min(BURST, self._tokens + passed_s * PER_SECOND)
        if self._tokens < 1.0:
            return (1.0 - self._tokens) / PER_SECOND
        self._tokens -= 1.0
        return 0.0
