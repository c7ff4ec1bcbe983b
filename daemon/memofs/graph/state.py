"""The graph of entities: nodes, what is said of them, and what holds at a moment.

Invariant: any sequence of changes gives the graph that building from the same memories gives. An end that does not
look like an entity by itself counts only where something else says that it is one, so the order in which memories
come does not matter. Nothing here depends on the time; who asks passes it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from memofs.graph.circles import circles
from memofs.graph.fact import Facts
from memofs.graph.naming import Claim, Naming
from memofs.model.graph import NOT_CURATED, Curated, Edge, Node
from memofs.model.problem import Problem
from memofs.model.relation import RelationType
from memofs.model.shared import Shared, shared
from memofs.text.identity import ID_PREFIX

__all__ = [
    "EMPTY",
    "Graph",
    "Said",
    "Succession",
    "circle_problems",
    "current_edges",
    "edges_to",
    "holds",
    "is_live",
    "is_succession",
    "label_of",
    "state_line",
    "succession",
    "successor",
]

_STATE: Final[tuple[RelationType, ...]] = ("uses", "prefers", "depends_on", "supersedes", "blocks")
"""What a state line says, in this order; who owns a thing and what it is near is no state of it."""
_ENDED: Final = "no longer in use"
_STATEMENTS: Final = 4
_WORDS: Final[Mapping[RelationType, str]] = {
    "uses": "uses",
    "prefers": "prefers",
    "depends_on": "depends on",
    "supersedes": "supersedes",
    "blocks": "blocks",
    "owns": "owns",
    "related_to": "is related to",
}
_LIVE: Final = ("active", "conflicted")
_ALIKE: Final = frozenset[RelationType]({"uses", "prefers", "depends_on"})
"""Who no longer uses a thing does not depend on it either."""


class Said(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What a memory says that holds, and its date; of one that is superseded only what it says of succession."""

    facts: Facts
    said_ms: int | None = None
    supersedes: tuple[str, ...] = ()


class Succession(msgspec.Struct, frozen=True, kw_only=True):
    """Which nodes supersede which: `edges` that count, and the ids of each circle, sorted, whose edges do not."""

    said: tuple[Edge, ...] = ()
    edges: frozenset[Edge] = frozenset()
    circles: tuple[tuple[str, ...], ...] = ()


