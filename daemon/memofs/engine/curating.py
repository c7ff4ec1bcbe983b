"""Writing down what relates to what: lines of `graph/nodes.jsonl` and `graph/edges.jsonl`, through the journal.

Invariant: a write is computed from the bytes that it replaces; where another process was faster it is computed again
from what that one wrote, so that no line is lost.
"""

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from memofs.engine.engine import Engine
from memofs.engine.graph_names import checked_end, known_end, known_entity, near
from memofs.engine.secrecy import refuse_secrets
from memofs.graph.curated import EDGES_PATH, MOST_BYTES, NODES_PATH
from memofs.graph.edit import GraphEdit, linked, merged, unlinked
from memofs.graph.names import known_names, name_key
from memofs.graph.resolve import find
from memofs.graph.state import Graph, label_of
from memofs.model.errors import Conflict, NotFound, Unavailable
from memofs.model.graph import Edge, Node
from memofs.model.relation import RelationType
from memofs.store.edit import Edit
from memofs.text.identity import digest, is_id
from memofs.world.state import World

__all__ = ["Curated", "link", "merge", "unlink"]

_ATTEMPTS: Final = 8
"""Writes of other processes that may come between before one gives up."""


class Curated(msgspec.Struct, frozen=True, kw_only=True):
    """What was written: `paths`, none where everything was so already.

    `ends` are the entities and memories it is about: id, and label as it was before, since what nothing names any more
    is gone. `statements` are those between them as they are now, `created` the ids of entities that are new.
    """

    summary: str
    paths: tuple[str, ...] = ()
    ends: tuple[tuple[str, str], ...] = ()
    statements: tuple[Edge, ...] = ()
    created: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def link(engine: Engine, source: str, relation: RelationType, target: str, *, confidence: float, actor: str) -> Curated:
    """Write down that one is related to the other; a name that is new becomes an entity.

    Raises InvalidRequest, NotFound, Refused for what looks like a secret, Conflict, Unavailable.
    """
    engine.refresh()
    before = engine.world
    ends = checked_end(before, source), checked_end(before, target)
    new = [end for end in ends if _id_of(before.graph, end) is None]
    refuse_secrets(*new)
    likely = {end: near(before.graph, end) for end in new if name_key(end) not in known_names()}

    def edit(graph: Graph, _: bytes, edges: bytes) -> GraphEdit:
        return linked(graph, edges, ends[0], relation, ends[1], confidence=confidence)

    done = _written(engine, edit, kind="link", actor=actor)
    world = engine.world
    ids = tuple(_id_of(world.graph, end) or end for end in ends)
    remarks = [_newcomer(end, likely[end]) for end in new if likely.get(end)]
    remarks += _supersession(world, ids, relation)
    return msgspec.structs.replace(
        done,
        ends=_labelled(world.graph, ids),
        statements=tuple(each for each in _between(world.graph, ids) if each.relation == relation),
        created=tuple(_id_of(world.graph, end) or end for end in new),
        remarks=tuple(remarks),
    )


def unlink(engine: Engine, source: str, relation: RelationType | None, target: str, *, actor: str) -> Curated:
    """Write down that a statement does not hold, or none from the one to the other; a line that says it goes.

    Raises NotFound where nothing says so, InvalidRequest, Conflict, Unavailable.
    """
    engine.refresh()
    world = engine.world
    ids = known_end(world, source), known_end(world, target)
    ends = _labelled(world.graph, ids)

    def edit(graph: Graph, _: bytes, edges: bytes) -> GraphEdit:
        try:
            return unlinked(graph, edges, ids[0], relation, ids[1])
        except NotFound as error:
            said = f"nothing says that {ends[0][1]} {relation or 'is related in any way to'} {ends[1][1]}"
            is_turned = any(relation in (None, each.relation) for each in _between(graph, ids[::-1]))
            hint = f"it is {ends[1][1]} of which that is said: turn the two round" if is_turned else error.hint
            raise NotFound(error.code, said, hint) from error

    done = _written(engine, edit, kind="unlink", actor=actor)
    return msgspec.structs.replace(done, ends=ends, statements=_between(engine.world.graph, ids))


