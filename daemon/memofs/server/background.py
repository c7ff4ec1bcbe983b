"""What a daemon does unasked: telling clients what changed, and making the vectors that are missing.

Invariant: nothing is read before somebody asked for something; indexing never stands in a question's way (the worker
takes questions first) and ends at once when the daemon does.
"""

import asyncio
import contextlib
import logging

from memofs.engine.engine import Changed, Engine
from memofs.model.errors import Cancelled, MemoError
from memofs.server.call import Flag
from memofs.server.host import Host
from memofs.wire.notify import DidChangeMemories, ServerStatus

__all__ = ["Background"]

log = logging.getLogger("memofs.background")

AGAIN_S = 60.0
"""After a failure of the model, indexing is tried again when something changes, or after so long."""


class Background:
    """The work of one daemon. `begin` on its loop; `end` before the engine is closed."""

    def __init__(self, engine: Engine, host: Host) -> None:
        self._engine = engine
        self._host = host
        self._loop = asyncio.get_running_loop()
        self._due = asyncio.Event()
        self._cancel = Flag()
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Follow the engine from now on."""
        self._engine.watchers.append(self._changed)
        self._task = self._loop.create_task(self._index())

    async def end(self) -> None:
        """Stop, and wait for what runs."""
        self._cancel.set()
        self._engine.watchers.remove(self._changed)
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def _changed(self, changed: Changed) -> None:
        """From whichever thread moved the World."""
        with contextlib.suppress(RuntimeError):  # the loop is closed already
            self._loop.call_soon_threadsafe(self._take, changed)

    def _take(self, changed: Changed) -> None:
        self._due.set()
        if changed.added or changed.changed or changed.removed:
            params = DidChangeMemories(
                revision=changed.revision,
                added=changed.added,
                changed=changed.changed,
                removed=changed.removed,
            )
            self._host.tell("memofs/didChangeMemories", params)

    async def _index(self) -> None:
        while True:
            await self._due.wait()
            self._due.clear()
            meaning = self._engine.meaning if self._engine.is_open else None
            if meaning is None:
                continue
            left = await self._indexed()
            if left:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._due.wait(), AGAIN_S)
                self._due.set()

    async def _indexed(self) -> int:
        """How many memories are left without vectors after trying."""
        meaning = self._engine.meaning
        if meaning is None:
            return 0
        meaning_due = await self._engine.lanes.wait(meaning.pending)
        if not meaning_due:
            return 0
        self._say(_indexing(0, meaning_due))
        left = meaning_due
        try:
            left = await self._engine.lanes.wait(
                lambda: meaning.index_pending(cancel=self._cancel, report=self._report)
            )
        except Cancelled:
            self._say(ServerStatus())
            return 0
        except MemoError as error:
            log.warning("indexing stopped: %s", error.message)
        if meaning is not self._engine.meaning:
            self._say(ServerStatus())
            return 0  # the settings name another model by now
        problem = meaning.progress().problem
        self._say(ServerStatus(health="ok" if problem is None else "warning", message=problem))
        return left

    def _report(self, done: int, total: int, _shared: int) -> None:
        """From the thread that embeds."""
        with contextlib.suppress(RuntimeError):  # the loop is closed already
            self._loop.call_soon_threadsafe(self._say, _indexing(done, total))

    def _say(self, status: ServerStatus) -> None:
        if status != self._host.status:
            self._host.status = status
            self._host.tell("memofs/serverStatus", status)


def _indexing(done: int, total: int) -> ServerStatus:
    message = f"indexing {total:,} {'memory' if total == 1 else 'memories'}"
    return ServerStatus(quiescent=False, message=message, done=done, total=total)
