"""The graph of entities as part of a World: what every memory says that holds, and what changes when one does.

Invariant: only memories that are active speak; of one that is superseded, only its own links are kept.
"""

from collections.abc import Collection, Iterable, Mapping

from memofs.graph.curated import EDGES_PATH
from memofs.graph.extract import extract
from memofs.graph.fact import Facts
from memofs.graph.growth import build, changed, recurated
from memofs.graph.state import Graph, Said, circle_problems
from memofs.model.graph import Curated, Edge
from memofs.model.memory import Memory
from memofs.model.problem import Problem

__all__ = ["graph_of", "graph_problems", "regrown", "said_by"]

def graph_of(memories: Mapping[str, Memory], superseded: Collection[str], *, curated: Curated) -> Graph:
    """The graph of these memories."""
    return build(dict(_said(memories.values(), superseded)), curated=curated)


def regrown(
    graph: Graph,
    memories: Mapping[str, Memory],
    superseded: Collection[str],
    touched: Collection[str],
    *,
    curated: Curated | None = None,
) -> Graph:
    """The graph after the memories `touched` were put, removed, superseded or set free."""
    put = dict(_said((memories[id_] for id_ in touched if id_ in memories), superseded))
    after = changed(graph, put=put, removed=touched).graph if touched else graph
    return after if curated is None else recurated(after, curated).graph


def graph_problems(graph: Graph, memories: Mapping[str, Memory]) -> tuple[Problem, ...]:
    """What is wrong with what the memories and persons say of entities together."""

    def path_of(edge: Edge) -> str:
        return EDGES_PATH if edge.memory is None else memories[edge.memory].path

    return circle_problems(graph, path_of)


def said_by(memory: Memory, *, superseded: bool) -> Said | None:
    """What a memory says that holds; None if it says nothing."""
    if memory.status != "active":
        return None
    facts = extract(memory)
    if superseded:
        links = tuple(each for each in facts.statements if each.relation == "supersedes" and not each.ended)
        facts = Facts(statements=links)
    if facts == _NOTHING and not memory.supersedes:
        return None
    return Said(facts=facts, said_ms=memory.updated_ms or memory.created_ms, supersedes=memory.supersedes)


def _said(memories: Iterable[Memory], superseded: Collection[str]) -> Iterable[tuple[str, Said]]:
    for memory in memories:
        said = said_by(memory, superseded=memory.id in superseded)
        if said is not None:
            yield memory.id, said


_NOTHING = Facts()
