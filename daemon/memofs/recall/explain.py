"""Why a memory stands where it stands, or why it is not shown: numbers, and the same in words."""

import numpy as np

from memofs.model.query import Signal, Signals
from memofs.recall.arrays import Floats
from memofs.recall.index import Found
from memofs.recall.rank import Scale
from memofs.recall.workings import Via, Workings

__all__ = ["explain", "explain_via", "why_not"]

_WORD = ("word", "name")


def explain(work: Workings, place: int, *, name: str | None) -> Signals:
    """The contributions to the hit at `place` in `work.kept`; `name` is the title or alias that was named."""
    kept, scored, ranked, question = work.kept, work.scored, work.ranked, work.question
    slot = int(kept.slots[place])
    at = int(work.pool.places[slot])
    shares, alpha = ranked.shares, ranked.alpha
    words = _signal(work.signals.steered, at, ranked.words, (1.0 - alpha) * shares.words)
    coverage = _signal(work.signals.coverage, at, ranked.coverage, (1.0 - alpha) * shares.coverage)
    title = _signal(work.signals.title, at, ranked.title, shares.title if work.signals.title[at] else 0.0)
    meaning = None
    if ranked.meaning is not None and kept.cosine is not None and not np.isnan(kept.cosine[place]):
        cosine = float(kept.cosine[place])
        deviations = (cosine - ranked.meaning.mean) / ranked.meaning.deviation if ranked.meaning.deviation else 0.0
        meaning = Signal(
            raw=cosine,
            usual=ranked.meaning.mean,
            z=deviations,
            place=1 + int(np.count_nonzero(np.nan_to_num(work.among.cosine, nan=-1.0) > cosine))
            if work.among.cosine is not None
            else 0,
            adds=alpha * deviations,
        )
    matched = tuple(word for word in question.words if has(work.lookup.words(word), slot))
    typos = tuple(
        (word, term)
        for word, guess in question.guesses.items()
        if guess.sort == "typo"
        for term in guess.terms
        if has(work.lookup.words(term), slot)
    )
    return Signals(
        why=_why(work, place, name=name, matched=matched, typos=typos),
        named=name,
        typos=typos,
        matched=matched,
        alpha=alpha,
        meaning=meaning,
        words=words,
        coverage=coverage,
        title=title,
        fuzzy=float(work.signals.fuzzy[at]),
        evidence=float(kept.evidence[place]),
        threshold=work.decision.needed,
        calibrated=work.calibrated,
        relevance=float(scored.relevance[place]),
        recency=float(scored.recency[place]),
        confidence=float(scored.confidence[place]),
        composite=float(scored.composite[place]),
        drift=float(scored.drift[place]),
        decay=float(scored.decay[place]),
        final=float(scored.final[place]),
    )


def explain_via(via: Via, *, source_id: str, source_title: str) -> Signals:
    """Why a memory is there that was reached from the one with this id and title."""
    said = via.relation.type.replace("_", " ")
    ends = ("this", f"“{source_title}”") if via.relation.target == source_id else (f"“{source_title}”", "this")
    why = [f"by relation: {ends[0]} {said} {ends[1]}"]
    return Signals(
        why=(*why, *_demotions(via.drift, via.decay)),
        via=source_id,
        composite=via.composite,
        drift=via.drift,
        decay=via.decay,
        final=via.final,
    )


def why_not(work: Workings, slot: int, *, title_of_shown: str | None) -> str:
    """The rule that kept an eligible memory out; `title_of_shown` names the one shown in its place, if folded."""
    if title_of_shown is not None:
        return f"says nearly the same as “{title_of_shown}”, which is shown"
    at = np.flatnonzero(work.among.slots == slot)
    if not len(at):
        return "has none of the words that were asked for"
    place = int(at[0])
    if work.question.only_stop_words:
        return "its title does not have all of these words, which are too common to look for elsewhere"
    at_kept = int(np.searchsorted(work.kept.slots, slot))
    if at_kept == len(work.kept.slots) or work.kept.slots[at_kept] != slot:
        return _below_lead(work, place) if work.decision.answered else _unanswered(work)
    if not work.wanted[at_kept]:
        return "has none of the flags asked for"
    better = (work.scored.final > work.scored.final[at_kept]) | work.kept.named
    return f"place {1 + int(np.count_nonzero(better))}, after the first {len(work.shown)}"


