"""A briefing packed under a budget: as much of what was offered as fits, and the way to the rest.

The directive comes first, then the core memory, which never takes what the sections need; what these show is settled
in `packing`. Invariant: never more bytes than asked for; every item offered is shown, folded, or led to by exactly one
cursor; the same in gives the same out.
"""

from collections.abc import Callable, Sequence
from typing import Final

from memofs.briefing.cursor import HANDLE_BYTES
from memofs.briefing.draft import Draft
from memofs.briefing.packing import Packing
from memofs.briefing.sections import HEADINGS, MAX_BYTES, MIN_BYTES, core_section, directive_section
from memofs.model.briefing import Briefing, Offer, SectionName

__all__ = ["pack"]


def pack(
    *,
    core: str,
    offers: Sequence[Offer],
    max_bytes: int,
    cursor_for: Callable[[SectionName, tuple[str, ...]], str],
    cursor_bytes: int = HANDLE_BYTES,
) -> Briefing:
    """The briefing of these offers, in their order, in at most `max_bytes` (`MIN_BYTES` to `MAX_BYTES`).

    `core` is the text of core.md, empty where there is none. `cursor_for` is asked once for every section that leaves
    something out, with the keys left out, and gives a handle of at most `cursor_bytes`. Raises ValueError for a budget
    or a handle out of bounds.
    """
    if not MIN_BYTES <= max_bytes <= MAX_BYTES:
        msg = f"a briefing has {MIN_BYTES} to {MAX_BYTES} bytes, not {max_bytes}"
        raise ValueError(msg)
    directive = directive_section(max_bytes)
    drafts = [Draft(offer, cursor_bytes) for offer in offers if offer.items]
    left = max_bytes - directive.bytes
    competing = _with_room(drafts, left)
    note = _no_room(drafts, competing)
    if note:
        left -= len(note.encode()) + 2
    core_memory = core_section(core, limit_bytes=min(max_bytes // 2, left - _reserve(competing, left) - 1))
    if core_memory.section:
        left -= core_memory.section.bytes + 1
    Packing(drafts, competing, left).run()
    packed = [
        draft.packed(_cursor(draft, cursor_for, cursor_bytes), is_left_out=draft not in competing) for draft in drafts
    ]
    sections = [directive, *([core_memory.section] if core_memory.section else []), *packed]
    text = "\n".join([section.text for section in sections if section.text] + ([f"{note}\n"] if note else []))
    warnings = [each for each in (core_memory.warning, note and note.strip("[]")) if each]
    return Briefing(text=text, bytes=len(text.encode()), sections=tuple(sections), warnings=tuple(warnings))


_SHARE_FOR_SECTIONS: Final = 3
"""The core memory leaves at least one of so many parts to what was found for the task,"""
_ITEM_BYTES: Final = 256
"""and room for one item at least."""


def _reserve(competing: Sequence[Draft], left_bytes: int) -> int:
    """The bytes that the core memory must leave to the sections."""
    if not competing:
        return 0
    return max(sum(draft.least_bytes() for draft in competing) + _ITEM_BYTES, left_bytes // _SHARE_FOR_SECTIONS)


def _with_room(drafts: Sequence[Draft], left_bytes: int) -> list[Draft]:
    """The sections that can at least lead to what they offer; where not all can, the lightest and last give way."""
    kept = list(drafts)
    while kept and sum(each.least_bytes() for each in kept) + len(_no_room(drafts, kept).encode()) + 2 > left_bytes:
        kept.remove(min(reversed(kept), key=lambda each: each.offer.weight))
    return kept


def _no_room(drafts: Sequence[Draft], competing: Sequence[Draft]) -> str:
    """The line that names the sections without room; empty if there are none."""
    names = [HEADINGS[draft.offer.name] for draft in drafts if draft not in competing]
    return f"[No room for {', '.join(names)}: ask for more bytes]" if names else ""


def _cursor(draft: Draft, cursor_for: Callable[[SectionName, tuple[str, ...]], str], cursor_bytes: int) -> str | None:
    omitted = draft.omitted()
    if not omitted:
        return None
    cursor = cursor_for(draft.offer.name, omitted)
    if len(cursor.encode()) > cursor_bytes:
        msg = f"a cursor of more than the {cursor_bytes} bytes that were kept for it: {cursor}"
        raise ValueError(msg)
    return cursor
