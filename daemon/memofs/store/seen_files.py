"""Code files as they were when last read, so that unchanged ones are not read again.

Invariant: a file is read again whenever its stamp differs from the last one, or is too young to be trusted. Not safe
for threads: engine/anchoring.py holds its lock. What the text means is left to who asks.
"""

import os
from collections.abc import Iterable, Mapping

from memofs.store.anchor_cache import FileSeen
from memofs.store.cache import Stamp
from memofs.store.code_files import CodeFile, Unread, content_of, look_at, read_code
from memofs.store.layout import Layout
from memofs.store.records import RACY_NS

__all__ = ["SeenFiles"]


class SeenFiles:
    """`read` gives a file whole, `content` only what tells whether it is another."""

    def __init__(self, layout: Layout, seen: Mapping[str, FileSeen], *, racy_ns: int = RACY_NS) -> None:
        self._layout = layout
        self._root = str(layout.root)
        self._seen = dict(seen)
        self._racy_ns = racy_ns
        self._last: CodeFile | None = None

    @property
    def seen(self) -> Mapping[str, FileSeen]:
        """What is known, for the cache."""
        return self._seen

    def content(self, path: str) -> str:
        """What the file holds now, as `content_of` tells it."""
        known = self._seen.get(path)
        if known is not None and self._is_settled(known) and self._is_same(path, known.stamp):
            return known.blob
        return content_of(self.read(path))

    def read(self, path: str) -> CodeFile | Unread:
        """The file now, read from disk unless it was the last that was read and has not changed since."""
        last = self._last
        if last is not None and last.path == path and look_at(self._layout, path) == last.stamp:
            seen = self._seen.get(path)
            if seen is not None and self._is_settled(seen):
                return last
        found = read_code(self._layout, path)
        if isinstance(found, Unread):
            self._seen.pop(path, None)
            return found
        self._seen[path] = FileSeen(stamp=found.stamp, read_ns=found.read_ns, blob=found.blob)
        self._last = found
        return found

    def keep_only(self, paths: Iterable[str]) -> None:
        """Forget the files that nothing is anchored to any more."""
        self._seen = {path: self._seen[path] for path in paths if path in self._seen}

    def _is_same(self, path: str, stamp: Stamp) -> bool:
        """`look_at(path) == stamp`, in half the time: this is asked of every anchored file at every question."""
        try:
            state = os.stat(f"{self._root}/{path}")  # noqa: PTH116
        except (OSError, ValueError):
            return False
        return (
            state.st_mtime_ns == stamp.mtime_ns
            and state.st_size == stamp.size
            and state.st_ino == stamp.inode
            and state.st_ctime_ns == stamp.ctime_ns
        )

    def _is_settled(self, seen: FileSeen) -> bool:
        """Whether an unchanged stamp means unchanged bytes."""
        return max(seen.stamp.mtime_ns, seen.stamp.ctime_ns) + self._racy_ns < seen.read_ns