def _unanswered(work: Workings) -> str:
    """Why no memory is an answer by itself, and what is shown all the same."""
    decision, limits = work.decision, work.limits
    if decision.best < limits.tau:
        said = f"below tau: the best evidence of any memory is {decision.best:.2f} < {limits.tau:.2f}"
    else:
        said = f"below strength: the words found are too few, {decision.strength:.2f} < {limits.strength:.2f}"
    if work.among.cosine is not None:
        cosine = np.nan_to_num(work.among.cosine, nan=-1.0).max(initial=-1.0)
        said += f", the best cosine {cosine:.2f} < {limits.cosine_tau:.2f}"
    if work.by_lexicon and len(work.kept.slots):
        said += "; only the few best that have a word often used for those asked for are shown"
    return said


def _below_lead(work: Workings, place: int) -> str:
    decision, among = work.decision, work.among
    if among.cosine is not None and decision.by_meaning.any():
        return f"below lead: its cosine is {np.nan_to_num(among.cosine[place]):.2f} < {decision.needed:.2f}"
    if among.rank[place] < decision.rank_bar:
        return f"below lead: its rank is {among.rank[place]:.2f} < {decision.rank_bar:.2f}"
    return f"below the one that is named: its evidence is {among.evidence[place]:.2f} < {decision.named_bar:.2f}"


def has(found: Found, slot: int) -> bool:
    """Whether the document at `slot` is among the postings."""
    at = int(np.searchsorted(found.slots, slot))
    return at < len(found.slots) and int(found.slots[at]) == slot


def _signal(values: Floats, at: int, usual: Scale, share: float) -> Signal:
    raw = float(values[at])
    deviations = (raw - usual.mean) / usual.deviation if usual.deviation > 0.0 else 0.0
    return Signal(
        raw=raw,
        usual=usual.mean,
        z=deviations,
        place=1 + int(np.count_nonzero(values > raw)),
        adds=share * deviations,
    )


def _why(
    work: Workings, place: int, *, name: str | None, matched: tuple[str, ...], typos: tuple[tuple[str, str], ...]
) -> tuple[str, ...]:
    question, scored = work.question, work.scored
    slot = int(work.kept.slots[place])
    said: list[str] = []
    if name is not None:
        said.append(f"the question names it: “{name}”")
    asked = len(question.words)
    if matched:
        said.append(f"has {len(matched)} of {asked} words: {', '.join(matched)}")
    titled = [word for word in question.words if has(work.lookup.titles(word), slot)]
    if titled:
        said.append(f"in its title: {', '.join(titled)}")
    said += [f"“{word}” read as “{term}”" for word, term in typos]
    said += [
        f"as another {_WORD[one.source == 'entity']} for {' '.join(one.of) or 'the question'}: {one.text}"
        for one in question.expanded
        if all(has(work.lookup.words(term), slot) for term in one.terms)
    ]
    entity = work.entities.get(slot)
    if entity is not None:
        said.append(f"speaks of the entity asked for: {entity}")
    fragments = [
        f"{word} in {term}"
        for word, guess in question.guesses.items()
        if guess.sort == "fragment"
        for term in guess.terms
        if has(work.lookup.words(term), slot)
    ]
    if fragments:
        said.append(f"shares letters: {', '.join(fragments[:3])}")
    steered = [one.text for one in question.task if all(has(work.lookup.words(term), slot) for term in one.terms)]
    if steered:
        said.append(f"fits the task: {', '.join(steered)}")
    if work.by_lexicon:
        said.append("nothing has the words asked for; this has one that is often used for them")
    if work.ranked.alpha > 0.0 and question.identifiers_only:
        said.append(f"an identifier was asked for: words weigh {1.0 - work.ranked.alpha:.0%}")
    elif work.ranked.alpha > 0.0:
        kind = "flat: meaning" if work.ranked.alpha >= 0.65 else "steep: words"
        share = work.ranked.alpha if work.ranked.alpha >= 0.65 else 1.0 - work.ranked.alpha
        said.append(f"the word list is {kind} weigh{'s' if kind.endswith('meaning') else ''} {share:.0%}")
    return (*said, *_demotions(float(scored.drift[place]), float(scored.decay[place])))


def _demotions(drift: float, decay: float) -> list[str]:
    said: list[str] = []
    if drift < 1.0:
        said.append(f"the code it is anchored to has changed: times {drift:g}")
    if decay < 1.0:
        said.append(f"not verified for longer than its kind allows: times {decay:g}")
    return said
