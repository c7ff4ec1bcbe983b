"""What tools answer, as structured content: what an agent needs of the daemon's answers, and no more. Pure.

Invariant: what is left out is empty, false, or not known. Lines count from 1 and include the last.
"""

from collections.abc import Iterable, Mapping

import msgspec

from memofs.wire.anchors import AnchorRow, FindingView
from memofs.wire.memory import AnchorView, MemoryView
from memofs.wire.read import HitView
from memofs.wire.values import Range

__all__ = [
    "ChangesAnswer",
    "ContextAnswer",
    "EntitiesAnswer",
    "EntityPart",
    "FindingPart",
    "HereAnswer",
    "HitPart",
    "MemoriesAnswer",
    "MemoryPart",
    "PlacePart",
    "RecallAnswer",
    "RememberAnswer",
    "SectionPart",
    "StaleAnswer",
    "StatementPart",
    "UpdateAnswer",
    "finding_part",
    "hit_part",
    "memory_part",
    "place_part",
    "row_part",
]


class _Part(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    pass


class PlacePart(_Part, frozen=True, kw_only=True):
    """A file, or lines of it. `verdict`: current, moved, reformatted, changed or missing; the last two are stale."""

    path: str
    first_line: int | None = None
    last_line: int | None = None
    symbol: str | None = None
    verdict: str | None = None


class MemoryPart(_Part, frozen=True, kw_only=True):
    """One memory. `file` is its markdown file. `flags`: stale, unverified, superseded, retired, pending."""

    id: str
    title: str
    kind: str
    status: str
    file: str
    hash: str | None = None
    body: str | None = None
    flags: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    confidence: float | None = None
    created: str | None = None
    updated: str | None = None
    verified: str | None = None
    superseded_by: str | None = None
    source: str | None = None
    anchors: tuple[PlacePart, ...] = ()


class HitPart(MemoryPart, frozen=True, kw_only=True):
    """A memory that was found: how well it fits (`score`), and the passage that does."""

    score: float
    snippet: str


class RecallAnswer(_Part, frozen=True, kw_only=True):
    """Hits, best first. `weaker` and `more` count what is not shown; `notice` nothingRelevant is an answer too."""

    hits: tuple[HitPart, ...]
    weaker: int = 0
    more: int = 0
    notice: str | None = None
    degraded: tuple[str, ...] = ()


class SectionPart(_Part, frozen=True, kw_only=True):
    """A section: the ids it shows, how many it left out, and the cursor that shows them."""

    name: str
    items: tuple[str, ...] = ()
    omitted: int = 0
    cursor: str | None = None


class ContextAnswer(_Part, frozen=True, kw_only=True):
    """The briefing to read (`text`), or what one left out; a `cursor` leads to still more."""

    text: str
    bytes: int
    sections: tuple[SectionPart, ...] = ()
    items: tuple[str, ...] = ()
    omitted: int = 0
    cursor: str | None = None
    warnings: tuple[str, ...] = ()
    degraded: tuple[str, ...] = ()


class RememberAnswer(_Part, frozen=True, kw_only=True):
    """The memory; `written` is false where it says already what was to be remembered, `pending` if a person decides."""

    memory: MemoryPart
    written: bool
    pending: bool = False
    remarks: tuple[str, ...] = ()


class UpdateAnswer(_Part, frozen=True, kw_only=True):
    """The memory after the change; `changed` is false where there was nothing to do."""

    memory: MemoryPart
    changed: bool
    remarks: tuple[str, ...] = ()


class MemoriesAnswer(_Part, frozen=True, kw_only=True):
    """The memories as they are now, and the ids of those that were so already."""

    memories: tuple[MemoryPart, ...]
    unchanged: tuple[str, ...] = ()


class HereAnswer(_Part, frozen=True, kw_only=True):
    """What binds the place, in the order of the code."""

    path: str
    memories: tuple[MemoryPart, ...]


class FindingPart(_Part, frozen=True, kw_only=True):
    """A memory whose code has changed or is gone, and where the code may have gone."""

    memory: str
    title: str
    message: str
    place: PlacePart
    anchor_index: int
    verified: str | None = None
    candidates: tuple[PlacePart, ...] = ()


class StaleAnswer(_Part, frozen=True, kw_only=True):
    """What to look at again; `unchecked` says what could not be looked at."""

    findings: tuple[FindingPart, ...]
    unchecked: tuple[str, ...] = ()
    memories: int = 0
    anchors: int = 0


class ChangesAnswer(_Part, frozen=True, kw_only=True):
    """An anchor's code as it was meant (`before`) and as it is (`after`), null where it cannot be had."""

    memory: str
    title: str
    place: PlacePart
    diff: str
    before: str | None = None
    after: str | None = None
    source: str = "none"


class EntityPart(_Part, frozen=True, kw_only=True):
    """An entity, and in a line what holds of it now."""

    id: str
    type: str
    label: str
    aliases: tuple[str, ...] = ()
    state: str = ""
    live: bool = True
    successor: str | None = None


class StatementPart(_Part, frozen=True, kw_only=True):
    """What one says of another, and the memory that says so (none where a person wrote it down)."""

    source: str = msgspec.field(name="from")
    relation: str
    target: str = msgspec.field(name="to")
    holds: bool
    memory: str | None = None


class EntitiesAnswer(_Part, frozen=True, kw_only=True):
    """Entities, what is said of them, and the ids and titles of memories that name them."""

    entities: tuple[EntityPart, ...]
    statements: tuple[StatementPart, ...] = ()
    memories: Mapping[str, str] = {}
    more: int = 0


def memory_part(view: MemoryView, *, body: bool = False) -> MemoryPart:
    """A memory; with its text if asked for."""
    return MemoryPart(
        id=view.id,
        title=view.title,
        kind=view.kind,
        status=view.status,
        file=view.path,
        hash=view.hash or None,
        body=view.body if body else None,
        flags=view.flags,
        tags=view.tags,
        confidence=view.confidence,
        created=view.created,
        updated=view.updated,
        verified=view.verified,
        superseded_by=view.superseded_by,
        source=view.source,
        anchors=_places(view.anchors),
    )


def hit_part(view: HitView) -> HitPart:
    """A hit."""
    return HitPart(
        id=view.id,
        title=view.title,
        kind=view.kind,
        status=view.status,
        file=view.path,
        flags=view.flags,
        tags=view.tags,
        confidence=view.confidence,
        created=view.created,
        updated=view.updated,
        verified=view.verified,
        superseded_by=view.superseded_by,
        anchors=_places(view.anchors),
        score=view.score,
        snippet=view.snippet,
    )


def finding_part(view: FindingView) -> FindingPart:
    """A stale anchor."""
    return FindingPart(
        memory=view.anchor.memory,
        title=view.anchor.title,
        message=view.message,
        place=row_part(view.anchor),
        anchor_index=view.anchor.anchor_index,
        verified=view.verified,
        candidates=tuple(place_part(each.path, each.range) for each in view.anchor.candidates),
    )


def row_part(row: AnchorRow) -> PlacePart:
    """Where an anchor is, and what became of it."""
    return place_part(row.path, row.range, symbol=row.symbol, verdict=row.verdict)


def place_part(path: str, range: Range | None, *, symbol: str | None = None, verdict: str | None = None) -> PlacePart:
    """A place, its range as lines: one that ends before the first character of a line does not touch it."""
    if range is None:
        return PlacePart(path=path, symbol=symbol, verdict=verdict)
    first = range.start.line + 1
    last = max(first, range.end.line + (range.end.character > 0))
    return PlacePart(path=path, first_line=first, last_line=last, symbol=symbol, verdict=verdict)


def _places(anchors: Iterable[AnchorView]) -> tuple[PlacePart, ...]:
    return tuple(place_part(each.path, each.range, symbol=each.symbol, verdict=each.verdict) for each in anchors)
