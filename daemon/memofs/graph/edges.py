"""Edges listed by one of their ends, in order: what persons said first, by relation, then by their ends.

Invariant: a list is in order whether it is made at once or edge by edge.
"""

from bisect import insort
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Final, get_args

from memofs.graph.draft import Draft
from memofs.model.graph import Edge
from memofs.model.relation import RelationType

__all__ = ["by_end", "replace"]

_RELATIONS: Final[tuple[RelationType, ...]] = get_args(RelationType)
_FEW: Final = 8
"""So many edges are put into a sorted list one by one."""


def by_end(edges: Iterable[Edge], end: Callable[[Edge], str]) -> dict[str, tuple[Edge, ...]]:
    """The edges by one of their ends, each list in order."""
    found: dict[str, list[Edge]] = defaultdict(list)
    for edge in edges:
        found[end(edge)].append(edge)
    return {id_: tuple(sorted(each, key=_place)) if len(each) > 1 else (each[0],) for id_, each in found.items()}


def replace(
    edges: Draft[str, tuple[Edge, ...]], gone: Iterable[Edge], new: Iterable[Edge], end: Callable[[Edge], str]
) -> None:
    """Take the edges that are gone out of the lists of the ends they are at, and put in the new ones, in order."""
    different: dict[str, tuple[set[Edge], list[Edge]]] = defaultdict(lambda: (set(), []))
    for edge in gone:
        different[end(edge)][0].add(edge)
    for edge in new:
        different[end(edge)][1].append(edge)
    for id_, (out, into) in different.items():
        kept = [edge for edge in edges.get(id_) or () if edge not in out]
        if len(into) < _FEW:
            for edge in into:
                insort(kept, edge, key=_place)
        else:
            kept = sorted((*kept, *into), key=_place)
        edges.put(id_, tuple(kept) or None)


def _place(edge: Edge) -> tuple[int, str, str, str, int, bool]:
    """Where an edge stands among others: what persons said first."""
    return (
        _RELATIONS.index(edge.relation),
        edge.source,
        edge.target,
        edge.memory or "",
        edge.line,
        edge.ended,
    )
