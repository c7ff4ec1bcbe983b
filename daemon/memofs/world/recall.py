"""Recall: from a question to hits, over one World.

Invariant: pure and total. Any text is an answerable question; hits are in order of score, named memories first, ties
by id; and whatever matched and is not shown is counted, or explained to whoever asks why.
"""

from collections.abc import Mapping
from typing import Final

import msgspec
import numpy as np

from memofs.model.cancel import NEVER, CancelToken
from memofs.model.memory import Memory
from memofs.model.query import Query, Recall
from memofs.recall.arrays import Bools, Floats
from memofs.recall.calibration import Calibration
from memofs.recall.candidates import Candidates, candidates, chosen, highest
from memofs.recall.decay import floors
from memofs.recall.decide import decide, limits
from memofs.recall.duplicates import folded
from memofs.recall.eligible import MEMORY_FLAGS, Filters, eligible, flagged, matching, slots_mask, unverified
from memofs.recall.fusion import round_score
from memofs.recall.index import LexicalIndex, id_at, slot_of
from memofs.recall.layers import Layers, layers, left_out
from memofs.recall.lookup import PRIOR_DOCUMENTS, Lookup
from memofs.recall.named import named
from memofs.recall.order import Scores, in_order, newest_first, scores
from memofs.recall.pool import Pool, pool_of
from memofs.recall.question import Question, ask
from memofs.recall.rank import rank
from memofs.recall.recency import age_days, newest_ms, recency
from memofs.recall.rewrite import Expansion, rewrite
from memofs.recall.signals import WordSignals, by_expansion, word_signals
from memofs.recall.tasks import task
from memofs.recall.workings import Via, Workings
from memofs.text.stop_words import STOP_WORDS
from memofs.world.answer import absent, hits, plain_hit, via_flags
from memofs.world.asked import NOTHING_NAMED, Asked, asked
from memofs.world.hop import reached, with_reached
from memofs.world.moved import moved_into
from memofs.world.state import World

__all__ = ["LONGEST_QUERY", "recall"]

_BY_LEXICON_MOST: Final = 3
_BY_LEXICON_COSINE: Final = 0.10
_BY_LEXICON_COVERAGE: Final = 0.08
"""One word of seven or more, and that only under another name, says nothing of a question."""
_RELATED: Final = 0.07
"""So far below the cosine that is an answer alone, a memory has no more to do with a question than any other."""
LONGEST_QUERY: Final = 10_000
"""Code points of a question that are read; a whole log pasted as one is still answered in time."""


def recall(
    world: World,
    query: Query,
    *,
    now_ms: int,
    cosines: Floats | None = None,
    reranked: Mapping[str, float] | None = None,
    calibrated: Calibration | None = None,
    cancel: CancelToken = NEVER,
) -> Recall:
    """The memories that answer the question.

    `cosines` (world.index.size,) are the cosines of each memory's best chunk to the question, NaN where it has no
    vector; None if there is no embedder. Where no eligible memory has one yet, words decide alone. `reranked` are a
    reranker's scores in [0, 1] by id: they take the place of coverage, the deterministic reranker. `calibrated` are
    limits for the model that made the vectors, if it is not the built-in one. Raises Cancelled.
    """
    text = query.text[:LONGEST_QUERY]
    used = layers(world.config.without)
    entities = asked(world, text, now_ms=now_ms) if used.entities else NOTHING_NAMED
    expansion = rewrite(text, task(query.task_type), project=world.config.lexicon, entities=entities.names)
    mask = eligible(world.index, _filters(world, query), now_ms=now_ms)
    if cosines is not None and np.isnan(cosines[mask]).all():
        cosines = None
    cancel.check()
    if not expansion.words:
        return _recent(world, query, mask, now_ms=now_ms)
    work = _work(
        world,
        query,
        expansion,
        mask,
        text=text,
        used=used,
        entities=_speaking(world, entities, mask),
        now_ms=now_ms,
        cosines=cosines,
        reranked=reranked,
        calibrated=calibrated,
        cancel=cancel,
    )
    found = hits(world, query, work, now_ms=now_ms)
    return Recall(
        hits=found,
        revision=world.revision,
        weaker=_weaker(work),
        more=_more(work),
        without=left_out(work.used),
        absent=absent(world, query, work),
        notice=None if found else "nothingRelevant",
    )


