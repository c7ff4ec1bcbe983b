"""The original's rule of packing a briefing, to compare ours with.

Every section has a fixed share of what the directive and the core memory leave, by weight among all; what it does not
use is lost. Items are shown in order until the first that does not fit together with an outline of the rest; where
not even one fits, a line only counts them. Source: its outputs in golden.json (`budget`), told from the outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

__all__ = ["OriginalSection", "Packed", "original_pack"]

_TITLES: Final = 5
_TITLE: Final = 77
_GAP: Final = "\n\n"


class OriginalSection(msgspec.Struct, frozen=True, kw_only=True):
    """A section that competes: its name, its heading line, its weight, its items."""

    name: str
    heading: str
    weight: int
    items: Sequence[str]


class Packed(msgspec.Struct, frozen=True):
    """How many items of a section are shown, and its text without the heading."""

    shown: int
    text: str


def original_pack(sections: Sequence[OriginalSection], left_bytes: int) -> dict[str, Packed]:
    """What the rule makes of these sections in the bytes that what comes before them leaves."""
    weights = sum(section.weight for section in sections)
    return {section.name: _packed(section, left_bytes * section.weight // weights) for section in sections}


def _packed(section: OriginalSection, share_bytes: int) -> Packed:
    room = share_bytes - len(f"{section.heading}{_GAP}{_GAP}".encode())
    whole = _GAP.join(section.items)
    if len(whole.encode()) <= room:
        return Packed(len(section.items), whole)
    best = Packed(0, f"[Omitted {len(section.items)} items due to context budget limits]")
    for shown in range(1, len(section.items)):
        text = f"{_GAP.join(section.items[:shown])}{_GAP}{_outline(section.items[shown:])}"
        if len(text.encode()) > room:
            break
        best = Packed(shown, text)
    return best


def _outline(left_out: Sequence[str]) -> str:
    lines = [f"[Omitted {len(left_out)} items to fit context budget:"]
    lines += [f' ↳ [Omitted: "{_title(item)}"]' for item in left_out[:_TITLES]]
    if len(left_out) > _TITLES:
        lines.append(f" ↳ [and {len(left_out) - _TITLES} more items...]")
    return "\n".join([*lines, "To view these, run recall with specific search terms]"])


def _title(item: str) -> str:
    first = item.split("\n", 1)[0].lstrip("0123456789. ")
    return first if len(first) <= _TITLE else f"{first[:_TITLE]}..."
