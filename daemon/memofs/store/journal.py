"""The write path: a batch of files changes as a whole, on top of what the caller saw, and can be taken back.

Invariants: nothing is written unless every file of the batch is what its `before_digest` says; a batch that fails is
rolled back, one that a crash cut short is finished or rolled back by the next write; writes of several processes
follow one another under a short lock. What a write means, and re-reading the files, is left to the caller.
"""

import contextlib
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast

import msgspec

from memofs.model.errors import Conflict, MemoError, NotFound, Refused
from memofs.store import disk, snapshots
from memofs.store.edit import Committed, Edit, Progress, Undone
from memofs.store.events import MOST_SUMMARY, Event, append_events, newest_first, redact_events
from memofs.store.identity import IdSource
from memofs.store.layout import NAME, Layout
from memofs.store.lock import LOCK_TIMEOUT_S, write_lock
from memofs.store.undo import Step, UndoRecord, UndoStore
from memofs.text.identity import digest
from memofs.text.times import format_iso

__all__ = ["Journal"]

FORGET = "forget"
UNDO = "undo"

_MODE = 0o644
_STALE_S = 3_600
_FLUSHERS = 8
_ALONE = 4
"""Up to so many files are flushed one after the other; more of them side by side, as one disk transaction."""


class _Target(msgspec.Struct, frozen=True, kw_only=True):
    """An edit, the file it names, the one that is (links followed), and where its new bytes wait.

    Writing goes through a link, deleting removes the link and not what it points to.
    """

    edit: Edit
    step: Step
    name: Path
    path: Path
    temporary: Path


