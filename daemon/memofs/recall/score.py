"""BM25 and fuzzy overlap over the index: dense arrays over all slots, zero where nothing matches.

Invariant: the formulas are those of `recall.bm25` and `recall.fuzzy`, applied to postings; a document that shares
no term with the question costs nothing.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from memofs.recall.arrays import Floats
from memofs.recall.bm25 import TITLE_B, B, tf_norm
from memofs.recall.fuzzy import FRAGMENT
from memofs.recall.index import Found, find_any, segment_at
from memofs.recall.lookup import Lookup
from memofs.recall.postings import row
from memofs.recall.segment import Segment
from memofs.recall.unknown import Guess

__all__ = ["add_best", "best_part", "fuzzy_score", "parts_score", "term_score", "title_score", "words_score"]


def words_score(lookup: Lookup, terms: Iterable[tuple[str, float]]) -> Floats:
    """Σ weight · idf · tf_norm over the terms, (size,)."""
    total = np.zeros(lookup.index.size)
    for term, weight in terms:
        found = lookup.words(term)
        total[found.slots] += weight * term_score(lookup, found)
    return total


def title_score(lookup: Lookup, terms: Iterable[tuple[str, float]]) -> Floats:
    """The same over titles alone, where length matters less, (size,)."""
    total = np.zeros(lookup.index.size)
    for term, weight in terms:
        found = lookup.titles(term)
        rarity = lookup.idf(len(found.slots))
        lengths = lookup.title_lengths[found.slots]
        total[found.slots] += (
            weight * rarity * tf_norm(found.tf.astype(np.float64), lengths, lookup.average_title_length, b=TITLE_B)
        )
    return total


def term_score(lookup: Lookup, found: Found) -> Floats:
    """Idf · tf_norm of one term in the documents that have it, (len(found.slots),)."""
    rarity = lookup.idf(len(found.slots))
    return rarity * tf_norm(found.tf.astype(np.float64), lookup.lengths[found.slots], lookup.average_length, b=B)


def add_best(lookup: Lookup, total: Floats, options: Iterable[tuple[str, float]]) -> None:
    """Add to `total` what the best of several readings of one word is worth in each document."""
    best = np.zeros(lookup.index.size)
    for term, weight in options:
        found = lookup.words(term)
        best[found.slots] = np.maximum(best[found.slots], weight * term_score(lookup, found))
    total += best


def fuzzy_score(lookup: Lookup, asked: Sequence[str], guesses: Mapping[str, Guess]) -> Floats:
    """The share of the asked words (repeated ones too) that each document has, a fragment counted less, (size,)."""
    total = np.zeros(lookup.index.size)
    for word in asked:
        total[lookup.words(word).slots] += 1.0
        guess = guesses.get(word)
        if guess is not None:
            slots = find_any(lookup.index, guess.terms, among=lambda segment: segment.words)
            total[slots[lookup.mask[slots]]] += FRAGMENT
    return total / len(asked) if asked else total


def parts_score(lookup: Lookup, terms: Sequence[tuple[str, float]]) -> Floats:
    """BM25 of the best section of every memory that is long enough to have sections, zero for the others, (size,).

    What a term tells is taken from the memories, what a length means from the sections.
    """
    best = np.zeros(lookup.index.size)
    segments = [
        (segment, offset)
        for segment, offset in zip(lookup.index.segments, lookup.index.offsets, strict=True)
        if len(segment.parents)
    ]
    if not segments:
        return best
    masks = [lookup.mask[segment.parents + np.int32(offset)] for segment, offset in segments]
    count = sum(int(np.count_nonzero(mask)) for mask in masks)
    total = sum(int(segment.part_lengths[mask].sum()) for (segment, _), mask in zip(segments, masks, strict=True))
    average = total / count if count else 0.0
    for segment, offset in segments:
        scores = _section_scores(lookup, segment, terms, average)
        np.maximum.at(best, segment.parents + offset, scores)
    best[~lookup.mask] = 0.0
    return best


def best_part(lookup: Lookup, slot: int, terms: Sequence[tuple[str, float]]) -> int | None:
    """Which section of the memory at `slot` answers best, counted from 0; None if it has none or none matches."""
    segment, local = segment_at(lookup.index, slot)
    first, last = np.searchsorted(segment.parents, (local, local + 1)).tolist()
    if first == last:
        return None
    average = float(segment.part_lengths[first:last].mean())
    scores = _section_scores(lookup, segment, terms, average)[first:last]
    best = int(scores.argmax())
    return best if scores[best] > 0.0 else None


def _section_scores(lookup: Lookup, segment: Segment, terms: Iterable[tuple[str, float]], average: float) -> Floats:
    scores = np.zeros(len(segment.parents))
    for term, weight in terms:
        found = row(segment.parts, term)
        if found is not None and lookup.known(term):
            lengths = segment.part_lengths[found.slots].astype(np.float64)
            scores[found.slots] += (
                weight * lookup.idf(lookup.df(term)) * tf_norm(found.tf.astype(np.float64), lengths, average)
            )
    return scores
