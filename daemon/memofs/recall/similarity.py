"""When two memories say the same."""

from collections.abc import Set
from typing import Final

__all__ = ["DUPLICATE", "jaccard"]

DUPLICATE: Final = 0.85
"""From here on two sets of terms count as near-duplicates."""


def jaccard(a: Set[str], b: Set[str]) -> float:
    """Return the share of terms two sets have in common, 0 to 1; nothing is like nothing by 0.

    Source: P. Jaccard, "The distribution of the flora in the alpine zone", New Phytologist 11 (1912), pp. 37–50.
    """
    common = len(a & b)
    return common / (len(a) + len(b) - common) if common else 0.0
