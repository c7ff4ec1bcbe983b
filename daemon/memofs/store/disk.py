"""Bytes onto the disk, whole or not at all, and what to say when that fails.

Invariant: a file is replaced in one step by one that is already on the disk, so whoever reads it, at any moment and
after a crash, sees the old bytes or the new ones. Locks and comparing are left to store/journal.py.
"""

import contextlib
import errno
import os
import secrets
import stat
import time
from pathlib import Path

from memofs.model.errors import Unavailable

__all__ = [
    "TEMPORARY_PREFIX",
    "failure",
    "flush_folder",
    "move_into_place",
    "read_regular",
    "replace_file",
    "sweep",
    "temporary_name",
    "write_new",
]

TEMPORARY_PREFIX = ".memofs-"
"""Hidden, so that neither a scan nor the watcher takes a half-written file for a memory."""

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_READ_ONLY = {errno.EROFS, errno.EACCES, errno.EPERM}
_NO_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EACCES}


def read_regular(path: Path, *, most_bytes: int | None = None) -> tuple[bytes, os.stat_result]:
    """The bytes of a regular file and its state, both of the same moment.

    Raises OSError; never waits on a pipe or a device. A file longer than `most_bytes` comes back cut after one byte
    more.
    """
    # Without O_NONBLOCK opening a named pipe would wait for a writer for ever.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        state = os.fstat(handle)
        if not stat.S_ISREG(state.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        return file.read(-1 if most_bytes is None else most_bytes + 1), state


def temporary_name(token: str = "") -> str:
    """A name for a file that is being written, in the folder of the file it will become."""
    return f"{TEMPORARY_PREFIX}{token or secrets.token_hex(8)}.tmp"


def write_new(path: Path, data: bytes, *, mode: int, durable: bool = True) -> None:
    """Write a file that must not exist yet and, if `durable`, wait until the disk has it. Raises OSError."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    with os.fdopen(handle, "wb", buffering=0) as file:
        path.chmod(mode)  # whatever the umask says
        view = memoryview(data)
        while view:
            view = view[file.write(view) or 0 :]
        if durable:
            os.fsync(handle)


def flush_folder(folder: Path) -> None:
    """Wait until the disk has the names in the folder. Does nothing where folders cannot be flushed."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # Windows
        return
    try:
        with contextlib.suppress(OSError):
            os.fsync(handle)
    finally:
        os.close(handle)


def move_into_place(temporary: Path, path: Path, *, may_exist: bool) -> None:
    """Give the written file its name in one step. Raises FileExistsError if it must be new and is not."""
    if may_exist:
        temporary.replace(path)
        return
    try:
        os.link(temporary, path)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # A file system without hard links: the check and the step are two, under the write lock of all of us.
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from error
        temporary.replace(path)
        return
    temporary.unlink()


def replace_file(path: Path, data: bytes, *, mode: int, may_exist: bool = True, durable: bool = True) -> None:
    """Write the file so that it is there whole or not at all; its folder must exist. Raises OSError.

    What is not `durable` may be lost or torn when the machine (not the process) dies: right for caches.
    """
    temporary = path.with_name(temporary_name())
    try:
        write_new(temporary, data, mode=mode, durable=durable)
        move_into_place(temporary, path, may_exist=may_exist)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    if durable:
        flush_folder(path.parent)


def sweep(folder: Path, *, older_than_s: float) -> None:
    """Remove the half-written files that a crash left in the folder; never raises."""
    try:
        names = [path for path in folder.iterdir() if path.name.startswith(TEMPORARY_PREFIX)]
    except OSError:
        return
    for path in names:
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime >= older_than_s:
                path.unlink()


def failure(error: OSError, what: str) -> Unavailable:
    """The error that a person sees for a failed write: what did not work, why, and what to do."""
    reason = error.strerror or str(error)
    if error.errno in _FULL:
        return Unavailable("diskFull", f"{what}: {reason}", "make room on the disk and try again; nothing was changed")
    if error.errno in _READ_ONLY:
        return Unavailable("readOnly", f"{what}: {reason}", "check that you may write to the .memofs folder")
    return Unavailable("writeFailed", f"{what}: {reason}", "nothing was changed; memofs doctor may say more")
