"""Caches in `.memofs/indexes/`: what was read from each file, and the world's index as opaque bytes.

Invariant: a cache is only ever an opinion: a missing, torn, foreign or old one is as good as none, and one that
cannot be written is a Problem. Both are replaced in one step. Whether an entry still holds is left to store/records.py.
"""

import hashlib
from pathlib import Path

import msgspec

import memofs
from memofs.model.memory import Memory
from memofs.model.problem import Problem
from memofs.store.disk import read_regular, replace_file
from memofs.store.layout import Layout

__all__ = [
    "FileRecord",
    "Stamp",
    "drop",
    "load_index",
    "load_records",
    "load_sealed",
    "save_index",
    "save_records",
    "save_sealed",
]

_FORMAT = f"memofs records 2 {memofs.__version__}"
_INDEX_FORMAT = "memofs index 1"
_DIGEST_BYTES = 16


class Stamp(msgspec.Struct, frozen=True, array_like=True):
    """What the file system says about a file; equal stamps mean the same bytes unless the file is too young."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class FileRecord(msgspec.Struct, frozen=True, array_like=True):
    """What was read from one file.

    `memories` carry the ids that the file says, before two files with one id were told apart. `read_ns` is the wall
    clock just before the file was read.
    """

    path: str
    stamp: Stamp
    digest: str
    read_ns: int
    memories: tuple[Memory, ...] = ()
    problems: tuple[Problem, ...] = ()


class _Records(msgspec.Struct, frozen=True, array_like=True):
    kinds: tuple[str, ...]
    files: tuple[FileRecord, ...]


_DECODER = msgspec.msgpack.Decoder(_Records)


def load_records(layout: Layout, *, kinds: frozenset[str]) -> tuple[FileRecord, ...] | None:
    """The records of the last save; None if there are none that were made by this version for these kinds.

    Raises OSError (FileNotFoundError where there is no cache).
    """
    payload = _unsealed(_FORMAT, read_regular(_records_path(layout))[0])
    if payload is None:
        return None
    try:
        records = _DECODER.decode(payload)
    except (msgspec.DecodeError, ValueError):
        return None
    return records.files if records.kinds == tuple(sorted(kinds)) else None


def save_records(layout: Layout, files: tuple[FileRecord, ...], *, kinds: frozenset[str]) -> Problem | None:
    """Write the records; a Problem if that cannot be done."""
    payload = msgspec.msgpack.encode(_Records(kinds=tuple(sorted(kinds)), files=files))
    return _save(layout, _records_path(layout), _sealed(_FORMAT, payload))


def load_index(layout: Layout) -> bytes | None:
    """The bytes of the last `save_index`, or None. Never raises."""
    try:
        return _unsealed(_INDEX_FORMAT, read_regular(_index_path(layout))[0])
    except OSError:
        return None


def save_index(layout: Layout, data: bytes) -> Problem | None:
    """Write the bytes; a Problem if that cannot be done."""
    return _save(layout, _index_path(layout), _sealed(_INDEX_FORMAT, data))


def load_sealed(layout: Layout, name: str, *, format_: str) -> bytes | None:
    """The bytes of the last `save_sealed` under this name and format, if they are whole. Never raises."""
    try:
        return _unsealed(format_, read_regular(layout.indexes / name)[0])
    except OSError:
        return None


def save_sealed(layout: Layout, name: str, data: bytes, *, format_: str) -> Problem | None:
    """Write bytes in one step, with what tells them from torn or foreign ones; a Problem if that cannot be done."""
    return _save(layout, layout.indexes / name, _sealed(format_, data))


def drop(layout: Layout) -> Problem | None:
    """Remove both caches; a Problem if that cannot be done."""
    for path in (_records_path(layout), _index_path(layout)):
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            return _unwritable(layout, path, error)
    return None


def _records_path(layout: Layout) -> Path:
    return layout.indexes / "records.msgpack"


def _index_path(layout: Layout) -> Path:
    return layout.indexes / "lexical.bin"


def _save(layout: Layout, path: Path, data: bytes) -> Problem | None:
    if not layout.holds(layout.indexes):
        message = "a link that leads out of the workspace"
        return Problem(path=layout.relative(layout.indexes), code="outside", message=message, severity="warning")
    try:
        layout.indexes.mkdir(mode=0o700, exist_ok=True)
        replace_file(path, data, mode=0o600, durable=False)
    except OSError as error:
        return _unwritable(layout, path, error)
    return None


def _unwritable(layout: Layout, path: Path, error: OSError) -> Problem:
    return Problem(
        path=layout.relative(path),
        code="cacheUnwritable",
        message=f"the cache cannot be written: {error.strerror or error}",
        hint="everything works, but opening the workspace is slower: make .memofs/indexes writable or delete it",
        severity="warning",
    )


def _sealed(format_: str, payload: bytes) -> bytes:
    digest = hashlib.blake2b(payload, digest_size=_DIGEST_BYTES).digest()
    return format_.encode() + b"\n" + digest + payload


def _unsealed(format_: str, data: bytes) -> bytes | None:
    head = format_.encode() + b"\n"
    if not data.startswith(head):
        return None
    start = len(head) + _DIGEST_BYTES
    digest, payload = data[len(head) : start], data[start:]
    return payload if hashlib.blake2b(payload, digest_size=_DIGEST_BYTES).digest() == digest else None
