"""Finding and reading memory files on a disk that anything may have happened to.

Invariant: never raises for what a disk can hold: a link that leads out of the workspace, a folder one may not open,
a pipe named like a memory, a name that is no text, a file that vanishes in between. Each is a Problem or is left out.
What the bytes mean is left to text/memory_file.py.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import msgspec

from memofs.model.problem import Problem
from memofs.store.cache import Stamp
from memofs.store.disk import read_regular
from memofs.store.layout import CORE_PATH, MEMORY_PATH, Layout
from memofs.text.memory_file import MOST_FILE_BYTES

__all__ = ["Listing", "is_memory_path", "list_files", "look", "read_file", "stamp_of"]


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """The memory files below a folder with their stamps, and what could not be looked at."""

    files: dict[str, Stamp]
    problems: tuple[Problem, ...] = ()


def is_memory_path(path: str) -> bool:
    """Whether a workspace-relative path is that of a memory file (or of notes.md): not hidden, not core.md."""
    if not path.startswith(MEMORY_PATH + "/") or path == CORE_PATH:
        return False
    return path.lower().endswith(".md") and "/." not in path[len(MEMORY_PATH) :]


def list_files(layout: Layout, under: str = MEMORY_PATH) -> Listing:
    """All memory files below the workspace-relative folder, symbolic links inside the workspace followed."""
    files: dict[str, Stamp] = {}
    problems: list[Problem] = []
    folder = layout.root / under
    if not layout.holds(folder):
        return Listing(files={}, problems=(_outside(under),))
    above = [folder, *folder.parents][: 1 + len(folder.relative_to(layout.base).parts)]
    for found in _walk(layout, folder, under, seen=frozenset(map(os.path.realpath, above))):
        if isinstance(found, Problem):
            problems.append(found)
        else:
            files[found[0]] = found[1]
    return Listing(files=files, problems=tuple(problems))


def look(layout: Layout, path: str) -> Stamp | Problem | None:
    """The stamp of one memory file; None if there is none."""
    absolute = layout.root / path
    try:
        state = absolute.stat()
    except FileNotFoundError:
        if not absolute.is_symlink():
            return None
        return _dangling(path) if layout.holds(absolute) else _outside(path)
    except (OSError, ValueError) as error:
        return _unreadable(path, error)
    if not layout.holds(absolute):
        return _outside(path)
    return stamp_of(state) if stat.S_ISREG(state.st_mode) else None


def read_file(layout: Layout, path: str, *, most_bytes: int = MOST_FILE_BYTES) -> tuple[bytes, Stamp] | Problem | None:
    """The bytes of a memory file and the stamp they had; None if it is gone.

    A file above the limit comes back cut, but longer than the limit, so that who parses it sees that it is too large.
    """
    try:
        data, state = read_regular(layout.root / path, most_bytes=most_bytes)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        return _unreadable(path, error)
    return data, stamp_of(state)


def stamp_of(state: os.stat_result) -> Stamp:
    """What of a file's state tells whether it changed."""
    return Stamp(size=state.st_size, mtime_ns=state.st_mtime_ns, ctime_ns=state.st_ctime_ns, inode=state.st_ino)


def _walk(
    layout: Layout, folder: Path | str, path: str, *, seen: frozenset[str]
) -> Iterator[tuple[str, Stamp] | Problem]:
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        yield _unreadable(path, error)
        return
    for entry in listed:
        name = entry.name
        if name.startswith("."):
            continue
        below = f"{path}/{name}"
        try:
            name.encode("utf-8")
        except UnicodeEncodeError:
            yield Problem(
                path=below.encode("utf-8", "backslashreplace").decode(),
                code="unreadable",
                message="the file's name is not UTF-8",
                hint="rename it",
            )
            continue
        yield from _entry(layout, entry, below, seen=seen)


def _entry(
    layout: Layout, entry: os.DirEntry[str], path: str, *, seen: frozenset[str]
) -> Iterator[tuple[str, Stamp] | Problem]:
    is_memory = is_memory_path(path)
    try:
        if entry.is_symlink():
            if not entry.is_dir() and not is_memory:
                return
            if not layout.holds(Path(entry.path)):
                yield _outside(path)
                return
            if not Path(entry.path).exists():
                yield _dangling(path)
                return
        if entry.is_dir():
            real = os.path.realpath(entry.path)
            if real not in seen:  # a link to a folder above would be walked for ever
                yield from _walk(layout, entry.path, path, seen=seen | {real})
        elif is_memory and entry.is_file():
            yield path, stamp_of(entry.stat())
    except FileNotFoundError:
        return
    except OSError as error:
        yield _unreadable(path, error)


def _outside(path: str) -> Problem:
    hint = "only files inside the workspace are read: copy it here, or remove the link"
    return Problem(path=path, code="outside", message="a link that leads out of the workspace", hint=hint)


def _dangling(path: str) -> Problem:
    return Problem(path=path, code="unreadable", message="a link to a file that is not there", hint="remove the link")


def _unreadable(path: str, error: Exception) -> Problem:
    reason = error.strerror if isinstance(error, OSError) else None
    message = f"cannot be read: {reason or error}"
    return Problem(path=path, code="unreadable", message=message, hint="check who may read the file")
