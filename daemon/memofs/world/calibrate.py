"""Titles of a World and how near the other memories are to them, for whoever sets limits by that. Pure.

Invariant: which titles are asked follows from the ids alone, so the same store is always measured in the same way. The
vectors of titles come from elsewhere.
"""

import zlib

import numpy as np

from memofs.model.memory import Memory
from memofs.recall.calibration import MOST_TITLES, near_cosine
from memofs.recall.index import slot_of
from memofs.recall.vectors import Matrix
from memofs.world.meaning import cosines
from memofs.world.state import World

__all__ = ["near_title", "titled"]


def titled(world: World) -> tuple[Memory, ...]:
    """At most `MOST_TITLES` of the memories that have a title and hold today, drawn by a hash of their ids."""
    holding = [
        memory
        for memory in world.memories.values()
        if memory.title.strip() and memory.status == "active" and memory.id not in world.superseded_by
    ]
    return tuple(sorted(holding, key=lambda memory: (zlib.crc32(memory.id.encode()), memory.id))[:MOST_TITLES])


def near_title(world: World, memory: Memory, query: Matrix) -> float | None:
    """The near cosine of the memory's title, whose vector is `query`, to the other memories; None without any."""
    found = cosines(world, query)
    slot = slot_of(world.index, memory.id)
    if slot is not None:
        found[slot] = np.nan
    others = found[~np.isnan(found)]
    return near_cosine(others) if len(others) else None
