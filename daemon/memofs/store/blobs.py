"""Old versions of code files: from `.memofs/indexes/blobs/`, else from git.

Invariant: bytes are answered only if they have the id that was asked for; the folder is a cache, kept below its limit
by dropping what was not used for longest, and nothing here raises for what a disk holds. Ids are git's, of bytes with
LF line ends or as they are, worked out by code_files.py.
"""

import contextlib
import os
import threading
import zlib
from pathlib import Path
from typing import Final, Literal

from memofs.store.code_files import MOST_TEXT_BYTES, blob_id
from memofs.store.disk import read_regular, replace_file
from memofs.store.git_objects import GitObjects
from memofs.store.layout import Layout

__all__ = ["MOST_CACHED_BYTES", "Blobs"]

MOST_CACHED_BYTES: Final = 50 * 1024 * 1024
_KEPT_SHARE: Final = 0.8
"""What is left of the limit after dropping, so that not every write has to drop."""
_FOLDER: Final = "blobs"
_LEVEL: Final = 6


class Blobs:
    """Reads and keeps versions of code files. Safe to call from any thread; other processes may do the same."""

    def __init__(self, layout: Layout, objects: GitObjects, *, most_bytes: int = MOST_CACHED_BYTES) -> None:
        self._layout = layout
        self._folder = layout.indexes / _FOLDER
        self._objects = objects
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._size_bytes: int | None = None

    def read(self, id_: str, *, until_s: float | None = None) -> bytes | None:
        """The bytes of the version with this id, at most 2 MB; None if neither the cache nor git has them.

        `until_s` is when (`time.monotonic`) git is no longer waited for.
        """
        found = self.find(id_, until_s=until_s)
        return None if found is None else found[0]

    def find(self, id_: str, *, until_s: float | None = None) -> tuple[bytes, Literal["cache", "git"]] | None:
        """The bytes, and where they were found."""
        cached = self._cached(id_)
        if cached is not None:
            return cached, "cache"
        data = self._objects.blob(id_, most_bytes=MOST_TEXT_BYTES, until_s=until_s)
        return None if data is None else (data, "git")

    def in_git(self, id_: str) -> bool:
        """Whether git has it, so that whoever clones the repository has it too."""
        return self._objects.has(id_)

    def keep(self, data: bytes) -> None:
        """Put a version into the cache. What cannot be written is not kept."""
        if len(data) > MOST_TEXT_BYTES:
            return
        path = self._path(blob_id(data))
        if path is None or not self._layout.holds(self._layout.indexes):
            return
        with self._lock, contextlib.suppress(OSError):
            if path.exists():
                os.utime(path)
                return
            self._layout.make(path.parent)
            packed = zlib.compress(data, _LEVEL)
            replace_file(path, packed, mode=0o600, durable=False)
            self._make_room(len(packed))

    def _cached(self, id_: str) -> bytes | None:
        path = self._path(id_)
        if path is None:
            return None
        try:
            data = zlib.decompressobj().decompress(read_regular(path)[0], MOST_TEXT_BYTES + 1)
        except (OSError, zlib.error):
            return None
        if blob_id(data) != id_:
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return data

    def _path(self, id_: str) -> Path | None:
        return self._folder / id_[:2] / id_[2:] if id_.isalnum() and id_.isascii() else None

    def _make_room(self, added_bytes: int) -> None:
        """Drop what was not used for longest, if the folder has grown above its limit."""
        if self._size_bytes is not None:
            self._size_bytes += added_bytes
            if self._size_bytes <= self._most_bytes:
                return
        files = sorted(self._files())
        size = sum(file_bytes for _, file_bytes, _ in files)
        for _, file_bytes, path in files if size > self._most_bytes else ():
            if size <= self._most_bytes * _KEPT_SHARE:
                break
            with contextlib.suppress(OSError):
                path.unlink()
                size -= file_bytes
        self._size_bytes = size

    def _files(self) -> list[tuple[int, int, Path]]:
        """When each file was last used, its size, and where it is."""
        found: list[tuple[int, int, Path]] = []
        for path in self._folder.glob("*/*"):
            with contextlib.suppress(OSError):
                state = path.stat()
                found.append((state.st_mtime_ns, state.st_size, path))
        return found
