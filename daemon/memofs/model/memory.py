"""A memory and what it is tied to.

Invariant: values are frozen and hold only tuples, strings and numbers, so a World that shares them needs no
locks. Times are integers, milliseconds since the Unix epoch (UTC); `None` means the file does not say.
"""

from typing import Literal

import msgspec

__all__ = ["KINDS", "Anchor", "Columns", "Lines", "Memory", "Origin", "Status"]

KINDS: tuple[str, ...] = (
    "decision",
    "constraint",
    "preference",
    "note",
    "reference",
    "goal",
    "summary",
)
"""The built-in kinds; `config.kinds` adds a project's own."""

Status = Literal["active", "pending", "retired"]
Origin = Literal["file", "markdown", "log"]
"""Where a memory stands: a file with front matter, a plain markdown file, or an entry of notes.md."""


class Lines(msgspec.Struct, frozen=True, kw_only=True):
    """A line range: 1-based, both ends included."""

    first: int
    last: int


class Columns(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a line: start on the first line, end on the last; 1-based code points, end excluded."""

    start: int
    end: int


class Anchor(msgspec.Struct, frozen=True, kw_only=True):
    """What ties a memory to code. `path` is POSIX, relative to the workspace; no lines means the whole file."""

    path: str
    symbol: str | None = None
    lines: Lines | None = None
    columns: Columns | None = None
    mark: str | None = None
    quote: str | None = None


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """One memory as its file says it.

    `path` is the file's, POSIX, relative to the workspace; `line` is the 0-based line where the memory begins in
    it (0 but for entries of notes.md). `digest` is the SHA-256 (hex) of the file's bytes, or of the entry's text
    for `origin="log"`: what compare-and-swap compares. `imported` is what a later import compares: digests of the
    record and of the body made from it. `said_anchors` are those that the body says (text/said_anchors.py) and
    `anchors` does not hold. Unknown front matter keys stay in the file and are not repeated here.
    """

    id: str
    kind: str
    title: str
    body: str
    path: str
    digest: str
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
    said_anchors: tuple[Anchor, ...] = ()
    line: int = 0
    origin: Origin = "file"

    @property
    def every_anchor(self) -> tuple[Anchor, ...]:
        """All its anchors, as they are counted: those of the front matter first."""
        return self.anchors + self.said_anchors if self.said_anchors else self.anchors
