"""The bytes before the last writes: what undo puts back, and what a crash is repaired from.

Invariant: a record is there, marked pending, before the first file of its batch changes; it loses the mark once all
have. So a batch that a crash cut short can be finished or taken back. Records hold private text: mode 0600, at most
50, and forgetting a memory takes its bytes out of all of them.
"""

import contextlib
from collections.abc import Collection
from pathlib import Path

import msgspec

from memofs.store.disk import read_regular, replace_file
from memofs.store.layout import Layout

__all__ = ["MOST_RECORDS", "Step", "UndoRecord", "UndoStore"]

MOST_RECORDS = 50

_DONE = ".msgpack"
_PENDING = ".pending"


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One file of a batch: its bytes and mode before (None: there was none), and the hash of what was written."""

    path: str
    before: bytes | None
    mode: int
    before_hash: str | None
    after_hash: str | None
    memory: str | None = None
    summary: str = ""


class UndoRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One batch. `is_kept`: whether undo may take it back later; `undoes` names the batch that it takes back."""

    batch: str
    type: str
    actor: str
    summary: str
    timestamp: str
    steps: tuple[Step, ...]
    is_kept: bool = True
    undoes: str | None = None


_DECODER = msgspec.msgpack.Decoder(UndoRecord)


class UndoStore:
    """The folder of undo records. Invariant: names sort by age, the mark is in the name."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._folder = layout.undo

    def begin(self, record: UndoRecord) -> None:
        """Store the record, marked pending. Raises OSError."""
        self._layout.make(self._folder)
        replace_file(self._path(record.batch, _PENDING), msgspec.msgpack.encode(record), mode=0o600, durable=False)

    def finish(self, record: UndoRecord) -> None:
        """Take the mark off, and let go of records that are more than `MOST_RECORDS` back. Raises OSError."""
        if not record.is_kept:
            self.drop(record.batch)
            return
        self._path(record.batch, _PENDING).replace(self._path(record.batch, _DONE))
        for name in self._names(_DONE)[:-MOST_RECORDS]:
            self._path(name, _DONE).unlink(missing_ok=True)

    def drop(self, batch: str) -> None:
        """Remove the record. Raises OSError."""
        self._path(batch, _PENDING).unlink(missing_ok=True)
        self._path(batch, _DONE).unlink(missing_ok=True)

    def load(self, batch: str) -> UndoRecord | None:
        """The record of a finished batch; None if it is gone or damaged."""
        return self._read(self._path(batch, _DONE))

    def has_leftovers(self) -> bool:
        """Whether a crash, or a write that runs right now, left something in the folder that is not finished."""
        try:
            return any(path.suffix != _DONE for path in self._folder.iterdir())
        except OSError:
            return False

    def pending(self) -> tuple[UndoRecord, ...]:
        """Records of batches that were begun and not finished, the oldest first. Damaged ones are removed."""
        found: list[UndoRecord] = []
        for name in self._names(_PENDING):
            path = self._path(name, _PENDING)
            record = self._read(path)
            if record is not None:
                found.append(record)
            else:
                # The record is stored in one step before anything else: a damaged one began nothing.
                with contextlib.suppress(OSError):
                    path.unlink()
        return tuple(found)

    def purge(self, *, paths: Collection[str], ids: Collection[str]) -> None:
        """Take the steps of forgotten memories out of all records. Raises OSError."""
        for name in self._names(_DONE):
            path = self._path(name, _DONE)
            record = self._read(path)
            if record is None:
                path.unlink(missing_ok=True)
                continue
            kept = tuple(step for step in record.steps if step.path not in paths and step.memory not in ids)
            if len(kept) < len(record.steps):
                summary = record.summary if kept else ""
                data = msgspec.msgpack.encode(msgspec.structs.replace(record, steps=kept, summary=summary))
                replace_file(path, data, mode=0o600)

    def _path(self, batch: str, ending: str) -> Path:
        return self._folder / f"{batch}{ending}"

    def _names(self, ending: str) -> list[str]:
        try:
            return sorted(path.stem for path in self._folder.iterdir() if path.suffix == ending)
        except OSError:
            return []

    def _read(self, path: Path) -> UndoRecord | None:
        try:
            return _DECODER.decode(read_regular(path)[0])
        except (OSError, msgspec.DecodeError, ValueError):
            return None
