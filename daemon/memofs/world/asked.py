"""The entities that a question names: what else they are called, and the memories that speak of them.

Invariant: only entities that are live today, by names that stand in the question whole; of a question too long to be
one, its beginning is read.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from memofs.graph.state import is_live
from memofs.model.graph import Node
from memofs.recall.index import alive, id_at
from memofs.recall.lexicon import terms_of
from memofs.recall.lookup import Lookup
from memofs.recall.named import name_key, named
from memofs.world.entities import DOCUMENT
from memofs.world.state import World

__all__ = ["NOTHING_NAMED", "Asked", "asked"]

_LONGEST: Final = 1_000
"""Code points of a question in which entities are sought."""
_MOST_ENTITIES: Final = 6
_MOST_NAMES: Final = 4
"""Other names of one entity that are looked for."""
_MOST_SOURCES: Final = 100
"""An entity that more memories speak of leads to none of them in particular."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """`names` are pairs: another name of an entity, and the terms of the question that name it.

    `sources` are the labels of the entities by the ids of the memories that speak of them.
    """

    nodes: tuple[Node, ...] = ()
    names: tuple[tuple[str, tuple[str, ...]], ...] = ()
    sources: Mapping[str, str] = MappingProxyType({})


NOTHING_NAMED: Final = Asked()
"""No entity."""


def asked(world: World, text: str, *, now_ms: int) -> Asked:
    """The live entities that stand in a question, the longest names first."""
    index = world.entities.index
    if not index.living:
        return NOTHING_NAMED
    lookup = Lookup(index, alive(index), prior=0)
    found: list[tuple[Node, str]] = []
    keys = named(lookup, text[:_LONGEST], {})
    for slot, key in sorted(keys.items(), key=lambda item: (-item[1].count(" "), id_at(index, item[0]))):
        node = world.graph.nodes[id_at(index, slot).removeprefix(DOCUMENT)]
        if is_live(world.graph, node.id, now_ms=now_ms):
            found.append((node, key))
    del found[_MOST_ENTITIES:]
    sources = {
        id_: node.label for node, _ in reversed(found) if len(node.sources) <= _MOST_SOURCES for id_ in node.sources
    }
    return Asked(
        nodes=tuple(node for node, _ in found),
        names=tuple(name for node, key in found for name in _other_names(node, key)),
        sources=MappingProxyType(sources),
    )


def _other_names(node: Node, key: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What an entity is also called than by the name with this key."""
    said = tuple(key.split(" "))
    names = (name for name in (node.label, *node.aliases) if name_key(name) != key)
    others = (name for name in names if not set(terms_of(name)) <= set(said))
    for _, name in zip(range(_MOST_NAMES), others, strict=False):
        yield name, said
