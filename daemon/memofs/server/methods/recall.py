"""memofs/recall."""

from memofs.engine.asking import ask
from memofs.engine.view import View
from memofs.model.query import Query
from memofs.server.call import Call
from memofs.server.convert import hit_view
from memofs.wire.read import AbsentView, RecallParams, RecallResult

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
    answer = ask(view, query, wait=params.wait, cancel=call.cancel)
    found = answer.recall
    return RecallResult(
        revision=found.revision,
        degraded=answer.degraded,
        hits=tuple(hit_view(answer.view, hit, call.session.encoding) for hit in found.hits),
        weaker=found.weaker,
        more=found.more,
        absent=tuple(AbsentView(id=each.id, reason=each.reason) for each in found.absent),
        notice=found.notice,
        without=found.without,
    )