def merge(engine: Engine, into: str, from_: str, *, actor: str) -> Curated:
    """Write down that one entity is another name of the other.

    Raises NotFound, InvalidRequest, Conflict, Unavailable.
    """
    engine.refresh()
    world = engine.world
    new, old = known_entity(world, into), known_entity(world, from_)

    def edit(graph: Graph, nodes: bytes, edges: bytes) -> GraphEdit:
        return merged(graph, nodes, edges, old.id, new.id)

    done = _written(engine, edit, kind="merge", actor=actor)
    graph = engine.world.graph
    return msgspec.structs.replace(done, ends=_labelled(graph, (_id_of(graph, new.id) or new.id,)))


def _written(engine: Engine, edit: Callable[[Graph, bytes, bytes], GraphEdit], *, kind: str, actor: str) -> Curated:
    """The edit, made and written; made anew where a file was changed in between."""
    for left in reversed(range(_ATTEMPTS)):
        before = {path: _bytes(engine, path) for path in (NODES_PATH, EDGES_PATH)}
        said = edit(engine.world.graph, before[NODES_PATH] or b"", before[EDGES_PATH] or b"")
        after = {NODES_PATH: said.nodes, EDGES_PATH: said.edges}
        edits = [_edit(path, before[path], data) for path, data in after.items() if data is not None]
        edits = [each for each in edits if each.after != before[each.path]]
        if not edits:
            return Curated(summary=said.summary)
        try:
            committed = engine.commit(edits, kind=kind, actor=actor, summary=said.summary)
        except Conflict:
            if not left:
                raise
            engine.refresh()
        else:
            return Curated(summary=said.summary, paths=committed.paths)
    raise AssertionError  # the last attempt returns or raises


def _edit(path: str, before: bytes | None, after: bytes) -> Edit:
    if len(after) > MOST_BYTES:
        message = f"{path} would have more than {MOST_BYTES:,} bytes, and none of it would be read"
        raise Unavailable("tooLarge", message, "take lines out of it that are needed no longer")
    return Edit(path=path, before_digest=None if before is None else digest(before), after=after)


def _bytes(engine: Engine, path: str) -> bytes | None:
    return engine.store.read_bytes(path) if engine.store.is_there(path) else None


def _id_of(graph: Graph, end: str) -> str | None:
    """The id of what an end names; None while nothing does."""
    if is_id(end):
        return end
    node = find(graph, end)
    return node.id if isinstance(node, Node) else None


def _labelled(graph: Graph, ids: Iterable[str]) -> tuple[tuple[str, str], ...]:
    return tuple((id_, label_of(graph, id_)) for id_ in ids)


def _between(graph: Graph, ids: tuple[str, ...]) -> tuple[Edge, ...]:
    return tuple(edge for edge in graph.outgoing.get(ids[0], ()) if edge.target == ids[1])


def _newcomer(end: str, likely: tuple[str, ...]) -> str:
    return f"{end} is new here; if you meant {' or '.join(likely)}: memofs undo"


def _supersession(world: World, ids: tuple[str, ...], relation: RelationType) -> list[str]:
    """What is to be said of a link by which one supersedes the other."""
    if relation != "supersedes":
        return []
    for circle in world.graph.succession.circles:
        if ids[0] in circle and ids[1] in circle:
            labels = " and ".join(label_of(world.graph, id_) for id_ in circle)
            return [f"{labels} supersede each other in a circle now, so none of these links counts: memofs doctor"]
    if all(map(is_id, ids)) and world.superseded_by.get(ids[1]) is None:
        return [f"recall still shows {ids[1]}; it does not where {ids[0]} has it in supersedes: memofs edit {ids[0]}"]
    return []
