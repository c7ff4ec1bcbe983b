"""Code files that memories are anchored to, followed on disk: saves, formatters, moves, branch switches.

Invariant: only folders of anchored files and git's own are watched, never the whole tree; a storm of changes is one
pass over the anchors; what changed is told to every client. Text that is only in an editor is not this module's.
"""

import asyncio
import contextlib
import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from watchfiles import awatch  # pyright: ignore[reportUnknownVariableType] - its type names trio

from memofs.engine.engine import Changed, Engine
from memofs.model.errors import MemoError
from memofs.model.place import AnchorState
from memofs.server.host import Host
from memofs.wire.notify import DidChangeAnchors
from memofs.world.state import World

__all__ = ["follow_code"]

log = logging.getLogger("memofs.follow")

QUIET_MS: Final = 150
MOST_MS: Final = 3_000
MOST_FOLDERS: Final = 2_000
"""Beyond it the deepest folders are left out: a watch is a resource of the whole machine."""
AGAIN_S: Final = 5.0
_HEADS = frozenset({"HEAD", "ORIG_HEAD", "packed-refs"})


async def follow_code(engine: Engine, host: Host, *, stop: asyncio.Event) -> None:
    """Return once `stop` is set; until then what happens to anchored files is known within a moment."""
    moved = asyncio.Event()
    loop = asyncio.get_running_loop()

    def tell(_: Changed) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed already
            loop.call_soon_threadsafe(moved.set)

    engine.watchers.append(tell)
    ending = asyncio.ensure_future(stop.wait())
    try:
        while not stop.is_set():
            if not engine.is_open:
                await _first(moved, ending)
                moved.clear()
                continue
            files = _anchored_files(engine.world)
            await _watch(engine, host, files, moved=moved, stop=stop)
    finally:
        ending.cancel()
        engine.watchers.remove(tell)


async def _watch(
    engine: Engine, host: Host, files: frozenset[str], *, moved: asyncio.Event, stop: asyncio.Event
) -> None:
    """Follow these files until there are others to follow, or `stop`."""
    root = host.root.resolve()
    git = _git_folder(root)
    folders = _folders(root, files) + ([git] if git is not None else [])
    renew = asyncio.Event()
    looking = asyncio.ensure_future(_look_for_others(engine, files, moved=moved, renew=renew, stop=stop))
    try:
        if not folders:
            await renew.wait()
            return
        names = {str(root / path) for path in files}
        heads = {str(git / name) for name in _HEADS} if git is not None else set[str]()
        source = awatch(
            *folders,
            watch_filter=lambda _, path: path in names or path in heads,
            debounce=MOST_MS,
            step=QUIET_MS,
            stop_event=renew,
            recursive=False,
            ignore_permission_denied=True,
        )
        async with contextlib.aclosing(source):
            async for changes in source:
                await _take(engine, host, again=any(path in heads or path in names for _, path in changes))
    except (OSError, RuntimeError, ExceptionGroup) as error:
        log.warning("anchored files cannot be watched: %r", error)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(renew.wait(), AGAIN_S)
    finally:
        looking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await looking


async def _look_for_others(
    engine: Engine, files: frozenset[str], *, moved: asyncio.Event, renew: asyncio.Event, stop: asyncio.Event
) -> None:
    """Set `renew` once the anchored files are not these any more, or `stop` is set."""
    ending = asyncio.ensure_future(stop.wait())
    try:
        while not stop.is_set():
            await _first(moved, ending)
            moved.clear()
            if stop.is_set() or _anchored_files(engine.world) != files:
                break
        renew.set()
    finally:
        ending.cancel()


async def _first(event: asyncio.Event, other: "asyncio.Future[Any]") -> None:
    waiting = asyncio.ensure_future(event.wait())
    try:
        await asyncio.wait({waiting, other}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()


async def _take(engine: Engine, host: Host, *, again: bool) -> None:
    """Look at the anchors again and tell what changed."""
    before = engine.world.anchors
    try:
        followed = await engine.lanes.wait(lambda: engine.anchoring.follow(again=again))
    except MemoError as error:
        log.warning("anchors could not be followed: %s", error.message)
        return
    after = followed.world.anchors
    if after is before:
        return
    for path in sorted(_paths(before, after)):
        host.tell("memofs/didChangeAnchors", DidChangeAnchors(uri=(host.root / path).as_uri()))


def _paths(before: Mapping[str, tuple[AnchorState, ...]], after: Mapping[str, tuple[AnchorState, ...]]) -> set[str]:
    """The files where some anchor's state differs."""
    differing = [id_ for id_ in {*before, *after} if before.get(id_) != after.get(id_)]
    states = [state for id_ in differing for state in (*before.get(id_, ()), *after.get(id_, ()))]
    return {state.place.path for state in states if state.place is not None}


def _anchored_files(world: World) -> frozenset[str]:
    """The files that anchors name, and those where they were found."""
    named = {anchor.path for memory in world.memories.values() for anchor in memory.every_anchor}
    found = {state.place.path for states in world.anchors.values() for state in states if state.place is not None}
    return frozenset(named | found)


def _folders(root: Path, files: Iterable[str]) -> list[Path]:
    """The folders of the files that are there, those nearest to the root first."""
    folders = {(root / path).parent for path in files}
    there = [folder for folder in folders if folder.is_dir() and folder.is_relative_to(root)]
    return sorted(there, key=lambda folder: (len(folder.parts), folder))[:MOST_FOLDERS]


def _git_folder(root: Path) -> Path | None:
    """The folder with the working tree's HEAD: `.git`, or what a worktree's `.git` file names."""
    for folder in (root, *root.parents):
        place = folder / ".git"
        if place.is_dir():
            return place
        if place.is_file():
            try:
                named = place.read_text(encoding="utf-8").partition("gitdir:")[2].strip()
                target = (folder / named).resolve()
            except (OSError, RuntimeError, UnicodeDecodeError):  # a loop of links is a RuntimeError
                return None
            return target if named and target.is_dir() else None
    return None
