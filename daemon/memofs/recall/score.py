"""BM25 and fuzzy overlap over the index, for the memories of a pool: arrays (n_pool,).

Invariant: the formulas are those of `recall.bm25` and `recall.fuzzy`, applied to postings.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from memofs.recall.arrays import Floats, Rows
from memofs.recall.bm25 import TITLE_B, B, tf_norm
from memofs.recall.fuzzy import FRAGMENT
from memofs.recall.index import Found, find_any, segment_at
from memofs.recall.lookup import Lookup
from memofs.recall.pool import Pool
from memofs.recall.postings import row
from memofs.recall.segment import Segment
from memofs.recall.unknown import Guess

__all__ = [
    "Term",
    "best_part",
    "fuzzy_score",
    "parts_score",
    "phrase_score",
    "term_score",
    "title_score",
    "words_score",
]

Term = tuple[str, float]
"""A term and what its score is multiplied by."""


def words_score(lookup: Lookup, pool: Pool, terms: Iterable[Term]) -> Floats:
    """Σ weight · idf · tf_norm over the terms."""
    total = np.zeros(len(pool.slots))
    for term, weight in terms:
        found = lookup.words(term)
        if len(found.slots):
            total[pool.places[found.slots]] += weight * term_score(lookup, found)
    return total


def title_score(lookup: Lookup, pool: Pool, terms: Iterable[Term]) -> Floats:
    """The same over titles alone, where length matters less; terms that no memory of the pool has add nothing."""
    total = np.zeros(len(pool.slots))
    for term, weight in terms:
        found = lookup.titles(term)
        if len(found.slots):
            lengths = lookup.title_lengths[found.slots]
            norm = tf_norm(found.tf.astype(np.float64), lengths, lookup.average_title_length, b=TITLE_B)
            total[pool.places[found.slots]] += weight * lookup.idf(len(found.slots)) * norm
    return total


def term_score(lookup: Lookup, found: Found) -> Floats:
    """The idf · tf_norm of one term in the documents that have it, (len(found.slots),)."""
    norm = tf_norm(found.tf.astype(np.float64), lookup.lengths[found.slots], lookup.average_length, b=B)
    return lookup.idf(len(found.slots)) * norm


def phrase_score(lookup: Lookup, terms: Sequence[str]) -> tuple[Rows, Floats]:
    """The slots that have all the terms, and their mean score there."""
    first = lookup.words(terms[0])
    slots, scores = first.slots, term_score(lookup, first)
    for term in terms[1:]:
        found = lookup.words(term)
        slots, left, right = np.intersect1d(slots, found.slots, assume_unique=True, return_indices=True)
        scores = scores[left] + term_score(lookup, found)[right]
    return slots, scores / len(terms)


def fuzzy_score(lookup: Lookup, pool: Pool, asked: Sequence[str], guesses: Mapping[str, Guess]) -> Floats:
    """The share of the asked words (repeated ones too) that each document has, a fragment counted less."""
    total = np.zeros(len(pool.slots))
    for word in asked:
        total[pool.places[lookup.words(word).slots]] += 1.0
        guess = guesses.get(word)
        if guess is not None:
            slots = find_any(lookup.index, guess.terms, among=lambda segment: segment.words)
            total[pool.places[slots[lookup.mask[slots]]]] += FRAGMENT
    return total / len(asked) if asked else total


def parts_score(lookup: Lookup, pool: Pool, terms: Sequence[Term]) -> Floats | None:
    """BM25 of the best section of every memory that has sections, zero for the others; None if none has.

    What a term tells is taken from the memories, what a length means from the sections.
    """
    segments = [
        (segment, offset)
        for segment, offset in zip(lookup.index.segments, lookup.index.offsets, strict=True)
        if len(segment.parents)
    ]
    if not segments:
        return None
    masks = [lookup.mask[segment.parents + np.int32(offset)] for segment, offset in segments]
    count = sum(int(np.count_nonzero(mask)) for mask in masks)
    total = sum(int(segment.part_lengths[mask].sum()) for (segment, _), mask in zip(segments, masks, strict=True))
    best = np.zeros(len(pool.slots))
    for segment, offset in segments:
        scores = _section_scores(lookup, segment, terms, total / count if count else 0.0)
        matched = np.flatnonzero(scores)
        places = pool.places[segment.parents[matched] + np.int32(offset)]
        within = places >= 0
        np.maximum.at(best, places[within], scores[matched[within]])
    return best


def best_part(lookup: Lookup, slot: int, terms: Sequence[Term]) -> int | None:
    """Which section of the memory at `slot` answers best, counted from 0; None if it has none or none matches."""
    segment, local = segment_at(lookup.index, slot)
    first, last = np.searchsorted(segment.parents, (local, local + 1)).tolist()
    if first == last:
        return None
    lengths = segment.part_lengths[first:last].astype(np.float64)
    average = float(lengths.mean())
    scores = np.zeros(last - first)
    for term, weight in terms:
        found = row(segment.parts, term)
        if found is not None:
            a, b = np.searchsorted(found.slots, (first, last)).tolist()
            at = found.slots[a:b] - first
            norm = tf_norm(found.tf[a:b].astype(np.float64), lengths[at], average)
            scores[at] += weight * lookup.idf(lookup.df(term)) * norm
    best = int(scores.argmax())
    return best if scores[best] > 0.0 else None


def _section_scores(lookup: Lookup, segment: Segment, terms: Iterable[Term], average: float) -> Floats:
    scores = np.zeros(len(segment.parents))
    for term, weight in terms:
        found = row(segment.parts, term)
        if found is not None:
            lengths = segment.part_lengths[found.slots].astype(np.float64)
            norm = tf_norm(found.tf.astype(np.float64), lengths, average)
            scores[found.slots] += weight * lookup.idf(lookup.df(term)) * norm
    return scores
