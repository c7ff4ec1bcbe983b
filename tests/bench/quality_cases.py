"""What the quality benches ask, and of which Worlds: shared by those with and without a model.

Invariant: samples are drawn with seeds that depend on the set's name alone, so every bench asks the same.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from bench.shared_data import Asked, DataSet
from memofs.model.config import Config
from memofs.model.memory import Memory
from memofs.recall.similarity import DUPLICATE, jaccard
from memofs.text.analyzer import document_terms
from memofs.world.state import World, build

__all__ = ["NOW_MS", "SMALL", "Small", "Store", "far", "first_of_like", "limited", "near", "right", "small", "stores"]

NOW_MS: Final = 1_800_000_000_000
SMALL: Final = (5, 30)
"""Sizes of the small stores."""

_FOREIGN: Final = 200
_SMALL_QUERIES: Final = 150


class Store(msgspec.Struct, frozen=True):
    """A World, and for every memory in it that nearly repeats an earlier one, that one."""

    world: World
    copies: Mapping[str, str] = {}


class Small(NamedTuple):
    """A question, a few memories with one that answers it, and as many without."""

    asked: Asked
    target: str
    with_it: tuple[Memory, ...]
    without: tuple[Memory, ...]


def stores(data: DataSet, config: Config) -> dict[str, Store]:
    """The store of every group of a set."""
    sys.stderr.write(f"building {data.name}: {sum(map(len, data.memories.values()))} memories\n")
    return {
        group: Store(build(memories, config=config), _copies(memories)) for group, memories in data.memories.items()
    }


def first_of_like(store: Store, found: Sequence[str], asked: Asked) -> list[str]:
    """The first ten ids found, a copy as the first of its like: recall shows one of them, and either is right."""
    kept = (store.copies.get(id_, id_) for id_ in found if id_ not in asked.exclude)
    return list(dict.fromkeys(kept))[:10]


def right(store: Store, asked: Asked, data: DataSet) -> dict[str, float]:
    """What answers the question and how well, copies as the first of their like."""
    grades: dict[str, float] = {}
    for id_, grade in data.relevant[asked.id].items():
        first = store.copies.get(id_, id_)
        grades[first] = max(grade, grades.get(first, 0.0))
    return grades


def limited(data: DataSet, limit: int | None) -> DataSet:
    """The set with so many of its questions at the most, drawn at random."""
    if limit is None or limit >= len(data.queries):
        return data
    picked = random.Random(data.name).sample(data.queries, limit)
    return msgspec.structs.replace(data, queries=tuple(picked))


def near(data: DataSet) -> list[tuple[Asked, str]]:
    """Questions of one group and another group of the set to ask them of; none if there is only one."""
    groups = sorted(data.memories)
    if len(groups) == 1:
        return []
    rng = random.Random(f"{data.name} near")
    picked = rng.sample(data.queries, min(_FOREIGN, len(data.queries)))
    return [(asked, rng.choice([group for group in groups if group != asked.group])) for asked in picked]


def far(data: DataSet, sets: Sequence[DataSet]) -> list[tuple[Asked, str]]:
    """Questions of another domain (conversations for software, software for conversations), and groups to ask."""
    groups = sorted(data.memories)
    rng = random.Random(f"{data.name} far")
    everything = [
        asked for other in sets if (other.name == "locomo") != (data.name == "locomo") for asked in other.queries
    ]
    picked = rng.sample(everything, min(_FOREIGN, len(everything)))
    return [(asked, rng.choice(groups)) for asked in picked]


def small(data: DataSet, size: int) -> Iterator[Small]:
    """Stores of a few memories drawn around the right one of a question."""
    rng = random.Random(f"{data.name} small {size}")
    for asked in rng.sample(data.queries, min(_SMALL_QUERIES, len(data.queries))):
        grades = data.relevant[asked.id]
        everything = data.memories[asked.group]
        others = [m for m in everything if not grades.get(m.id) and m.id not in asked.exclude]
        target = rng.choice([m for m in everything if grades.get(m.id)])
        rest = rng.sample(others, min(size, len(others)))
        yield Small(asked, target.id, (target, *rest[: size - 1]), tuple(rest))


def _copies(memories: Sequence[Memory]) -> dict[str, str]:
    """For every memory that nearly repeats an earlier one, that one."""
    terms = [frozenset(term for term, _ in document_terms(f"{each.title}\n{each.body}")) for each in memories]
    first: dict[str, str] = {}
    by_size = sorted(range(len(memories)), key=lambda place: (len(terms[place]), place))
    for at, place in enumerate(by_size):
        for other in by_size[at + 1 :]:
            if len(terms[place]) < DUPLICATE * len(terms[other]):
                break
            if jaccard(terms[place], terms[other]) >= DUPLICATE:
                a, b = (memories[each].id for each in sorted((place, other)))
                first[b] = first.get(a, a)
    return first
