"""From the numbers a model returns to vectors and scores: plain functions on arrays.

Nothing here knows where the numbers come from.
"""

import numpy as np
from numpy.typing import NDArray

from memofs.embed.protocol import EmbedderError, Matrix, Scores

__all__ = ["clamped", "first_token", "late_interaction", "mean_of_tokens", "require_finite", "sigmoid", "unit_rows"]

_TINY = 1e-12


def mean_of_tokens(hidden: NDArray[np.float32], mask: NDArray[np.int64]) -> Matrix:
    """(b, d) means over the tokens the mask keeps, of (b, t, d) and (b, t); zeros where it keeps none.

    Source: Reimers and Gurevych 2019, Sentence-BERT, section 3.
    """
    weights = mask.astype(np.float32)
    summed = np.einsum("btd,bt->bd", hidden, weights)
    return (summed / np.maximum(weights.sum(axis=1, keepdims=True), 1.0)).astype(np.float32)


def first_token(hidden: NDArray[np.float32], mask: NDArray[np.int64]) -> Matrix:
    """(b, d): the vector of the first token ([CLS]); zeros where the mask keeps none."""
    return np.where(mask[:, :1] > 0, hidden[:, 0, :], np.float32(0)).astype(np.float32)


def unit_rows(rows: NDArray[np.floating]) -> Matrix:
    """The rows divided by their Euclidean norms; a row of zeros stays one."""
    norms = np.linalg.norm(rows, axis=-1, keepdims=True)
    return (rows / np.maximum(norms, _TINY)).astype(np.float32)


def late_interaction(query: Matrix, passage: Matrix) -> float:
    """The mean, over the query's tokens, of the best cosine with a token of the passage; 0 without tokens.

    The rows of both are unit vectors of tokens. The original sums; the mean puts queries of all lengths on one scale.
    Source: Khattab and Zaharia 2020, ColBERT, equation 3.
    """
    if not len(query) or not len(passage):
        return 0.0
    return float((query @ passage.T).max(axis=1).mean())


def sigmoid(logits: NDArray[np.float32]) -> Scores:
    """1 / (1 + e^-x), without overflow."""
    return (0.5 * (1.0 + np.tanh(0.5 * logits))).astype(np.float32)


def clamped(scores: NDArray[np.floating]) -> Scores:
    """The scores within [0, 1]."""
    return np.clip(scores, 0.0, 1.0).astype(np.float32)


def require_finite(values: NDArray[np.floating], who: str) -> None:
    """Return if every number is finite. Raises EmbedderError `notFinite`, naming who answered so."""
    if not np.isfinite(values).all():
        raise EmbedderError(
            "notFinite",
            f"{who} returned a number that is not finite (NaN or infinite)",
            "Its answer was not used. If this repeats, choose another model with `memofs model use`.",
        )
