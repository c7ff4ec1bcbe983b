"""The memory that a file of an import becomes, or is changed into. Pure.

A record's state is told by status, tag and confidence; that it is superseded, by the `supersedes` of another memory.
"""

from collections.abc import Mapping

import msgspec

from memofs.engine.import_item import Item, Options, labels, source_name
from memofs.model.memory import Memory
from memofs.model.memory import Status as MemoryStatus

__all__ = ["new_memory", "updated_memory"]

PROPOSED_CONFIDENCE = 0.5
STATE_TAGS: Mapping[str, str] = {
    "proposed": "proposed",
    "draft": "proposed",
    "rejected": "rejected",
    "deprecated": "deprecated",
    "superseded": "superseded",
}
"""The tag that says why a memory is not simply active. "superseded" is needed only where no other memory says it."""
ENDED_TAGS = frozenset({"rejected", "deprecated", "superseded"})


def new_memory(item: Item, options: Options, *, supersedes: tuple[str, ...], superseded: bool, now_ms: int) -> Memory:
    """The new memory, path and digest empty. `superseded`: another memory says so."""
    status, state_tag, confidence = _standing(item.state, superseded=superseded)
    return Memory(
        id=item.id,
        kind=options.kind or ("decision" if options.what == "adr" else "note"),
        title=item.title,
        body=item.body,
        path="",
        digest="",
        status=status,
        confidence=confidence,
        tags=labels((*item.tags, *state_tag)),
        created_ms=item.created_ms,
        updated_ms=_changed_ms(item, item.created_ms, now_ms),
        supersedes=supersedes,
        source=source_name(options.what, item.source.path),
    )


def updated_memory(item: Item, memory: Memory, *, added: tuple[str, ...], superseded: bool, now_ms: int) -> Memory:
    """The memory with the source's text; what a person set beside it (kind, tags, a retirement) stays.

    `added` are ids that it supersedes from now on.
    """
    status, state_tag, confidence = _standing(item.state, superseded=superseded)
    ended_by_import = ENDED_TAGS.intersection(memory.tags)
    proposed_by_import = "proposed" in memory.tags and memory.confidence == PROPOSED_CONFIDENCE
    kept = tuple(tag for tag in memory.tags if tag not in STATE_TAGS.values())
    return msgspec.structs.replace(
        memory,
        title=item.title,
        body=item.body,
        status=status if status == "retired" or ended_by_import else memory.status,
        confidence=confidence if proposed_by_import or memory.confidence is None else memory.confidence,
        tags=labels((*kept, *item.tags, *state_tag)),
        created_ms=memory.created_ms if memory.created_ms is not None else item.created_ms,
        updated_ms=_changed_ms(item, now_ms, now_ms),
        supersedes=(*memory.supersedes, *added),
    )


def _standing(state: str, *, superseded: bool) -> tuple[MemoryStatus, tuple[str, ...], float | None]:
    """Status, tag and confidence that follow from the record's own state. Superseded by a memory needs none of them."""
    if state == "superseded" and superseded:
        return "active", (), None
    tags = (STATE_TAGS[state],) if state in STATE_TAGS else ()
    if state in ENDED_TAGS:
        return "retired", tags, None
    return "active", tags, PROPOSED_CONFIDENCE if tags else None


def _changed_ms(item: Item, otherwise_ms: int | None, now_ms: int) -> int | None:
    """When the record last changed, never before it was made; None where nobody knows."""
    changed_ms = item.source.changed_ms if item.source.changed_ms is not None else otherwise_ms
    return None if changed_ms is None else max(min(changed_ms, now_ms), item.created_ms or 0)
