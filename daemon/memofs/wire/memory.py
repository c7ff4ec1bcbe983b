"""A memory, an anchor, a problem and an event as clients see them. Times are ISO 8601 in UTC."""

from typing import Literal

import msgspec

from memofs.wire.values import Range

__all__ = ["AnchorView", "EventView", "MemoryView", "ProblemView", "Status"]

Status = Literal["active", "pending", "retired"]


class AnchorView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Where a memory is tied to. `range` is null for a whole-file anchor; `verdict` is null until it is known."""

    path: str
    uri: str
    symbol: str | None = None
    range: Range | None = None
    verdict: Literal["current", "moved", "reformatted", "changed", "missing"] | None = None


class MemoryView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One memory. `hash` goes back as `expectedHash`; `body` is null in lists that did not ask for bodies.

    `flags`: stale, unverified, superseded, retired, pending. `editable` is false for entries of notes.md, which are
    read and never rewritten. `line` is the 0-based line where the memory begins in the file of `uri`.
    """

    id: str
    title: str
    kind: str
    status: Status
    uri: str
    path: str
    line: int
    hash: str
    body: str | None = None
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    confidence: float | None = None
    created: str | None = None
    updated: str | None = None
    verified: str | None = None
    supersedes: tuple[str, ...] = ()
    superseded_by: str | None = None
    source: str | None = None
    author: str | None = None
    anchors: tuple[AnchorView, ...] = ()
    flags: tuple[str, ...] = ()
    editable: bool = True


class ProblemView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One finding: a fault in a file, or in the set-up (then `path` is null). `line` is 0-based."""

    code: str
    severity: Literal["error", "warning", "info"]
    message: str
    path: str | None = None
    line: int = 0
    hint: str | None = None
    fixable: bool = False
    fixed: bool = False


class EventView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One write of this machine, from the audit trail. `batch` groups what one request wrote."""

    id: str
    type: str
    timestamp: str
    actor: str
    memory: str | None
    summary: str
    path: str | None = None
    batch: str | None = None
    undone: bool = False
