"""A query and everything it may also mean, kept apart by where it comes from.

Invariant: a person's own words stay what they are; expansions are made of them alone, in one pass, and never of
each other or of the task. Whoever scores decides what each part may do: own words name, correct and cut off,
expansions (weight 0.5, names of entities 0.4) and the task (0.05) only add.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, Literal, TypeAlias

import msgspec

from memofs.recall.lexicon import Lexicon, Table, built_in, lexicon, look_up, original, terms_of
from memofs.recall.tasks import Task
from memofs.text.acronyms import initials
from memofs.text.analyzer import WHOLE, Word, query_words, words
from memofs.text.fold import fold
from memofs.text.stop_words import STOP_WORDS

__all__ = [
    "ENTITY_WEIGHT",
    "EXPANSION_WEIGHT",
    "TASK_WEIGHT",
    "Expanded",
    "Expansion",
    "Source",
    "embedded_text",
    "rewrite",
]

EXPANSION_WEIGHT: Final = 0.5
ENTITY_WEIGHT: Final = 0.4
"""What an entity is also called, by the graph. At 0.5 one set of the measuring data lost a little, at 0.4 none does."""
TASK_WEIGHT: Final = 0.05
"""At 0.3 a task type cost up to 0.02 of R@5 on the measuring data, at 0.1 nothing that can be told from chance."""

Source: TypeAlias = Literal["lexicon", "acronym", "project", "entity", "task"]


class Expanded(msgspec.Struct, frozen=True, kw_only=True):
    """A word or phrase that was added: it is there where all its `terms` are.

    `of` are the terms of the person's own words that it stands for; none for the task's.
    """

    text: str
    terms: tuple[str, ...]
    weight: float
    source: Source
    of: tuple[str, ...] = ()


class Expansion(msgspec.Struct, frozen=True, kw_only=True):
    """The query, in the order in which it is rewritten: phrase, own words, expansions, task.

    `words` are the person's own. `task` are the terms of the task's phrase and those behind it, without the
    person's own. `kinds` are the kinds of memory that the task is after. `text` is all of it as one line.
    """

    words: tuple[Word, ...]
    expanded: tuple[Expanded, ...] = ()
    phrase: str = ""
    task: tuple[Expanded, ...] = ()
    kinds: frozenset[str] = frozenset()
    text: str = ""


def rewrite(
    text: str,
    task: Task | None = None,
    *,
    base: Lexicon | None = None,
    project: Table | None = None,
    entities: Iterable[tuple[str, tuple[str, ...]]] = (),
) -> Expansion:
    """Return the query `text` with its expansions: from the lexicon `base`, its own initials, the project's table.

    `base` is the built-in lexicon unless given. `entities` are other names of what the query names, with the terms
    that name it. An expansion that says nothing new is left out: one whose terms are
    all own words, or were added before.
    """
    own = tuple(query_words(text))
    seen: set[_Terms] = {(word.term,) for word in own}
    expanded: list[Expanded] = []
    found_by: tuple[tuple[Source, Iterable[tuple[str, _Terms]]], ...] = (
        ("lexicon", _from_lexicon(text, built_in() if base is None else base)),
        ("acronym", _from_initials(text)),
        ("project", _from_lexicon(text, lexicon(project)) if project else ()),
        ("entity", entities),
    )
    for source, found in found_by:
        for phrase, of in found:
            terms = terms_of(phrase)
            if terms not in seen and not all((term,) in seen for term in terms):
                seen.add(terms)
                weight = ENTITY_WEIGHT if source == "entity" else EXPANSION_WEIGHT
                expanded.append(Expanded(text=phrase, terms=terms, weight=weight, source=source, of=of))
    return Expansion(
        words=own,
        expanded=tuple(expanded),
        phrase=task.phrase if task else "",
        task=_steering(task, own) if task else (),
        kinds=frozenset(task.kinds) if task else frozenset(),
        text=_line(text, expanded, task),
    )


def embedded_text(text: str, task: Task | None = None, *, project: Table | None = None) -> str:
    """Return the query as the original system embeds it: all of its parts in one line, expanded by its own lexicon.

    A query of nothing but signs or stop words stays as it is.
    """
    return rewrite(text, task, base=_original(), project=project).text or text


@cache
def _original() -> Lexicon:
    return lexicon(original())


_Terms: TypeAlias = tuple[str, ...]


def _from_lexicon(text: str, known: Lexicon) -> Iterator[tuple[str, _Terms]]:
    """Yield (phrase, terms it stands for) for every key in a query: a whole, or words in a row."""
    asked = words(text)
    row = [word.term for word in asked if word.role != WHOLE]
    keys = [tuple(row[at : at + length]) for at in range(len(row)) for length in range(known.longest, 0, -1)]
    keys += [(word.term,) for word in asked if word.role == WHOLE]
    for key in dict.fromkeys(keys):
        of = tuple(term for term in key if term not in STOP_WORDS)
        yield from ((phrase, of) for phrase in look_up(known, key))


def _from_initials(text: str) -> Iterator[tuple[str, _Terms]]:
    """Yield the initials of the names in a query, with the terms of the name."""
    folded = fold(text)
    for letters, start, end in initials(folded):
        yield letters, terms_of(folded[start:end])


def _steering(task: Task, own: tuple[Word, ...]) -> tuple[Expanded, ...]:
    """Return the words of the task's phrase and its terms, without what the person says already."""
    seen: set[_Terms] = {(word.term,) for word in own}
    added: list[Expanded] = []
    for text in (*(word.term for word in query_words(task.phrase) if word.role != WHOLE), *task.terms):
        terms = terms_of(text)
        if terms not in seen:
            seen.add(terms)
            added.append(Expanded(text=text, terms=terms, weight=TASK_WEIGHT, source="task"))
    return tuple(added)


def _line(text: str, expanded: Iterable[Expanded], task: Task | None) -> str:
    """Return all parts in order, joined by spaces, nothing twice."""
    line = [task.phrase] if task else []
    seen: set[_Terms] = {(term,) for phrase in line for term in terms_of(phrase)}
    for piece in (*text.split(), *(addition.text for addition in expanded), *(task.terms if task else ())):
        terms = terms_of(piece)
        if terms and not seen.issuperset((term,) for term in terms) and terms not in seen:
            seen.add(terms)
            line.append(piece)
    return " ".join(line)
