"""BM25 over terms, term by term; the index applies the same functions to whole columns.

Invariant: every function takes numbers or arrays alike and is the only place its formula is written.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final, overload

import numpy as np

from memofs.recall.arrays import Floats
from memofs.recall.fuzzy import overlap

__all__ = ["FUZZY_BOOST", "K1", "SATURATION", "TITLE_B", "B", "bm25_raw", "idf", "saturate", "tf_norm"]

K1: Final = 1.2
B: Final = 0.75
TITLE_B: Final = 0.3
"""Length matters less where all texts are short."""

FUZZY_BOOST: Final = 0.15
SATURATION: Final = 2.0


@overload
def idf(documents: float, df: float) -> float: ...
@overload
def idf(documents: float, df: Floats) -> Floats: ...
def idf(documents: float, df: float | Floats) -> float | Floats:
    """Return the inverse document frequency, never below 0, of a term that `df` of the documents have.

    Source: S. Robertson and H. Zaragoza, "The probabilistic relevance framework: BM25 and beyond", Foundations and
    Trends in Information Retrieval 3 (2009), with 1 added under the logarithm (Lucene), as the original has it.
    """
    if isinstance(df, np.ndarray):
        return np.maximum(0.0, np.log(1.0 + (documents - df + 0.5) / (df + 0.5)))
    return max(0.0, math.log(1.0 + (documents - df + 0.5) / (df + 0.5)))


@overload
def tf_norm(tf: float, length: float, average: float, *, k1: float = K1, b: float = B) -> float: ...
@overload
def tf_norm(tf: Floats, length: Floats, average: float, *, k1: float = K1, b: float = B) -> Floats: ...
def tf_norm(
    tf: float | Floats, length: float | Floats, average: float, *, k1: float = K1, b: float = B
) -> float | Floats:
    """Return a term's frequency, saturated, and weighed against the document's length; 0 to k1 + 1.

    Source: as `idf`.
    """
    if average <= 0.0:
        return tf * 0.0
    return tf * (k1 + 1.0) / (tf + k1 * (1.0 - b + b * length / average))


@overload
def saturate(score: float) -> float: ...
@overload
def saturate(score: Floats) -> Floats: ...
def saturate(score: float | Floats) -> float | Floats:
    """Return a raw score brought to [0, 1): s / (s + 2), and 0 for none.

    Source: the original system (golden cases `bm25`).
    """
    if isinstance(score, np.ndarray):
        positive = np.maximum(score, 0.0)
        return positive / (positive + SATURATION)
    return score / (score + SATURATION) if score > 0.0 else 0.0


def bm25_raw(query: Sequence[str], corpus: Sequence[Sequence[str]]) -> list[float]:
    """Return the raw score of every document of `corpus` for `query`, both as terms: what the index must equal.

    BM25 over the unique terms of the query, plus 0.15 times the fuzzy overlap.

    Source: the original system (golden cases `bm25`).
    """
    if not corpus:
        return []
    average = sum(map(len, corpus)) / len(corpus)
    df = Counter(term for document in corpus for term in set(document))
    weights = {term: idf(len(corpus), df[term]) for term in dict.fromkeys(query)}
    scores: list[float] = []
    for document in corpus:
        counts = Counter(document)
        exact = sum(
            weight * tf_norm(counts[term], len(document), average) for term, weight in weights.items() if counts[term]
        )
        scores.append(exact + FUZZY_BOOST * overlap(query, document))
    return scores
