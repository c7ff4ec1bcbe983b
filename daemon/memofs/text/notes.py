"""notes.md, the log of the original MemoFS: read as memories, printed for tests and migration, never rewritten. Pure.

Invariant: an entry is what stands between two headings that are ISO times; whatever else looks like a heading is
body. An entry that cannot be understood in part is a memory with a Problem.
"""

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import cast

import msgspec

from memofs.model.memory import Anchor, Memory
from memofs.model.problem import Problem
from memofs.text.fields import FUTURE_SLACK_MS, is_inside
from memofs.text.front_matter import BOM, canonical_body
from memofs.text.identity import derived_id, digest, is_id
from memofs.text.said_anchors import said_anchors
from memofs.text.times import parse_iso
from memofs.text.titles import first_heading

__all__ = ["LogEntry", "parse_entries", "parse_notes", "print_entry"]

_HEADING = re.compile(
    r"##[ \t]+(\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)(?:[ \t]+[—–-]+(?:[ \t]+(.*))?)?[ \t]*"
)
_ITEM = re.compile(r"- (kind|tags|confidence|source|writer|metadata):[ \t]*(.*)")
_NO_TAGS = "none"
_MOST_TITLE = 80


class LogEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry as its lines say it; `line` is the 0-based line of its heading, `text` all of it."""

    timestamp: str
    content: str
    kind: str | None = None
    title: str | None = None
    tags: tuple[str, ...] = ()
    confidence: str | None = None
    source: str | None = None
    writer: str | None = None
    metadata: str | None = None
    line: int = 0
    text: str = ""


def print_entry(entry: LogEntry) -> str:
    """The entry as the original system appends it to the log."""
    title = f" — {entry.title}" if entry.title else ""
    items = {
        "kind": entry.kind,
        "tags": ", ".join(entry.tags) or _NO_TAGS,
        "confidence": entry.confidence,
        "source": entry.source,
        "writer": entry.writer,
        "metadata": entry.metadata,
    }
    lines = [f"- {key}: {value}" for key, value in items.items() if value is not None]
    return "\n".join([f"## {entry.timestamp}{title}", *lines, "", entry.content, ""])


def parse_entries(text: str) -> tuple[LogEntry, ...]:
    """The entries of the log, in order; what stands before the first is not one."""
    return tuple(_entry(line, lines) for line, lines in _blocks(text))


def parse_notes(
    path: str, text: str, *, now_ms: int, kinds: frozenset[str]
) -> tuple[tuple[Memory, ...], tuple[Problem, ...]]:
    """The log's entries as memories, and what in them could not be understood.

    An entry without an id gets one that follows from its time and text; a second entry that would get the same one,
    one that follows from its place.
    """
    memories: list[Memory] = []
    problems: list[Problem] = []
    derived: set[str] = set()
    for entry in parse_entries(text):
        reader = _EntryReader(path, entry, now_ms=now_ms, kinds=kinds)
        memory = reader.memory()
        if reader.is_derived:
            if memory.id in derived:
                memory = msgspec.structs.replace(memory, id=derived_id(f"{path}\n{entry.line}\n{memory.id}"))
            derived.add(memory.id)
        memories.append(memory)
        problems.extend(reader.problems)
    return tuple(memories), tuple(problems)


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """The line of each entry's heading, and its lines."""
    lines = text.removeprefix(BOM).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    starts = [number for number, line in enumerate(lines) if _is_start(line)]
    for start, end in pairwise((*starts, len(lines))):
        yield start, lines[start:end]


def _is_start(line: str) -> bool:
    match = _HEADING.fullmatch(line)
    return match is not None and parse_iso(match[1]) is not None


def _entry(number: int, lines: list[str]) -> LogEntry:
    heading = cast("re.Match[str]", _HEADING.fullmatch(lines[0]))
    items: dict[str, str] = {}
    at = 1
    while at < len(lines) and not lines[at].strip():
        at += 1  # formatters put a blank line below a heading
    if at < len(lines) and _ITEM.fullmatch(lines[at]) is None:
        at = 1
    while at < len(lines) and (item := _ITEM.fullmatch(lines[at])) is not None:
        items[item[1]] = item[2].strip()
        at += 1
    tags = items.get("tags", "")
    title = (heading[2] or "").strip()
    return LogEntry(
        timestamp=heading[1],
        title=title or None,
        content=canonical_body("\n".join(lines[at:])),
        kind=items.get("kind"),
        tags=() if tags == _NO_TAGS else tuple(tag for part in tags.split(",") if (tag := part.strip())),
        confidence=items.get("confidence"),
        source=items.get("source"),
        writer=items.get("writer"),
        metadata=items.get("metadata"),
        line=number,
        text="\n".join(lines).rstrip("\n"),
    )


