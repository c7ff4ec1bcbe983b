"""One workspace's `.memofs/` as a whole: what the engine holds.

Invariant: opening reads nothing but settings and never fails for what the files hold; reading works on a read-only
disk. Each part keeps its own invariants; this only ties them to one root. The World is left to the layers below,
when to read and write to the engine.
"""

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path

from memofs.model.config import Config
from memofs.model.errors import Conflict, NotFound
from memofs.model.memory import Memory
from memofs.model.problem import Problem
from memofs.store import cache, snapshots
from memofs.store.config import LoadedConfig, read_config
from memofs.store.disk import read_regular
from memofs.store.edit import Committed, Edit
from memofs.store.events import check_events
from memofs.store.git import Git
from memofs.store.identity import IdSource
from memofs.store.journal import Journal
from memofs.store.layout import CONFIG_PATH, CORE_PATH, NAME, Layout, memory_path
from memofs.store.records import Records
from memofs.store.scan import read_file
from memofs.store.snapshots import RestorePlan
from memofs.text.identity import digest
from memofs.text.memory_file import known_kinds

__all__ = ["Store"]


class Store:
    """The parts of one workspace. Invariant: all of them speak of the same root."""

    def __init__(self, layout: Layout, loaded: LoadedConfig) -> None:
        self.layout = layout
        self.git = Git(layout.root)
        self.ids = IdSource()
        self.journal = Journal(layout)
        self.loaded_config = loaded
        self.records = Records(layout, self.git, kinds=known_kinds(loaded.config.kinds))

    @staticmethod
    def open(root: Path | str) -> "Store":
        """The store of a workspace that is set up; a write that a crash cut short is finished or taken back.

        Raises NotFound without `.memofs/`, Refused where it leads out of the workspace.
        """
        layout = Layout.of(root)
        if not layout.is_initialized:
            raise NotFound("noWorkspace", f"there is no {NAME}/ in {layout.root}", "memofs init")
        layout.inside(NAME)
        store = Store(layout, read_config(_bytes(layout.config)))
        store.journal.recover()
        return store

    @property
    def config(self) -> Config:
        """The settings that hold."""
        return self.loaded_config.config

    @property
    def writable(self) -> bool:
        """Whether memories can be written now: the folders allow it, and the lock can be made."""
        layout = self.layout
        with contextlib.suppress(OSError):
            layout.tmp.mkdir(mode=0o700, exist_ok=True)
            folders = [each for each in (layout.base, layout.memory, layout.tmp) if each.exists()]
            return all(each.is_dir() and os.access(each, os.W_OK | os.X_OK) for each in folders)
        return False

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the settings and with the memory files as they were last read."""
        return (*self.loaded_config.problems, *self.records.problems())

    def check(self) -> tuple[Problem, ...]:
        """`problems`, and those that only a closer look shows: for `memofs doctor`."""
        return (*self.problems, *check_events(self.layout))

    def reload_config(self) -> bool:
        """Read config.json again; whether the settings differ. New kinds need a new `load` of the records."""
        before = self.config
        self.loaded_config = read_config(_bytes(self.layout.config))
        if self.config.kinds != before.kinds:
            self.records = Records(self.layout, self.git, kinds=known_kinds(self.config.kinds))
        return self.config != before

    def core(self) -> str:
        """The standing briefing, with LF line ends; empty if there is none or it is no text."""
        read = read_file(self.layout, CORE_PATH)
        if read is None or isinstance(read, Problem) or not self.layout.holds(self.layout.core):
            return ""
        text = read[0].decode("utf-8-sig", "replace")
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def read(self, path: str) -> bytes:
        """The bytes of one file below `.memofs/`. Raises NotFound or, for a link out of the workspace, Refused."""
        try:
            return read_regular(self.layout.inside(path))[0]
        except OSError as error:
            raise NotFound("file", f"{path} cannot be read: {error.strerror or error}") from error

    def new_path(self, title: str, id_: str, *, taken: frozenset[str] = frozenset()) -> str:
        """A free workspace-relative path for a new memory; `taken` are those that the same batch will write."""
        return memory_path(self.layout, title, id_, taken=taken)

    def config_edit(self, after: bytes, *, summary: str) -> Edit:
        """The edit that replaces config.json, on top of what it holds now."""
        before = _bytes(self.layout.config)
        hash_ = None if before is None else digest(before)
        return Edit(path=CONFIG_PATH, before_digest=hash_, after=after, summary=summary)

    def forget(self, memories: Sequence[Memory], *, actor: str, now_ms: int) -> Committed:
        """Remove the files of the memories for good, and every copy of their text that the store keeps.

        The caches go too: `records.save_cache` and `save_index` make new ones. Raises as `Journal.forget`.
        """
        if any(memory.origin == "log" for memory in memories):
            raise Conflict(
                "log", "entries of notes.md are not removed one by one", "memofs migrate makes files of them"
            )
        edits = [
            Edit(path=memory.path, before_digest=memory.digest, after=None, memory_id=memory.id) for memory in memories
        ]
        committed = self.journal.forget(edits, actor=actor, now_ms=now_ms)
        cache.drop(self.layout)
        return committed

    def plan_restore(self, id_: str) -> RestorePlan:
        """What `restore` would do for the snapshot with this id (or a beginning or end of it). Raises NotFound."""
        ids = {memory.path: memory.id for memory in self.records.memories() if memory.origin != "log"}
        return snapshots.plan_restore(self.layout, id_, ids_of=ids)

    def restore(self, plan: RestorePlan, *, actor: str, now_ms: int) -> Committed:
        """Carry out the plan. Undo takes it back, and, after many more writes, the snapshot that is made first.

        Raises as `Journal.commit`.
        """
        if plan.edits:
            snapshots.create(self.layout, self.ids, label=f"before restoring {plan.id}", now_ms=now_ms)
        summary = f"restored {plan.id}"
        return self.journal.commit(plan.edits, kind="restoreSnapshot", actor=actor, summary=summary, now_ms=now_ms)

    def load_index(self) -> bytes | None:
        """What `save_index` stored last, if it is whole."""
        return cache.load_index(self.layout)

    def save_index(self, data: bytes) -> Problem | None:
        """Keep the bytes as a cache; a Problem if that cannot be done."""
        return cache.save_index(self.layout, data)


def _bytes(path: Path) -> bytes | None:
    """The file's bytes; None if there is none. One that cannot be read counts as broken JSON."""
    try:
        return read_regular(path)[0]
    except FileNotFoundError:
        return None
    except OSError:
        return b"\xff"
