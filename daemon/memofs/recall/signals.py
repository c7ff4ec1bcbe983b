"""The signals of precision.md that words give, for every memory of a pool at once.

b is BM25 over all fields, c how much of the question's information is covered, t BM25 over titles. Meaning (v) comes
from elsewhere and is weighed in `recall.rank`.

Invariant: own words, their guesses and expansions make b, c and t; the task only adds to `steered`, which orders
but is no evidence.
"""

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from memofs.recall.arrays import Bools, Floats
from memofs.recall.bm25 import FUZZY_BOOST
from memofs.recall.index import find_any
from memofs.recall.layers import ALL, Layers
from memofs.recall.lookup import Lookup
from memofs.recall.pool import Pool
from memofs.recall.question import COMPOUND_WEIGHT, Question
from memofs.recall.rerank import EXACT, EXPANDED, IN_NAME, TYPO, coverage
from memofs.recall.score import Term, fuzzy_score, parts_score, phrase_score, title_score, words_score
from memofs.recall.unknown import TYPO_WEIGHT

__all__ = ["PART_SHARE", "WordSignals", "by_expansion", "scored_terms", "word_signals"]

PART_SHARE: Final = 0.25
"""What the best section of a long memory has to say in its BM25."""

_BLOCK: Final = 16


class WordSignals(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Arrays (n_pool,): `words` is b, `steered` b with the task's terms, `coverage` c, `title` t, `fuzzy` in [0, 1].

    `information` is Σ idf of the question's words; `word_hits` says whether any memory has one, or a typo of one.
    `whole` is there where the question asks for nothing but identifiers that memories have: how much of them, by what
    each tells, stands in a memory as it was written, in [0, 1].
    """

    words: Floats
    steered: Floats
    coverage: Floats
    title: Floats
    fuzzy: Floats
    information: float
    word_hits: bool
    whole: Floats | None = None


def word_signals(lookup: Lookup, pool: Pool, question: Question, *, used: Layers = ALL) -> WordSignals:
    """The signals of all memories of the pool for the question; those of layers not in use are zero."""
    terms = scored_terms(question)
    words = words_score(lookup, pool, terms)
    word_hits = bool(words.any())
    parts = parts_score(lookup, pool, terms) if used.sections else None
    if parts is not None:
        words = np.where(parts > 0.0, (1.0 - PART_SHARE) * words + PART_SHARE * parts, words)
    for one in question.expanded:
        slots, scores = phrase_score(lookup, one.terms)
        words[pool.places[slots]] += one.weight * scores
    fuzzy = fuzzy_score(lookup, pool, question.repeated, question.guesses)
    words += FUZZY_BOOST * fuzzy
    titled = [term for term in terms if len(lookup.titles(term[0]).slots)] if used.title else []
    rarity = np.array([lookup.idf(lookup.df(word)) for word in question.words])
    covered = _coverage(lookup, pool, question, rarity)
    return WordSignals(
        words=words,
        steered=_steered(lookup, pool, question, words, covered),
        coverage=covered,
        title=title_score(lookup, pool, titled),
        fuzzy=fuzzy,
        information=float(rarity.sum()),
        word_hits=word_hits,
        whole=_whole(lookup, pool, question) if question.identifiers_only else None,
    )


def scored_terms(question: Question) -> list[Term]:
    """The terms that BM25 sums over for the person's own words, with their weights."""
    terms = [(word, 1.0) for word in question.words]
    terms += [(name.term, name.weight) for name in question.names]
    for guess in question.guesses.values():
        if guess.sort == "typo":
            terms += [(term, TYPO_WEIGHT) for term in guess.terms]
    return terms


def by_expansion(lookup: Lookup, pool: Pool, question: Question) -> Bools:
    """The mask of the memories that match an expansion of the person's own words, (n_pool,)."""
    mask = np.zeros(len(pool.slots), dtype=np.bool_)
    for one in question.expanded:
        mask[pool.places[lookup.all_of(one.terms)]] = True
    return mask


def _whole(lookup: Lookup, pool: Pool, question: Question) -> Floats:
    """The share of the question's identifiers that each memory has whole, weighed by what each of them tells."""
    whole = np.zeros(len(pool.slots))
    total = 0.0
    for name in question.names:
        if name.weight == COMPOUND_WEIGHT:
            found = lookup.words(name.term)
            rarity = lookup.idf(len(found.slots))
            whole[pool.places[found.slots]] += rarity
            total += rarity
    return whole / total if total > 0.0 else whole


def _steered(lookup: Lookup, pool: Pool, question: Question, words: Floats, covered: Floats) -> Floats:
    """Words and the task's terms, these as far as a memory covers the question itself.

    So the task tells apart what answers alike, and lifts nothing over what answers better.
    """
    if not question.task:
        return words
    steered = words.copy()
    for one in question.task:
        slots, scores = phrase_score(lookup, one.terms)
        places = pool.places[slots]
        within = places >= 0
        steered[places[within]] += one.weight * scores[within] * covered[places[within]]
    return steered


def _coverage(lookup: Lookup, pool: Pool, question: Question, rarity: Floats) -> Floats:
    """Coverage of every memory: the mean of blocks of words, weighed by what each tells, which bounds memory."""
    total = np.zeros(len(pool.slots))
    for first in range(0, len(question.words), _BLOCK):
        told = rarity[first : first + _BLOCK]
        words = question.words[first : first + _BLOCK]
        total += coverage(_credits(lookup, pool, question, words), told) * told.sum()
    return total / rarity.sum() if rarity.sum() > 0.0 else total


def _credits(lookup: Lookup, pool: Pool, question: Question, words: Sequence[str]) -> Floats:
    """What each of the words is worth in each memory, (n_pool, n_words), columns contiguous."""
    credits = np.zeros((len(pool.slots), len(words)), order="F")
    for at, word in enumerate(words):
        column = credits[:, at]
        for one in question.expanded:
            if word in one.of:
                column[pool.places[lookup.all_of(one.terms)]] = EXPANDED
        guess = question.guesses.get(word)
        if guess is not None and guess.sort == "typo":
            slots = find_any(lookup.index, guess.terms, among=lambda segment: segment.words)
            column[pool.places[slots[lookup.mask[slots]]]] = TYPO
        found = lookup.words(word)
        if len(found.slots):
            places = pool.places[found.slots]
            column[places] = np.maximum(column[places], np.where(found.pieces, IN_NAME, EXACT))
        for name in question.names:
            if word in name.words:
                column[pool.places[lookup.words(name.term).slots]] = EXACT
    return credits
