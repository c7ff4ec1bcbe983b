"""Changes below `.memofs/` that somebody else may have made, in batches.

Invariant: whatever changes in memories, graph or settings after the first batch is named by a later one, by its own
path or by a folder above it; a storm of changes is one batch. Caches, locks, logs and half-written files are none of
it. Own writes are named too: who reads the files again sees that they are the same.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Literal, TypeAlias

from watchfiles import Change, awatch  # pyright: ignore[reportUnknownVariableType] - its type names trio

from memofs.store.layout import CONFIG_PATH, GRAPH_PATH, MEMORY_PATH, NAME, Layout

__all__ = ["EVERYTHING", "Way", "watch"]

Way: TypeAlias = Literal["notified", "polled"]

EVERYTHING = frozenset({MEMORY_PATH, GRAPH_PATH, CONFIG_PATH})
"""The batch that says: anything may have changed."""

QUIET_MS = 100
MOST_MS = 3_000
POLL_MS = 1_000

_CHECK_MS = 2_000
_FOLDERS = (MEMORY_PATH, GRAPH_PATH)


async def watch(
    layout: Layout,
    *,
    stop: asyncio.Event,
    quiet_ms: int = QUIET_MS,
    force_polling: bool = False,
    on_way: Callable[[Way], None] = lambda _: None,
) -> AsyncGenerator[frozenset[str]]:
    """Batches of workspace-relative paths that changed, until `stop` is set.

    The first is `EVERYTHING`: watching has begun, and what changed before is unknown; it comes again whenever
    `.memofs/` itself was replaced. A batch ends when nothing happened for `quiet_ms`, after three seconds at the
    latest. Where the system cannot notify (no inotify watches left) the files are polled; where that fails too, it is
    tried again. `on_way` is told how, each time watching begins.
    """
    queue: asyncio.Queue[frozenset[str] | None] = asyncio.Queue()
    pump = asyncio.create_task(
        _pump(layout, queue, stop=stop, quiet_ms=quiet_ms, force_polling=force_polling, on_way=on_way)
    )
    try:
        while (batch := await queue.get()) is not None:
            yield batch
        await pump
    finally:
        pump.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await pump


async def _pump(
    layout: Layout,
    queue: "asyncio.Queue[frozenset[str] | None]",
    *,
    stop: asyncio.Event,
    quiet_ms: int,
    force_polling: bool,
    on_way: Callable[[Way], None],
) -> None:
    is_polling = force_polling
    try:
        while not stop.is_set():
            folder = _identity(layout.base)
            if folder is None:
                await _pause(stop)
                continue
            on_way("polled" if is_polling else "notified")
            try:
                await _follow(layout, folder, queue, stop=stop, quiet_ms=quiet_ms, is_polling=is_polling)
            except FileNotFoundError:
                continue
            except (OSError, RuntimeError, ExceptionGroup):  # a group, where it fails in the middle
                if is_polling:
                    await _pause(stop)
                is_polling = True
    finally:
        queue.put_nowait(None)


async def _follow(
    layout: Layout,
    folder: tuple[int, int],
    queue: "asyncio.Queue[frozenset[str] | None]",
    *,
    stop: asyncio.Event,
    quiet_ms: int,
    is_polling: bool,
) -> None:
    """Pass on changes until `stop`, or until `.memofs/` is another folder than it was."""
    source = awatch(
        layout.base,
        watch_filter=lambda _, path: _relevant(layout, path) is not None,
        debounce=max(MOST_MS, quiet_ms),
        step=quiet_ms,
        stop_event=stop,
        rust_timeout=_CHECK_MS,
        yield_on_timeout=True,
        force_polling=is_polling or None,
        poll_delay_ms=POLL_MS,
        ignore_permission_denied=True,
    )
    # The source sets its watches before it first gives way, so by the time this runs they are there.
    asyncio.get_running_loop().call_soon(queue.put_nowait, EVERYTHING)
    async with contextlib.aclosing(source):
        async for changes in source:
            batch = _paths(layout, changes)
            if batch:
                queue.put_nowait(batch)
            if _identity(layout.base) != folder:
                return


async def _pause(stop: asyncio.Event) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), _CHECK_MS / 1000)


def _paths(layout: Layout, changes: set[tuple[Change, str]]) -> frozenset[str]:
    return frozenset(path for _, changed in changes if (path := _relevant(layout, changed)) not in (None, NAME))


def _relevant(layout: Layout, changed: str) -> str | None:
    """The workspace-relative path, if it is of interest."""
    try:
        path = Path(changed).relative_to(layout.root).as_posix()
        path.encode("utf-8")
    except (ValueError, UnicodeEncodeError):
        return None
    if path in (CONFIG_PATH, NAME, *_FOLDERS):
        return path
    below = next((path[len(folder) :] for folder in _FOLDERS if path.startswith(f"{folder}/")), None)
    return path if below is not None and "/." not in below else None


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        state = folder.stat()
    except OSError:
        return None
    return state.st_dev, state.st_ino
