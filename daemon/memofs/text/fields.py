"""Front matter keys to the fields of a Memory and back. Pure.

Invariant: a key that cannot be understood costs that field and nothing else: it becomes a Problem, the memory is
kept. Keys nobody knows are ignored here and stay in the file.
"""

import re
from collections.abc import Callable, Sequence
from typing import TypedDict, TypeVar, cast

import msgspec

from memofs.model.memory import Anchor, Columns, Lines, Memory, Status
from memofs.model.problem import Problem, Severity
from memofs.text.front_matter import Document, line_of
from memofs.text.identity import derived_id, is_id
from memofs.text.times import format_iso, parse_iso
from memofs.text.yaml_tree import Tree

__all__ = ["FUTURE_SLACK_MS", "KEYS", "Changes", "Fields", "changes_of", "is_inside", "read_fields", "trees_of"]

KEYS = (
    "id",
    "kind",
    "title",
    "status",
    "confidence",
    "tags",
    "aliases",
    "created",
    "updated",
    "verified",
    "supersedes",
    "source",
    "author",
    "imported",
    "anchors",
)
"""The keys of a memory file, in the order in which a new file has them."""

FUTURE_SLACK_MS = 24 * 3_600_000
"""A date that far ahead is no error: clocks differ, and a bare date may be that of another time zone."""

_STATUSES: tuple[Status, ...] = ("active", "pending", "retired")
_LINES = re.compile(r"(\d{1,8})(?:\s*-\s*(\d{1,8}))?")
_COLUMNS = re.compile(r"(\d{1,8})\s*-\s*(\d{1,8})")
_NOTHING = frozenset({"", "~", "null"})
_SHOWN_CHARACTERS = 40
T = TypeVar("T")


class Changes(TypedDict, total=False):
    """Fields of a Memory to set in its file; None or an empty tuple removes the key."""

    id: str
    kind: str
    title: str
    body: str
    status: Status
    confidence: float | None
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    created_ms: int | None
    updated_ms: int | None
    verified_ms: int | None
    supersedes: tuple[str, ...]
    source: str | None
    author: str | None
    imported: str | None
    anchors: tuple[Anchor, ...]


class Fields(msgspec.Struct, frozen=True, kw_only=True):
    """What the keys say; `title` is None where there is none."""

    id: str
    kind: str = "note"
    title: str | None = None
    status: Status = "active"
    confidence: float | None = None
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    created_ms: int | None = None
    updated_ms: int | None = None
    verified_ms: int | None = None
    supersedes: tuple[str, ...] = ()
    source: str | None = None
    author: str | None = None
    imported: str | None = None
    anchors: tuple[Anchor, ...] = ()


def read_fields(
    document: Document, *, path: str, now_ms: int, kinds: frozenset[str]
) -> tuple[Fields, tuple[Problem, ...]]:
    """What the front matter says, and what in it could not be understood. An id that is missing follows from `path`."""
    reader = _Reader(document, path=path, now_ms=now_ms)
    title = reader.text("title")
    return (
        Fields(
            id=reader.id(),
            kind=reader.kind(kinds),
            title=title if title and title.strip() else None,
            status=reader.status(),
            confidence=reader.confidence(),
            tags=reader.texts("tags", commas=True),
            aliases=reader.texts("aliases"),
            created_ms=reader.time("created"),
            updated_ms=reader.time("updated"),
            verified_ms=reader.time("verified"),
            supersedes=reader.texts("supersedes", commas=True),
            source=reader.text("source") or None,
            author=reader.text("author") or None,
            imported=reader.text("imported") or None,
            anchors=reader.anchors(),
        ),
        tuple(reader.problems),
    )


def trees_of(fields: Changes) -> dict[str, Tree | None]:
    """The keys that say what `fields` say, in the order of a new file; None for a key that is to go."""
    trees = {_KEY_OF.get(name, name): _tree(name, value) for name, value in fields.items() if name != "body"}
    return {key: trees[key] for key in KEYS if key in trees}


def changes_of(memory: Memory) -> Changes:
    """All fields of the memory that its file says."""
    return cast("Changes", {name: getattr(memory, name) for name in Changes.__annotations__})


def is_inside(path: str) -> bool:
    """Whether the path is a relative one that cannot lead out of the workspace by its words alone."""
    parts = re.split(r"[/\\]", path)
    is_drive = re.match(r"[A-Za-z]:(?:[/\\]|$)", path)  # `e:1.py` is a file like any other
    return bool(path) and ".." not in parts and parts[0] != "" and not is_drive and "\0" not in path


_KEY_OF = {"created_ms": "created", "updated_ms": "updated", "verified_ms": "verified"}


def _tree(name: str, value: object) -> Tree | None:
    if value is None or value == ():
        return None
    if name.endswith("_ms"):
        return format_iso(cast("int", value))
    if isinstance(value, float | int):
        return repr(value)
    if isinstance(value, tuple):
        items = cast("Sequence[str | Anchor]", value)
        return [item if isinstance(item, str) else _anchor_tree(item) for item in items]
    return cast("str", value)


def _anchor_tree(anchor: Anchor) -> Tree:
    lines, columns = anchor.lines, anchor.columns
    keys = {
        "path": anchor.path,
        "symbol": anchor.symbol,
        "lines": None if lines is None else f"{lines.first}-{lines.last}",
        "columns": None if columns is None else f"{columns.start}-{columns.end}",
        "mark": anchor.mark,
        "quote": anchor.quote,
    }
    return {key: value for key, value in keys.items() if value is not None}


