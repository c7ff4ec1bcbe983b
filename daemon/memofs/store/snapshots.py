"""Restore points: every tracked file of `.memofs/` with its bytes, in one JSON file each.

Invariant: a snapshot needs nothing but itself to be restored, and never holds a memory that was forgotten. Snapshots
hold private text: mode 0600; all are kept until a person deletes them. Writing files back is left to store/journal.py,
by way of the edits that `plan_restore` answers; undo takes a restore back like any other write.
"""

import base64
import difflib
import os
import re
import time
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from memofs.model.errors import NotFound
from memofs.store import disk
from memofs.store.edit import Edit
from memofs.store.identity import IdSource
from memofs.store.layout import ARCHIVE_PATH, CONFIG_PATH, GRAPH_PATH, MEMORY_PATH, Layout
from memofs.store.lock import write_lock
from memofs.text.identity import digest, is_id
from memofs.text.times import format_iso

__all__ = [
    "FileDiff",
    "RestorePlan",
    "Snapshot",
    "SnapshotInfo",
    "create",
    "diff",
    "infos",
    "load",
    "plan_restore",
    "purge",
]

_ID_LINE = re.compile(rb"^(?:\xef\xbb\xbf)?---[^\n]*\n(?:(?!---)[^\n]*\n)*?id:[ \t]*[\"']?(mem_[0-9a-z]+)")


class SnapshotFile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One file: its text, or base64 of what is not UTF-8."""

    path: str
    sha256: str
    text: str | None = None
    base64: str | None = None

    def data(self) -> bytes:
        """The file's bytes."""
        return self.text.encode("utf-8") if self.text is not None else base64.b64decode(self.base64 or "")


class SnapshotInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A restore point without its files; `bytes` is the size of those together, `created` ISO 8601."""

    id: str
    created: str
    label: str | None = None
    count: int = 0
    bytes: int = 0


class Snapshot(SnapshotInfo, frozen=True, kw_only=True):
    """A restore point."""

    files: tuple[SnapshotFile, ...] = ()

    def contents(self) -> dict[str, bytes]:
        """The bytes of each file by path."""
        return {file.path: file.data() for file in self.files}


class FileDiff(msgspec.Struct, frozen=True, kw_only=True):
    """One file that differs, with a unified diff."""

    path: str
    change: Literal["added", "removed", "changed"]
    diff: str


class RestorePlan(msgspec.Struct, frozen=True, kw_only=True):
    """The edits that make the disk what the snapshot `id` says."""

    id: str
    edits: tuple[Edit, ...]
    restored: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int


def create(layout: Layout, ids: IdSource, *, label: str | None, now_ms: int) -> SnapshotInfo:
    """Make a restore point of what is on the disk now, between two writes. Raises Unavailable as a write does."""
    with write_lock(layout):
        return _create(layout, ids, label=label, now_ms=now_ms)


def infos(layout: Layout) -> tuple[SnapshotInfo, ...]:
    """All restore points, newest first; damaged ones are left out."""
    found: list[SnapshotInfo] = []
    for path in _paths(layout):
        try:
            found.append(msgspec.json.decode(path.read_bytes(), type=SnapshotInfo))
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            continue
    return tuple(sorted(found, key=lambda info: info.id, reverse=True))


def load(layout: Layout, id_: str) -> Snapshot:
    """The restore point with this id, or the one whose id begins or ends so. Raises NotFound."""
    names = [path.stem for path in _paths(layout)]
    matching = [name for name in names if name == id_]
    matching = matching or [name for name in names if len(id_) >= 4 and (name.startswith(id_) or name.endswith(id_))]
    hint = "memofs snapshot list shows what there is"
    if len(matching) != 1:
        many = "more than one snapshot" if matching else "no snapshot"
        raise NotFound("snapshot", f"there is {many} {id_!r}", hint)
    try:
        return msgspec.json.decode((layout.snapshots / f"{matching[0]}.json").read_bytes(), type=Snapshot)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NotFound("snapshot", f"the snapshot {matching[0]!r} is damaged", hint) from error


def diff(layout: Layout, old: str, new: str | None) -> tuple[FileDiff, ...]:
    """What differs from one restore point to another (None: to what is on the disk now), by path. Raises NotFound."""
    before = load(layout, old).contents()
    after = tracked_files(layout) if new is None else load(layout, new).contents()
    return tuple(
        _diff(path, before.get(path), after.get(path))
        for path in sorted(before.keys() | after.keys())
        if before.get(path) != after.get(path)
    )


def plan_restore(layout: Layout, id_: str, *, ids_of: Mapping[str, str]) -> RestorePlan:
    """The edits that put the files back as the restore point has them. Raises NotFound.

    `ids_of` tells which memory a path holds now, for the audit trail.
    """
    snapshot = load(layout, id_)
    wanted = snapshot.contents()
    found = tracked_files(layout)
    edits: list[Edit] = []
    for path in sorted(wanted.keys() | found.keys()):
        before, after = found.get(path), wanted.get(path)
        if before != after:
            memory = ids_of.get(path) or (_id_in(after) if after is not None else None)
            hash_ = None if before is None else digest(before)
            edits.append(Edit(path=path, before_digest=hash_, after=after, memory_id=memory))
    removed = tuple(edit.path for edit in edits if edit.after is None)
    return RestorePlan(
        id=snapshot.id,
        edits=tuple(edits),
        restored=tuple(edit.path for edit in edits if edit.after is not None),
        removed=removed,
        unchanged=len(wanted) - (len(edits) - len(removed)),
    )


def purge(layout: Layout, *, paths: Collection[str], ids: Collection[str]) -> None:
    """Take forgotten memories out of all restore points. Raises OSError."""
    for path in _paths(layout):
        try:
            snapshot = msgspec.json.decode(path.read_bytes(), type=Snapshot)
        except (msgspec.DecodeError, UnicodeDecodeError):
            path.unlink(missing_ok=True)  # of no use as a restore point, and it may hold what is to be forgotten
            continue
        kept = tuple(file for file in snapshot.files if file.path not in paths and _id_in(file.data()) not in ids)
        if len(kept) < len(snapshot.files):
            size = sum(len(file.data()) for file in kept)
            _save(layout, msgspec.structs.replace(snapshot, files=kept, count=len(kept), bytes=size))


def tracked_files(layout: Layout) -> dict[str, bytes]:
    """The bytes of every file that belongs to the project: memories, core.md, graph, settings, archive."""
    found: dict[str, bytes] = {}
    for folder in (MEMORY_PATH, GRAPH_PATH, ARCHIVE_PATH):
        for place, folders, names in os.walk(layout.root / folder):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in names:
                if not name.startswith("."):
                    _read_into(found, layout, Path(place) / name)
    _read_into(found, layout, layout.root / CONFIG_PATH)
    return found


def _create(layout: Layout, ids: IdSource, *, label: str | None, now_ms: int) -> SnapshotInfo:
    contents = tracked_files(layout)
    files = tuple(_file(path, data) for path, data in sorted(contents.items()))
    snapshot = Snapshot(
        id=ids.next(time.time_ns() // 1_000_000, prefix="snap_"),  # the real clock, so that ids sort by age
        created=format_iso(now_ms),
        label=label,
        count=len(files),
        bytes=sum(map(len, contents.values())),
        files=files,
    )
    try:
        layout.snapshots.mkdir(mode=0o700, exist_ok=True)
        _save(layout, snapshot)
    except OSError as error:
        raise disk.failure(error, "the snapshot cannot be written") from error
    return _info(snapshot)


def _read_into(found: dict[str, bytes], layout: Layout, path: Path) -> None:
    relative = layout.relative(path)
    try:
        relative.encode("utf-8")
        if layout.holds(path):
            found[relative] = disk.read_regular(path)[0]
    except (OSError, RuntimeError, UnicodeEncodeError):
        return


def _paths(layout: Layout) -> list[Path]:
    try:
        return sorted(path for path in layout.snapshots.iterdir() if path.suffix == ".json" and path.name[0] != ".")
    except OSError:
        return []


def _save(layout: Layout, snapshot: Snapshot) -> None:
    disk.replace_file(layout.snapshots / f"{snapshot.id}.json", msgspec.json.encode(snapshot), mode=0o600)


def _info(snapshot: Snapshot) -> SnapshotInfo:
    return SnapshotInfo(
        id=snapshot.id, created=snapshot.created, label=snapshot.label, count=snapshot.count, bytes=snapshot.bytes
    )


def _file(path: str, data: bytes) -> SnapshotFile:
    try:
        return SnapshotFile(path=path, sha256=digest(data), text=data.decode("utf-8"))
    except UnicodeDecodeError:
        return SnapshotFile(path=path, sha256=digest(data), base64=base64.b64encode(data).decode("ascii"))


def _id_in(data: bytes) -> str | None:
    """The id in a memory file's front matter, found without reading the rest of it."""
    match = _ID_LINE.match(data)
    text = match[1].decode("ascii") if match else ""
    return text if is_id(text) else None


def _diff(path: str, before: bytes | None, after: bytes | None) -> FileDiff:
    change = "added" if before is None else "removed" if after is None else "changed"
    lines = difflib.unified_diff(
        _lines(before),
        _lines(after),
        fromfile="/dev/null" if before is None else f"a/{path}",
        tofile="/dev/null" if after is None else f"b/{path}",
        n=3,
        lineterm="",
    )
    return FileDiff(path=path, change=change, diff="\n".join(lines))


def _lines(data: bytes | None) -> list[str]:
    if data is None:
        return []
    if b"\0" in data:
        return [f"(binary, {len(data):,} bytes)"]
    return data.decode("utf-8", "replace").split("\n")
