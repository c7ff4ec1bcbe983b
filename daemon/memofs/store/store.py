"""The disk side of one workspace: its parts tied together, and the state they share.

Invariant: one owner (the engine's write lane) calls what changes state; `read_bytes`, `read_text`, `history` and
`degraded` may be called from any thread.
"""

import os
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from memofs.model.change import Change
from memofs.model.errors import NotFound
from memofs.model.problem import Problem
from memofs.store import cache
from memofs.store.config import LoadedConfig, read_config
from memofs.store.disk import failure, read_regular
from memofs.store.edit import Committed, Edit, Progress, Undone
from memofs.store.events import Event
from memofs.store.git import Git
from memofs.store.identity import IdSource
from memofs.store.journal import Journal
from memofs.store.layout import Layout
from memofs.store.records import Loaded, Records
from memofs.text.memory_file import known_kinds

__all__ = ["Store"]


class Store:
    """One workspace's `.memofs/`."""

    def __init__(self, root: Path) -> None:
        self.layout = Layout.of(root)
        self.git = Git(self.layout.root)
        self.ids = IdSource()
        self.config: LoadedConfig = read_config(self.config_bytes())
        self.records = self._new_records()
        self._journal = Journal(self.layout)
        self._faults: tuple[Problem, ...] = ()

    def load(self, *, now_ms: int) -> Loaded:
        """All memories, after finishing or taking back what a crash cut short."""
        if self.is_writable():
            self._journal.recover()
        return self.records.load(now_ms=now_ms)

    def refresh(self, paths: Iterable[str] | None, *, now_ms: int) -> Change:
        """What changed on disk, of these paths or of all."""
        return self.records.refresh(paths, now_ms=now_ms)

    def reconfigure(self) -> bool:
        """Read the settings again; whether the kinds changed, so that everything must be loaded anew."""
        before = known_kinds(self.config.config.kinds)
        self.config = read_config(self.config_bytes())
        if known_kinds(self.config.config.kinds) == before:
            return False
        self.records = self._new_records()
        return True

    def commit(
        self,
        edits: Sequence[Edit],
        *,
        kind: str,
        actor: str,
        summary: str,
        now_ms: int,
        progress: Progress | None = None,
    ) -> Committed:
        """Write the edits, all or none. Raises as `Journal.commit` does."""
        return self._journal.commit(edits, kind=kind, actor=actor, summary=summary, now_ms=now_ms, progress=progress)

    def undo(self, *, actor: str, now_ms: int) -> Undone:
        """Take back the newest write. Raises as `Journal.undo` does."""
        return self._journal.undo(actor=actor, now_ms=now_ms)

    def forget(self, edits: Sequence[Edit], *, actor: str, now_ms: int) -> Committed:
        """Remove files for good, from undo and snapshots too. Raises as `Journal.forget` does."""
        return self._journal.forget(edits, actor=actor, now_ms=now_ms)

    def history(self, memory_id: str | None, *, limit: int) -> tuple[Event, ...]:
        """The events of one memory or of all, newest first."""
        return self._journal.history(memory_id, limit=limit)

    def read_bytes(self, path: str) -> bytes:
        """The bytes of a file. Raises NotFound if it is gone, Refused outside the workspace, Unavailable."""
        try:
            return read_regular(self.layout.inside(path))[0]
        except FileNotFoundError as error:
            raise NotFound("file", f"{path} is not there any more", "somebody removed or renamed it") from error
        except OSError as error:
            raise failure(error, f"{path} cannot be read") from error

    def read_text(self, path: str) -> str:
        """The text of a file, byte order mark and line ends as they are. Raises as `read_bytes` does."""
        return self.read_bytes(path).decode("utf-8", "replace")

    def config_bytes(self) -> bytes | None:
        """The bytes of config.json; None where there is none that can be read."""
        try:
            return read_regular(self.layout.config)[0]
        except OSError:
            return None

    def load_index(self) -> bytes | None:
        """The index bytes of the last `save`, or None."""
        return cache.load_index(self.layout)

    def save(self, index_bytes: bytes) -> None:
        """Write the caches; what fails is in `faults` and makes nothing else fail."""
        found = (self.records.save_cache(), cache.save_index(self.layout, index_bytes))
        self._faults = tuple(problem for problem in found if problem is not None)

    def faults(self) -> tuple[Problem, ...]:
        """What keeps the caches from being written."""
        return self._faults

    def is_writable(self) -> bool:
        """Whether this process may write here, as far as that can be told without writing."""
        return all(os.access(path, os.W_OK) for path in (self.layout.base, self.layout.memory) if path.exists())

    def degraded(self) -> tuple[str, ...]:
        """What is missing here: readOnly, cache."""
        names: Collection[tuple[str, bool]] = (
            ("readOnly", not self.is_writable()),
            ("cache", bool(self._faults)),
        )
        return tuple(name for name, holds in names if holds)

    def _new_records(self) -> Records:
        return Records(self.layout, self.git, kinds=known_kinds(self.config.config.kinds))
