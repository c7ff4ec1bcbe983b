"""Changes to what persons wrote down: statements linked and unlinked, two nodes merged into one.

Functions of the files' bytes: they answer the bytes that are to be written. Every line that is not concerned stays as
it is, byte for byte, unreadable ones too.

Invariant: what `linked` wrote, `unlinked` takes out; and doing a thing twice changes nothing the second time.
"""

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias, TypeVar, get_args

import msgspec

from memofs.graph.curated import EdgeLine, NodeLine
from memofs.graph.names import MOST_LABEL, name_key, node_id, split_id
from memofs.graph.resolve import find
from memofs.graph.state import Graph, label_of
from memofs.model.errors import InvalidRequest, NotFound
from memofs.model.graph import Node
from memofs.model.relation import RelationType
from memofs.text.identity import is_id

__all__ = ["GraphEdit", "end_of", "linked", "merged", "unlinked"]


class GraphEdit(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be written: the bytes of each file, None where it stays as it is; `summary` says it in words."""

    nodes: bytes | None = None
    edges: bytes | None = None
    summary: str

    @property
    def is_nothing(self) -> bool:
        """Whether everything is as it was asked for already."""
        return self.nodes is None and self.edges is None


def end_of(graph: Graph, text: str) -> str:
    """What a line says for what a person typed: the id of a memory or of a node that is written down, else the name.

    A name may be new. Raises InvalidRequest for what is no name.
    """
    said = text.strip()
    if is_id(said):
        return said
    node = find(graph, said)
    if isinstance(node, Node):
        return node.id if node.id in graph.written else node.label
    if "\n" in said or len(said) > MOST_LABEL or not name_key(said):
        raise InvalidRequest(
            "badEntity",
            f"{text[:40]!r} is no name of an entity",
            f"a name has a letter or a digit, no line breaks, and at most {MOST_LABEL} characters",
        )
    return said


def linked(
    graph: Graph, edges: bytes, source: str, relation: RelationType, target: str, *, confidence: float = 1.0
) -> GraphEdit:
    """The edges with the statement in them. Raises InvalidRequest."""
    ends = end_of(graph, source), end_of(graph, target)
    if _node_of(graph, ends[0]) == _node_of(graph, ends[1]):
        raise InvalidRequest("relatedToItself", f"{source} and {target} are the same", "name two different entities")
    kept, concerned = _told_apart(edges, lambda line: _is_same(graph, line, ends, relation), EdgeLine)
    same = [line for line, _ in concerned]
    said = EdgeLine(source=ends[0], target=ends[1], type=relation)
    if confidence != said.confidence:
        said = msgspec.structs.replace(said, confidence=confidence)
    summary = f"{_worded(graph, ends[0])} {relation} {_worded(graph, ends[1])}"
    if len(same) == 1 and same[0].status == "active" and same[0].confidence == confidence:
        return GraphEdit(summary=summary)
    return GraphEdit(edges=_with_lines(kept, [said]), summary=summary)


def unlinked(graph: Graph, edges: bytes, source: str, relation: RelationType | None, target: str) -> GraphEdit:
    """The edges without the statement, or any statement between the two (`relation` None).

    What memories state stays in them: a line says that it does not hold. Raises NotFound where nothing is stated.
    """
    ends = end_of(graph, source), end_of(graph, target)
    kept, concerned = _told_apart(edges, lambda line: _is_same(graph, line, ends, relation), EdgeLine)
    same = [line for line, _ in concerned]
    denied = {line.type for line in same if line.status == "deleted"}
    stated = [line for line in same if line.status not in ("deleted", "archived")]
    ids = _node_of(graph, ends[0]), _node_of(graph, ends[1])
    extracted = {
        edge.relation
        for edge in graph.outgoing.get(ids[0], ())
        if edge.target == ids[1] and not edge.curated and not edge.ended and relation in (None, edge.relation)
    }
    summary = f"no longer: {_worded(graph, ends[0])} {relation or 'and'} {_worded(graph, ends[1])}"
    if not stated and not extracted and not denied:
        said = relation or "anything"
        raise NotFound(
            "noStatement", f"nothing says {source} {said} {target}", f"memofs graph show {source} lists what is said"
        )
    if not stated and extracted <= denied:
        return GraphEdit(summary=summary)
    denials = [
        EdgeLine(source=ends[0], target=ends[1], type=each, status="deleted")
        for each in get_args(RelationType)
        if each in extracted
    ]
    return GraphEdit(edges=_with_lines(kept, denials), summary=summary)


def merged(graph: Graph, nodes: bytes, edges: bytes, from_: str, into: str) -> GraphEdit:
    """The files in which one node is another name of the other. Raises NotFound, InvalidRequest."""
    old, new = _known(graph, from_), _known(graph, into)
    if old.id == new.id:
        raise InvalidRequest("sameEntity", f"{from_} and {into} are one entity already", "nothing is to be done")
    own = graph.written.get(new.id, new)
    names = {name_key(new.label), *(name_key(alias) for alias in own.aliases)}
    more = [name for name in (old.label, *old.aliases) if name_key(name) not in names]
    kept, concerned = _told_apart(nodes, lambda line: _id_of(line) in (old.id, new.id), NodeLine)
    before = [fields for line, fields in concerned if _id_of(line) == new.id]
    line: _Fields = before[-1] if before else {"id": new.id, "type": new.type, "label": new.label}
    line["aliases"] = list(dict.fromkeys((*own.aliases, *more)))
    return GraphEdit(
        nodes=_with_lines(kept, [line]),
        edges=_redirected(edges, old.id, new.id),
        summary=f"{old.label} is {new.label}",
    )


_Line = TypeVar("_Line", EdgeLine, NodeLine)
_Fields: TypeAlias = dict[str, object]
_BOM: Final = b"\xef\xbb\xbf"


def _known(graph: Graph, text: str) -> Node:
    node = find(graph, text.strip())
    if isinstance(node, Node):
        return node
    likely = ", ".join(each.label for each in node)
    hint = f"did you mean {likely}?" if likely else "memofs graph export lists all entities"
    raise NotFound("entity", f"there is no entity {text}", hint)


def _node_of(graph: Graph, end: str) -> str:
    """The id that a written end stands for, or what would be the key of a new one."""
    if is_id(end) or end in graph.nodes:
        return end
    parts = split_id(end)
    key = name_key(parts[1] if parts is not None else end)
    return graph.names.get(key, key)


def _is_same(graph: Graph, line: EdgeLine, ends: tuple[str, str], relation: RelationType | None) -> bool:
    return (
        relation in (None, line.type)
        and _node_of(graph, line.source) == _node_of(graph, ends[0])
        and _node_of(graph, line.target) == _node_of(graph, ends[1])
    )


def _id_of(line: NodeLine) -> str:
    return line.id or (node_id(line.type, line.label) if line.type else "")


def _worded(graph: Graph, end: str) -> str:
    return label_of(graph, end)


def _told_apart(
    data: bytes, is_concerned: Callable[[_Line], bool], type_: type[_Line]
) -> tuple[bytes, list[tuple[_Line, _Fields]]]:
    """The lines that are not concerned as they are, and those that are, read: as a value and as all their fields."""
    kept: list[bytes] = []
    concerned: list[tuple[_Line, _Fields]] = []
    for line in data.splitlines(keepends=True):
        said = _read(line, type_)
        if said is not None and is_concerned(said):
            concerned.append((said, msgspec.json.decode(line.removeprefix(_BOM), type=dict[str, object])))
        else:
            kept.append(line)
    return b"".join(kept), concerned


def _read(line: bytes, type_: type[_Line]) -> _Line | None:
    try:
        return msgspec.json.decode(line.removeprefix(_BOM), type=type_)
    except (msgspec.DecodeError, RecursionError):
        return None


def _with_lines(data: bytes, lines: Iterable[EdgeLine | NodeLine | _Fields]) -> bytes:
    """The bytes with these lines at their end, ended as the others are."""
    ending = b"\r\n" if b"\r\n" in data else b"\n"
    if data and not data.endswith(b"\n"):
        data += ending
    return data + b"".join(msgspec.json.encode(line) + ending for line in lines)


def _redirected(edges: bytes, old: str, new: str) -> bytes | None:
    """The edges with one node's id in the place of the other's; None if none has it."""
    lines = edges.splitlines(keepends=True)
    found = False
    for place, line in enumerate(lines):
        said = _read(line, EdgeLine)
        if said is None or old not in (said.source, said.target):
            continue
        found = True
        source, target = (new if end == old else end for end in (said.source, said.target))
        fields = msgspec.json.decode(line.removeprefix(_BOM), type=dict[str, object]) | {"from": source, "to": target}
        ending = line[len(line.rstrip(b"\r\n")) :]
        lines[place] = b"" if source == target else msgspec.json.encode(fields) + ending
    return b"".join(lines) if found else None
