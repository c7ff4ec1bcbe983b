"""Vectors put into a World, and a question's cosines taken out of it. Pure: what makes the vectors is elsewhere."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np

from memofs.model.memory import Memory
from memofs.recall import vectors
from memofs.recall.arrays import Floats, frozen
from memofs.recall.vectors import Matrix, OwnVectors, Vectors
from memofs.world.state import World

__all__ = ["cosines", "embedded", "windowed", "with_vectors"]


def with_vectors(world: World, put: Sequence[OwnVectors], *, model: str) -> World:
    """The World with these memories' vectors, with the next revision; vectors of another model are gone.

    Vectors of memories that the World does not hold are left out.
    """
    before = world.vectors if world.vectors.model == model else Vectors(model=model)
    known = [own for own in put if own.id in world.memories]
    after = vectors.changed(before, world.index, put=known)
    return msgspec.structs.replace(world, vectors=after, revision=world.revision + 1)


def cosines(world: World, query: Matrix) -> Floats:
    """The cosine of every memory's best chunk to the query vector, (index.size,); NaN where there is no vector."""
    return vectors.best_cosines(world.vectors, query, size=world.index.size)


def embedded(world: World) -> Mapping[str, tuple[str, ...]]:
    """The text hashes of every memory that has vectors, by id."""
    return vectors.owners(world.vectors)


def windowed(memories: Iterable[Memory], own: Mapping[str, OwnVectors]) -> tuple[OwnVectors, ...]:
    """The entries' vectors, each averaged with those of the entries before and after it in the same log.

    A turn of a conversation seldom says what it is about; its neighbours do (R@10 .463 → .566 by cosine alone on
    conversations, precision.md). Entries whose neighbours have no vectors keep their own.
    """
    logs: dict[str, list[Memory]] = defaultdict(list)
    for memory in memories:
        logs[memory.path].append(memory)
    return tuple(
        _averaged(own[memory.id], [own[near.id] for near in entries[max(0, at - 1) : at + 2] if near.id in own])
        for entries in (sorted(log, key=lambda memory: memory.line) for log in logs.values())
        for at, memory in enumerate(entries)
        if memory.id in own
    )


def _averaged(entry: OwnVectors, window: Sequence[OwnVectors]) -> OwnVectors:
    around = np.sum([near.matrix.mean(axis=0) for near in window if near.id != entry.id], axis=0, dtype=np.float32)
    mixed = (entry.matrix + around).astype(np.float32)
    norms = np.linalg.norm(mixed, axis=1, keepdims=True)
    unit = np.divide(mixed, norms, out=np.zeros_like(mixed), where=norms > 0)
    return msgspec.structs.replace(entry, matrix=frozen(unit))
