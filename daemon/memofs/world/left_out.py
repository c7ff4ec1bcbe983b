"""What a briefing left out of a section, in a form that can be kept and shown later, from the memory of that day.

Invariant: what is shown later holds then: a memory that was superseded, retired or removed in between is not shown, and
the list says which of the others have changed.
"""

import hashlib
from collections.abc import Iterator, Sequence

import msgspec

from memofs.graph.state import is_live
from memofs.model.briefing import Item, SectionName
from memofs.model.memory import Memory
from memofs.world.briefing import item_of_memory, item_of_node
from memofs.world.state import World

__all__ = ["LeftOut", "Today", "items_of", "left_out", "today"]

_MARK = 12
"""Hexadecimal digits: enough to see that a text is another."""


class LeftOut(msgspec.Struct, frozen=True, kw_only=True):
    """Keys of memories and entities in their order, under the heading of their section; `marks` tell what they said."""

    section: SectionName
    heading: str
    keys: tuple[str, ...]
    marks: tuple[str, ...]


class Today(msgspec.Struct, frozen=True, kw_only=True):
    """The keys that can still be shown, how many say something else now, and how many are gone."""

    keys: tuple[str, ...]
    changed: int = 0
    gone: int = 0


def left_out(world: World, section: SectionName, heading: str, keys: Sequence[str], *, now_ms: int) -> LeftOut:
    """The list of these keys, all of which the World has."""
    marks = tuple(_mark(world, key, now_ms=now_ms) or "" for key in keys)
    return LeftOut(section=section, heading=heading, keys=tuple(keys), marks=marks)


def today(world: World, left: LeftOut, *, now_ms: int) -> Today:
    """What has become of a list since it was made."""
    keys: list[str] = []
    changed = 0
    for key, mark in zip(left.keys, left.marks, strict=False):
        now = _mark(world, key, now_ms=now_ms)
        if now is not None:
            keys.append(key)
            changed += now != mark
    return Today(keys=tuple(keys), changed=changed, gone=len(left.keys) - len(keys))


def items_of(world: World, keys: Sequence[str], *, now_ms: int) -> Iterator[Item]:
    """The items of these keys, whole."""
    for key in keys:
        item = _item(world, key, now_ms=now_ms)
        if item is not None:
            yield item


def _item(world: World, key: str, *, now_ms: int) -> Item | None:
    memory = _memory(world, key)
    if memory is not None:
        return item_of_memory(world, memory, detail="full", now_ms=now_ms)
    return _entity(world, key, now_ms=now_ms)


def _entity(world: World, key: str, *, now_ms: int) -> Item | None:
    live = is_live(world.graph, key, now_ms=now_ms)
    return item_of_node(world, world.graph.nodes[key], now_ms=now_ms) if live else None


def _mark(world: World, key: str, *, now_ms: int) -> str | None:
    """What tells one text of a key from another, None where nothing of that key holds."""
    memory = _memory(world, key)
    if memory is not None:
        return memory.digest[:_MARK]
    item = _entity(world, key, now_ms=now_ms)
    return None if item is None else hashlib.sha256(item.text.encode()).hexdigest()[:_MARK]


def _memory(world: World, key: str) -> Memory | None:
    memory = world.memories.get(key)
    holds = memory is not None and memory.status == "active" and key not in world.superseded_by
    return memory if holds else None
