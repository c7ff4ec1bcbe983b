"""Memories that a briefing shows whatever was asked: of a place, of changed files, the newest, those to be checked.

Invariant: only memories that hold (active, not superseded), each once, in an order that depends on nothing but the
World and the arguments; the cost grows with what is found, beyond a few passes over columns of the index.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Final

import msgspec
import numpy as np

from memofs.model.memory import Anchor, Lines, Memory
from memofs.model.place import Place
from memofs.recall.arrays import Bools
from memofs.recall.decay import floors
from memofs.recall.eligible import Filters, anchored, eligible, matching, slots_mask, unverified
from memofs.recall.index import id_at
from memofs.recall.order import newest_first
from memofs.world.state import World

__all__ = ["BINDING_KINDS", "anchors_now", "binding", "here", "newest", "to_check"]

BINDING_KINDS: Final = ("constraint", "decision")
"""What binds whoever changes the code that it is anchored to, the strictest first."""


def here(world: World, place: Place, *, now_ms: int) -> tuple[Memory, ...]:
    """The memories anchored to a place: to the lines themselves, to the file as a whole, then the nearest ones.

    A place is a file or a folder with all below it. Among equals what binds comes first, then the newest.
    """
    path = place.path.rstrip("/")
    mask = _current(world, now_ms) & _tied(world, (path, f"{path}/"))
    found = _newest_first(world, mask)
    return tuple(sorted(found, key=lambda memory: (_distance(world, memory, place), _strictness(memory))))


def binding(world: World, changed: Iterable[str], *, now_ms: int) -> tuple[Memory, ...]:
    """The constraints and decisions anchored to changed files, or below folders (which end in a slash).

    Constraints first, then the newest.
    """
    mask = _current(world, now_ms) & _tied(world, tuple(changed))
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


def anchors_now(world: World, memory: Memory) -> tuple[Anchor, ...]:
    """A memory's anchors with where they are now, as far as it is known; a lost one stays where the memory says."""
    states = world.anchors.get(memory.id, ())
    found: list[Anchor] = []
    for number, anchor in enumerate(memory.every_anchor):
        place = states[number].place if number < len(states) else None
        if place is not None:
            anchor = msgspec.structs.replace(anchor, path=place.path, lines=place.lines, columns=place.columns)
        found.append(anchor)
    return tuple(found)


def _current(world: World, now_ms: int) -> Bools:
    return eligible(world.index, Filters(floors_days={}), now_ms=now_ms)


def _tied(world: World, paths: Collection[str]) -> Bools:
    """The mask of what says that it is anchored in one of the paths, and of what has moved there since."""
    is_in = _inside(paths)
    now = (
        id_
        for id_, states in world.anchors.items()
        if any(state.place is not None and is_in(state.place.path) for state in states)
    )
    return anchored(world.index, paths) | slots_mask(world.index, now)


def _inside(paths: Collection[str]) -> Callable[[str], bool]:
    files = frozenset(paths)
    folders = tuple(each.removeprefix("./") for each in paths if each.endswith("/"))
    return lambda path: path in files or path.startswith(folders)


def _newest_first(world: World, mask: Bools, *, most: int | None = None) -> tuple[Memory, ...]:
    count = world.index.size if most is None else most
    return tuple(world.memories[id_at(world.index, slot)] for slot in newest_first(world.index, mask, most=count))


def _strictness(memory: Memory) -> int:
    return BINDING_KINDS.index(memory.kind) if memory.kind in BINDING_KINDS else len(BINDING_KINDS)


def _distance(world: World, memory: Memory, place: Place) -> tuple[int, int]:
    """How far the nearest anchor is: 0 at the lines, 1 for the whole file, 2 elsewhere in it, and by how many lines.

    3 for one that has moved out of the file.
    """
    path = place.path.rstrip("/")
    is_in = _inside((path, f"{path}/"))
    gaps = (_gap(each.lines, place.lines) for each in anchors_now(world, memory) if is_in(each.path))
    return min(gaps, default=(3, 0))


def _gap(lines: Lines | None, wanted: Lines | None) -> tuple[int, int]:
    if wanted is None:
        return 0, 0
    if lines is None:
        return 1, 0
    gap = max(lines.first - wanted.last, wanted.first - lines.last, 0)
    return (2, gap) if gap else (0, 0)
