"""Requests about entities and what is said of them: entities, link, unlink, merge, path, exportGraph."""

from typing import Annotated, Literal

import msgspec

from memofs.wire.values import Params, Result

__all__ = [
    "EndView",
    "EntitiesParams",
    "EntitiesResult",
    "EntityStatus",
    "EntityType",
    "EntityView",
    "ExportGraphParams",
    "ExportGraphResult",
    "GraphFormat",
    "GraphWriteResult",
    "LinkParams",
    "MergeParams",
    "NamedBy",
    "PathParams",
    "PathResult",
    "PathStep",
    "Relation",
    "StatementView",
    "UnlinkParams",
]

Relation = Literal["uses", "prefers", "depends_on", "supersedes", "blocks", "owns", "related_to"]
EntityType = Literal["concept", "tool", "decision", "person", "file", "memory"]
"""What an end of a statement is; memories are ends too."""
EntityStatus = Literal["active", "deprecated", "conflicted", "deleted", "archived", "pending", "retired"]
"""Of an entity, or of a memory that is an end: active, pending, retired."""
GraphFormat = Literal["dot", "mermaid", "json"]
Limit = Annotated[int, msgspec.Meta(ge=1, le=1_000)]
Steps = Annotated[int, msgspec.Meta(ge=0, le=10)]
Confidence = Annotated[float, msgspec.Meta(ge=0, le=1)]


class EndView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One end of a statement: the id of an entity or a memory, and its label or title."""

    id: str
    type: EntityType
    label: str


class EntityView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One entity, or a memory as an end of statements.

    `live` is false for what is retired, out of its time or superseded (then `successor` is what came after). `state`
    says in a line what holds of it now. `statements` and `memories` count what is said of it and who names it.
    """

    id: str
    type: EntityType
    label: str
    aliases: tuple[str, ...] = ()
    status: EntityStatus = "active"
    live: bool = True
    successor: EndView | None = None
    state: str = ""
    summary: str = ""
    curated: bool = False
    statements: int = 0
    memories: int = 0


class StatementView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One statement. `memory` says it, in the file `path`; without one a person wrote it down there.

    `line` is 0-based in the body of the memory, or in the file of a curated line. `holds` is false for what is over,
    or was taken back; `ended` for what itself says that something is over.
    """

    source: EndView = msgspec.field(name="from")
    relation: Relation
    target: EndView = msgspec.field(name="to")
    holds: bool = True
    ended: bool = False
    confidence: float
    memory: str | None = None
    title: str | None = None
    path: str
    line: int = 0


class NamedBy(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A memory that names an entity."""

    id: str
    title: str
    kind: str
    path: str
    flags: tuple[str, ...] = ()


class EntitiesParams(Params, frozen=True, kw_only=True):
    """`name` asks for one entity or memory, by label, alias or id; `query` for those that a text speaks of.

    Without either the answer lists the entities of which most is said.
    """

    name: str | None = None
    query: str | None = None
    limit: Limit = 20


class EntitiesResult(Result, frozen=True, kw_only=True):
    """Entities, best or most connected first. What is said of them and by which memories where they were asked for.

    `more` counts the entities that the limit left out; `total`, `totalStatements` and `totalCurated` what there is:
    entities, statements, and how many of these a person wrote down.
    """

    entities: tuple[EntityView, ...]
    statements: tuple[StatementView, ...] = ()
    memories: tuple[NamedBy, ...] = ()
    more: int = 0
    total: int = 0
    total_statements: int = 0
    total_curated: int = 0


class LinkParams(Params, frozen=True, kw_only=True):
    """The statement to write down. An end is a label, an alias or an id; a name that is new becomes an entity."""

    source: str = msgspec.field(name="from")
    relation: Relation
    target: str = msgspec.field(name="to")
    confidence: Confidence = 1.0


class UnlinkParams(Params, frozen=True, kw_only=True):
    """The statement that holds no longer; without a relation, all from the one to the other."""

    source: str = msgspec.field(name="from")
    target: str = msgspec.field(name="to")
    relation: Relation | None = None


class MergeParams(Params, frozen=True, kw_only=True):
    """`from` becomes another name of `into`."""

    into: str
    source: str = msgspec.field(name="from")


class GraphWriteResult(Result, frozen=True, kw_only=True):
    """What was written: the files, none where everything was so already; `summary` says it in words.

    `statements` are those that it is about, as they are now; `created` the entities that nothing named before.
    """

    changed: bool
    summary: str
    paths: tuple[str, ...] = ()
    statements: tuple[StatementView, ...] = ()
    entities: tuple[EntityView, ...] = ()
    created: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


class PathParams(Params, frozen=True, kw_only=True):
    """Two entities or memories."""

    source: str = msgspec.field(name="from")
    target: str = msgspec.field(name="to")


class PathStep(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A statement on the way; `forward` is false where it is walked from its target to its source."""

    statement: StatementView
    forward: bool


class PathResult(Result, frozen=True, kw_only=True):
    """The fewest statements that join the two; `found` is false where none do."""

    source: EndView = msgspec.field(name="from")
    target: EndView = msgspec.field(name="to")
    found: bool
    steps: tuple[PathStep, ...] = ()


class ExportGraphParams(Params, frozen=True, kw_only=True):
    """All of which something is said, or what lies within so many steps around one entity."""

    format: GraphFormat = "json"
    around: str | None = None
    steps: Steps = 2


class ExportGraphResult(Result, frozen=True, kw_only=True):
    """The graph as text in the language of `format`."""

    format: GraphFormat
    text: str
    entities: int
    statements: int
