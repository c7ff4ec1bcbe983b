"""What persons wrote down of entities and memories: the lines of `graph/nodes.jsonl` and `graph/edges.jsonl`.

Invariant: never raises; a line that cannot be read costs that line. What a line says of a thing takes the place of what
lines before it said, so that two branches merge by keeping the lines of both.
"""

from collections.abc import Callable, Iterator
from typing import Annotated, Final, TypeVar

import msgspec

from memofs.graph.names import MOST_LABEL, name_key, node_id, split_id
from memofs.model.graph import Curated, Edge, Node, NodeStatus, NodeType
from memofs.model.problem import Problem
from memofs.model.relation import Relation, RelationType
from memofs.text.identity import ID_PREFIX, is_id
from memofs.text.times import parse_iso

__all__ = ["EDGES_PATH", "MOST_BYTES", "NODES_PATH", "CuratedGraph", "EdgeLine", "NodeLine", "parse_curated"]

NODES_PATH: Final = ".memofs/graph/nodes.jsonl"
EDGES_PATH: Final = ".memofs/graph/edges.jsonl"
MOST_BYTES: Final = 16 * 1024 * 1024
"""Of one file."""

_MOST_PROBLEMS: Final = 20
_MOST_ALIASES: Final = 64
_EDGE_HINT: Final = (
    'a line is {"from": id, "to": id, "type": "depends_on"}, ids of memories or entities, or labels; types: '
    "uses, prefers, depends_on, supersedes, blocks, owns, related_to"
)
_NODE_HINT: Final = (
    'a line is {"id": "tool:redis", "type": "tool", "label": "Redis"}; types: concept, tool, decision, person, file; '
    "statuses: active, deprecated, conflicted, deleted, archived"
)


class CuratedGraph(msgspec.Struct, frozen=True, kw_only=True):
    """What both files say, what of it relates two memories and holds, and what is wrong with them."""

    curated: Curated = Curated()
    relations: tuple[Relation, ...] = ()
    problems: tuple[Problem, ...] = ()


