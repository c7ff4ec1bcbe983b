"""Entities and what is said of them."""

from typing import Literal

import msgspec

from memofs.model.relation import RelationType

__all__ = ["NODE_STATUSES", "NODE_TYPES", "Edge", "Node", "NodeStatus", "NodeType"]

NodeType = Literal["concept", "tool", "decision", "person", "file"]
NODE_TYPES: tuple[NodeType, ...] = ("concept", "tool", "decision", "person", "file")
NodeStatus = Literal["active", "deprecated", "conflicted", "deleted", "archived"]
NODE_STATUSES: tuple[NodeStatus, ...] = ("active", "deprecated", "conflicted", "deleted", "archived")


class Node(msgspec.Struct, frozen=True, kw_only=True):
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


class Edge(msgspec.Struct, frozen=True, kw_only=True):
    """One statement: `source` relation `target`, ends are ids of nodes or of memories.

    `memory` is the memory that says so, None where a person curated it; `line` is 0-based, in the memory's body or in
    the curated file. `ended` says that it held once and no longer does ("no longer uses", "instead of").
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

    @property
    def curated(self) -> bool:
        """Whether a person wrote it down in graph/edges.jsonl."""
        return self.memory is None
