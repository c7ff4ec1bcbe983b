"""A World's indexes as bytes: those of memories, of entities, and the graph, which belong to one moment.

Layout: 8 bytes of magic, and one MessagePack array of the parts.
Invariant: parts are taken together or not at all, and each says for itself whether it is whole.
"""

from typing import Final

import msgspec

from memofs.graph import graph_bytes
from memofs.recall import index_bytes
from memofs.recall.index import LexicalIndex
from memofs.world.entities import Entities

__all__ = ["Cached", "from_bytes", "to_bytes"]

_MAGIC: Final = b"memofsW1"


class Cached(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """What was written: the index of memories, which of them were superseded, and entities where they are whole."""

    index: LexicalIndex
    superseded: frozenset[str]
    entities: Entities | None


class _Parts(msgspec.Struct, array_like=True):
    index: bytes
    superseded: tuple[str, ...]
    graph: bytes
    entities: bytes


_DECODER: Final = msgspec.msgpack.Decoder(_Parts)


def to_bytes(index: LexicalIndex, superseded: frozenset[str], entities: Entities) -> bytes:
    """The parts as bytes."""
    parts = _Parts(
        index=index_bytes.to_bytes(index),
        superseded=tuple(sorted(superseded)),
        graph=graph_bytes.to_bytes(entities.graph),
        entities=index_bytes.to_bytes(entities.index),
    )
    return _MAGIC + msgspec.msgpack.encode(parts)


def from_bytes(data: bytes) -> Cached | None:
    """The parts that were written; None if they are damaged, cut short, or of another version."""
    if not data.startswith(_MAGIC):
        return None
    try:
        parts = _DECODER.decode(memoryview(data)[len(_MAGIC) :])
    except (msgspec.DecodeError, ValueError):
        return None
    index = index_bytes.from_bytes(parts.index)
    if index is None:
        return None
    graph, names = graph_bytes.from_bytes(parts.graph), index_bytes.from_bytes(parts.entities)
    entities = None if graph is None or names is None else Entities(graph=graph, index=names)
    return Cached(index=index, superseded=frozenset(parts.superseded), entities=entities)
