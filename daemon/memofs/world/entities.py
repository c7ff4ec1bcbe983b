"""Entities as part of a World: the graph of what memories and persons say of them, and an index of their names.

An entity that may be found is a document of the index, `graph:` and its id, with statistics of its own: label and
aliases are its title, the summary its text. So the numbers of memories stay honest.

Invariant: only memories that are active speak; of one that is superseded, only its own links are kept. The index holds
exactly the nodes of the graph that are active or conflicted; whether one holds today is for whoever asks.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

import msgspec

from memofs.graph.curated import EDGES_PATH
from memofs.graph.extract import extract
from memofs.graph.fact import NOTHING, Facts
from memofs.graph.growth import build, changed, recurated
from memofs.graph.state import EMPTY as NO_GRAPH
from memofs.graph.state import Graph, Said, circle_problems
from memofs.model.cancel import NEVER, CancelToken
from memofs.model.graph import Curated, Edge, Node
from memofs.model.memory import Memory
from memofs.model.problem import Problem
from memofs.recall.fields import document_of
from memofs.recall.index import EMPTY as NO_INDEX
from memofs.recall.index import LexicalIndex, change, extended
from memofs.recall.segment import Document

__all__ = [
    "DOCUMENT",
    "NO_ENTITIES",
    "Entities",
    "entities_of",
    "graph_problems",
    "grown",
    "said_by",
]

DOCUMENT: Final = "graph:"
"""What the id of an entity's document begins with."""

_FOUND: Final = ("active", "conflicted")
_CHECK_EVERY: Final = 256


class Entities(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The graph, and the index of the names in it."""

    graph: Graph
    index: LexicalIndex


NO_ENTITIES: Final = Entities(graph=NO_GRAPH, index=NO_INDEX)
"""Nothing is known of any."""


def entities_of(
    memories: Iterable[Memory], superseded: Collection[str], *, curated: Curated, cancel: CancelToken = NEVER
) -> Entities:
    """The entities of these memories and of what persons wrote down. Raises Cancelled."""
    graph = build(dict(_said(memories, superseded, cancel)), curated=curated)
    return Entities(graph=graph, index=extended(NO_INDEX, map(_document, _found(graph.nodes.values()))))


def grown(
    before: Entities,
    memories: Mapping[str, Memory],
    superseded: Collection[str],
    touched: Collection[str],
    *,
    curated: Curated | None = None,
    cancel: CancelToken = NEVER,
) -> Entities:
    """The entities after the memories `touched` were put, removed, superseded or set free. Raises Cancelled."""
    graph = before.graph
    renamed: set[str] = set()
    if touched:
        put = dict(_said((memories[id_] for id_ in touched if id_ in memories), superseded, cancel))
        step = changed(graph, put=put, removed=touched)
        graph = step.graph
        renamed |= step.touched
    if curated is not None:
        step = recurated(graph, curated)
        graph = step.graph
        renamed |= step.touched
    renamed = {id_ for id_ in renamed if _told(before.graph.nodes.get(id_)) != _told(graph.nodes.get(id_))}
    if not renamed:
        return before if graph is before.graph else Entities(graph=graph, index=before.index)
    found = list(_found(node for id_ in renamed if (node := graph.nodes.get(id_)) is not None))
    gone = renamed.difference(node.id for node in found)
    index = change(before.index, put=[_document(node) for node in found], removed=[DOCUMENT + id_ for id_ in gone])
    return Entities(graph=graph, index=index)


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
    if facts == NOTHING and not memory.supersedes:
        return None
    return Said(facts=facts, said_ms=memory.updated_ms or memory.created_ms, supersedes=memory.supersedes)


def _said(memories: Iterable[Memory], superseded: Collection[str], cancel: CancelToken) -> Iterator[tuple[str, Said]]:
    for number, memory in enumerate(memories):
        if number % _CHECK_EVERY == 0:
            cancel.check()
        said = said_by(memory, superseded=memory.id in superseded)
        if said is not None:
            yield memory.id, said


def _found(nodes: Iterable[Node]) -> Iterator[Node]:
    return (node for node in nodes if node.status in _FOUND)


def _told(node: Node | None) -> tuple[str, tuple[str, ...], str, bool] | None:
    """What the index keeps of an entity."""
    return None if node is None else (node.label, node.aliases, node.summary, node.status in _FOUND)


def _document(node: Node) -> Document:
    """An entity as the index sees it: like a memory that has its names for a title."""
    said = "\n".join((node.label, *node.aliases, node.summary))
    return document_of(
        Memory(
            id=DOCUMENT + node.id,
            kind=node.type,
            title=node.label,
            aliases=node.aliases,
            body=node.summary,
            path="",
            digest=said,
        )
    )
