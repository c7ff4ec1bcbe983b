"""What the handles of briefings lead to, as bytes: `.memofs/indexes/briefings/`, a file for each.

Invariant: a cache that any process may write at any time. A file is replaced in one step and speaks for itself, so
there is nothing to lock and nothing that two writers could spoil; what is damaged is as good as gone and goes with the
next tidying. Where nothing can be written, this process at least finds what it kept. Nothing here raises; what the
bytes mean is left to who keeps them.
"""

import contextlib
import hashlib
import re
import threading
from collections import OrderedDict
from pathlib import Path

from memofs.store.disk import read_regular, replace_file, sweep
from memofs.store.layout import Layout

__all__ = ["MOST_HANDLES", "Handles"]

MOST_HANDLES = 256
SLACK = 32
"""Above the most, so that the folder is tidied once in so many handles and not at every one."""
MOST_BYTES = 1 << 18
HALF_WRITTEN_S = 3600.0
_NAME = "briefings"
_OURS = re.compile(r"[0-9a-f]{32}\.json")


class Handles:
    """The table of one workspace; the last `MOST_HANDLES` are in it. Safe to call from several threads."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._lock = threading.Lock()
        self._unwritten: OrderedDict[str, bytes] = OrderedDict()

    def keep(self, handle: str, data: bytes) -> bool:
        """Keep the bytes under the handle; whether other processes find them too."""
        if _write(self._layout, handle, data):
            return True
        with self._lock:
            self._unwritten[handle] = data
            self._unwritten.move_to_end(handle)
            while len(self._unwritten) > MOST_HANDLES:
                self._unwritten.popitem(last=False)
        return False

    def find(self, handle: str) -> bytes | None:
        """The bytes that were kept last under the handle, if they are still there."""
        with self._lock:
            unwritten = self._unwritten.get(handle)
        return _read(self._layout, handle) if unwritten is None else unwritten


def _write(layout: Layout, handle: str, data: bytes) -> bool:
    folder = layout.indexes / _NAME
    if len(data) > MOST_BYTES or not layout.holds(folder):
        return False
    try:
        layout.make(folder)
        replace_file(folder / _file_name(handle), data, mode=0o600, durable=False)
    except OSError:
        return False
    _tidy(folder)
    return True


def _read(layout: Layout, handle: str) -> bytes | None:
    path = layout.indexes / _NAME / _file_name(handle)
    try:
        data = read_regular(path, most_bytes=MOST_BYTES)[0] if layout.holds(path) else b""
    except OSError:
        return None
    return data if 0 < len(data) <= MOST_BYTES else None


def _file_name(handle: str) -> str:
    """A name that no handle can lead elsewhere with, and that tells upper from lower case wherever files do not."""
    return f"{hashlib.sha256(handle.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}.json"


def _tidy(folder: Path) -> None:
    with contextlib.suppress(OSError):
        paths = [path for path in folder.iterdir() if _OURS.fullmatch(path.name)]
        if len(paths) <= MOST_HANDLES + SLACK:
            return
        for path in sorted(paths, key=_modified_ns, reverse=True)[MOST_HANDLES:]:
            with contextlib.suppress(OSError):
                path.unlink()
        sweep(folder, older_than_s=HALF_WRITTEN_S)


def _modified_ns(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:  # another process tidies at the same time
        return 0
