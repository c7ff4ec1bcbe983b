"""The daemon's connections of the clients that one process serves: over HTTP each client has its own.

What the daemon counts, it counts by connection: so that what one client writes in a short time is not held against
another.

Invariant: at most `MOST_CLIENTS` connections besides the process's own; one with a request under way is not closed.
"""

import asyncio
from typing import Final

from memofs.mcp.daemon import Daemon

__all__ = ["Clients"]

MOST_CLIENTS: Final = 32


class Clients:
    """On one event loop; `close` it in the end. `first` is the process's own and is closed by who made it."""

    def __init__(self, first: Daemon) -> None:
        self.first = first
        self._others: dict[str, Daemon] = {}
        self._closing: set[asyncio.Task[None]] = set()

    def of(self, client: str | None) -> Daemon:
        """The connection of a client; None is the only one of its process."""
        if client is None:
            return self.first
        found = self._others.pop(client, None) or self.first.another()
        self._others[client] = found
        self._let_go()
        return found

    async def close(self) -> None:
        """End the connections of clients."""
        for each in self._others.values():
            await each.close()
        self._others.clear()
        await asyncio.gather(*self._closing)

    def _let_go(self) -> None:
        *earlier, _ = self._others
        for client in earlier:
            if len(self._others) <= MOST_CLIENTS:
                return
            if not self._others[client].is_busy:
                task = asyncio.create_task(self._others.pop(client).close())
                self._closing.add(task)
                task.add_done_callback(self._closing.discard)
