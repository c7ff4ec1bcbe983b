"""Vectors put into a World, and a question's cosines taken out of it. Pure: what makes the vectors is elsewhere."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np

from memofs.model.memory import Memory
from memofs.recall import vectors
from memofs.recall.arrays import Floats, frozen
from memofs.recall.vectors import Matrix, OwnVectors, Vectors
from memofs.world.state import World

__all__ = ["cosines", "embedded", "windowed", "with_vectors"]

WHOLE_SHARE: Final = 0.3
"""What the mean of a memory's chunks weighs beside each of them. The best of many chunks is better than the best of
few by chance alone; the mean takes that back (nDCG@10 +.003 on records, tests/bench/quality.py)."""
WINDOW: Final = (0.5, 0.25)
"""What the entries next to a log's entry weigh in its vector, and those next to them."""


def with_vectors(world: World, put: Sequence[OwnVectors], *, model: str) -> World:
    """The World with these memories' vectors, with the next revision; vectors of another model are gone.

    Each chunk's is mixed with the mean of its memory's. Vectors of memories that the World does not hold are left out.
    """
    before = world.vectors if world.vectors.model == model else Vectors(model=model)
    known = [_in_context(own) for own in put if own.id in world.memories]
    after = vectors.changed(before, world.index, put=known)
    return msgspec.structs.replace(world, vectors=after, revision=world.revision + 1)


def cosines(world: World, query: Matrix) -> Floats:
    """The cosine of every memory's best chunk to the query vector, (index.size,); NaN where there is no vector.

    That of a chunk is weighed against the mean of its memory's, 1 : `WHOLE_SHARE`.
    """
    return vectors.best_cosines(world.vectors, query, size=world.index.size)


def embedded(world: World) -> Mapping[str, tuple[str, ...]]:
    """The text hashes of every memory that has vectors, by id."""
    return vectors.owners(world.vectors)


def windowed(memories: Iterable[Memory], own: Mapping[str, OwnVectors]) -> tuple[OwnVectors, ...]:
    """The entries' vectors, each mixed with those of the entries around it in the same log, the nearer the more.

    A turn of a conversation seldom says what it is about; its neighbours do (nDCG@10 by cosine alone .31 → .37 on
    conversations, .28 if the neighbours weigh as much as the entry; tests/bench/quality.py). Entries whose neighbours
    have no vectors keep their own.
    """
    logs: dict[str, list[Memory]] = defaultdict(list)
    for memory in memories:
        logs[memory.path].append(memory)
    mixed: list[OwnVectors] = []
    for log in logs.values():
        entries = [own.get(memory.id) for memory in sorted(log, key=lambda memory: memory.line)]
        for at, entry in enumerate(entries):
            if entry is not None:
                around = [
                    (share, near)
                    for away, share in enumerate(WINDOW, 1)
                    for place in (at - away, at + away)
                    if 0 <= place < len(entries) and (near := entries[place]) is not None
                ]
                mixed.append(_among(entry, around))
    return tuple(mixed)


def _among(entry: OwnVectors, around: Sequence[tuple[float, OwnVectors]]) -> OwnVectors:
    if not around:
        return entry
    beside = np.sum([share * near.matrix.mean(axis=0) for share, near in around], axis=0, dtype=np.float32)
    mixed = (entry.matrix + beside).astype(np.float32)
    norms = np.linalg.norm(mixed, axis=1, keepdims=True)
    unit = np.divide(mixed, norms, out=np.zeros_like(mixed), where=norms > 0)
    return msgspec.structs.replace(entry, matrix=frozen(unit))


def _in_context(own: OwnVectors) -> OwnVectors:
    """The vectors such that the cosine of each chunk is (its own + share · that of all on average) / (1 + share)."""
    if len(own.matrix) < 2:
        return own
    mean = own.matrix.mean(axis=0, keepdims=True)
    mixed = ((own.matrix + WHOLE_SHARE * mean) / (1.0 + WHOLE_SHARE)).astype(np.float32)
    return msgspec.structs.replace(own, matrix=frozen(mixed))
