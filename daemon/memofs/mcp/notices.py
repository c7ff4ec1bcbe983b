"""Telling clients what changed: resources that they subscribed to, and that the list of memories is another.

Clients of the handshake protocols subscribe by URI on their connection; later ones listen on a stream of their own,
which the SDK's handler serves from our bus.

Invariant: nothing is kept of a client beyond `MOST_CLIENTS`, and nothing but URIs; one that is gone is forgotten at the
next notice. What comes while notices are being sent is sent as one more round.
"""

import asyncio
from collections.abc import Iterable
from typing import Final, Protocol

from mcp.server.subscriptions import InMemorySubscriptionBus, ResourcesListChanged, ResourceUpdated

from memofs.mcp.uris import CORE, GRAPH, HERE, STALE, memory_uri
from memofs.wire.notify import DidChangeMemories

__all__ = ["Listener", "Notices"]

GATHER_S: Final = 0.1
"""What changes within this time is told at once: a hundred writes are a few notices."""
MOST_CLIENTS: Final = 64
MOST_URIS: Final = 1_000


class Listener(Protocol):
    """A connection that takes notices."""

    async def send_resource_updated(self, uri: str) -> None:
        """Tell that a resource changed."""
        ...

    async def send_resource_list_changed(self) -> None:
        """Tell that the list of resources changed."""
        ...


class Notices:
    """Who is to be told what. On one event loop."""

    def __init__(self) -> None:
        self.bus = InMemorySubscriptionBus()
        self._listeners: dict[str, Listener] = {}
        self._subscribed: dict[str, set[str]] = {}
        self._places: dict[str, None] = {}
        self._waiting: list[DidChangeMemories | None] = []
        self._task: asyncio.Task[None] | None = None

    def join(self, client: str, listener: Listener) -> None:
        """A client is ready to be told."""
        self._listeners.pop(client, None)
        self._listeners[client] = listener
        while len(self._listeners) > MOST_CLIENTS:
            self._leave(next(iter(self._listeners)))

    def subscribe(self, client: str, uri: str) -> None:
        """The client wants to be told when the resource changes."""
        uris = self._subscribed.setdefault(client, set())
        if len(uris) < MOST_URIS:
            uris.add(uri)
        self.note_place(uri)

    def unsubscribe(self, client: str, uri: str) -> None:
        """The client does not want that any more."""
        self._subscribed.get(client, set()).discard(uri)

    def note_place(self, uri: str) -> None:
        """Somebody asked for what binds a place: whoever listens to it is told when memories change."""
        if uri.startswith(HERE):
            self._places.pop(uri, None)
            self._places[uri] = None
            while len(self._places) > MOST_URIS:
                del self._places[next(iter(self._places))]

    def changed(self, change: DidChangeMemories | None) -> None:
        """What the daemon tells; None where something may have been missed."""
        self._waiting.append(change)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._send())

    async def close(self) -> None:
        """Send nothing more."""
        if self._task is not None:
            self._task.cancel()

    async def _send(self) -> None:
        while self._waiting:
            await asyncio.sleep(GATHER_S)
            changes, self._waiting = self._waiting, []
            uris = self._uris(changes)
            is_other_list = any(each is None or each.added or each.removed for each in changes)
            for uri in uris:
                await self.bus.publish(ResourceUpdated(uri=uri))
            if is_other_list:
                await self.bus.publish(ResourcesListChanged())
            for client, listener in tuple(self._listeners.items()):
                wanted = self._subscribed.get(client, set())
                try:
                    for uri in uris if None not in changes else wanted:
                        if uri in wanted:
                            await listener.send_resource_updated(uri)
                    if is_other_list:
                        await listener.send_resource_list_changed()
                except Exception:  # noqa: BLE001 - whatever a connection that is gone raises in the SDK
                    self._leave(client)

    def _uris(self, changes: Iterable[DidChangeMemories | None]) -> tuple[str, ...]:
        found: dict[str, None] = dict.fromkeys((STALE, GRAPH, CORE))
        for change in changes:
            if change is not None:
                found |= dict.fromkeys(map(memory_uri, (*change.changed, *change.removed)))
        return (*found, *self._places)

    def _leave(self, client: str) -> None:
        self._listeners.pop(client, None)
        self._subscribed.pop(client, None)
