"""The graph as bytes and back: a cache that is either exactly right or not used.

Layout: 8 bytes of magic; the CRC-32 of the rules and that of what follows as little-endian uint32; one MessagePack
array. Only what takes long to find out is written; what follows from it is made anew.
Invariant: whatever the bytes are, reading gives a graph that is consistent in itself, or None.
"""

import pkgutil
import struct
import zlib
from functools import cache
from typing import Final

import msgspec

from memofs.graph.edges import by_end
from memofs.graph.extract import extract
from memofs.graph.growth import shorts_of
from memofs.graph.naming import Claim, Naming
from memofs.graph.state import Graph, Said, is_succession, succession
from memofs.graph.written import with_curated
from memofs.model.graph import Curated, Edge, Node
from memofs.model.memory import Anchor, Memory
from memofs.model.shared import shared

__all__ = ["from_bytes", "to_bytes"]

_MAGIC: Final = b"memofsG1"
_HEADER: Final = struct.Struct("<8sII")


class _Stored(msgspec.Struct, array_like=True):
    curated: Curated
    nodes: tuple[Node, ...]
    names: dict[str, str]
    said: dict[str, Said]
    stated: dict[str, tuple[Edge, ...]]
    namings: dict[str, tuple[Naming, ...]]
    claims: dict[str, tuple[Claim, ...]]


_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(_Stored)


def to_bytes(graph: Graph) -> bytes:
    """The graph, without what follows from the rest."""
    body = _ENCODER.encode(
        _Stored(
            curated=graph.curated,
            nodes=tuple(graph.nodes.values()),
            names=dict(graph.names),
            said=dict(graph.said),
            stated=dict(graph.stated),
            namings=dict(graph.namings),
            claims=dict(graph.claims),
        )
    )
    return _HEADER.pack(_MAGIC, rules(), zlib.crc32(body)) + body


def from_bytes(data: bytes) -> Graph | None:
    """The graph that was written, or None if the bytes are damaged, cut short, or made by other rules."""
    if len(data) < _HEADER.size:
        return None
    magic, made_by, checksum = _HEADER.unpack_from(data)
    body = memoryview(data)[_HEADER.size :]
    if (magic, made_by, checksum) != (_MAGIC, rules(), zlib.crc32(body)):
        return None
    try:
        stored = _DECODER.decode(body)
    except (msgspec.DecodeError, ValueError):
        return None
    edges = [edge for each in stored.stated.values() for edge in each]
    return msgspec.structs.replace(
        with_curated(stored.curated),
        nodes=shared({node.id: node for node in stored.nodes}),
        outgoing=shared(by_end(edges, lambda edge: edge.source)),
        incoming=shared(by_end(edges, lambda edge: edge.target)),
        names=shared(stored.names),
        succession=succession(edge for edge in edges if is_succession(edge)),
        said=shared(stored.said),
        stated=shared(stored.stated),
        namings=shared(stored.namings),
        claims=shared(stored.claims),
        shorts=shared(shorts_of(stored.claims)),
    )


@cache
def rules() -> int:
    """A number that changes with what the rules make of a text, so that what others made is not used."""
    found = zlib.crc32(repr([extract(memory) for memory in _SAMPLES]).encode())
    for name in ("known_names.txt", "words.txt"):
        found = zlib.crc32(pkgutil.get_data("memofs.graph", f"data/{name}") or b"", found)
    return found


_SAMPLES: Final = tuple(
    Memory(
        id="mem_rules00",
        kind=kind,
        title=title,
        body=body,
        path="",
        digest="",
        tags=("database",),
        aliases=("Cloudflare D1",),
        anchors=(Anchor(path="src/users.py", symbol="UserStore.byId"),),
    )
    for kind, title, body in (
        ("decision", "3. Use D1 instead of Postgres", "We will use `wrangler`.\n\n## Context\n\nThe API uses MySQL.\n"),
        ("note", "The path of a request", "The Gateway depends on Redis and Kafka. It uses JSON Web Tokens (JWT).\n"),
        (
            "note",
            "Gone",
            "We replaced Jenkins with GitHub Actions. Celery no longer uses Redis.\n\nA1 -> feeds -> B2\n",
        ),
        ("note", "Not said", "We never use Go. Should we use Rust? If Kafka requires ZooKeeper, we could use NATS.\n"),
        (
            "constraint",
            "Owners",
            "Billing is owned by Team Red. OAuth supersedes JWT. The checkout service needs billing.\n",
        ),
    )
)
