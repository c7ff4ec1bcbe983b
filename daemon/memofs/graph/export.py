"""The graph in the languages of other programs: Graphviz, Mermaid, JSON.

Invariant: order follows from ids alone, so that an export can be compared with the last one; whatever a label holds,
it stays text in the language it is written in.
"""

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from memofs.graph.state import Graph, holds, is_live, label_of
from memofs.model.graph import Edge, Node, NodeType
from memofs.text.identity import ID_PREFIX

__all__ = ["FORMATS", "Format", "around", "export", "related"]

Format: TypeAlias = Literal["dot", "mermaid", "json"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)

_LONGEST: Final = 80
"""Code points of a label in a drawing."""
_DOT_SHAPES: Final[Mapping[NodeType, str]] = {
    "concept": "ellipse",
    "tool": "box",
    "decision": "diamond",
    "person": "house",
    "file": "note",
}
_MERMAID_SHAPES: Final[Mapping[NodeType, tuple[str, str]]] = {
    "concept": ("(", ")"),
    "tool": ("[", "]"),
    "decision": ("{", "}"),
    "person": ("([", "])"),
    "file": ("[/", "/]"),
}


class _ExportedNode(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    id: str
    type: NodeType | Literal["memory"]
    label: str
    aliases: tuple[str, ...] = ()
    status: str = "active"
    live: bool = True
    summary: str = ""
    sources: tuple[str, ...] = ()
    curated: bool = False


class _ExportedEdge(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    source: str = msgspec.field(name="from")
    target: str = msgspec.field(name="to")
    type: str
    confidence: float
    holds: bool
    memory: str | None = None
    line: int = 0


class _Exported(msgspec.Struct, frozen=True, kw_only=True):
    nodes: tuple[_ExportedNode, ...]
    edges: tuple[_ExportedEdge, ...]


class _Picture(msgspec.Struct, frozen=True, kw_only=True):
    """What is drawn, in order: nodes and memories, and the edges between them, each with whether it holds."""

    nodes: tuple[_ExportedNode, ...]
    edges: tuple[tuple[Edge, bool], ...]


def export(
    graph: Graph,
    format_: Format,
    *,
    now_ms: int,
    ids: Collection[str] | None = None,
    titles: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """The nodes and memories `ids` (None: all of which something is stated) and the edges between them, as text.

    `titles` are the titles of memories by id. What does not hold is dashed, and what is retired is grey.
    """
    chosen = related(graph) if ids is None else ids
    picture = _picture(graph, chosen, titles, now_ms)
    writers: Mapping[Format, Callable[[_Picture], str]] = {"dot": _dot, "mermaid": _mermaid, "json": _json}
    return writers[format_](picture)


def related(graph: Graph) -> frozenset[str]:
    """The nodes and memories of which something is stated, and what persons wrote down."""
    return frozenset({*graph.outgoing, *graph.incoming} | {id_ for id_, node in graph.nodes.items() if node.curated})


def around(graph: Graph, id_: str, *, steps: int) -> frozenset[str]:
    """The node or memory and all that so many statements lead to from it, either way."""
    found = {id_}
    rim = {id_}
    for _ in range(steps):
        edges = (edge for each in rim for edge in (*graph.outgoing.get(each, ()), *graph.incoming.get(each, ())))
        rim = {end for edge in edges for end in (edge.source, edge.target)} - found
        found |= rim
    return frozenset(found)


def _picture(graph: Graph, ids: Collection[str], titles: Mapping[str, str], now_ms: int) -> _Picture:
    chosen = sorted(ids)
    within = set(chosen)
    nodes = tuple(_exported(graph, id_, titles, now_ms) for id_ in chosen)
    edges = (edge for id_ in chosen for edge in graph.outgoing.get(id_, ()) if edge.target in within)
    return _Picture(nodes=nodes, edges=tuple((edge, holds(graph, edge, now_ms=now_ms)) for edge in edges))


def _exported(graph: Graph, id_: str, titles: Mapping[str, str], now_ms: int) -> _ExportedNode:
    node: Node | None = graph.nodes.get(id_)
    if node is None:
        type_: NodeType | Literal["memory"] = "memory" if id_.startswith(ID_PREFIX) else "concept"
        return _ExportedNode(id=id_, type=type_, label=titles.get(id_, label_of(graph, id_)))
    return _ExportedNode(
        id=node.id,
        type=node.type,
        label=node.label,
        aliases=node.aliases,
        status=node.status,
        live=is_live(graph, id_, now_ms=now_ms),
        summary=node.summary,
        sources=node.sources,
        curated=node.curated,
    )


# --- Graphviz: https://graphviz.org/doc/info/lang.html ---------------------------------------------------------------


def _dot(picture: _Picture) -> str:
    lines = ["digraph memofs {", "  rankdir=LR;", '  node [fontname="sans-serif"];', '  edge [fontname="sans-serif"];']
    for node in picture.nodes:
        shape = "tab" if node.type == "memory" else _DOT_SHAPES[node.type]
        grey = "" if node.live else ", color=gray, fontcolor=gray"
        lines.append(f"  {_quoted(node.id)} [label={_quoted(_short(node.label))}, shape={shape}{grey}];")
    for edge, is_true in picture.edges:
        dashed = "" if is_true else ", style=dashed, color=gray, fontcolor=gray"
        lines.append(
            f"  {_quoted(edge.source)} -> {_quoted(edge.target)} [label={_quoted(_worded(edge.relation))}{dashed}];"
        )
    return "\n".join([*lines, "}", ""])


def _quoted(text: str) -> str:
    """A quoted string of Graphviz, where a backslash would begin an escape of its own."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


# --- Mermaid: https://mermaid.js.org/syntax/flowchart.html -----------------------------------------------------------


def _mermaid(picture: _Picture) -> str:
    lines = ["flowchart LR"]
    names = {node.id: f"n{place}" for place, node in enumerate(picture.nodes)}
    for node in picture.nodes:
        opened, closed = ("[[", "]]") if node.type == "memory" else _MERMAID_SHAPES[node.type]
        lines.append(f'  {names[node.id]}{opened}"{_entities(_short(node.label))}"{closed}')
    for edge, is_true in picture.edges:
        arrow = "-->" if is_true else "-.->"
        lines.append(f"  {names[edge.source]} {arrow}|{_worded(edge.relation)}| {names[edge.target]}")
    retired = [names[node.id] for node in picture.nodes if not node.live]
    if retired:
        lines += ["  classDef retired stroke:#999,color:#999", f"  class {','.join(retired)} retired"]
    return "\n".join([*lines, ""])


def _entities(text: str) -> str:
    """A label as Mermaid reads it back: whatever is neither a letter, a digit nor a space goes by its number."""
    return "".join(char if char.isalnum() or char in " -_./" else f"#{ord(char)};" for char in text)


# --- JSON ------------------------------------------------------------------------------------------------------------


def _json(picture: _Picture) -> str:
    edges = tuple(
        _ExportedEdge(
            source=edge.source,
            target=edge.target,
            type=edge.relation,
            confidence=edge.confidence,
            holds=is_true,
            memory=edge.memory,
            line=edge.line,
        )
        for edge, is_true in picture.edges
    )
    encoded = msgspec.json.encode(_Exported(nodes=picture.nodes, edges=edges))
    return msgspec.json.format(encoded, indent=2).decode() + "\n"


def _short(label: str) -> str:
    """A label on one line, without what controls a terminal or turns text around."""
    plain = "".join(char if char.isprintable() else " " for char in label)
    plain = " ".join(plain.split())
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1]}…"


def _worded(relation: str) -> str:
    return relation.replace("_", " ")
