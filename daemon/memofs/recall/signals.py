"""The signals of precision.md that words give, for every eligible memory at once.

b is BM25 over all fields, c how much of the question's information is covered, t BM25 over titles. All are dense
over slots and zero outside the eligible. Meaning (v) comes from elsewhere and is weighed in `recall.rank`.

Invariant: own words, their guesses and expansions make b, c and t; the task only adds to `steered`, which orders
but is no evidence.
"""

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from memofs.recall.arrays import Bools, Floats, Rows
from memofs.recall.bm25 import FUZZY_BOOST
from memofs.recall.index import find_any
from memofs.recall.lookup import Lookup
from memofs.recall.question import Question
from memofs.recall.rerank import EXACT, EXPANDED, IN_NAME, TYPO, coverage
from memofs.recall.rewrite import Expanded
from memofs.recall.score import fuzzy_score, parts_score, term_score, title_score, words_score
from memofs.recall.unknown import TYPO_WEIGHT

__all__ = ["PART_SHARE", "WordSignals", "by_expansion", "scored_terms", "word_signals"]

_BLOCK: Final = 16

PART_SHARE: Final = 0.25
"""What the best section of a long memory has to say in its BM25."""


class WordSignals(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Arrays (size,): `words` is b, `steered` b with the task's terms, `coverage` c, `title` t, `fuzzy` in [0, 1].

    `information` is Σ idf of the question's words; `word_hits` says whether any memory has one, or a typo of one.
    """

    words: Floats
    steered: Floats
    coverage: Floats
    title: Floats
    fuzzy: Floats
    information: float
    word_hits: bool


def word_signals(lookup: Lookup, question: Question) -> WordSignals:
    """The signals of all eligible memories for the question."""
    terms = scored_terms(question)
    exact = words_score(lookup, terms)
    parts = parts_score(lookup, terms)
    words = np.where(parts > 0.0, (1.0 - PART_SHARE) * exact + PART_SHARE * parts, exact)
    for one in question.expanded:
        _add_phrase(lookup, words, one)
    fuzzy = fuzzy_score(lookup, question.repeated, question.guesses)
    words += FUZZY_BOOST * fuzzy
    steered = words
    if question.task:
        steered = words.copy()
        for one in question.task:
            _add_phrase(lookup, steered, one)
    rarity = np.array([lookup.idf(lookup.df(word)) for word in question.words])
    return WordSignals(
        words=words,
        steered=steered,
        coverage=_coverage(lookup, question, rarity),
        title=title_score(lookup, terms),
        fuzzy=fuzzy,
        information=float(rarity.sum()),
        word_hits=bool(exact.any()),
    )


def scored_terms(question: Question) -> list[tuple[str, float]]:
    """The terms that BM25 sums over for the person's own words, with their weights."""
    terms = [(word, 1.0) for word in question.words]
    terms += [(name.term, name.weight) for name in question.names]
    for guess in question.guesses.values():
        if guess.sort == "typo":
            terms += [(term, TYPO_WEIGHT) for term in guess.terms]
    return terms


def by_expansion(lookup: Lookup, question: Question) -> Bools:
    """The mask of the memories that match an expansion of the person's own words, (size,)."""
    mask = np.zeros(lookup.index.size, dtype=np.bool_)
    for one in question.expanded:
        mask[_having_all(lookup, one)] = True
    return mask


def _add_phrase(lookup: Lookup, total: Floats, one: Expanded) -> None:
    """Add the mean score of an expansion's terms to the memories that have them all."""
    first = lookup.words(one.terms[0])
    slots, scores = first.slots, term_score(lookup, first)
    for term in one.terms[1:]:
        found = lookup.words(term)
        slots, left, right = np.intersect1d(slots, found.slots, assume_unique=True, return_indices=True)
        scores = scores[left] + term_score(lookup, found)[right]
    total[slots] += one.weight / len(one.terms) * scores


def _coverage(lookup: Lookup, question: Question, rarity: Floats) -> Floats:
    """Coverage of every memory, (size,): the mean of blocks of words, weighed by what each tells, to bound memory."""
    total = np.zeros(lookup.index.size)
    for first in range(0, len(question.words), _BLOCK):
        told = rarity[first : first + _BLOCK]
        words = question.words[first : first + _BLOCK]
        total += coverage(_credits(lookup, question, words), told) * told.sum()
    return total / rarity.sum() if rarity.sum() > 0.0 else total


def _credits(lookup: Lookup, question: Question, words: Sequence[str]) -> Floats:
    """What each of the words is worth in each memory, (size, n_words), columns contiguous."""
    credits = np.zeros((lookup.index.size, len(words)), order="F")
    for place, word in enumerate(words):
        column = credits[:, place]
        for one in question.expanded:
            if word in one.of:
                column[_having_all(lookup, one)] = EXPANDED
        guess = question.guesses.get(word)
        if guess is not None and guess.sort == "typo":
            slots = find_any(lookup.index, guess.terms, among=lambda segment: segment.words)
            column[slots[lookup.mask[slots]]] = TYPO
        found = lookup.words(word)
        if len(found.slots):
            column[found.slots] = np.maximum(column[found.slots], np.where(found.pieces, IN_NAME, EXACT))
        for name in question.names:
            if word in name.words:
                column[lookup.words(name.term).slots] = EXACT
    return credits


def _having_all(lookup: Lookup, one: Expanded) -> Rows:
    slots = lookup.words(one.terms[0]).slots
    for term in one.terms[1:]:
        slots = np.intersect1d(slots, lookup.words(term).slots, assume_unique=True)
    return slots