class Graph(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """`outgoing` and `incoming` are the edges of nodes and memories by id; `names` the node's id by key of a name.

    The rest is what a change needs: what persons wrote down (`written` nodes by id, and which keys are `fixed` to
    them), what memories say (`said`), their edges (`stated`), who names what by key (`namings`), and which names may
    be short for which (`claims`, `shorts`). What persons say stands under the id "".
    """

    nodes: Shared[str, Node]
    outgoing: Shared[str, tuple[Edge, ...]]
    incoming: Shared[str, tuple[Edge, ...]]
    names: Shared[str, str]
    succession: Succession = Succession()
    curated: Curated = NOT_CURATED
    written: Mapping[str, Node] = MappingProxyType({})
    fixed: Mapping[str, str] = MappingProxyType({})
    said: Shared[str, Said]
    stated: Shared[str, tuple[Edge, ...]]
    namings: Shared[str, tuple[Naming, ...]]
    claims: Shared[str, tuple[Claim, ...]]
    shorts: Shared[str, tuple[str, ...]]


EMPTY: Final = Graph(
    nodes=shared({}),
    outgoing=shared({}),
    incoming=shared({}),
    names=shared({}),
    said=shared({}),
    stated=shared({}),
    namings=shared({}),
    claims=shared({}),
    shorts=shared({}),
)
"""A graph of nothing."""


def holds(graph: Graph, edge: Edge, *, now_ms: int) -> bool:
    """Whether a statement is true now: in its time, and not ended by one that was said later, or by a person.

    What a person wrote down ends only where that says so.
    """
    return _holds(edge, _endings(graph, edge.target), now_ms)


def current_edges(graph: Graph, id_: str, *, now_ms: int) -> tuple[Edge, ...]:
    """The edges from a node or memory that hold now and lead to something that is not deleted, each fact once."""
    found: dict[tuple[str, str], Edge] = {}
    for edge in graph.outgoing.get(id_, ()):
        target = graph.nodes.get(edge.target)
        if (target is None or target.status != "deleted") and holds(graph, edge, now_ms=now_ms):
            found.setdefault((edge.relation, edge.target), edge)
    return tuple(found.values())


def edges_to(graph: Graph, id_: str, *, now_ms: int) -> tuple[Edge, ...]:
    """The edges to a node or memory that hold now and come from something that is not deleted, each fact once."""
    found: dict[tuple[str, str], Edge] = {}
    endings = _endings(graph, id_)
    for edge in graph.incoming.get(id_, ()):
        source = graph.nodes.get(edge.source)
        if (source is None or source.status != "deleted") and _holds(edge, endings, now_ms):
            found.setdefault((edge.relation, edge.source), edge)
    return tuple(found.values())


def is_live(graph: Graph, id_: str, *, now_ms: int) -> bool:
    """Whether a node is to be found: active or conflicted, in its time, and not superseded."""
    node = graph.nodes.get(id_)
    return node is not None and _is_valid(node, now_ms) and not _is_superseded(graph, id_, now_ms)


def successor(graph: Graph, id_: str, *, now_ms: int) -> str | None:
    """The node at the end of the line that supersedes a node; None where nothing does."""
    above = _above(graph, id_, now_ms)
    below: dict[str, list[str]] = {}
    for old, sources in above.items():
        for source in sources:
            below.setdefault(source, []).append(old)
    counting = {each for each in above if each != id_ and _is_valid(graph.nodes[each], now_ms)}
    waiting = list(counting)
    while waiting:
        for old in below.get(waiting.pop(), ()):
            if old not in counting:
                counting.add(old)
                waiting.append(old)
    end: str | None = None
    at = id_
    while (following := next((source for source in above[at] if source in counting), None)) is not None:
        end = at = following
    return end


def label_of(graph: Graph, id_: str) -> str:
    """How a node is called; a memory's id stays what it is."""
    node = graph.nodes.get(id_)
    return id_ if node is None else node.label


def state_line(graph: Graph, node_id: str, *, now_ms: int) -> str:
    """What holds of a node now, as "currently: uses OAuth; supersedes JWT"; empty where nothing is said.

    "in use" is what memories say of themselves: "we use D1". "no longer in use" is the end of that.
    """
    said = list(_in_use(graph, node_id, now_ms))
    edges = current_edges(graph, node_id, now_ms=now_ms)
    for relation in _STATE:
        labels = [label_of(graph, edge.target) for edge in edges if edge.relation == relation]
        if len(labels) > _STATEMENTS:
            labels[_STATEMENTS - 1 :] = [f"{len(labels) - _STATEMENTS + 1} more"]
        if labels:
            said.append(f"{_WORDS[relation]} {', '.join(labels)}")
    node = graph.nodes.get(node_id)
    if node is not None and node.status == "conflicted":
        said.append("what is said of it contradicts itself")
    if said == [_ENDED]:
        return _ENDED  # what is over is not how things are
    return f"currently: {'; '.join(said)}" if said else ""


def is_succession(edge: Edge) -> bool:
    """Whether an edge says that one entity has taken the place of another."""
    of_memories = edge.source.startswith(ID_PREFIX) or edge.target.startswith(ID_PREFIX)
    return edge.relation == "supersedes" and not edge.ended and not of_memories


def succession(said: Iterable[Edge]) -> Succession:
    """The edges between nodes that supersede and do not go round in a circle."""
    edges = tuple(sorted(set(said), key=lambda edge: (edge.target, edge.source, edge.memory or "", edge.line)))
    links: dict[str, list[str]] = {}
    for edge in edges:
        links.setdefault(edge.source, []).append(edge.target)
    found = list(circles(links))
    within = {(source, target) for circle in found for source in circle for target in circle}
    return Succession(
        said=edges,
        edges=frozenset(edge for edge in edges if (edge.source, edge.target) not in within),
        circles=tuple(sorted(tuple(sorted(circle)) for circle in found)),
    )


def circle_problems(graph: Graph, path_of: Callable[[Edge], str]) -> tuple[Problem, ...]:
    """What is wrong where entities supersede each other in a circle, at every line that says so."""
    found: list[Problem] = []
    for circle in graph.succession.circles:
        labels = " and ".join(label_of(graph, id_) for id_ in circle)
        for edge in graph.succession.said:
            if edge.source in circle and edge.target in circle:
                found.append(
                    Problem(
                        path=path_of(edge),
                        code="supersedesCircle",
                        message=f"{labels} supersede each other in a circle, so none of these links counts",
                        hint="take one of the statements out, or end it",
                        line=edge.line,
                        severity="warning",
                    )
                )
    return tuple(found)


def _is_valid(node: Node, now_ms: int) -> bool:
    return node.status in _LIVE and _within(node.valid_from_ms, node.valid_until_ms, now_ms)


def _is_superseded(graph: Graph, id_: str, now_ms: int) -> bool:
    """Whether a node is superseded by one that is valid, or by one that is itself superseded so, and so on."""
    seen = {id_}
    waiting = [id_]
    while waiting:
        for edge in _replacing(graph, waiting.pop(), now_ms):
            source = graph.nodes.get(edge.source)
            if source is None or edge.source in seen:
                continue
            if _is_valid(source, now_ms):
                return True
            seen.add(edge.source)
            waiting.append(edge.source)
    return False


def _above(graph: Graph, id_: str, now_ms: int) -> dict[str, list[str]]:
    """What has taken the place of a node, of that, and so on: for each the nodes that have taken its place."""
    found: dict[str, list[str]] = {}
    waiting = [id_]
    while waiting:
        at = waiting.pop()
        if at not in found:
            found[at] = [edge.source for edge in _replacing(graph, at, now_ms) if edge.source in graph.nodes]
            waiting += found[at]
    return found


def _replacing(graph: Graph, id_: str, now_ms: int) -> Iterator[Edge]:
    """The edges that say, rightly, that something has taken the place of a node.

    What a memory says counts until a later one says that the old thing is used: it may have been replaced in a part.
    """
    for edge in graph.incoming.get(id_, ()):
        if edge.relation != "supersedes" or edge not in graph.succession.edges:
            continue
        if holds(graph, edge, now_ms=now_ms) and (edge.curated or not _is_used_since(graph, edge, now_ms)):
            yield edge


def _is_used_since(graph: Graph, edge: Edge, now_ms: int) -> bool:
    """Whether something is said to use what an edge supersedes, later than the edge was said."""
    later = (
        other
        for other in graph.incoming.get(edge.target, ())
        if other.relation in _ALIKE and other.source != edge.source and _since(other) > _since(edge)
    )
    return any(holds(graph, other, now_ms=now_ms) for other in later)


def _holds(edge: Edge, endings: Iterable[Edge], now_ms: int) -> bool:
    if edge.ended or not _within(edge.valid_from_ms, edge.valid_until_ms, now_ms):
        return False
    return edge.curated or not any(
        _same(edge, ending) and (ending.curated or _since(ending) >= _since(edge)) for ending in endings
    )


def _endings(graph: Graph, target: str) -> list[Edge]:
    return [edge for edge in graph.incoming.get(target, ()) if edge.ended]


def _same(edge: Edge, ending: Edge) -> bool:
    """Whether two edges are about one fact. Whoever "we" are is one and the same in all memories."""
    alike = edge.relation == ending.relation or (edge.relation in _ALIKE and ending.relation in _ALIKE)
    return alike and (edge.source == ending.source or (_is_ours(edge) and _is_ours(ending)))


def _is_ours(edge: Edge) -> bool:
    """Whether a memory says it of itself, or of whatever it is about."""
    return edge.memory is not None and edge.source == edge.memory


def _in_use(graph: Graph, node_id: str, now_ms: int) -> Iterator[str]:
    ours = [edge for edge in graph.incoming.get(node_id, ()) if _is_ours(edge) and edge.relation in _ALIKE]
    endings = [edge for edge in ours if edge.ended]
    if any(_holds(edge, endings, now_ms) for edge in ours):
        yield "in use"
    elif endings:
        yield _ENDED


def _since(edge: Edge) -> int:
    return -(2**62) if edge.said_ms is None else edge.said_ms


def _within(from_ms: int | None, until_ms: int | None, now_ms: int) -> bool:
    return (from_ms is None or from_ms <= now_ms) and (until_ms is None or now_ms < until_ms)