class Journal:
    """Writes batches of files. Invariant: see the module; safe to call from any thread and any process."""

    def __init__(self, layout: Layout, *, lock_timeout_s: float | None = None) -> None:
        self._layout = layout
        self._ids = IdSource()
        self._undo = UndoStore(layout)
        self._lock_timeout_s = LOCK_TIMEOUT_S if lock_timeout_s is None else lock_timeout_s

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
        done: Callable[[], None] | None = None,
    ) -> Committed:
        """Write the edits, all or none; edits that change nothing are left out.

        `check` is called under the lock, before anything is written: what it raises stops the write; `done` under the
        lock after it. Raises Conflict where a file is not what the caller saw, Refused for a path outside `.memofs/`,
        Unavailable where the store cannot be written or another process holds the lock for too long.
        """
        with self._locked():
            self._recover()
            if check is not None:
                check()
            record = _Record(kind=kind, actor=actor, summary=summary)
            committed = self._write(edits, record, now_ms=now_ms, progress=progress)
            if done is not None:
                done()
            return committed

    def undo(self, *, actor: str, now_ms: int, skip: bool = False) -> Undone:
        """Take back the newest write that was not taken back yet; again, the one before it.

        What was forgotten stays so. With `skip`, writes whose files were changed since are passed over. Raises
        NotFound where there is nothing to take back, Conflict where a file was changed since.
        """
        with self._locked():
            self._recover()
            record = self._last_undoable(skip=skip)
            edits = [
                Edit(
                    path=step.path,
                    before_digest=step.after_hash,
                    after=step.before,
                    memory_id=step.memory,
                    summary=step.summary,
                )
                for step in reversed(record.steps)
            ]
            summary = f"took back: {record.summary}"
            kind = _Record(kind=UNDO, actor=actor, summary=summary, is_kept=False, undoes=record.batch)
            modes = {step.path: step.mode for step in record.steps}
            try:
                committed = self._write(edits, kind, now_ms=now_ms, modes=modes)
            except Conflict as conflict:
                raise Conflict(
                    "changedSince",
                    f"cannot undo {record.type} of {record.timestamp}: a file was changed since that write: "
                    f"{', '.join(self._changed_since(record)[:3])}",
                    "that change would be lost; memofs undo --skip leaves it and takes back the write before",
                ) from conflict
            with contextlib.suppress(OSError):
                self._undo.drop(record.batch)
            return Undone(
                type=record.type,
                summary=record.summary,
                timestamp=record.timestamp,
                batch=record.batch,
                paths=committed.paths,
            )

    def forget(self, edits: Sequence[Edit], *, actor: str, now_ms: int) -> Committed:
        """Remove the files for good: their bytes leave the undo records, the snapshots and the audit trail too.

        Each edit deletes a file (`after` None) and names its memory. Cannot be undone. Raises as `commit` does.
        """
        paths = frozenset(edit.path for edit in edits)
        ids = frozenset(edit.memory_id for edit in edits if edit.memory_id)

        def purge() -> None:
            self._undo.purge(paths=paths, ids=ids)
            snapshots.purge(self._layout, paths=paths, ids=ids)
            redact_events(self._layout, paths=paths, ids=ids)

        nameless = [
            Edit(path=edit.path, before_digest=edit.before_digest, after=None, memory_id=edit.memory_id)
            for edit in edits
        ]
        with self._locked():
            self._recover()
            record = _Record(kind=FORGET, actor=actor, summary="", is_kept=False, is_nameless=True)
            return self._write(nameless, record, now_ms=now_ms, then=purge)

    def history(self, memory_id: str | None = None, *, limit: int = 50) -> tuple[Event, ...]:
        """The events of one memory, or of all, newest first; `undone` on what was taken back."""
        undone: set[str] = set()
        found: list[Event] = []
        for event in newest_first(self._layout):
            if event.undoes:
                undone.add(event.undoes)
            if memory_id is None or event.memory == memory_id:
                found.append(msgspec.structs.replace(event, undone=event.batch in undone))
                if len(found) == limit:
                    break
        return tuple(found)

    def recover(self) -> None:
        """Finish or take back what a crash cut short, if something was. Does nothing while another process writes."""
        if self._undo.has_leftovers():
            with contextlib.suppress(MemoError), write_lock(self._layout, timeout_s=0):
                self._recover()

    # --- under the lock -------------------------------------------------------------------------------------------

    def _write(
        self,
        edits: Sequence[Edit],
        kind: "_Record",
        *,
        now_ms: int,
        modes: dict[str, int] | None = None,
        progress: Progress | None = None,
        then: Callable[[], None] = lambda: None,
    ) -> Committed:
        batch = self._next_id("txn_")
        targets = [target for number, edit in enumerate(edits) if (target := self._target(edit, f"{batch}-{number}"))]
        if not targets:
            return Committed(batch=None)
        record = UndoRecord(
            batch=batch,
            type=kind.kind,
            actor=kind.actor,
            summary=kind.summary,
            timestamp=format_iso(now_ms),
            steps=tuple(target.step for target in targets),
            is_kept=kind.is_kept,
            undoes=kind.undoes,
        )
        try:
            self._undo.begin(record)
            _put(targets, modes or {}, progress or _silent)
            then()
            append_events(self._layout, self._events(record, is_nameless=kind.is_nameless))
        except BaseException as error:
            self._roll_back(record)
            if isinstance(error, OSError):
                raise disk.failure(error, "the write failed") from error
            raise
        with contextlib.suppress(OSError):  # the mark stays: the next write takes it off
            self._undo.finish(record)
        return Committed.of(batch, [target.edit for target in targets])

    def _target(self, edit: Edit, token: str) -> _Target | None:
        """The edit ready to be carried out; None if it changes nothing. Raises Conflict, Refused or Unavailable."""
        if not edit.path.startswith(f"{NAME}/"):
            raise Refused("outside", f"{edit.path!r} is not below {NAME}/")
        path = self._layout.inside(edit.path)
        try:
            data, state = disk.read_regular(path)
            before, mode = data, state.st_mode & 0o777
        except FileNotFoundError:
            before, mode = None, _MODE
        except OSError as error:
            raise disk.failure(error, f"{edit.path} cannot be read") from error
        before_hash = None if before is None else digest(before)
        if before_hash != edit.before_digest:
            raise _conflict(edit, before_hash)
        after_hash = None if edit.after is None else digest(edit.after)
        if before_hash == after_hash:
            return None
        step = Step(
            path=edit.path,
            before=before,
            mode=mode,
            before_hash=before_hash,
            after_hash=after_hash,
            memory=edit.memory_id,
            summary=edit.summary[:MOST_SUMMARY],
        )
        temporary = path.with_name(disk.temporary_name(token))
        return _Target(edit=edit, step=step, name=self._layout.root / edit.path, path=path, temporary=temporary)

    def _events(self, record: UndoRecord, *, is_nameless: bool) -> list[Event]:
        return [
            Event(
                id=self._next_id("evt_"),
                type=record.type,
                timestamp=record.timestamp,
                actor=record.actor,
                memory=step.memory,
                summary=step.summary or record.summary,
                path=None if is_nameless else step.path,
                batch=record.batch,
                previous_hash=step.before_hash,
                hash=step.after_hash,
                undoes=record.undoes,
            )
            for step in record.steps
        ]

    def _changed_since(self, record: UndoRecord) -> list[str]:
        return [step.path for step in record.steps if self._current(step.path) != step.after_hash]

    def _last_undoable(self, *, skip: bool) -> UndoRecord:
        undone: set[str] = set()
        for event in newest_first(self._layout):
            if event.undoes:
                undone.add(event.undoes)
            if event.type in (UNDO, FORGET) or event.batch is None or event.batch in undone:
                continue
            record = self._undo.load(event.batch)
            if record is None:
                break  # older than what is kept
            if skip and self._changed_since(record):
                continue
            if record.steps:
                return record
            undone.add(event.batch)  # all it wrote was forgotten
        raise NotFound("nothingToUndo", "there is nothing to undo", "the last 50 writes of this machine can be undone")

    def _recover(self) -> None:
        # Only the lock's holder writes to the first two; others may be writing a cache or a snapshot right now.
        for folder in (self._layout.undo, self._layout.events.parent):
            disk.sweep(folder, older_than_s=0)
        for folder in (self._layout.indexes, self._layout.snapshots):
            disk.sweep(folder, older_than_s=_STALE_S)
        for record in self._undo.pending():
            if any(event.batch == record.batch for event in self.history(limit=len(record.steps) + 1)):
                self._clear_temporaries(record)
            elif record.type != FORGET and all(self._current(step.path) == step.after_hash for step in record.steps):
                self._clear_temporaries(record)
                try:
                    append_events(self._layout, self._events(record, is_nameless=False))
                except OSError as error:
                    raise disk.failure(error, "an earlier write cannot be finished") from error
            else:
                self._roll_back(record)
                continue
            with contextlib.suppress(OSError):
                self._undo.finish(record)

    def _roll_back(self, record: UndoRecord) -> None:
        """Put back what the batch already changed. A file that has been changed by others since is left to them."""
        self._clear_temporaries(record)
        try:
            for step in reversed(record.steps):
                if self._current(step.path) != step.after_hash:
                    continue
                path = self._layout.inside(step.path)
                if step.before is None:
                    path.unlink(missing_ok=True)
                else:
                    disk.replace_file(path, step.before, mode=step.mode)
            self._undo.drop(record.batch)
        except (OSError, Refused):
            return  # the pending record stays, with the bytes: the next write tries again

    def _clear_temporaries(self, record: UndoRecord) -> None:
        for number, step in enumerate(record.steps):
            with contextlib.suppress(OSError, Refused):
                path = self._layout.inside(step.path)
                path.with_name(disk.temporary_name(f"{record.batch}-{number}")).unlink(missing_ok=True)

    def _current(self, path: str) -> str | None:
        try:
            return digest(disk.read_regular(self._layout.inside(path))[0])
        except (OSError, Refused):
            return None

    def _next_id(self, prefix: str) -> str:
        # The real clock, whatever time the caller says it is: the order of batches decides what undo takes back.
        return self._ids.next(time.time_ns() // 1_000_000, prefix=prefix)

    def _locked(self) -> contextlib.AbstractContextManager[None]:
        return write_lock(self._layout, timeout_s=self._lock_timeout_s)


class _Record(msgspec.Struct, frozen=True, kw_only=True):
    """What a batch is called."""

    kind: str
    actor: str
    summary: str
    is_kept: bool = True
    is_nameless: bool = False
    undoes: str | None = None


def _put(targets: Sequence[_Target], modes: dict[str, int], progress: Progress) -> None:
    """Write all new bytes and flush them, then give the files their names, then flush the folders.

    Raises OSError, and Conflict where a file that must be new is not.
    """
    written = [target for target in targets if target.edit.after is not None]

    def write(target: _Target) -> None:
        target.path.parent.mkdir(parents=True, exist_ok=True)
        mode = modes.get(target.edit.path, target.step.mode)
        disk.write_new(target.temporary, cast("bytes", target.edit.after), mode=mode)

    if len(written) <= _ALONE:
        for target in written:
            write(target)
    else:
        with ThreadPoolExecutor(_FLUSHERS, thread_name_prefix="memofs-flush") as pool:
            for done, _ in enumerate(pool.map(write, written), start=1):
                progress(done, len(targets))
    for target in written:
        try:
            disk.move_into_place(target.temporary, target.path, may_exist=target.step.before is not None)
        except FileExistsError as error:
            raise _exists(target.edit.path) from error
    for target in targets:
        if target.edit.after is None:  # last, so that what moves to another file is never nowhere
            target.name.unlink()
    for folder in sorted(
        {target.path.parent if target.edit.after is not None else target.name.parent for target in targets}
    ):
        disk.flush_folder(folder)
    progress(len(targets), len(targets))


def _silent(done: int, total: int) -> None:
    """Report to nobody."""


def _conflict(edit: Edit, found: str | None) -> Conflict:
    if edit.before_digest is None:
        return _exists(edit.path)
    if found is None:
        return Conflict("gone", f"{edit.path} is not there any more", "somebody removed or renamed it")
    return Conflict("changedOnDisk", f"{edit.path} changed on disk since it was read", "read it again and repeat")


def _exists(path: str) -> Conflict:
    return Conflict("exists", f"{path} exists already", "choose another title, or try again")
