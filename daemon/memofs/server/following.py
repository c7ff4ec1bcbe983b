"""Files that others change, taken into the engine as they change.

Invariant: a batch of changes is one pass through the write lane, so it meets no half-done write; own writes are seen
again and found to be the same.
"""

import asyncio
import logging

from memofs.engine.engine import Engine
from memofs.model.errors import MemoError
from memofs.server.host import Host
from memofs.store.layout import CONFIG_PATH, Layout
from memofs.store.watch import EVERYTHING, watch

__all__ = ["follow"]

log = logging.getLogger("memofs.follow")


async def follow(engine: Engine, host: Host, *, stop: asyncio.Event) -> None:
    """Return once `stop` is set; until then every change on disk reaches the engine and its clients."""
    async for paths in watch(Layout.of(host.root), stop=stop, on_way=host.watched):
        if not engine.initialized or (paths == EVERYTHING and not engine.is_open):
            continue  # nothing was read yet: what is read first is read fresh
        try:
            await engine.lanes.write(lambda paths=paths: _take(engine, paths))
        except MemoError as error:
            log.warning("a change on disk could not be taken in: %s", error.message)


def _take(engine: Engine, paths: frozenset[str]) -> None:
    if CONFIG_PATH in paths:
        engine.reconfigure()
    engine.refresh(None if paths == EVERYTHING else paths)
