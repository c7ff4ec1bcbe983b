"""What a recall answers: its workings turned into hits with passages and flags, and reasons for what is absent."""

from typing import Final

import numpy as np

from memofs.model.memory import Memory
from memofs.model.query import Absent, Hit, Passage, Query
from memofs.recall.eligible import matching
from memofs.recall.explain import explain, explain_via, why_not
from memofs.recall.index import id_at, slot_of
from memofs.recall.named import name_key
from memofs.recall.question import Question
from memofs.recall.score import best_part
from memofs.recall.signals import scored_terms
from memofs.recall.workings import Via, Workings
from memofs.text.passage import marks, passage
from memofs.text.sections import sections
from memofs.world.moved import moved_into
from memofs.world.state import World, flags

__all__ = ["absent", "hit_flags", "hits", "plain_hit", "via_flags"]

_READABLE: Final = 20_000
"""Code points of a text that are read for its passage."""


def hits(world: World, query: Query, work: Workings, *, now_ms: int) -> tuple[Hit, ...]:
    """The hits in order, with explanations if the query wants them."""
    terms = _terms_to_mark(work.question)
    made: list[Hit] = []
    for slot in work.shown:
        memory = world.memories[id_at(world.index, slot)]
        via = work.via.get(slot)
        if via is not None:
            made.append(_via_hit(world, query, work, memory, slot, via, terms=terms, now_ms=now_ms))
            continue
        place = int(np.searchsorted(work.kept.slots, slot))
        made.append(
            Hit(
                id=memory.id,
                score=float(work.scored.final[place]),
                title=Passage(text=memory.title, marks=marks(memory.title, terms)),
                snippet=_snippet(work, memory, slot, terms),
                flags=hit_flags(world, work, memory, place, now_ms=now_ms),
                superseded_by=world.superseded_by.get(memory.id),
                signals=explain(work, place, name=_name(memory, work.names.get(slot))) if query.explain else None,
            )
        )
    return tuple(made)


def via_flags(world: World, memory: Memory, *, now_ms: int) -> tuple[str, ...]:
    """The flags of a memory that a relation brought."""
    return (*flags(world, memory, now_ms), "via")


def plain_hit(world: World, memory: Memory, *, score: float, now_ms: int) -> Hit:
    """A hit that nothing was asked for: the beginning of a memory."""
    return Hit(
        id=memory.id,
        score=score,
        title=Passage(text=memory.title),
        snippet=passage(memory.body, frozenset()),
        flags=flags(world, memory, now_ms),
        superseded_by=world.superseded_by.get(memory.id),
    )


def hit_flags(world: World, work: Workings, memory: Memory, place: int, *, now_ms: int) -> tuple[str, ...]:
    """The flags of a memory in this answer."""
    found = list(flags(world, memory, now_ms))
    if work.words_only:
        found.append("wordsOnly")
    if work.by_lexicon and not work.kept.named[place]:
        found.append("byLexicon")
    elif work.by_meaning[place]:
        found.append("byMeaning")
    return tuple(found)


def absent(world: World, query: Query, work: Workings | None) -> tuple[Absent, ...]:
    """Why each memory of `query.why_not` is not among the hits; those that are, are left out."""
    reasons: list[Absent] = []
    for id_ in query.why_not:
        reason = _reason(world, query, work, id_)
        if reason is not None:
            reasons.append(Absent(id=id_, reason=reason))
    return tuple(reasons)


def _via_hit(
    world: World,
    query: Query,
    work: Workings,
    memory: Memory,
    slot: int,
    via: Via,
    *,
    terms: frozenset[str],
    now_ms: int,
) -> Hit:
    source = world.memories[id_at(world.index, via.source)]
    return Hit(
        id=memory.id,
        score=via.final,
        title=Passage(text=memory.title, marks=marks(memory.title, terms)),
        snippet=_snippet(work, memory, slot, terms),
        flags=via_flags(world, memory, now_ms=now_ms),
        signals=explain_via(via, source_id=source.id, source_title=source.title) if query.explain else None,
        via=source.id,
    )


def _reason(world: World, query: Query, work: Workings | None, id_: str) -> str | None:
    memory, slot = world.memories.get(id_), slot_of(world.index, id_)
    if memory is None or slot is None:
        return "there is no such memory"
    if work is not None and slot in work.shown:
        return None
    if work is not None and work.lookup.mask[slot]:
        other = work.repeats.get(slot)
        title = None if other is None else world.memories[id_at(world.index, other)].title
        return why_not(work, slot, title_of_shown=title)
    return _ineligible(world, query, memory, slot)


def _ineligible(world: World, query: Query, memory: Memory, slot: int) -> str:
    successor = world.superseded_by.get(memory.id)
    if successor is not None and not query.include_retired:
        return f"superseded by {successor} ({world.memories[successor].title})"
    if memory.status == "pending":
        return "pending: not accepted yet"
    if memory.status == "retired" and not query.include_retired:
        return "retired"
    if query.kinds and memory.kind not in query.kinds:
        return f"its kind is {memory.kind}, asked for: {', '.join(query.kinds)}"
    if query.tags and not matching(world.index, tags=query.tags)[slot]:
        return f"has none of the tags asked for: {', '.join(query.tags)}"
    if query.paths and not matching(world.index, paths=query.paths, moved=moved_into(world, query.paths))[slot]:
        return f"is not anchored in any of the paths asked for: {', '.join(query.paths)}"
    if query.flags:
        return f"has none of the flags asked for: {', '.join(query.flags)}"
    return "the question asks for nothing"


def _snippet(work: Workings, memory: Memory, slot: int, terms: frozenset[str]) -> Passage:
    """The best piece of the body: of its best section, where it has sections."""
    text, line = memory.body, 0
    best = best_part(work.lookup, slot, scored_terms(work.question))
    if best is not None:
        section = sections(text)[best]
        text, line = text[section.start : section.end], section.line
    start, end = _readable(text, terms)
    found = passage(text[start:end], terms)
    return Passage(text=found.text, marks=found.marks, line=found.line + line + text.count("\n", 0, start))


def _readable(text: str, terms: frozenset[str]) -> tuple[int, int]:
    """The part of a text to read for a passage: all of it, or from the line that seems to have its rarest term.

    A megabyte takes a tenth of a second to read word by word, and no time to search for letters.
    """
    if len(text) <= _READABLE:
        return 0, len(text)
    letters = text.lower()
    _, at = min(((letters.count(term), letters.find(term)) for term in terms if term in letters), default=(0, 0))
    start = text.rfind("\n", 0, at) + 1
    if at - start > _READABLE // 2:
        start = at - _READABLE // 2
    return start, start + _READABLE


def _terms_to_mark(question: Question) -> frozenset[str]:
    return frozenset(
        {
            *question.words,
            *(name.term for name in question.names),
            *(term for one in question.expanded for term in one.terms),
            *(term for guess in question.guesses.values() for term in guess.terms),
        }
    )


def _name(memory: Memory, key: str | None) -> str | None:
    if key is None:
        return None
    return next((text for text in (memory.title, *memory.aliases) if name_key(text) == key), None)
