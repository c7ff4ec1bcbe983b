"""Which section of a document speaks of the words asked for."""

from collections.abc import Sequence, Set
from typing import Final

__all__ = ["HEADING_BONUS", "section_score"]

HEADING_BONUS: Final = 3
"""What a word counts in a heading beyond a word of the text."""


def section_score(query: Set[str], heading: Sequence[str], body: Sequence[str]) -> int:
    """Return how often a section has the query's terms, those of its heading counted four times.

    Source: the original system (golden case `section_search`).
    """
    in_heading = sum(term in query for term in heading)
    return sum(term in query for term in body) + (1 + HEADING_BONUS) * in_heading
