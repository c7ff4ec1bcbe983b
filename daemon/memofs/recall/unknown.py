"""What a word that no eligible memory has may stand for: a word one slip away, or words it is a fragment of.

Invariant: works on the vocabulary alone, never on a document, and only for unknown words: giving every word of a
question credit for fragments costs milliseconds and gains nothing.
"""

from collections.abc import Callable
from typing import Final, Literal

import msgspec
from rapidfuzz.distance import DamerauLevenshtein

from memofs.recall.index import LexicalIndex
from memofs.recall.layers import ALL, Layers
from memofs.recall.vocabulary import containing, starting, within

__all__ = ["FRAGMENT_WEIGHT", "TYPO_WEIGHT", "Guess", "guess"]

TYPO_WEIGHT: Final = 0.8
FRAGMENT_WEIGHT: Final = 0.25

_SHORTEST_TYPO: Final = 4
_SHORTEST_FRAGMENT: Final = 3


class Guess(msgspec.Struct, frozen=True, kw_only=True):
    """Terms of the vocabulary that may be meant, ascending: `typo` one slip away, `fragment` sharing letters."""

    sort: Literal["typo", "fragment"]
    terms: tuple[str, ...]


def guess(index: LexicalIndex, word: str, *, known: Callable[[str], bool], used: Layers = ALL) -> Guess | None:
    """What an unknown word may stand for, or None; `known` says whether an eligible memory has a term."""
    meant = {term for term in _slips(index, word) if known(term)} if used.typos else set[str]()
    if meant:
        return Guess(sort="typo", terms=tuple(sorted(meant)))
    related = {term for term in _related(index, word) if known(term)} if used.fragments else set[str]()
    return Guess(sort="fragment", terms=tuple(sorted(related))) if related else None


def _slips(index: LexicalIndex, word: str) -> set[str]:
    """Terms of letters, one insertion, deletion, substitution or transposition away, with the same first two.

    Words of four letters turn into others by one letter too easily (helm, help): they allow no substitution.
    """
    if len(word) < _SHORTEST_TYPO or not word.isalpha():
        return set()
    found: set[str] = set()
    for segment in index.segments:
        words = segment.words.vocabulary
        for at in starting(words, word[:2]):
            term = words.terms[at]
            if (
                len(term) >= _SHORTEST_TYPO
                and -1 <= len(term) - len(word) <= 1
                and term.isalpha()
                and DamerauLevenshtein.distance(word, term, score_cutoff=1) <= 1
                and (len(word) > _SHORTEST_TYPO or len(term) != len(word) or sorted(term) == sorted(word))
            ):
                found.add(term)
    return found


def _related(index: LexicalIndex, word: str) -> set[str]:
    if len(word) < _SHORTEST_FRAGMENT:
        return set()
    found: set[str] = set()
    for segment in index.segments:
        found.update(containing(segment.derived.joined_words, word))
        found.update(within(segment.words.vocabulary, word, shortest=_SHORTEST_FRAGMENT))
    return found
