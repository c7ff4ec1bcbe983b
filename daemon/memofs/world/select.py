"""Memories by filters alone, as lists and bulk commands want them."""

from memofs.model.memory import Memory
from memofs.recall.eligible import MEMORY_FLAGS, matching
from memofs.recall.index import slot_of
from memofs.world.moved import moved_into
from memofs.world.state import World
from memofs.world.state import flags as flags_of

__all__ = ["select"]


def select(
    world: World,
    *,
    kinds: tuple[str, ...] = (),
    tags: tuple[str, ...] = (),
    paths: tuple[str, ...] = (),
    statuses: tuple[str, ...] = (),
    flags: tuple[str, ...] = (),
    include_retired: bool = False,
    now_ms: int = 0,
) -> tuple[Memory, ...]:
    """The memories that fit, by id.

    Empty tuples mean no restriction, but no `statuses` means active and pending, and superseded memories are left
    out; `include_retired` lets in both the retired and the superseded. A status or a flag that is named is let in
    too. `paths` mean where an anchor is recorded and where it is now. `now_ms` is needed for the flag `unverified`.
    """
    mask = matching(world.index, kinds=kinds, tags=tags, paths=paths, moved=moved_into(world, paths))
    asked = frozenset(flag for flag in flags if flag in MEMORY_FLAGS)
    superseded_too = include_retired or "superseded" in asked
    allowed = set(statuses) or {"active", "pending"}
    if not statuses and (include_retired or "retired" in asked):
        allowed.add("retired")
    found: list[Memory] = []
    for id_, memory in world.memories.items():
        if memory.status not in allowed or (id_ in world.superseded_by and not superseded_too and not statuses):
            continue
        slot = slot_of(world.index, id_)
        if slot is None or not mask[slot]:
            continue
        if flags and asked.isdisjoint(flags_of(world, memory, now_ms)):
            continue
        found.append(memory)
    return tuple(sorted(found, key=lambda memory: memory.id))
