"""Entities and what is said of them.

Invariant: values hold nothing but strings, numbers and tuples of them, so that the garbage collector need not look at
them: there are tens of thousands in a large World.
"""

from typing import Final, Literal

import msgspec

from memofs.model.relation import RelationType

__all__ = ["NODE_STATUSES", "NODE_TYPES", "NOT_CURATED", "Curated", "Edge", "Node", "NodeStatus", "NodeType"]

NodeType = Literal["concept", "tool", "decision", "person", "file"]
NODE_TYPES: tuple[NodeType, ...] = ("concept", "tool", "decision", "person", "file")
NodeStatus = Literal["active", "deprecated", "conflicted", "deleted", "archived"]
NODE_STATUSES: tuple[NodeStatus, ...] = ("active", "deprecated", "conflicted", "deleted", "archived")


class Node(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One entity. `id` is `type:slug`; `sources` are the ids of the memories that name it, sorted.

    `valid_from_ms` and `valid_until_ms` bound when it holds, as a curated line says; None means unbounded.
    """

    id: str
    type: NodeType
    label: str
    aliases: tuple[str, ...] = ()
    status: NodeStatus = "active"
    summary: str = ""
    valid_from_ms: int | None = None
    valid_until_ms: int | None = None
    sources: tuple[str, ...] = ()
    curated: bool = False


class Edge(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One statement: `source` relation `target`, ends are ids of nodes or of memories.

    `memory` is the memory that says so, None where a person curated it; `line` is 0-based, in the memory's body or in
    the curated file. `ended` says that it held once and no longer does ("no longer uses", "instead of"). `said_ms` is
    when it was said, as far as the memory tells; `refs` are memories that a curated line names as where it is from.
    """

    source: str
    relation: RelationType
    target: str
    confidence: float = 0.6
    memory: str | None = None
    line: int = 0
    ended: bool = False
    valid_from_ms: int | None = None
    valid_until_ms: int | None = None
    said_ms: int | None = None
    refs: tuple[str, ...] = ()

    @property
    def curated(self) -> bool:
        """Whether a person wrote it down in graph/edges.jsonl."""
        return self.memory is None


class Curated(msgspec.Struct, frozen=True, kw_only=True):
    """What persons wrote down in graph/*.jsonl, in the order of the files, each node and each edge once.

    The ends of these edges are as they are written: ids of memories or of nodes, or labels.
    """

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()


NOT_CURATED: Final = Curated()
"""Nothing is written down."""
