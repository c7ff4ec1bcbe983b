"""Memories by where their code is now, not by where it was when they were written. Pure."""

from collections.abc import Collection

from memofs.recall.eligible import path_matcher
from memofs.world.state import World

__all__ = ["moved_into"]


def moved_into(world: World, paths: Collection[str]) -> frozenset[str]:
    """The ids of memories with an anchor that is in one of `paths` now and is recorded in another file.

    `paths` are as `path_matcher` takes them; without any, none. Each file is matched once, however many anchors it has.
    """
    if not paths:
        return frozenset()
    matches = path_matcher(paths)
    known: dict[str, bool] = {}
    found: set[str] = set()
    for id_, states in world.anchors.items():
        for index, state in enumerate(states):
            if state.place is None:
                continue
            path = state.place.path
            fits = known.get(path)
            if fits is None:
                fits = known[path] = matches(path)
            if fits and _recorded(world, id_, index) != path:
                found.add(id_)
                break
    return frozenset(found)


def _recorded(world: World, id_: str, index: int) -> str | None:
    memory = world.memories.get(id_)
    if memory is None or index >= len(memory.every_anchor):
        return None
    return memory.every_anchor[index].path