class _EntryReader:
    """Makes a Memory of one entry and collects what is wrong with it."""

    def __init__(self, path: str, entry: LogEntry, *, now_ms: int, kinds: frozenset[str]) -> None:
        self.problems: list[Problem] = []
        self.is_derived = False
        self._path = path
        self._entry = entry
        self._now_ms = now_ms
        self._kinds = kinds

    def memory(self) -> Memory:
        entry = self._entry
        metadata = self._metadata()
        anchors = self._anchors(metadata)
        return Memory(
            id=self._id(metadata),
            kind=self._kind(),
            title=entry.title or first_heading(entry.content) or self._first_line(),
            body=entry.content,
            path=self._path,
            digest=digest(entry.text.encode("utf-8", "surrogatepass")),
            confidence=self._confidence(),
            tags=entry.tags,
            created_ms=self._created(),
            source=entry.source or None,
            author=entry.writer or None,
            anchors=anchors,
            said_anchors=said_anchors(entry.content, known=anchors).anchors,
            line=entry.line,
            origin="log",
        )

    def _metadata(self) -> dict[str, object]:
        text = self._entry.metadata
        if not text:
            return {}
        try:
            value: object = json.loads(text)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            return cast("dict[str, object]", value)
        self._problem("frontMatter", "`metadata` is not a JSON object on one line")
        return {}

    def _id(self, metadata: dict[str, object]) -> str:
        given = metadata.get("id")
        if isinstance(given, str) and is_id(given):
            return given
        if given is not None:
            self._problem("badId", "the entry's id is none that can be kept", "memofs migrate gives it a new one")
            return derived_id(f"{self._path}\n{given}")
        self.is_derived = True
        return derived_id(f"{self._entry.timestamp}\n{self._entry.content}")

    def _kind(self) -> str:
        kind = (self._entry.kind or "").lower()
        if kind and kind not in self._kinds:
            self._problem(
                "unknownKind", f"unknown kind {kind[:40]!r}", f"known kinds: {', '.join(sorted(self._kinds))}"
            )
        return kind or "note"

    def _confidence(self) -> float | None:
        text = self._entry.confidence
        if not text:
            return None
        try:
            number = float(text)
        except ValueError:
            number = -1.0
        if 0 <= number <= 1:
            return number
        self._problem("badConfidence", f"{text[:40]!r} is not a confidence", "a number from 0 to 1")
        return None

    def _created(self) -> int | None:
        ms = parse_iso(self._entry.timestamp)
        if ms is not None and ms > self._now_ms + FUTURE_SLACK_MS:
            self._problem("futureDate", f"the entry's time lies in the future: {self._entry.timestamp}")
        return ms

    def _anchors(self, metadata: dict[str, object]) -> tuple[Anchor, ...]:
        given = metadata.get("anchor")
        if given is None:
            return ()
        anchor = cast("dict[str, object]", given) if isinstance(given, dict) else {}
        path, symbol = anchor.get("file"), anchor.get("symbol")
        if not isinstance(path, str) or not is_inside(path):
            self._problem("badAnchor", "the entry's anchor names no file of the workspace")
            return ()
        # The original's hash is of another kind than our marks: it is left in the log and not taken over.
        return (Anchor(path=path, symbol=symbol if isinstance(symbol, str) and symbol else None),)

    def _first_line(self) -> str:
        line = self._entry.content.split("\n", 1)[0].strip()
        if not line:
            return f"Note of {self._entry.timestamp}"
        return line if len(line) <= _MOST_TITLE else line[: _MOST_TITLE - 1].rstrip() + "…"

    def _problem(self, code: str, message: str, hint: str | None = None) -> None:
        self.problems.append(
            Problem(
                path=self._path,
                code=code,
                message=f"entry {self._entry.timestamp}: {message}",
                line=self._entry.line,
                hint=hint,
                severity="warning",
            )
        )
