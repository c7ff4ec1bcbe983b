"""One workspace's `.memofs/` as a whole: what the engine holds.

Invariant: opening reads nothing but settings and never fails for what the files hold; reading works on a read-only
disk. Each part keeps its own invariants; this only ties them to one root. Snapshots and the watcher are functions of
the layout. The World is left to the layers below, when to read and write to the engine.
"""

import contextlib
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from memofs.model.change import Change
from memofs.model.errors import NotFound, Refused
from memofs.model.problem import Problem
from memofs.store import cache
from memofs.store.config import LoadedConfig, read_config
from memofs.store.disk import read_regular
from memofs.store.edit import Committed, Edit, Progress, Undone
from memofs.store.events import Event
from memofs.store.git import Git
from memofs.store.graph_files import PATHS as GRAPH_PATHS
from memofs.store.graph_files import GraphFiles
from memofs.store.handles import Handles
from memofs.store.identity import IdSource
from memofs.store.journal import Journal
from memofs.store.layout import CORE_PATH, NAME, Layout
from memofs.store.records import Loaded, Records
from memofs.text.front_matter import BOM
from memofs.text.memory_file import known_kinds

__all__ = ["MOST_CORE_BYTES", "Store"]

MOST_CORE_BYTES = 1 << 21
"""Of core.md; a briefing shows a few thousand of them."""


