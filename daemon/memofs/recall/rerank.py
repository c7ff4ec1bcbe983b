"""The deterministic rerankers: how much of the query a text covers.

Two of them: the original's, by plain token overlap, stop words included; and ours, by the information of the words
covered. A model that takes their place answers in [0, 1] too.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from memofs.recall.arrays import Floats
from memofs.recall.fuzzy import overlap

__all__ = ["EXACT", "EXPANDED", "IN_NAME", "TYPO", "coverage", "plain_rerank"]

EXACT: Final = 1.0
TYPO: Final = 0.8
EXPANDED: Final = 0.5
"""What a word is worth that the text has only under another name, from the lexicon."""
IN_NAME: Final = 0.25
"""What a word is worth that is a mere piece of a camelCase name."""


def plain_rerank(query: Sequence[str], document: Sequence[str]) -> float:
    """Return the unweighted overlap of two token lists that still have their stop words.

    Source: the original system (golden case `rerank`).
    """
    return overlap(query, document)


def coverage(credits: Floats, idf: Floats) -> Floats:
    """Return c = Σ idf·credit / Σ idf for every document, 0 to 1.

    `credits` (n_documents, n_words) says what each of the query's words is worth there, `idf` (n_words,) what it
    tells; a query without words, or with none that tells anything, covers nothing.

    Source: the weighting of K. Sparck Jones, "A statistical interpretation of term specificity and its application
    in retrieval", Journal of Documentation 28 (1972), pp. 11–21, put in place of the original's equal weights.
    """
    total = float(idf.sum())
    if total <= 0.0:
        return np.zeros(len(credits))
    return np.einsum("ij,j->i", credits, idf) / total  # not the matrix product, whose threads stall on a busy machine
