"""A briefing: what is offered to it, and what was packed."""

from typing import Literal

import msgspec

__all__ = ["Briefing", "BriefingSection", "Detail", "Item", "Offer", "SectionName"]

SectionName = Literal["directive", "core", "here", "stale", "constraints", "entities", "recall", "recent", "notes"]
Detail = Literal["compact", "full"]


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that may be shown. `key` is what it is known by: a memory's id, a node's, a section's.

    `text` is how it is shown, whole lines, safe to place in a briefing as it is and without a final newline: lines of
    quoted text begin with `>`, and only they can be cut. `title` is its line in an outline of what was left out;
    `terms` are what near-duplicates are told by.
    """

    key: str
    title: str
    text: str
    terms: frozenset[str] = frozenset()


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """The candidates of one section, best first. `weight` is its share of the budget, `most` a cap on items."""

    name: SectionName
    heading: str
    weight: int
    items: tuple[Item, ...]
    most: int | None = None


class BriefingSection(msgspec.Struct, frozen=True, kw_only=True):
    """One packed section. `bytes` are those of its text in UTF-8, heading and outline included.

    `shown`, `omitted` and `folded` are keys in the offer's order: shown whole; not shown, or only in part (those are
    in `cut` too); nearly repeating one shown anywhere in the briefing. `cursor` leads to the omitted ones. A key is
    shown or omitted in one section only: where it is shown, else in the first that offers it. `text` is empty where
    there was no room for the section, or nothing left in it.
    """

    name: SectionName
    text: str
    bytes: int
    shown: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    folded: tuple[str, ...] = ()
    cursor: str | None = None


class Briefing(msgspec.Struct, frozen=True, kw_only=True):
    """The whole. `text` is what an agent reads, `bytes` its size in UTF-8, never over the budget asked for."""

    text: str
    bytes: int
    sections: tuple[BriefingSection, ...]
    warnings: tuple[str, ...] = ()
