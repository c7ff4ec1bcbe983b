"""Lanes for handlers: reads beside one another on snapshots, writes one at a time in order, long waits apart."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

__all__ = ["Lanes"]

READERS = 4
WAITERS = 32
T = TypeVar("T")


class Lanes:
    """Thread pools behind an asyncio loop. Invariant: at most one write runs, in the order of arrival."""

    def __init__(self) -> None:
        self._reads = ThreadPoolExecutor(READERS, thread_name_prefix="memofs-read")
        self._waits = ThreadPoolExecutor(WAITERS, thread_name_prefix="memofs-wait")
        self._writes = ThreadPoolExecutor(1, thread_name_prefix="memofs-write")

    async def read(self, work: Callable[[], T]) -> T:
        """What `work` returns, from a reader thread."""
        return await asyncio.get_running_loop().run_in_executor(self._reads, work)

    async def wait(self, work: Callable[[], T]) -> T:
        """What `work` returns, from a thread that neither reads nor writes wait for."""
        return await asyncio.get_running_loop().run_in_executor(self._waits, work)

    async def write(self, work: Callable[[], T]) -> T:
        """What `work` returns, from the one writer thread."""
        return await asyncio.get_running_loop().run_in_executor(self._writes, work)

    def settle(self) -> None:
        """Return when every write that is queued now is done. Not to be called from the write lane."""
        self._writes.submit(_nothing).result()

    def close(self) -> None:
        """Let what runs end, and stop the threads."""
        self._reads.shutdown()
        self._waits.shutdown()
        self._writes.shutdown()


def _nothing() -> None:
    return
