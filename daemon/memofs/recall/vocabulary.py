"""The terms of one set of postings: sorted, each with its row, searchable by prefix and by substring.

Invariant: `terms` is strictly ascending and `rows[terms[i]] == i`. Substring search runs over one joined string, so
that a fragment costs one `str.find` pass over the vocabulary and never touches a document.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

import msgspec

__all__ = ["Vocabulary", "containing", "joined", "starting", "vocabulary", "within"]

_BETWEEN: Final = "\n"
_PAST_EVERY_CHARACTER: Final = "\U0010ffff"


class Vocabulary(msgspec.Struct, frozen=True, eq=False):
    """Sorted terms and their rows."""

    terms: tuple[str, ...]
    rows: Mapping[str, int]


def vocabulary(terms: Iterable[str]) -> Vocabulary:
    """The vocabulary of these terms, in any order, each once."""
    ordered = tuple(sorted(terms))
    return Vocabulary(terms=ordered, rows=MappingProxyType({term: row for row, term in enumerate(ordered)}))


def joined(words: Vocabulary) -> str:
    """All terms with a line break before, between and after them, for `containing`."""
    return _BETWEEN + _BETWEEN.join(words.terms) + _BETWEEN


def starting(words: Vocabulary, prefix: str) -> range:
    """The rows of the terms that begin with `prefix`."""
    first = bisect_left(words.terms, prefix)
    return range(first, bisect_left(words.terms, prefix + _PAST_EVERY_CHARACTER, lo=first))


def containing(terms: str, fragment: str) -> list[str]:
    """The terms of `terms`, as joined, that hold `fragment` somewhere inside, itself left out."""
    found: list[str] = []
    at = terms.find(fragment)
    while at >= 0:
        end = terms.find(_BETWEEN, at)
        term = terms[terms.rfind(_BETWEEN, 0, at) + 1 : end]
        if term != fragment:
            found.append(term)
        at = terms.find(fragment, end)
    return found


def within(words: Vocabulary, word: str, *, shortest: int) -> list[str]:
    """The terms of at least `shortest` characters that lie inside `word`, itself left out."""
    rows = words.rows
    last = len(word)
    pieces = {word[a:b] for a in range(last - shortest + 1) for b in range(a + shortest, last + 1)}
    pieces.discard(word)
    return sorted(piece for piece in pieces if piece in rows)