class _Reader:
    """Reads the keys of one document and collects what is wrong with them."""

    def __init__(self, document: Document, *, path: str, now_ms: int) -> None:
        self.problems: list[Problem] = []
        self._document = document
        self._values = document.values()
        self._path = path
        self._now_ms = now_ms
        if len(self._values) < len(document.entries):
            seen: set[str] = set()
            for entry in document.entries:
                if entry.key in seen:
                    self.problem(entry.key, "frontMatter", f"`{entry.key}` is repeated; the last one counts")
                seen.add(entry.key)

    def id(self) -> str:
        text = self.text("id")
        if text and is_id(text):
            return text
        if text:
            self.problem(
                "id",
                "badId",
                f"{_shown(text)} is no id (mem_ and 6 to 32 lower-case letters and digits)",
                "remove the line, or run memofs doctor --fix",
            )
        return derived_id(self._path)

    def kind(self, kinds: frozenset[str]) -> str:
        text = (self.text("kind") or "").strip().lower()
        if text and text not in kinds:
            known = ", ".join(sorted(kinds))
            self.problem("kind", "unknownKind", f"unknown kind {_shown(text)}", f"known kinds: {known}")
        return text or "note"

    def status(self) -> Status:
        text = (self.text("status") or "").strip().lower()
        for status in _STATUSES:
            if text == status:
                return status
        if text:
            hint = "active, pending or retired; superseded follows from another memory's `supersedes`"
            self.problem("status", "badStatus", f"unknown status {_shown(text)}, read as active", hint)
        return "active"

    def confidence(self) -> float | None:
        text = (self.text("confidence") or "").strip()
        if text.lower() in _NOTHING:
            return None
        try:
            number = float(text)
        except ValueError:
            number = -1.0
        if 0 <= number <= 1:
            return number
        self.problem("confidence", "badConfidence", f"{_shown(text)} is not a confidence", "a number from 0 to 1")
        return None

    def time(self, key: str) -> int | None:
        text = (self.text(key) or "").strip()
        if text.lower() in _NOTHING:
            return None
        ms = parse_iso(text)
        if ms is None:
            self.problem(key, "badDate", f"{_shown(text)} is not a date", "ISO 8601, such as 2026-11-17T09:30:00Z")
        elif ms > self._now_ms + FUTURE_SLACK_MS:
            self.problem(key, "futureDate", f"`{key}` lies in the future: {_shown(text)}")
        return ms

    def text(self, key: str) -> str | None:
        value = self._values.get(key)
        if value is None or isinstance(value, str):
            return value
        self.problem(key, "frontMatter", f"`{key}` must be a single value")
        return None

    def texts(self, key: str, *, commas: bool = False) -> tuple[str, ...]:
        value = self._values.get(key)
        if value is None:
            return ()
        if isinstance(value, str):
            parts = [part.strip() for part in value.split(",")] if commas else [value]
            return tuple(part for part in parts if part.lower() not in _NOTHING)
        texts = tuple(item for item in value if isinstance(item, str) and item) if isinstance(value, list) else ()
        if len(texts) < len(value):
            self.problem(key, "frontMatter", f"`{key}` must be a list of plain values")
        return texts

    def anchors(self) -> tuple[Anchor, ...]:
        value = self._values.get("anchors")
        if value is None or (isinstance(value, str) and value.lower() in _NOTHING):
            return ()
        if not isinstance(value, list):
            self.problem("anchors", "badAnchor", "`anchors` must be a list")
            return ()
        anchors: list[Anchor] = []
        for number, item in enumerate(value, start=1):
            made = _anchor(item)
            if isinstance(made, Anchor):
                anchors.append(made)
            else:
                self.problem("anchors", "badAnchor", f"anchor {number}: {made}")
        return tuple(anchors)

    def problem(
        self, key: str, code: str, message: str, hint: str | None = None, severity: Severity = "warning"
    ) -> None:
        entry = self._document.last(key)
        line = line_of(self._document.text, entry.key_at) if entry else 0
        self.problems.append(
            Problem(path=self._path, code=code, message=message, line=line, hint=hint, severity=severity)
        )


def _anchor(item: Tree) -> Anchor | str:
    """The anchor, or what is wrong with it."""
    if isinstance(item, str):
        item = {"path": item}
    if not isinstance(item, dict):
        return "must say `path: …`"
    texts = {key: value for key, value in item.items() if isinstance(value, str)}
    path = texts.get("path", "")
    if not path:
        return "has no path"
    if not is_inside(path):
        return f"{_shown(path)} leads out of the workspace"
    lines = _range(texts, "lines", _lines)
    columns = _range(texts, "columns", _columns)
    if isinstance(lines, str):
        return lines
    if isinstance(columns, str):
        return columns
    return Anchor(
        path=path,
        symbol=texts.get("symbol") or None,
        lines=lines,
        columns=columns,
        mark=texts.get("mark") or None,
        quote=texts.get("quote") or None,
    )


def _range(texts: dict[str, str], key: str, read: Callable[[str], T | None]) -> T | str | None:
    text = texts.get(key, "").strip()
    if not text:
        return None
    made = read(text)
    return f"`{key}` {_shown(text)} is not a range" if made is None else made


def _lines(text: str) -> Lines | None:
    match = _LINES.fullmatch(text)
    if match is None:
        return None
    first = int(match[1])
    last = int(match[2] or match[1])
    return Lines(first=first, last=last) if 1 <= first <= last else None


def _columns(text: str) -> Columns | None:
    match = _COLUMNS.fullmatch(text)
    if match is None:
        return None
    start, end = int(match[1]), int(match[2])
    # On several lines the last line's end may lie left of the first line's start.
    return Columns(start=start, end=end) if start >= 1 and end >= 1 else None


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "…")
