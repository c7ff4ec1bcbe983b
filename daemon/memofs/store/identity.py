"""New ids: the time, then chance, so that they sort by age and two processes do not meet.

Invariant: the ids of one source grow strictly, whatever the clock does, and from any thread.
"""

import secrets
import threading

from memofs.text.identity import ID_PREFIX, base32

__all__ = ["IdSource"]

_CHANCE_BITS = 15
_MS_BITS = 45


class IdSource:
    """Hands out ids. Invariant: each is greater than the one before it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def next(self, now_ms: int, *, prefix: str = ID_PREFIX) -> str:
        """`prefix` and 12 characters of Crockford's base32: 9 of milliseconds, 3 of chance.

        Within a millisecond, or when the clock went back, the id before it plus one.
        """
        drawn = (now_ms << _CHANCE_BITS | secrets.randbits(_CHANCE_BITS)) & ((1 << (_MS_BITS + _CHANCE_BITS)) - 1)
        with self._lock:
            self._last = drawn if drawn >> _CHANCE_BITS > self._last >> _CHANCE_BITS else self._last + 1
            return prefix + base32(self._last, length=12)
