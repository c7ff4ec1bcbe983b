"""All memories by id.

Invariant: nothing changes after construction; one mapping shares with the next what did not change (model/shared.py).
"""

from collections.abc import Collection, Iterable
from typing import TypeAlias

from memofs.model.memory import Memory
from memofs.model.shared import Shared, shared
from memofs.model.shared import changed as changed_mapping

__all__ = ["Memories", "changed", "memories_of"]

Memories: TypeAlias = Shared[str, Memory]


def memories_of(memories: Iterable[Memory]) -> Memories:
    """The mapping of these memories; the last of two with one id counts."""
    return shared({memory.id: memory for memory in memories})


def changed(memories: Memories, *, put: Iterable[Memory], removed: Collection[str]) -> Memories:
    """The mapping with `put` added or replaced and `removed` gone; an id in both is put."""
    return changed_mapping(memories, put={memory.id: memory for memory in put}, removed=removed)
