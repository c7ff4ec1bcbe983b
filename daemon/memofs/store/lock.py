"""The short lock around whatever changes `.memofs/` and the one around making vectors, for threads and processes alike.

Invariant: the first is held for the length of one write, never while somebody is waited for, the second for that of
one batch; a process that dies lets go of both. Nothing here makes a `.memofs/` that is not there.
"""

import contextlib
from collections.abc import Callable, Generator
from typing import Final

import filelock

from memofs.model.errors import NotFound, Unavailable
from memofs.store.disk import failure
from memofs.store.layout import NAME, Layout

__all__ = ["LOCK_TIMEOUT_S", "index_lock", "write_lock"]

LOCK_TIMEOUT_S = 10.0
LOOK_S: Final = 0.25
"""How often who waits for the lock around making vectors looks up."""


@contextlib.contextmanager
def write_lock(layout: Layout, *, timeout_s: float = LOCK_TIMEOUT_S) -> Generator[None]:
    """Hold the lock.

    Raises NotFound without `.memofs/`, Refused where a folder in it leads out of the workspace, Unavailable where it
    cannot be written or another holds the lock for too long.
    """
    if not layout.is_initialized:
        raise NotFound("noWorkspace", f"there is no {NAME}/ in {layout.root}", "memofs init makes one")
    lock = filelock.FileLock(layout.lock, timeout=timeout_s, mode=0o600)
    try:
        for folder in (layout.undo, layout.events.parent, layout.snapshots):
            layout.inside(layout.relative(folder))
        layout.tmp.mkdir(mode=0o700, exist_ok=True)
        lock.acquire()
    except filelock.Timeout as error:
        raise Unavailable(
            "locked",
            f"another process has been writing for more than {timeout_s:g} s",
            f"try again; if nothing runs, look for what holds {layout.relative(layout.lock)}",
        ) from error
    except OSError as error:
        raise failure(error, "the store cannot be written") from error
    try:
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def index_lock(layout: Layout, *, wait_s: float, meanwhile: Callable[[], None] | None = None) -> Generator[bool]:
    """Whether the lock is held: False if another held it for all the time that there was to wait.

    `meanwhile` is called now and then while it waits; what it raises ends the waiting. Where there can be no lock, as
    on a read-only file system, nobody else writes either, and the answer is True. Raises NotFound without `.memofs/`.
    """
    lock = filelock.FileLock(layout.tmp / "index.lock", mode=0o600)
    held = False
    while not held:
        if not layout.is_initialized:
            raise NotFound("noWorkspace", f"there is no {NAME}/ in {layout.root}", "memofs init makes one")
        try:
            if not layout.holds(layout.tmp):
                break
            layout.tmp.mkdir(mode=0o700, exist_ok=True)
            lock.acquire(timeout=min(LOOK_S, max(0.0, wait_s)))
            held = True
        except filelock.Timeout:
            wait_s -= LOOK_S
            if wait_s <= 0.0:
                yield False
                return
            if meanwhile is not None:
                meanwhile()
        except OSError:
            break
    try:
        yield True
    finally:
        if held:
            lock.release()
