"""memofs/recall."""

import msgspec

from memofs.engine.meaning import Asked
from memofs.engine.reranking import MOST_RERANKED
from memofs.engine.view import View
from memofs.model.query import Query
from memofs.server.call import Call
from memofs.server.convert import hit_view
from memofs.wire.read import AbsentView, RecallParams, RecallResult
from memofs.world.recall import recall as recall_world

__all__ = ["recall"]


def recall(view: View, params: RecallParams, call: Call) -> RecallResult:
    """The memories that answer the query, best first."""
    query = Query(
        text=params.query,
        limit=params.limit,
        task_type=params.task_type,
        kinds=view.kinds(params.kinds),
        tags=params.tags,
        paths=params.paths,
        flags=params.flags,
        precision=params.precision,
        include_retired=params.include_retired,
        explain=params.explain,
        why_not=tuple(view.find(text).id for text in params.why_not),
    )
    asked = Asked(world=view.world)
    if view.meaning is not None and params.query.strip():
        asked = view.meaning.ask(params.query, wait=params.wait, cancel=call.cancel)
    view = view.at(asked.world)
    missing = list(asked.degraded)
    reranked = None
    if view.reranking is not None and params.query.strip():
        likeliest = msgspec.structs.replace(query, limit=MOST_RERANKED, precision="all", explain=False, why_not=())
        first = recall_world(
            view.world,
            likeliest,
            now_ms=view.now_ms,
            cosines=asked.cosines,
            calibrated=asked.calibrated,
            cancel=call.cancel,
        )
        reranked = view.reranking.scores(params.query, [view.world.memories[hit.id] for hit in first.hits])
        if reranked is None:
            missing.append("reranker")
    answer = recall_world(
        view.world,
        query,
        now_ms=view.now_ms,
        cosines=asked.cosines,
        reranked=reranked,
        calibrated=asked.calibrated,
        cancel=call.cancel,
    )
    return RecallResult(
        revision=answer.revision,
        degraded=(*view.degraded, *missing, *answer.degraded),
        hits=tuple(hit_view(view, hit, call.session.encoding) for hit in answer.hits),
        weaker=answer.weaker,
        absent=tuple(AbsentView(id=each.id, reason=each.reason) for each in answer.absent),
        notice=answer.notice,
        without=answer.without,
    )
