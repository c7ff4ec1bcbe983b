"""The index as one question sees it: only the eligible documents, each term looked up once.

Invariant: N, df and the average length are those of the eligible documents, so a score never depends on memories
that the question may not find, or on how the index came to be.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from memofs.recall.arrays import Bools, Floats, Rows
from memofs.recall.bm25 import idf
from memofs.recall.index import Found, LexicalIndex, column, find
from memofs.recall.postings import Postings
from memofs.recall.segment import Segment

__all__ = ["PRIOR_DOCUMENTS", "Lookup"]

PRIOR_DOCUMENTS: Final = 15
"""Imagined memories that shrink the statistics of a small store: they have none of the words."""


class Lookup:
    """Postings, document frequencies and lengths among `mask`, remembered for as long as one question lasts."""

    def __init__(
        self, index: LexicalIndex, mask: Bools, *, prior: int = PRIOR_DOCUMENTS, titles_only: bool = False
    ) -> None:
        self.index = index
        self.mask = mask
        self.prior = prior
        self.titles_only = titles_only
        self.documents = int(np.count_nonzero(mask))
        self._everything = self.documents == index.size
        self._words: dict[str, Found] = {}
        self._titles: dict[str, Found] = {}
        self.lengths, self.average_length = self._lengths(lambda segment: segment.lengths)
        self.title_lengths, self.average_title_length = self._lengths(lambda segment: segment.title_lengths)

    def words(self, term: str) -> Found:
        """The eligible documents that have `term` in any field, or in the title if titles only are asked."""
        if self.titles_only:
            return self.titles(term)
        return self._find(term, self._words, lambda segment: segment.words)

    def titles(self, term: str) -> Found:
        """The eligible documents that have `term` in their title or an alias."""
        return self._find(term, self._titles, lambda segment: segment.titles)

    def all_of(self, terms: Sequence[str]) -> Rows:
        """The slots of the eligible documents that have all the terms."""
        slots = self.words(terms[0]).slots
        for term in terms[1:]:
            slots = np.intersect1d(slots, self.words(term).slots, assume_unique=True)
        return slots

    def names(self, key: str) -> Found:
        """The eligible documents that have the name with this key."""
        return self._eligible(find(self.index, key, among=lambda segment: segment.names))

    def df(self, term: str) -> int:
        """How many eligible documents have `term`."""
        return len(self.words(term).slots)

    def known(self, term: str) -> bool:
        """Whether an eligible document has `term`."""
        return self.df(term) > 0

    def idf(self, df: int) -> float:
        """What a term tells that `df` eligible documents have; one that none has tells most."""
        return idf(self.documents + self.prior, df)

    def _find(self, term: str, seen: dict[str, Found], among: Callable[[Segment], Postings]) -> Found:
        found = seen.get(term)
        if found is None:
            found = seen[term] = self._eligible(find(self.index, term, among=among))
        return found

    def _eligible(self, found: Found) -> Found:
        if self._everything or not len(found.slots):
            return found
        kept = self.mask[found.slots]
        return Found(found.slots[kept], found.tf[kept], found.pieces[kept])

    def _lengths(self, of: Callable[[Segment], Rows]) -> tuple[Floats, float]:
        lengths = column(self.index, of, np.int32)
        total = int(lengths.sum() if self._everything else lengths[self.mask].sum())
        return lengths.astype(np.float64), total / self.documents if self.documents else 0.0
