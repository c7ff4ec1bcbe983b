"""One daemon per workspace: whoever holds the lock is it.

Invariant: the lock is the operating system's and ends with the process, so a crash leaves nothing to clean up. It lies
in the workspace, where every session of the machine sees it; where nothing can be written there, or no memory is set
up yet, in the user's state folder.
"""

import contextlib
import fcntl
import os
from pathlib import Path

from memofs.link.notice import notice_paths
from memofs.link.places import LOCK, own_folder, workspace_tmp

__all__ = ["Election", "elect"]


class Election:
    """A lock that is held. `folder` is where it lies and where the notice belongs."""

    def __init__(self, folder: Path, descriptor: int, *, read_only: bool) -> None:
        self.folder = folder
        self.read_only = read_only
        self._descriptor = descriptor

    @property
    def stands(self) -> bool:
        """Whether the lock's file is still where others look for it."""
        try:
            there, held = (self.folder / LOCK).stat(), os.fstat(self._descriptor)
        except OSError:
            return False
        return (there.st_dev, there.st_ino) == (held.st_dev, held.st_ino)

    def release(self) -> None:
        """Let another one be elected."""
        os.close(self._descriptor)


def elect(root: Path) -> Election | None:
    """The lock of the workspace's daemon, None if another process holds it. Raises OSError if none can be had."""
    if (root / ".memofs").is_dir():
        with contextlib.suppress(PermissionError, OSError):
            folder = workspace_tmp(root)
            folder.mkdir(exist_ok=True)
            return _lock(folder, read_only=False)
    folder = notice_paths(root)[1].parent
    own_folder(folder.parent)
    own_folder(folder)
    return _lock(folder, read_only=(root / ".memofs").is_dir())


def _lock(folder: Path, *, read_only: bool) -> Election | None:
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except BaseException:
        os.close(descriptor)
        raise
    return Election(folder, descriptor, read_only=read_only)
