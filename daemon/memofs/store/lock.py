"""The short lock around whatever changes `.memofs/`, for threads and processes alike.

Invariant: held for the length of one write, never while somebody is waited for; a process that dies lets go of it.
"""

import contextlib
from collections.abc import Generator

import filelock

from memofs.model.errors import NotFound, Unavailable
from memofs.store.disk import failure
from memofs.store.layout import NAME, Layout

__all__ = ["LOCK_TIMEOUT_S", "write_lock"]

LOCK_TIMEOUT_S = 10.0


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
