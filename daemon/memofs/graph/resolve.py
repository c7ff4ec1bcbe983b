"""Which entities a question speaks of, and which node a person means.

Invariant: retired nodes are never among them; order is total: nearer matches first, ties by id.
"""

from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from memofs.graph.names import name_key
from memofs.graph.state import Graph, is_live
from memofs.model.graph import Node
from memofs.text.stop_words import STOP_WORDS

__all__ = ["Match", "find", "matches", "resolve_entities"]

_SHORTEST_PART: Final = 3
_EQUAL, _WORD, _PART = range(3)
_BREAK: Final = "\n"


class Match(NamedTuple):
    """A node, and the term that it was found by."""

    node: Node
    term: str


def resolve_entities(graph: Graph, terms: Iterable[str], *, limit: int, now_ms: int) -> tuple[Node, ...]:
    """The live nodes that the terms speak of, best first."""
    return tuple(match.node for match in matches(graph, terms, limit=limit, now_ms=now_ms))


def matches(graph: Graph, terms: Iterable[str], *, limit: int, now_ms: int) -> tuple[Match, ...]:
    """The live nodes a name of which equals one of the terms, or contains one of at least three characters.

    Those whose name is a term come first, then those that have one as a word, then those in whose words one is; of
    equals those of which something is stated, and which more memories name.
    """
    found: dict[str, tuple[int, int]] = {}
    asked = [term for term in dict.fromkeys(term.casefold() for term in terms) if term not in STOP_WORDS]
    names = _names_of(graph)
    for place, term in enumerate(asked):
        id_ = graph.names.get(name_key(term))
        if id_ is not None:
            found[id_] = min(found.get(id_, (_EQUAL, place)), (_EQUAL, place))
        if len(term) >= _SHORTEST_PART:
            for id_, sort in names.having(term):
                found[id_] = min(found.get(id_, (sort, place)), (sort, place))
    live = [id_ for id_ in found if is_live(graph, id_, now_ms=now_ms)]
    live.sort(key=lambda id_: (found[id_][0], *_weight(graph, id_), found[id_][1], id_))
    return tuple(Match(graph.nodes[id_], asked[found[id_][1]]) for id_ in live[:limit])


def find(graph: Graph, text: str, *, limit: int = 5) -> Node | tuple[Node, ...]:
    """The node that a person means by an id or a name, whatever its state; else those it may be, best first."""
    node = graph.nodes.get(text)
    if node is None:
        _, sign, rest = text.partition(":")
        id_ = graph.names.get(name_key(text)) or (graph.names.get(name_key(rest)) if sign else None)
        node = None if id_ is None else graph.nodes.get(id_)
    if node is not None:
        return node
    found: dict[str, int] = {}
    for word in text.casefold().split():
        if len(word) >= _SHORTEST_PART and word not in STOP_WORDS:
            for id_, sort in _names_of(graph).having(word):
                found[id_] = min(found.get(id_, sort), sort)
    best = sorted(found, key=lambda id_: (found[id_], *_weight(graph, id_), id_))
    return tuple(graph.nodes[id_] for id_ in best[:limit])


class _Names:
    """All names of a graph's nodes as one text, in which a part of a name is found without looking at each."""

    def __init__(self, graph: Graph) -> None:
        ids: list[str] = []
        starts: list[int] = []
        lines: list[str] = []
        length = 1
        for id_, node in graph.nodes.items():
            for name in (node.label, *node.aliases):
                line = (name.rpartition("/")[2] if node.type == "file" else name).casefold().replace(_BREAK, " ")
                ids.append(id_)
                starts.append(length)
                lines.append(line)
                length += len(line) + 1
        self._ids = ids
        self._starts = starts
        self._text = _BREAK + _BREAK.join(lines) + _BREAK

    def having(self, term: str) -> list[tuple[str, int]]:
        """The ids of the nodes that have the term in a name, with how: all of it, a word, or a part of one."""
        found: list[tuple[str, int]] = []
        if _BREAK in term:
            return found
        text, length = self._text, len(term)
        at = text.find(term)
        while at >= 0:
            end = at + length
            before, after = text[at - 1], text[end]
            sort = _PART
            if before == after == _BREAK:
                sort = _EQUAL
            elif not before.isalnum() and not after.isalnum():
                sort = _WORD
            found.append((self._ids[bisect_right(self._starts, at) - 1], sort))
            at = text.find(term, end)
        return found


@lru_cache(maxsize=2)
def _names_of(graph: Graph) -> _Names:
    return _Names(graph)


def _weight(graph: Graph, id_: str) -> tuple[bool, bool, int]:
    """Which of two nodes that match alike comes first: one a person wrote down, that says something, with sources."""
    node = graph.nodes[id_]
    return not node.curated, not graph.outgoing.get(id_), -len(node.sources)
