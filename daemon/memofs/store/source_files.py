"""A folder of somebody else's documents, read for an import.

Invariant: every file below the folder is either read or skipped with a reason, in one order that is the same
everywhere; nothing outside the folder is read. What the documents mean is left to the importers.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from memofs.model.errors import InvalidRequest, NotFound
from memofs.store.disk import read_regular
from memofs.text.memory_file import MOST_FILE_BYTES

__all__ = ["SkippedFile", "SourceFile", "read_sources"]

ENDINGS = frozenset({".md", ".markdown", ".txt"})

_FOREIGN = frozenset({"node_modules", "__pycache__", "vendor", "site-packages"})
_DIGITS = re.compile(r"(\d+)")


class SourceFile(msgspec.Struct, frozen=True, kw_only=True):
    """A document. `path` is relative to the folder, with slashes; `text` is without BOM, its line ends as they are."""

    path: str
    text: str
    modified_ms: int


class SkippedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file or folder that was not read, and why."""

    path: str
    reason: str


def read_sources(folder: Path) -> Iterator[SourceFile | SkippedFile]:
    """The documents below the folder (or the one file), in natural order of their paths: 2-b before 10-a.

    Files that are no documents by their ending, and hidden ones, are passed over in silence. Raises NotFound if there
    is nothing at the path, InvalidRequest if it is neither folder nor document.
    """
    if folder.is_file():
        if folder.suffix.lower() not in ENDINGS:
            raise InvalidRequest("notDocument", f"{folder.name} is no document", f"known: {', '.join(sorted(ENDINGS))}")
        yield _read(folder, folder.name)
        return
    if not folder.exists():
        raise NotFound("source", f"there is nothing at {str(folder)!r}", "give a folder of markdown files")
    if not folder.is_dir():
        raise InvalidRequest("notDocument", f"{str(folder)!r} is neither a folder nor a file")
    root = folder.resolve()
    yield from _walk(root, "", root, seen=frozenset({root}))


def _walk(folder: Path, below: str, root: Path, *, seen: frozenset[Path]) -> Iterator[SourceFile | SkippedFile]:
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: _natural(entry.name))
    except OSError as error:
        yield SkippedFile(path=below or ".", reason=f"cannot be read: {error.strerror or error}")
        return
    for entry in listed:
        if entry.name.startswith("."):
            continue
        yield from _entry(entry, f"{below}{entry.name}", root, seen=seen)


def _entry(
    entry: os.DirEntry[str], path: str, root: Path, *, seen: frozenset[Path]
) -> Iterator[SourceFile | SkippedFile]:
    place = Path(entry.path)
    is_document = place.suffix.lower() in ENDINGS
    shown = path.encode("utf-8", "backslashreplace").decode()
    try:
        is_folder = entry.is_dir()
        if not is_folder and not is_document:
            return
        if shown != path:
            yield SkippedFile(path=shown, reason="the name is not UTF-8")
            return
        real = place.resolve()
        if entry.is_symlink() and not real.is_relative_to(root):
            yield SkippedFile(path=path, reason="a link that leads out of the folder")
        elif is_folder:
            if entry.name in _FOREIGN:
                yield SkippedFile(path=path, reason="a folder of dependencies")
            elif real not in seen:
                yield from _walk(place, f"{path}/", root, seen=seen | {real})
        else:
            yield _read(place, path)
    except (OSError, RuntimeError) as error:
        yield _unreadable(path, error)


def _read(place: Path, path: str) -> SourceFile | SkippedFile:
    try:
        data, state = read_regular(place, most_bytes=MOST_FILE_BYTES)
    except OSError as error:
        return _unreadable(path, error)
    if len(data) > MOST_FILE_BYTES:
        return SkippedFile(path=path, reason=f"too large ({state.st_size:,} bytes)")
    if b"\0" in data:
        return SkippedFile(path=path, reason="binary")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return SkippedFile(path=path, reason="not UTF-8")
    if not text.strip():
        return SkippedFile(path=path, reason="empty")
    return SourceFile(path=path, text=text, modified_ms=state.st_mtime_ns // 1_000_000)


def _unreadable(path: str, error: Exception) -> SkippedFile:
    reason = error.strerror if isinstance(error, OSError) else None
    return SkippedFile(path=path, reason=f"cannot be read: {reason or error}")


def _natural(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part.lower()) for part in _DIGITS.split(name)] + [(-2, name)]
