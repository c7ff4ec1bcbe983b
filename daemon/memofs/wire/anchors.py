"""Requests about anchors: tie a memory to code, ask where that is now and whether it still means the same."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from memofs.wire.memory import MemoryView, Status
from memofs.wire.mutes import Scope
from memofs.wire.values import Params, Range, Result

__all__ = [
    "AnchorParams",
    "AnchorRow",
    "AnchorSpec",
    "AnchorsParams",
    "AnchorsResult",
    "CandidateView",
    "ChangesParams",
    "ChangesResult",
    "CheckParams",
    "CheckResult",
    "FindingView",
    "MemoriesAtParams",
    "MemoriesAtResult",
    "MemoryAt",
    "PlaceView",
    "ReanchorParams",
    "TextDocument",
    "UnanchorParams",
    "UncheckedView",
    "Verdict",
]

Verdict = Literal["current", "moved", "reformatted", "changed", "missing"]
Index = Annotated[int, msgspec.Meta(ge=0)]


class TextDocument(Params, frozen=True, kw_only=True):
    """A file of the workspace, as LSP names it."""

    uri: str


class AnchorSpec(Params, frozen=True, kw_only=True):
    """What to tie a memory to: a file (`path`, relative to the workspace, or `uri`), a `symbol` or a `range` in it.

    A range that takes in all the text of its lines stands for those lines. Everything else (hash, quote, name of the
    symbol) is worked out by the daemon.
    """

    path: str | None = None
    uri: str | None = None
    range: Range | None = None
    symbol: str | None = None


class AnchorParams(Params, frozen=True, kw_only=True):
    """Add an anchor to a memory; `expectedHash` is the memory's `hash` as the caller saw it."""

    id: str
    anchor: AnchorSpec
    expected_hash: str | None = None


class UnanchorParams(Params, frozen=True, kw_only=True):
    """Take one anchor from a memory, or all those in the file `path`; neither is needed where there is only one."""

    id: str
    anchor_index: Index | None = None
    path: str | None = None
    expected_hash: str | None = None


class ReanchorParams(Params, frozen=True, kw_only=True):
    """Give an anchor another place: `target`, or the offered `candidate` (its index).

    Without either, it stays where it was found. Without an index: the only anchor, or the only one that is stale.
    """

    id: str
    anchor_index: Index | None = None
    target: AnchorSpec | None = None
    candidate: Index | None = None
    expected_hash: str | None = None


class PlaceView(msgspec.Struct, frozen=True, kw_only=True):
    """A file, or a range of it; `range` is null for the whole file."""

    path: str
    uri: str
    range: Range | None = None


class CandidateView(msgspec.Struct, frozen=True, kw_only=True):
    """A place where a lost anchor may have gone: `score` in [0, 1], `text` its first line."""

    path: str
    uri: str
    range: Range | None
    score: float
    text: str


class AnchorRow(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One anchor of one memory, and what became of it.

    `path`, `range` and `symbol` say where it is now, or where it was last if it is missing; `recorded` where the
    memory's file has it. `verdict` is null while nothing says what was meant (`marked` is false) and where it could
    not be looked at (`problem` says why). A `probable` certainty is a guess that was taken. `said` anchors stand in
    the memory's text. `degraded`: grammar, git, binary, tooLarge, generated (known by the file's hash), notUtf8.
    `muted` names what editors of this machine do not show of it.
    """

    memory: str
    title: str
    kind: str
    status: Status
    anchor_index: int
    path: str
    uri: str
    range: Range | None
    symbol: str | None
    verdict: Verdict | None
    marked: bool
    recorded: PlaceView
    certainty: Literal["sure", "probable"] = "sure"
    similarity: float = 1.0
    how: str = ""
    said: bool = False
    candidates: tuple[CandidateView, ...] = ()
    degraded: tuple[str, ...] = ()
    problem: str | None = None
    muted: tuple[Scope, ...] = ()


class AnchorsParams(Params, frozen=True, kw_only=True):
    """Anchors of one file (`textDocument`), in `paths` (files, folders, globs), or of all active memories."""

    text_document: TextDocument | None = None
    paths: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    include_retired: bool = False
    work_done_token: str | None = None


class AnchorsResult(Result, frozen=True, kw_only=True):
    """By path and place."""

    anchors: tuple[AnchorRow, ...]


class MemoriesAtParams(Params, frozen=True, kw_only=True):
    """The memories of a file, or of what touches a range of it."""

    text_document: TextDocument
    range: Range | None = None


class MemoryAt(msgspec.Struct, frozen=True, kw_only=True):
    """A memory, and the indexes of those of its anchors that lie there."""

    memory: MemoryView
    anchors: tuple[int, ...]


class MemoriesAtResult(Result, frozen=True, kw_only=True):
    """In the order of their places."""

    memories: tuple[MemoryAt, ...]


class ChangesParams(Params, frozen=True, kw_only=True):
    """Which anchor to compare; without an index the first that is stale, else the first."""

    id: str
    anchor_index: Index | None = None


class ChangesResult(Result, frozen=True, kw_only=True):
    """The code as it was meant and as it is.

    `before` is null where the old version cannot be had, `after` where the code is not found; `diff` is a unified diff,
    empty if they are equal, all of `before` taken away where the code is missing. `source` says where the old text
    came from: file (unchanged), cache, git, mark (a piece kept in the memory) or none. `there` is the code that stands
    now in the lines of missing code, null where nothing does.
    """

    anchor: AnchorRow
    before: str | None
    after: str | None
    diff: str
    source: Literal["file", "cache", "git", "mark", "none"]
    before_lines: tuple[int, int] | None = None
    after_lines: tuple[int, int] | None = None
    there: str | None = None
    there_lines: tuple[int, int] | None = None


class CheckParams(Params, frozen=True, kw_only=True):
    """What to check: anchors in `paths`, or all; with `since` (a revision), only those in files that differ from it.

    Retired, pending and superseded memories are not checked.
    """

    paths: tuple[str, ...] = ()
    since: str | None = None
    work_done_token: str | None = None


class FindingView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A stale anchor: `code` is memofs.changed or memofs.missing, `message` says it in a sentence.

    `memoryLine` is the 0-based line of the memory's file where its anchors begin; `verified` is when somebody last
    confirmed the memory. `exists` is false where the code file is gone.
    """

    code: Literal["memofs.changed", "memofs.missing"]
    message: str
    anchor: AnchorRow
    memory_path: str
    memory_uri: str
    memory_line: int
    verified: str | None
    exists: bool = True


class UncheckedView(msgspec.Struct, frozen=True, kw_only=True):
    """What could not be checked, and why; `memory` is null for a memory file that cannot be read."""

    path: str
    message: str
    memory: str | None = None


class CheckResult(Result, frozen=True, kw_only=True):
    """Findings by path and place, what could not be checked, and counts of what was looked at."""

    findings: tuple[FindingView, ...]
    unchecked: tuple[UncheckedView, ...] = ()
    memories: int = 0
    anchors: int = 0
    by_verdict: Mapping[str, int] = {}
    since: str | None = None
