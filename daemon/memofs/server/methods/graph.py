"""memofs/entities, link, unlink, merge, path, exportGraph: entities and what is said of them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from memofs.engine import curating
from memofs.engine.curating import Curated
from memofs.engine.engine import Engine
from memofs.engine.graph_names import known_end
from memofs.engine.view import View
from memofs.graph.connected import most_connected, statements_of
from memofs.graph.export import around, related
from memofs.graph.export import export as exported
from memofs.graph.path import shortest_path
from memofs.graph.resolve import resolve_entities
from memofs.model.errors import InvalidRequest
from memofs.server.call import Call
from memofs.server.graph_views import end_view, entity_view, named_by, past_view, statement_views
from memofs.text.analyzer import query_words
from memofs.wire.graph import (
    EntitiesParams,
    EntitiesResult,
    EntityView,
    ExportGraphParams,
    ExportGraphResult,
    GraphWriteResult,
    LinkParams,
    MergeParams,
    NamedBy,
    PathParams,
    PathResult,
    PathStep,
    StatementView,
    UnlinkParams,
)

__all__ = ["entities", "export", "link", "merge", "path", "unlink"]


_MOST_WORDS: Final = 64
"""Of a query by which entities are sought."""
_LONGEST_NAME: Final = 4
"""Words of a query that are sought as one name."""


def entities(view: View, params: EntitiesParams, _: Call) -> EntitiesResult:
    """One entity, those that a text speaks of, or those of which most is said."""
    graph = view.world.graph
    if params.name is not None and params.query is not None:
        raise InvalidRequest("nameOrQuery", "give a name or a query, not both")
    if params.name is not None:
        return _about(view, [known_end(view.world, params.name)], more=0)
    if params.query is not None:
        found = resolve_entities(graph, _terms(params.query), limit=len(graph.nodes), now_ms=view.now_ms)
        return _about(view, [node.id for node in found[: params.limit]], more=max(0, len(found) - params.limit))
    ids = most_connected(graph, now_ms=view.now_ms)
    return _result(view, (entity_view(view, id_) for id_ in ids[: params.limit]), more=max(0, len(ids) - params.limit))


def link(engine: Engine, params: LinkParams, call: Call) -> GraphWriteResult:
    """Write down that one is related to another."""
    done = curating.link(
        engine,
        params.source,
        params.relation,
        params.target,
        confidence=params.confidence,
        actor=call.session.role,
    )
    return _done(engine, done)


def unlink(engine: Engine, params: UnlinkParams, call: Call) -> GraphWriteResult:
    """Write down that a statement does not hold."""
    done = curating.unlink(engine, params.source, params.relation, params.target, actor=call.session.role)
    return _done(engine, done)


def merge(engine: Engine, params: MergeParams, call: Call) -> GraphWriteResult:
    """Write down that one entity is another name of the other."""
    return _done(engine, curating.merge(engine, params.into, params.source, actor=call.session.role))


def path(view: View, params: PathParams, _: Call) -> PathResult:
    """How two entities or memories hang together."""
    start, goal = known_end(view.world, params.source), known_end(view.world, params.target)
    steps = shortest_path(view.world.graph, start, goal, now_ms=view.now_ms)
    statements = statement_views(view, (step.edge for step in steps or ()))
    return PathResult(
        revision=view.world.revision,
        degraded=view.degraded,
        source=end_view(view, start),
        target=end_view(view, goal),
        found=steps is not None,
        steps=tuple(
            PathStep(statement=statement, forward=step.forward)
            for step, statement in zip(steps or (), statements, strict=True)
        ),
    )


def export(view: View, params: ExportGraphParams, _: Call) -> ExportGraphResult:
    """The graph, or what lies around one entity, in the language of another program."""
    graph = view.world.graph
    if params.around is None:
        ids = related(graph)
    else:
        ids = around(graph, known_end(view.world, params.around), steps=params.steps)
    titles = {id_: memory.title for id_ in ids if (memory := view.world.memories.get(id_)) is not None}
    return ExportGraphResult(
        revision=view.world.revision,
        degraded=view.degraded,
        format=params.format,
        text=exported(graph, params.format, now_ms=view.now_ms, ids=ids, titles=titles),
        entities=sum(id_ in graph.nodes for id_ in ids),
        statements=sum(edge.target in ids for id_ in ids for edge in graph.outgoing.get(id_, ())),
    )


def _about(view: View, ids: Sequence[str], *, more: int) -> EntitiesResult:
    """These entities or memories, all that is said of them, and who names them."""
    graph = view.world.graph
    said = {id_: statements_of(graph, id_) for id_ in ids}
    nodes = (node for id_ in ids if (node := graph.nodes.get(id_)) is not None)
    return _result(
        view,
        (entity_view(view, id_, statements=len(said[id_])) for id_ in ids),
        statements=statement_views(view, dict.fromkeys(edge for each in said.values() for edge in each)),
        memories=named_by(view, dict.fromkeys(source for node in nodes for source in node.sources)),
        more=more,
    )


def _result(
    view: View,
    shown: Iterable[EntityView],
    *,
    statements: tuple[StatementView, ...] = (),
    memories: tuple[NamedBy, ...] = (),
    more: int,
) -> EntitiesResult:
    graph = view.world.graph
    return EntitiesResult(
        revision=view.world.revision,
        degraded=view.degraded,
        entities=tuple(shown),
        statements=statements,
        memories=memories,
        more=more,
        total=len(graph.nodes),
        total_statements=sum(map(len, graph.outgoing.values())),
        total_curated=len(graph.curated.edges),
    )


def _done(engine: Engine, done: Curated) -> GraphWriteResult:
    view = engine.view()
    return GraphWriteResult(
        revision=view.world.revision,
        degraded=view.degraded,
        changed=bool(done.paths),
        summary=done.summary,
        paths=done.paths,
        statements=statement_views(view, done.statements),
        entities=tuple(past_view(view, id_, label) for id_, label in done.ends),
        created=done.created,
        remarks=done.remarks,
    )


def _terms(text: str) -> Iterator[str]:
    """The words of a text as they are written, and up to four that follow one another."""
    places = [(word.start, word.end) for word in query_words(text)[:_MOST_WORDS]]
    for at, (start, _) in enumerate(places):
        for _, end in places[at : at + _LONGEST_NAME]:
            yield text[start:end]
