"""Items that say nearly the same as one already shown.

Invariant: answers are those of comparing with every item shown; only a few are compared, because two sets whose
Jaccard similarity reaches t share a term among the first |x| - ceil(t·|x|) + 1 of each, in any order that is the same
for both; here terms that few items have come first.

Source: S. Chaudhuri, V. Ganti and R. Kaushik, "A primitive operator for similarity joins in data cleaning", ICDE 2006;
R. Bayardo, Y. Ma and R. Srikant, "Scaling up all pairs similarity search", WWW 2007 (the prefix filter).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final

from memofs.model.briefing import Item

__all__ = ["NEAR", "Shown", "alike"]

NEAR: Final = (17, 20)
"""The share of terms in common from which on two items say the same: 0.85, as in recall, in whole numbers."""


class Shown:
    """The terms of the items that are shown."""

    def __init__(self, candidates: Iterable[Item]) -> None:
        self._having = Counter(term for item in candidates for term in item.terms)
        self._firsts: dict[frozenset[str], list[str]] = {}
        self._by_term: defaultdict[str, list[frozenset[str]]] = defaultdict(list)

    def add(self, item: Item) -> None:
        """Count an item among those that are shown."""
        for term in self._first(item.terms):
            self._by_term[term].append(item.terms)

    def has_like(self, item: Item) -> bool:
        """Whether an item that is shown says nearly the same; nothing is like nothing."""
        if not self._by_term:
            return False
        terms = item.terms
        return any(alike(terms, other) for term in self._first(terms) for other in self._by_term.get(term, ()))

    def _first(self, terms: frozenset[str]) -> list[str]:
        first = self._firsts.get(terms)
        if first is None:
            part, whole = NEAR
            rarest = sorted(terms, key=lambda term: (self._having[term], term))
            first = self._firsts[terms] = rarest[: len(terms) + part * len(terms) // -whole + 1] if terms else []
        return first


def alike(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether two sets have at least `NEAR` of their terms in common: Jaccard's |a ∩ b| / |a ∪ b|."""
    part, whole = NEAR
    if whole * min(len(a), len(b)) < part * max(len(a), len(b)):
        return False
    common = len(a & b)
    return common > 0 and whole * common >= part * (len(a) + len(b) - common)
