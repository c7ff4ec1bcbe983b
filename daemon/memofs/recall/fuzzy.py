"""How many of a query's words a text has, fragments counted for a quarter."""

from collections.abc import Iterable, Sequence
from typing import Final

__all__ = ["FRAGMENT", "overlap"]

FRAGMENT: Final = 0.25
"""What a word is worth that a term of the text contains, or that contains one."""


def overlap(query: Sequence[str], document: Iterable[str]) -> float:
    """Return the share of the query's words (repeated ones too) that the document's terms have, 0 to 1.

    Source: the original system (golden cases `fuzzy` and `rerank`).
    """
    if not query:
        return 0.0
    terms = frozenset(document)
    return sum(_credit(word, terms) for word in query) / len(query)


def _credit(word: str, terms: frozenset[str]) -> float:
    if word in terms:
        return 1.0
    return FRAGMENT if any(word in term or term in word for term in terms) else 0.0
