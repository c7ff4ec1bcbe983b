"""Memories that a briefing shows whatever was asked: of a place, of changed files, the newest, those to be checked.

Invariant: only memories that hold (active, not superseded), each once, in an order that depends on nothing but the
World and the arguments; the cost grows with what is found, beyond a few passes over columns of the index.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Final

import msgspec
import numpy as np

from memofs.model.memory import Anchor, Lines, Memory
from memofs.recall.arrays import Bools
from memofs.recall.decay import floors
from memofs.recall.eligible import Filters, anchored, eligible, matching, slots_mask, unverified
from memofs.recall.index import id_at
from memofs.recall.order import newest_first
from memofs.world.state import World

__all__ = ["BINDING_KINDS", "Place", "binding", "here", "newest", "to_check"]

BINDING_KINDS: Final = ("constraint", "decision")
"""What binds whoever changes the code that it is anchored to, the strictest first."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where somebody is: a file, or a folder and all below it, POSIX, relative to the workspace; and lines of it."""

    path: str
    lines: Lines | None = None


def here(world: World, place: Place, *, now_ms: int) -> tuple[Memory, ...]:
    """The memories anchored to a place: to the lines themselves, to the file as a whole, then the nearest ones.

    Among equals what binds comes first, then the newest. Lines are those that the memories record.
    """
    path = place.path.rstrip("/")
    mask = _current(world, now_ms) & anchored(world.index, (path, f"{path}/"))
    found = _newest_first(world, mask)
    return tuple(sorted(found, key=lambda memory: (_distance(memory, place), _strictness(memory))))


def binding(world: World, changed: Iterable[str], *, now_ms: int) -> tuple[Memory, ...]:
    """The constraints and decisions anchored to changed files, or below folders (which end in a slash).

    Constraints first, then the newest.
    """
    mask = _current(world, now_ms) & anchored(world.index, changed)
    mask &= matching(world.index, kinds=BINDING_KINDS)
    return tuple(sorted(_newest_first(world, mask), key=_strictness))


def newest(
    world: World, *, most: int, without: Collection[str] = (), kinds: Collection[str] = (), now_ms: int
) -> tuple[Memory, ...]:
    """The newest memories, those without a date last; those of `kinds` before others if any are named."""
    mask = _current(world, now_ms) & ~slots_mask(world.index, without)
    if not kinds:
        return _newest_first(world, mask, most=most)
    wanted = matching(world.index, kinds=kinds)
    first = _newest_first(world, mask & wanted, most=most)
    return (*first, *_newest_first(world, mask & ~wanted, most=most - len(first)))


def to_check(world: World, *, most: int, now_ms: int) -> tuple[Memory, ...]:
    """The memories that may no longer hold: those whose code has changed, then those past their kind's floor.

    The newest of each first: what was true last is the likeliest to matter still.
    """
    current = _current(world, now_ms)
    stale = current & slots_mask(world.index, world.stale)
    every = np.arange(world.index.size, dtype=np.int32)
    aged = current & ~stale & unverified(world.index, every, floors(world.config.floors_days), now_ms=now_ms)
    first = _newest_first(world, stale, most=most)
    return (*first, *_newest_first(world, aged, most=most - len(first)))


def _current(world: World, now_ms: int) -> Bools:
    return eligible(world.index, Filters(floors_days={}), now_ms=now_ms)


def _newest_first(world: World, mask: Bools, *, most: int | None = None) -> tuple[Memory, ...]:
    count = world.index.size if most is None else most
    return tuple(world.memories[id_at(world.index, slot)] for slot in newest_first(world.index, mask, most=count))


def _strictness(memory: Memory) -> int:
    return BINDING_KINDS.index(memory.kind) if memory.kind in BINDING_KINDS else len(BINDING_KINDS)


def _distance(memory: Memory, place: Place) -> tuple[int, int]:
    """How far the nearest anchor is: 0 at the lines, 1 for the whole file, 2 elsewhere in it, and by how many lines."""
    path = place.path.rstrip("/")
    near = _from_lines(place.lines)
    return min(near(anchor) for anchor in memory.anchors if anchor.path == path or anchor.path.startswith(f"{path}/"))


def _from_lines(lines: Lines | None) -> Callable[[Anchor], tuple[int, int]]:
    def near(anchor: Anchor) -> tuple[int, int]:
        if lines is None:
            return 0, 0
        if anchor.lines is None:
            return 1, 0
        gap = max(anchor.lines.first - lines.last, lines.first - anchor.lines.last, 0)
        return (2, gap) if gap else (0, 0)

    return near
