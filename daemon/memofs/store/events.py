"""The audit trail: one JSON line for each file that this machine's writes changed.

Invariant: lines are only added, save that forgetting a memory takes its title and path out of its lines. A torn last
line is passed over and never joined to the next. Who may call is left to store/journal.py, which holds the lock.
"""

import contextlib
import os
from collections.abc import Collection, Iterator, Sequence

import msgspec

from memofs.model.problem import Problem
from memofs.store.disk import replace_file
from memofs.store.layout import Layout

__all__ = ["Event", "append_events", "check_events", "newest_first", "redact_events"]

MOST_SUMMARY = 200
FORGOTTEN = "(forgotten)"

_BLOCK_BYTES = 64 * 1024


class Event(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One file's change. `timestamp` is ISO 8601 in UTC; hashes are SHA-256 of the file before and after.

    `batch` groups what one request wrote; an undo names in `undoes` the batch that it took back. `undone` is worked
    out in reading, not stored.
    """

    id: str
    type: str
    timestamp: str
    actor: str
    memory: str | None = None
    summary: str = ""
    path: str | None = None
    batch: str | None = None
    previous_hash: str | None = None
    hash: str | None = None
    undoes: str | None = None
    undone: bool = False


_DECODER = msgspec.json.Decoder(Event)


def append_events(layout: Layout, events: Sequence[Event]) -> None:
    """Add the lines, all or none. Raises OSError. Not flushed: losing the trail's end loses no memory."""
    lines = b"".join(msgspec.json.encode(event) + b"\n" for event in events)
    layout.events.parent.mkdir(mode=0o700, exist_ok=True)
    handle = os.open(layout.events, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(handle, "r+b", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        if size:
            file.seek(size - 1)
            if file.read(1) != b"\n":  # a crash tore the last line
                lines = b"\n" + lines
        view = memoryview(lines)
        try:
            while view:
                view = view[file.write(view) or 0 :]
        except OSError:
            with contextlib.suppress(OSError):
                file.truncate(size)
            raise


def newest_first(layout: Layout) -> Iterator[Event]:
    """The events from the last line back; lines that cannot be read are passed over. Never raises."""
    for line in _lines_backwards(layout):
        with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError):
            yield _DECODER.decode(line)


def check_events(layout: Layout) -> tuple[Problem, ...]:
    """The lines of the trail that cannot be read, for `memofs doctor`."""
    path = layout.relative(layout.events)
    try:
        lines = layout.events.read_bytes().split(b"\n")
    except FileNotFoundError:
        return ()
    except OSError as error:
        message = f"cannot be read: {error.strerror or error}"
        return (Problem(path=path, code="unreadable", message=message, severity="warning"),)
    problems: list[Problem] = []
    for number, line in enumerate(lines):
        if not line:
            continue
        try:
            _DECODER.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            message = "a line of the audit trail is torn or damaged and is passed over"
            problems.append(Problem(path=path, code="tornLine", message=message, line=number, severity="warning"))
    return tuple(problems)


def redact_events(layout: Layout, *, paths: Collection[str], ids: Collection[str]) -> None:
    """Take titles and paths of forgotten memories out of the trail. Raises OSError."""
    try:
        data = layout.events.read_bytes()
    except FileNotFoundError:
        return
    lines: list[bytes] = []
    for line in data.split(b"\n"):
        kept = line
        with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError):
            event = _DECODER.decode(line)
            if event.memory in ids or event.path in paths:
                kept = msgspec.json.encode(msgspec.structs.replace(event, summary=FORGOTTEN, path=None))
        lines.append(kept)
    redacted = b"\n".join(lines)
    if redacted != data:
        replace_file(layout.events, redacted, mode=0o600)


def _lines_backwards(layout: Layout) -> Iterator[bytes]:
    try:
        file = layout.events.open("rb")
    except OSError:
        return
    with file:
        at = file.seek(0, os.SEEK_END)
        rest = b""
        while at > 0:
            start = max(0, at - _BLOCK_BYTES)
            file.seek(start)
            try:
                block = file.read(at - start) + rest
            except OSError:
                return
            first, *lines = block.split(b"\n")
            for line in reversed(lines):
                if line:
                    yield line
            at, rest = start, first
        if rest:
            yield rest