def _work(
    world: World,
    query: Query,
    expansion: Expansion,
    mask: Bools,
    *,
    text: str,
    used: Layers,
    entities: Mapping[int, str],
    now_ms: int,
    cosines: Floats | None,
    reranked: Mapping[str, float] | None,
    calibrated: Calibration | None,
    cancel: CancelToken,
) -> Workings:
    index, config = world.index, world.config
    lookup = Lookup(
        index,
        mask,
        prior=0 if config.ranking == "classic" else PRIOR_DOCUMENTS,
        titles_only=all(word.term in STOP_WORDS for word in expansion.words),
    )
    question = ask(lookup, expansion, used=used)
    names = named(lookup, text, question.guesses) if used.named else {}
    cancel.check()
    pool = pool_of(lookup, question, also=(*names, *entities), everything=cosines is not None)
    signals = word_signals(lookup, pool, question, used=used)
    if reranked:
        signals = _with_reranked(signals, index, pool, reranked)
    cancel.check()
    meaning = None if cosines is None else cosines[pool.slots]
    neighbours = world.neighbours if used.neighbours else None
    ranked = rank(signals, pool, documents=lookup.documents, meaning=meaning, neighbours=neighbours)
    among = candidates(pool, signals, ranked, named=names, meaning=meaning, ranking=config.ranking, limit=query.limit)
    precision = (query.precision or config.precision) if used.decision else "all"
    limit = limits(
        precision,
        documents=lookup.documents,
        words_only=cosines is None,
        ranking=config.ranking,
        calibrated=calibrated,
    )
    decision = decide(among, limit, information=signals.information, whole_only=question.only_stop_words)
    by_lexicon = not decision.kept.any() and precision != "strict"
    keep = _by_lexicon(lookup, pool, question, among) if by_lexicon else decision.kept
    kept = chosen(among, keep)
    scored = scores(
        index,
        kept,
        now_ms=now_ms,
        stale=slots_mask(index, world.stale)[kept.slots] & used.drift,
        unverified=unverified(index, kept.slots, floors(config.floors_days), now_ms=now_ms) & used.decay,
        task_kinds=matching(index, kinds=expansion.kinds)[kept.slots] & bool(expansion.kinds),
        ranking=config.ranking,
    )
    cancel.check()
    by_meaning = decision.by_meaning[keep]
    wanted = _asked_flags(world, query, kept, by_meaning, by_lexicon=by_lexicon, now_ms=now_ms)
    shown, repeats = _first(index, kept, scored, wanted, limit=query.limit, used=used)
    via: Mapping[int, Via] = {}
    if used.hop and precision != "strict" and not by_lexicon:
        sources = shown if wanted.all() else _first(index, kept, scored, None, limit=query.limit, used=used)[0]
        via = _asked_via(
            world, query, reached(world, mask, kept, scored, sources, used=used, now_ms=now_ms), now_ms=now_ms
        )
        shown = with_reached(world, shown, via, kept, scored, limit=query.limit, used=used)
    return Workings(
        used=used,
        words_only=cosines is None,
        calibrated=cosines is not None and calibrated is not None,
        lookup=lookup,
        pool=pool,
        question=question,
        signals=signals,
        ranked=ranked,
        names=names,
        entities=entities,
        among=among,
        limits=limit,
        decision=decision,
        kept=kept,
        by_meaning=by_meaning,
        by_lexicon=by_lexicon,
        scored=scored,
        wanted=wanted,
        via=via,
        shown=tuple(shown),
        repeats=repeats,
    )


def _speaking(world: World, entities: Asked, mask: Bools) -> Mapping[int, str]:
    """The slots that may be found of the memories that speak of entities, with the entity's label."""
    found = ((slot_of(world.index, id_), label) for id_, label in entities.sources.items())
    return {slot: label for slot, label in found if slot is not None and mask[slot]}


def _with_reranked(signals: WordSignals, index: LexicalIndex, pool: Pool, reranked: Mapping[str, float]) -> WordSignals:
    coverage = signals.coverage.copy()
    for id_, score in reranked.items():
        slot = slot_of(index, id_)
        if slot is not None and (place := int(pool.places[slot])) >= 0:
            coverage[place] = score
    return msgspec.structs.replace(signals, coverage=coverage)


