"""Connections of several clients of one process, and notices that are gathered."""

import asyncio
from pathlib import Path

from memofs.mcp.clients import MOST_CLIENTS, Clients
from memofs.mcp.daemon import Daemon
from memofs.mcp.notices import Notices
from memofs.mcp.uris import STALE
from memofs.wire.notify import DidChangeMemories


def test_each_client_keeps_its_own_connection_and_those_used_longest_ago_go(tmp_path: Path) -> None:
    async def test() -> None:
        first = Daemon(tmp_path, build="0")
        every = Clients(first)
        assert every.of(None) is first
        kept = every.of("kept")
        assert kept is not first
        early = every.of("early")
        for number in range(MOST_CLIENTS):
            every.of(f"client {number}")
            assert every.of("kept") is kept
        assert every.of("early") is not early
        await every.close()

    asyncio.run(test())


class Listening:
    """A connection that counts what it is told."""

    def __init__(self) -> None:
        self.updated: list[str] = []
        self.lists = 0
        self.told = asyncio.Event()

    async def send_resource_updated(self, uri: str) -> None:
        self.updated.append(uri)

    async def send_resource_list_changed(self) -> None:
        self.lists += 1
        self.told.set()


def test_what_changes_at_once_is_told_at_once() -> None:
    changes = 200

    async def test() -> None:
        notices, listening = Notices(), Listening()
        notices.join("c", listening)
        notices.subscribe("c", STALE)
        for number in range(changes):
            notices.changed(DidChangeMemories(revision=number, added=(f"mem_{number}",), changed=(), removed=()))
            await asyncio.sleep(0)
        await asyncio.wait_for(listening.told.wait(), 30)
        await notices.close()
        assert set(listening.updated) == {STALE}
        assert len(listening.updated) < changes / 10
        assert 1 <= listening.lists < changes / 10

    asyncio.run(test())
