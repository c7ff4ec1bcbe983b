"""When the collector of cyclic garbage runs: not while somebody types.

A World is a million objects that live long; looking through all of them takes 60 ms at 1,000 memories, and by Python's
own thresholds that happens in the middle of every other judging. Invariant: what is long-lived is taken out of the
collector's sight when nothing is being answered; reference counts free it all the same. What the C library holds of
freed memory goes back to the system then, too: threads that come and go leave it in pieces.
"""

import contextlib
import ctypes
import gc
import time
from typing import Final

__all__ = ["Heap"]

THRESHOLDS: Final = (20_000, 20, 50)
AGAIN_S: Final = 300.0


class Heap:
    """The process's, for the daemon's loop."""

    def __init__(self) -> None:
        self._settled_s: float | None = None
        gc.set_threshold(*THRESHOLDS)

    def settle(self) -> None:
        """Collect, and set aside what is left; again only after some minutes."""
        now_s = time.monotonic()
        if self._settled_s is not None and now_s - self._settled_s < AGAIN_S:
            return
        self._settled_s = now_s
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        with contextlib.suppress(OSError, AttributeError):  # only glibc has it
            ctypes.CDLL(None).malloc_trim(0)