def _weaker(work: Workings) -> int:
    """How many memories share a word or a meaning with the question and did not pass the cut."""
    among = work.among
    related = np.ones(len(among.slots), dtype=np.bool_)  # by words alone only what a question touches is here
    if among.cosine is not None:
        related = (among.words > 0.0) | (among.title > 0.0) | among.named
        related |= np.nan_to_num(among.cosine, nan=-1.0) >= work.limits.cosine_tau - _RELATED
    related[np.isin(among.slots, work.shown) | np.isin(among.slots, work.kept.slots)] = False
    return int(np.count_nonzero(related))


def _more(work: Workings) -> int:
    """How many memories passed the cut and lie beyond the number that was asked for."""
    beyond = work.wanted & ~np.isin(work.kept.slots, [*work.shown, *work.repeats])
    return int(np.count_nonzero(beyond))


def _filters(world: World, query: Query) -> Filters:
    """What may be found. Flags that only an answer gives (wordsOnly, …) are looked at once there is one."""
    by_themselves = all(flag in MEMORY_FLAGS for flag in query.flags)
    return Filters(
        kinds=query.kinds,
        tags=query.tags,
        paths=query.paths,
        flags=query.flags if by_themselves else (),
        include_retired=query.include_retired,
        stale=world.stale,
        moved=moved_into(world, query.paths),
        floors_days=floors(world.config.floors_days),
    )


def _asked_flags(
    world: World, query: Query, kept: Candidates, by_meaning: Bools, *, by_lexicon: bool, now_ms: int
) -> Bools:
    """Those kept with one of the flags asked for, where they name flags that only an answer gives."""
    if all(flag in MEMORY_FLAGS for flag in query.flags):
        return np.ones(len(kept.slots), dtype=np.bool_)
    having = flagged(world.index, _filters(world, query), query.flags, now_ms=now_ms)[kept.slots]
    if "wordsOnly" in query.flags and kept.cosine is None:
        having[:] = True
    if "byMeaning" in query.flags:
        having |= by_meaning
    if "byLexicon" in query.flags and by_lexicon:
        having |= ~kept.named
    return having


def _asked_via(world: World, query: Query, found: Mapping[int, Via], *, now_ms: int) -> Mapping[int, Via]:
    """What was reached, with one of the flags asked for."""
    if not query.flags:
        return found
    return {
        slot: via
        for slot, via in found.items()
        if set(query.flags) & set(via_flags(world, world.memories[id_at(world.index, slot)], now_ms=now_ms))
    }


def _by_lexicon(lookup: Lookup, pool: Pool, question: Question, among: Candidates) -> Bools:
    """The few best candidates that match an expansion, for when nothing has the words themselves."""
    likely = by_expansion(lookup, pool, question)[pool.places[among.slots]]
    likely &= among.coverage >= _BY_LEXICON_COVERAGE
    if among.cosine is not None:
        likely &= np.nan_to_num(among.cosine, nan=-1.0) >= _BY_LEXICON_COSINE
    return likely & highest(np.where(likely, among.evidence, 0.0), _BY_LEXICON_MOST)


def _first(
    index: LexicalIndex, kept: Candidates, scored: Scores, wanted: Bools | None, *, limit: int, used: Layers
) -> tuple[list[int], dict[int, int]]:
    """The slots to show, best first, of all or of those wanted, and the near-duplicates that are not."""
    count = 2 * limit + 16
    final = scored.final if wanted is None else np.where(wanted, scored.final, -1.0)
    while True:
        order = [place for place in in_order(index, kept, final, count=count) if final[place] >= 0.0]
        if not used.folding:
            return kept.slots[order[:limit]].tolist(), {}
        shown, repeats = folded(index, kept.slots[order].tolist(), limit=limit)
        if len(shown) == limit or count >= len(kept.slots):
            return shown, repeats
        count *= 4


def _recent(world: World, query: Query, mask: Bools, *, now_ms: int) -> Recall:
    """The newest memories, those without a date last, for a question that asks for nothing; recency is the score."""
    slots = newest_first(world.index, mask, most=query.limit)
    memories = [world.memories[id_at(world.index, slot)] for slot in slots]
    return Recall(
        hits=tuple(plain_hit(world, memory, score=_freshness(memory, now_ms), now_ms=now_ms) for memory in memories),
        revision=world.revision,
        absent=absent(world, query, None),
        notice="emptyQuery",
    )


def _freshness(memory: Memory, now_ms: int) -> float:
    newest = newest_ms(memory.verified_ms, memory.updated_ms, memory.created_ms)
    return 0.0 if newest is None else round_score(recency(age_days(now_ms, newest)))