class _Reference(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A source as the original writes it; only memories are kept."""

    source_id: str = ""


Moment = str | int | None
"""An ISO 8601 time, or milliseconds since the epoch."""
References = tuple[_Reference | str, ...]


class EdgeLine(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One line of edges.jsonl."""

    source: str = msgspec.field(name="from")
    target: str = msgspec.field(name="to")
    type: RelationType
    status: NodeStatus = "active"
    confidence: Annotated[float, msgspec.Meta(ge=0.0, le=1.0)] = 1.0
    valid_from: Moment = None
    valid_until: Moment = None
    source_refs: References = ()


class NodeLine(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One line of nodes.jsonl; an id that is left out follows from type and label."""

    id: str = ""
    type: NodeType | None = None
    label: str
    aliases: tuple[str, ...] = ()
    status: NodeStatus = "active"
    summary: str = ""
    valid_from: Moment = None
    valid_until: Moment = None
    source_refs: References = ()


_EDGES: Final = msgspec.json.Decoder(EdgeLine)
_NODES: Final = msgspec.json.Decoder(NodeLine)
_Line = TypeVar("_Line", EdgeLine, NodeLine)


class _Fault(Exception):
    """Why a line that is well-formed says nothing."""


def parse_curated(nodes: bytes | None, edges: bytes | None) -> CuratedGraph:
    """What the bytes of the two files say; None for one that is not there."""
    problems: list[Problem] = []
    known: dict[str, tuple[int, Node]] = {}
    for number, node in _read(NODES_PATH, nodes, _node_of, "badNode", _NODE_HINT, problems):
        known[node.id] = (number, node)
    problems += _same_names(known)
    stated: dict[tuple[str, str, str], Edge] = {}
    relations: dict[tuple[str, str, str], Relation] = {}
    for number, (edge, relates) in _read(EDGES_PATH, edges, _edge_of, "badRelation", _EDGE_HINT, problems):
        key = (edge.source, edge.target, edge.relation)
        before = stated.get(key)
        if before is None or msgspec.structs.replace(before, line=number) != edge:
            stated[key] = edge
        relations.pop(key, None) if not relates else relations.setdefault(key, _relation(edge))
    return CuratedGraph(
        curated=Curated(nodes=tuple(node for _, node in known.values()), edges=tuple(stated.values())),
        relations=tuple(relations.values()),
        problems=tuple(problems),
    )


_Value = TypeVar("_Value")


def _read(
    path: str,
    data: bytes | None,
    value_of: Callable[[bytes, int], _Value],
    code: str,
    hint: str,
    problems: list[Problem],
) -> Iterator[tuple[int, _Value]]:
    """The values of the lines with their numbers; what cannot be read is added to the problems, the first few."""
    if data is None:
        return
    if len(data) > MOST_BYTES:
        message = f"more than {MOST_BYTES:,} bytes, so none of it is read"
        problems.append(Problem(path=path, code="tooLarge", message=message, severity="warning"))
        return
    faults: list[tuple[int, str]] = []
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n")):
        if line.strip():
            try:
                yield number, value_of(line, number)
            except (msgspec.DecodeError, RecursionError, _Fault) as error:
                faults.append((number, str(error)))
    if len(faults) > _MOST_PROBLEMS:
        number, told = faults[_MOST_PROBLEMS - 1]
        more = len(faults) - _MOST_PROBLEMS
        faults[_MOST_PROBLEMS - 1 :] = [(number, f"{told}; {more:,} more lines cannot be read")]
    for number, told in faults:
        message = f"the line is passed over: {told[:1].lower()}{told[1:]}"
        problems.append(Problem(path=path, code=code, message=message, line=number, hint=hint, severity="warning"))


def _edge_of(line: bytes, number: int) -> tuple[Edge, bool]:
    """The edge of a line, and whether it relates two memories today."""
    said = _EDGES.decode(line)
    for end in (said.source, said.target):
        parts = split_id(end)
        name = parts[1] if parts is not None else end
        if len(end) > MOST_LABEL or "\n" in end or not (is_id(end) or name_key(name)):
            raise _Fault(f"{end[:40]!r} is no id and no label")
    if said.source == said.target or (name_key(said.source) == name_key(said.target) != ""):
        raise _Fault(f"{said.source} is related to itself")
    edge = Edge(
        source=said.source.strip(),
        relation=said.type,
        target=said.target.strip(),
        confidence=said.confidence,
        line=number,
        ended=said.status not in ("active", "conflicted"),
        valid_from_ms=_ms(said.valid_from),
        valid_until_ms=_ms(said.valid_until),
        refs=_ids(said.source_refs),
    )
    return edge, said.status == "active" and is_id(edge.source) and is_id(edge.target)


def _relation(edge: Edge) -> Relation:
    return Relation(source=edge.source, target=edge.target, type=edge.relation, line=edge.line)


def _node_of(line: bytes, _: int) -> Node:
    said = _NODES.decode(line)
    label = said.label.strip()
    if not label or len(label) > MOST_LABEL or "\n" in label or not name_key(label):
        raise _Fault(f"{label[:40]!r} is no label")
    parts = split_id(said.id) if said.id else None
    if said.id and parts is None:
        raise _Fault(f"{said.id[:40]!r} is no id: it is the type, a colon and a name")
    type_ = said.type or (parts[0] if parts else None)
    if type_ is None:
        raise _Fault("it has neither an id nor a type")
    if parts is not None and parts[0] != type_:
        raise _Fault(f"{said.id} is no id of a {type_}")
    aliases = tuple(dict.fromkeys(alias.strip() for alias in said.aliases if name_key(alias)))
    return Node(
        id=said.id or node_id(type_, label),
        type=type_,
        label=label,
        aliases=aliases[:_MOST_ALIASES],
        status=said.status,
        summary=" ".join(said.summary.split()),
        valid_from_ms=_ms(said.valid_from),
        valid_until_ms=_ms(said.valid_until),
        sources=_ids(said.source_refs),
        curated=True,
    )


def _ms(said: Moment) -> int | None:
    if said is None or isinstance(said, int):
        return said
    moment = parse_iso(said)
    if moment is None:
        raise _Fault(f"{said[:40]!r} is no date")
    return moment


def _ids(refs: References) -> tuple[str, ...]:
    named = (ref if isinstance(ref, str) else ref.source_id for ref in refs)
    return tuple(sorted({id_ for id_ in named if id_.startswith(ID_PREFIX)}))


def _same_names(known: dict[str, tuple[int, Node]]) -> Iterator[Problem]:
    """Where two nodes are called alike, so that what memories say of the name goes to the first."""
    first: dict[str, Node] = {}
    for number, node in known.values():
        for name in (node.label, *node.aliases):
            other = first.setdefault(name_key(name), node)
            if other is not node:
                yield Problem(
                    path=NODES_PATH,
                    code="sameName",
                    message=f"{other.id} and {node.id} are both called {name}: what memories say goes to the first",
                    line=number,
                    hint="give one of them another label or alias, or merge them: memofs graph merge",
                    severity="warning",
                )
