"""A question made ready for one index: own words, names they spell together, expansions, and guesses.

Invariant: only what an eligible memory has is kept of wholes and expansions, and only words that none has get a
guess. A person's own words are never dropped: an unknown one still counts in what is covered.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

import msgspec

from memofs.recall.layers import ALL, Layers
from memofs.recall.lookup import Lookup
from memofs.recall.rewrite import Expanded, Expansion
from memofs.recall.unknown import Guess, guess
from memofs.text.analyzer import WHOLE, Word
from memofs.text.stop_words import STOP_WORDS

__all__ = ["COMPOUND_WEIGHT", "JOINED_WEIGHT", "Name", "Question", "ask"]

COMPOUND_WEIGHT: Final = 1.0
"""What it is worth that a compound of the question (getUserById) stands in a memory as it is."""
JOINED_WEIGHT: Final = 0.8
"""What it is worth that two words of the question stand in a memory as one ("invoice service", InvoiceService)."""

_MOST_GUESSES: Final = 24
"""Each searches the whole vocabulary; a pasted log has hundreds of words that no memory has."""


class Name(msgspec.Struct, frozen=True, kw_only=True):
    """A term that stands for several words of the question, and those words."""

    term: str
    words: tuple[str, ...]
    weight: float


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """`words` are the person's, each once, without wholes; `repeated` as they were asked.

    `names` are wholes of compounds and joined neighbours, `expanded` and `task` are known in all their terms,
    `guesses` are by word, for the first unknown ones. `only_stop_words` says that there is nothing else: titles alone
    can answer that. `identifiers_only` says that all informative words are parts of compounds that memories have.
    """

    words: tuple[str, ...]
    repeated: tuple[str, ...]
    names: tuple[Name, ...] = ()
    expanded: tuple[Expanded, ...] = ()
    task: tuple[Expanded, ...] = ()
    guesses: Mapping[str, Guess] = {}
    only_stop_words: bool = False
    identifiers_only: bool = False


def ask(lookup: Lookup, expansion: Expansion, *, used: Layers = ALL) -> Question:
    """The question for the memories that `lookup` sees, as far as the layers in use read it."""
    counted = [word for word in expansion.words if word.role != WHOLE]
    words = tuple(dict.fromkeys(word.term for word in counted))
    offered = (one for one in expansion.expanded if (used.entities if one.source == "entity" else used.expansions))
    expanded = tuple(one for one in offered if all(map(lookup.known, one.terms)))
    explained = {term for one in expanded for term in one.of}
    guesses: dict[str, Guess] = {}
    unknown = [word for word in words if word not in explained and not lookup.known(word)]
    for word in unknown[:_MOST_GUESSES]:
        meant = guess(lookup.index, word, known=lookup.known, used=used)
        if meant is not None:
            guesses[word] = meant
    names = _names(lookup, expansion.words, counted)
    informative = {word for word in words if word not in STOP_WORDS}
    written_as_one = {word for name in names if name.weight == COMPOUND_WEIGHT for word in name.words}
    return Question(
        words=words,
        repeated=tuple(word.term for word in counted),
        names=names,
        expanded=expanded,
        task=tuple(one for one in expansion.task if all(map(lookup.known, one.terms))),
        guesses=guesses,
        only_stop_words=bool(words) and not informative,
        identifiers_only=bool(informative) and informative <= written_as_one,
    )


def _names(lookup: Lookup, own: tuple[Word, ...], counted: list[Word]) -> tuple[Name, ...]:
    found: dict[str, Name] = {}
    for whole in own:
        if whole.role == WHOLE and lookup.known(whole.term):
            parts = tuple(word.term for word in counted if whole.start <= word.start and word.end <= whole.end)
            found.setdefault(whole.term, Name(term=whole.term, words=parts, weight=COMPOUND_WEIGHT))
    for left, right in pairwise(counted):
        joined = left.term + right.term
        if joined.isalnum() and joined not in found and left.end <= right.start and lookup.known(joined):
            found[joined] = Name(term=joined, words=(left.term, right.term), weight=JOINED_WEIGHT)
    return tuple(found.values())
