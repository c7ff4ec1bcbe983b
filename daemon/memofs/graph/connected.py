"""What is said of one entity or memory, and of which entities most is said.

Invariant: order is total; ties go by id.
"""

from memofs.graph.state import Graph, is_live
from memofs.model.graph import Edge

__all__ = ["most_connected", "statements_of"]


def statements_of(graph: Graph, id_: str) -> tuple[Edge, ...]:
    """Every statement with the entity or memory at an end, and those that the memory makes; each once.

    What it says of others comes first, then what others say of it, then what it says about third ones.
    """
    own = (*graph.outgoing.get(id_, ()), *graph.incoming.get(id_, ()), *(graph.stated.get(id_) or ()))
    return tuple(dict.fromkeys(own))


def most_connected(graph: Graph, *, now_ms: int) -> list[str]:
    """The ids of the live nodes, those first of which most is said, then those that most memories name."""
    counts = {
        id_: len(graph.outgoing.get(id_, ())) + len(graph.incoming.get(id_, ()))
        for id_ in graph.nodes
        if is_live(graph, id_, now_ms=now_ms)
    }
    return sorted(counts, key=lambda id_: (-counts[id_], -len(graph.nodes[id_].sources), id_))
