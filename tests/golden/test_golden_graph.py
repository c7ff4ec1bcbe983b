"""Entities: which are meant, and what is said of them, as the original system answers.

Its statuses are ours but for `stale`, which is none of the format's: a node that has it is not read, and so, as in the
original, not found. How the answers are rendered is the briefing's.
"""

import msgspec
import pytest

from golden.cases import pairs
from memofs.graph.curated import parse_curated
from memofs.graph.growth import build
from memofs.graph.resolve import matches
from memofs.graph.state import Graph, current_edges, edges_to, state_line

NOW_MS = 1_800_000_000_000


class Asked(msgspec.Struct, frozen=True):
    nodes: tuple[dict[str, object], ...]
    edges: tuple[dict[str, object], ...]
    terms: tuple[str, ...]


class Resolved(msgspec.Struct, frozen=True, rename="camel"):
    node_id: str
    label: str
    type: str
    summary: str
    matched_term: str


class State(msgspec.Struct, frozen=True, rename="camel"):
    node_id: str
    current_state: str
    active_edge_count: int
    provenance: str = ""


class Answered(msgspec.Struct, frozen=True):
    resolved: tuple[Resolved, ...]
    state: tuple[State, ...]


CASES = pairs("entities", Asked, Answered)


def graph_of(asked: Asked) -> Graph:
    nodes, edges = (b"\n".join(map(msgspec.json.encode, lines)) for lines in (asked.nodes, asked.edges))
    return build({}, curated=parse_curated(nodes, edges).curated)


@pytest.mark.parametrize(("asked", "answered"), CASES)
def test_entities_are_resolved(asked: Asked, answered: Answered) -> None:
    found = matches(graph_of(asked), asked.terms, limit=10, now_ms=NOW_MS)
    assert answered.resolved == tuple(
        Resolved(
            node_id=match.node.id,
            label=match.node.label,
            type=match.node.type,
            summary=match.node.summary,
            matched_term=match.term,
        )
        for match in found
    )


@pytest.mark.parametrize(("asked", "answered"), CASES)
def test_state_follows_the_edges_that_hold(asked: Asked, answered: Answered) -> None:
    graph = graph_of(asked)
    for state in answered.state:
        edges = (
            *current_edges(graph, state.node_id, now_ms=NOW_MS),
            *edges_to(graph, state.node_id, now_ms=NOW_MS),
        )
        assert state_line(graph, state.node_id, now_ms=NOW_MS).removeprefix("currently: ") == state.current_state
        assert len(edges) == state.active_edge_count
        assert ", ".join(graph.nodes[state.node_id].sources) == state.provenance or not state.provenance
