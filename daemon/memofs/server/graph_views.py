"""Entities and what is said of them, as clients see them."""

from collections.abc import Iterable

from memofs.engine.view import View
from memofs.graph.curated import EDGES_PATH
from memofs.graph.names import split_id
from memofs.graph.state import holds, is_live, label_of, state_line, successor
from memofs.model.graph import Edge
from memofs.wire.graph import EndView, EntityView, NamedBy, StatementView

__all__ = ["end_view", "entity_view", "named_by", "past_view", "statement_views"]


def end_view(view: View, id_: str) -> EndView:
    """An end of a statement with its label, of a memory with its title."""
    node = view.world.graph.nodes.get(id_)
    if node is not None:
        return EndView(id=id_, type=node.type, label=node.label)
    memory = view.world.memories.get(id_)
    return EndView(id=id_, type="memory", label=label_of(view.world.graph, id_) if memory is None else memory.title)


def entity_view(view: View, id_: str, *, statements: int | None = None) -> EntityView:
    """An entity, or a memory as an end of statements; `statements` counts them where that is known."""
    graph, now_ms = view.world.graph, view.now_ms
    if statements is None:
        statements = len(graph.outgoing.get(id_, ())) + len(graph.incoming.get(id_, ()))
    node = graph.nodes.get(id_)
    if node is None:
        memory = view.world.memories.get(id_)
        came = view.world.superseded_by.get(id_)
        return EntityView(
            id=id_,
            type="memory",
            label=end_view(view, id_).label,
            aliases=() if memory is None else memory.aliases,
            status="deleted" if memory is None else memory.status,
            live=memory is not None and memory.status == "active" and came is None,
            successor=None if came is None else end_view(view, came),
            statements=statements,
        )
    came = successor(graph, id_, now_ms=now_ms)
    return EntityView(
        id=id_,
        type=node.type,
        label=node.label,
        aliases=node.aliases,
        status=node.status,
        live=is_live(graph, id_, now_ms=now_ms),
        successor=None if came is None else end_view(view, came),
        state=state_line(graph, id_, now_ms=now_ms),
        summary=node.summary,
        curated=node.curated,
        statements=statements,
        memories=len(node.sources),
    )


def past_view(view: View, id_: str, label: str) -> EntityView:
    """An entity or a memory; of one that nothing names any more, what it was called."""
    parts = split_id(id_)
    if parts is None or id_ in view.world.graph.nodes:
        return entity_view(view, id_)
    return EntityView(id=id_, type=parts[0], label=label, status="deleted", live=False)


def statement_views(view: View, edges: Iterable[Edge]) -> tuple[StatementView, ...]:
    """The statements with who says them; what holds comes first, in the order given."""
    shown = [_statement_view(view, edge) for edge in edges]
    return tuple(sorted(shown, key=lambda each: not each.holds))


def named_by(view: View, ids: Iterable[str]) -> tuple[NamedBy, ...]:
    """The memories of these ids that are there: those that hold first, the newest first."""
    memories = [memory for id_ in ids if (memory := view.world.memories.get(id_)) is not None]
    memories.sort(key=lambda each: (bool(view.flags(each)), -(each.updated_ms or each.created_ms or 0), each.id))
    return tuple(
        NamedBy(id=each.id, title=each.title, kind=each.kind, path=each.path, flags=view.flags(each))
        for each in memories
    )


def _statement_view(view: View, edge: Edge) -> StatementView:
    memory = None if edge.memory is None else view.world.memories.get(edge.memory)
    return StatementView(
        source=end_view(view, edge.source),
        relation=edge.relation,
        target=end_view(view, edge.target),
        holds=holds(view.world.graph, edge, now_ms=view.now_ms),
        ended=edge.ended,
        confidence=edge.confidence,
        memory=edge.memory,
        title=None if memory is None else memory.title,
        path=EDGES_PATH if memory is None else memory.path,
        line=edge.line,
    )