class Store:
    """The parts of one workspace. Invariant: all of them speak of the same root.

    `ids` makes new ids, `git` asks git, `handles` are those of briefings, `config` holds the settings and what is wrong
    with them. Reading and writing are for one owner, the engine's write lane; `history`, `read_bytes`, `handles` and
    `degraded` for everybody.
    """

    def __init__(self, root: Path | str, *, lock_timeout_s: float | None = None) -> None:
        """Open a workspace that is set up; a write that a crash cut short is finished or taken back.

        Raises NotFound without `.memofs/`, Refused where it leads out of the workspace.
        """
        self.layout = Layout.of(root)
        if not self.layout.is_initialized:
            raise NotFound("noWorkspace", f"there is no {NAME}/ in {self.layout.root}", "memofs init makes one")
        self.layout.inside(NAME)
        self.git = Git(self.layout.root)
        self.handles = Handles(self.layout)
        self.ids = IdSource()
        self.config: LoadedConfig = read_config(self.config_bytes())
        self._journal = Journal(self.layout, lock_timeout_s=lock_timeout_s)
        self._records = self._new_records()
        self._graph = GraphFiles(self.layout)
        self._cache_problem: Problem | None = None
        self._seen_ns: int | None = None
        self._journal.recover()

    # --- reading --------------------------------------------------------------------------------------------------

    def load(self, *, now_ms: int) -> Loaded:
        """All memories and what is wrong with their files, from the cache where it holds; and how they are related."""
        self._see_folder()
        loaded = self._records.load(now_ms=now_ms)
        self._graph.refresh()
        said = self._graph.current
        return msgspec.structs.replace(
            loaded,
            relations=said.relations,
            curated=said.curated,
            problems=(*loaded.problems, *said.problems),
        )

    def refresh(self, paths: Iterable[str] | None, *, now_ms: int) -> Change:
        """What changed on disk since the records were last looked at: of these paths, or of all (None)."""
        named = None if paths is None else tuple(paths)
        if named is None:
            self._see_folder()
        change = self._records.refresh(named, now_ms=now_ms)
        if not self._graph.refresh(named):
            return change
        said = self._graph.current
        return msgspec.structs.replace(
            change,
            relations=said.relations,
            curated=said.curated,
            paths=(*change.paths, *GRAPH_PATHS),
            problems=(*change.problems, *said.problems),
        )

    def differing(self) -> tuple[str, ...]:
        """The memory files that somebody has changed since they were last looked at, as far as stamps tell."""
        return self._records.differing()

    def reconfigure(self) -> bool:
        """Read config.json again; whether the kinds differ, so that everything has to be loaded anew."""
        before = self.config.config.kinds
        self.config = read_config(self.config_bytes())
        if self.config.config.kinds == before:
            return False
        self._records = self._new_records()
        return True

    def read_bytes(self, path: str) -> bytes:
        """The bytes of one file below the root. Raises NotFound; Refused for what leads out of the workspace."""
        try:
            return read_regular(self.layout.inside(path))[0]
        except OSError as error:
            raise NotFound("file", f"{path} cannot be read: {error.strerror or error}") from error

    def read_text(self, path: str) -> str:
        """The text of one file, BOM and line ends as they are; U+FFFD for what is not UTF-8. Raises as `read_bytes`."""
        return self.read_bytes(path).decode("utf-8", "replace")

    def is_there(self, path: str) -> bool:
        """Whether there is a file or a folder of this path below the root. Raises Refused for what leads out of it."""
        return self.layout.inside(path).exists()

    def core(self, *, most_bytes: int = MOST_CORE_BYTES) -> str:
        """The standing briefing with LF line ends, as far as `most_bytes` go; empty if there is none to be read."""
        try:
            data = read_regular(self.layout.inside(CORE_PATH), most_bytes=most_bytes)[0][:most_bytes]
        except (OSError, Refused):
            return ""
        return data.decode("utf-8", "replace").removeprefix(BOM).replace("\r\n", "\n").replace("\r", "\n")

    def config_bytes(self) -> bytes | None:
        """The bytes of config.json; None if there is none. One that cannot be read counts as broken JSON."""
        try:
            return read_regular(self.layout.config)[0]
        except FileNotFoundError:
            return None
        except OSError:
            return b"\xff"

    def history(self, memory_id: str | None = None, *, limit: int = 50) -> tuple[Event, ...]:
        """The events of one memory, or of all, newest first."""
        return self._journal.history(memory_id, limit=limit)

    # --- writing --------------------------------------------------------------------------------------------------

    def commit(
        self,
        edits: Sequence[Edit],
        *,
        kind: str,
        actor: str,
        summary: str,
        now_ms: int,
        progress: Progress | None = None,
        check: Callable[[], None] | None = None,
    ) -> Committed:
        """Write the edits, all or none. Raises Conflict, Refused, Unavailable: `Journal.commit` says when.

        `check` is called while no other process can write, and may raise to stop the write.
        """
        return self._journal.commit(
            edits,
            kind=kind,
            actor=actor,
            summary=summary,
            now_ms=now_ms,
            progress=progress,
            check=check,
            done=self._see_folder,
        )

    def others_wrote(self) -> bool:
        """Whether a file came into the memory folder, or left it, that this process has not looked at yet."""
        return self._folder_ns() != self._seen_ns

    def undo(self, *, actor: str, now_ms: int, skip: bool = False) -> Undone:
        """Take back the newest write that was not taken back yet. Raises NotFound, Conflict, Unavailable."""
        return self._journal.undo(actor=actor, now_ms=now_ms, skip=skip)

    def forget(self, edits: Sequence[Edit], *, actor: str, now_ms: int) -> Committed:
        """Remove the files for good, and every copy of their text that the store keeps. Raises as `commit` does.

        The caches go too: `save` makes new ones.
        """
        committed = self._journal.forget(edits, actor=actor, now_ms=now_ms)
        self._cache_problem = cache.drop(self.layout)
        self._records.distrust_cache()
        return committed

    # --- caches and state -----------------------------------------------------------------------------------------

    def save(self, index: bytes) -> None:
        """Write the caches: the records as they are, and the world's index. What fails shows in `faults`."""
        self._cache_problem = self._records.save_cache() or cache.save_index(self.layout, index)

    def load_index(self) -> bytes | None:
        """What `save` stored last, if it is whole."""
        return cache.load_index(self.layout)

    def is_writable(self) -> bool:
        """Whether memories can be written now: the folders allow it, and the lock can be made."""
        layout = self.layout
        with contextlib.suppress(OSError):
            layout.tmp.mkdir(mode=0o700, exist_ok=True)
            folders = [each for each in (layout.base, layout.memory, layout.tmp) if each.exists()]
            return all(each.is_dir() and os.access(each, os.W_OK | os.X_OK) for each in folders)
        return False

    def faults(self) -> tuple[Problem, ...]:
        """What is wrong with the store itself, beside its files: it cannot be written, or its caches cannot."""
        faults = [] if self._cache_problem is None else [self._cache_problem]
        if not self.is_writable():
            hint = "check the rights of .memofs and of what lies in it, and whether the disk is read-only"
            faults.append(
                Problem(path=NAME, code="readOnly", message="cannot be written", hint=hint, severity="warning")
            )
        return tuple(faults)

    def degraded(self) -> tuple[str, ...]:
        """What an answer has to do without: readOnly, cache."""
        states = (("readOnly", not self.is_writable()), ("cache", self._cache_problem is not None))
        return tuple(name for name, holds in states if holds)

    def _folder_ns(self) -> int | None:
        try:
            return self.layout.memory.stat().st_mtime_ns
        except OSError:
            return None

    def _see_folder(self) -> None:
        self._seen_ns = self._folder_ns()

    def _new_records(self) -> Records:
        return Records(self.layout, self.git, kinds=known_kinds(self.config.config.kinds))
