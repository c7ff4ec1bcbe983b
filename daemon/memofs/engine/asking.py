"""The way of a question, the same for everybody who asks: its vector, the memories, a second look, the answer.

Invariant: whatever is missing on the way (a model, its vectors, the reranker) costs its own part and is named in what
comes back; the World of the answer is the one that its vectors belong to.
"""

from collections.abc import Mapping

import msgspec

from memofs.engine.meaning import Asked
from memofs.engine.reranking import MOST_RERANKED
from memofs.engine.view import View
from memofs.model.cancel import NEVER, CancelToken
from memofs.model.query import Query, Recall
from memofs.recall.rewrite import embedded_text
from memofs.recall.tasks import task
from memofs.world.recall import LONGEST_QUERY, recall

__all__ = ["Answer", "also", "ask"]


class Answer(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """What was found, the view of the World that it was found in, and what was missing on the way.

    `asked` is what it was found with.
    """

    recall: Recall
    view: View
    asked: Asked
    degraded: tuple[str, ...] = ()


def ask(view: View, query: Query, *, wait: bool = True, cancel: CancelToken = NEVER) -> Answer:
    """The answer to a question by words and, where there is a model, by meaning.

    `wait` says whether a starting model is waited for. Raises Cancelled.
    """
    view = view.following(cancel=cancel)
    asked = Asked(world=view.world)
    is_question = bool(query.text.strip())
    if view.meaning is not None and is_question:
        asked = view.meaning.ask(_embedded(view, query), wait=wait, cancel=cancel)
    view = view.at(asked.world)
    reranked, missing = _second_look(view, query, asked, cancel) if is_question else (None, ())
    found = _recall(view, query, asked, reranked, cancel)
    degraded = tuple(dict.fromkeys((*view.degraded, *asked.degraded, *missing, *found.degraded)))
    return Answer(recall=found, view=view, asked=asked, degraded=degraded)


def also(answer: Answer, query: Query, *, cancel: CancelToken = NEVER) -> Recall:
    """What else there is to the same question under other filters, without a second look. Raises Cancelled."""
    return _recall(answer.view, query, answer.asked, None, cancel)


def _embedded(view: View, query: Query) -> str:
    """The text whose vector is asked with: the person's words, or the rewritten query where the settings say so."""
    text, config = query.text[:LONGEST_QUERY], view.world.config
    if config.rewrite == "weighted":
        return text
    return embedded_text(text, task(query.task_type), project=config.lexicon)


def _second_look(
    view: View, query: Query, asked: Asked, cancel: CancelToken
) -> tuple[Mapping[str, float] | None, tuple[str, ...]]:
    """A reranker's scores of the likeliest memories, if there is one, and its name if it failed."""
    if view.reranking is None:
        return None, ()
    likeliest = msgspec.structs.replace(query, limit=MOST_RERANKED, precision="all", explain=False, why_not=())
    first = _recall(view, likeliest, asked, None, cancel)
    reranked = view.reranking.scores(query.text[:LONGEST_QUERY], [view.world.memories[hit.id] for hit in first.hits])
    return reranked, () if reranked is not None else (view.reranking.missing,)


def _recall(
    view: View, query: Query, asked: Asked, reranked: Mapping[str, float] | None, cancel: CancelToken
) -> Recall:
    return recall(
        view.world,
        query,
        now_ms=view.now_ms,
        cosines=asked.cosines,
        reranked=reranked,
        calibrated=asked.calibrated,
        cancel=cancel,
    )
