"""Weighted multisets of tokens, and how alike two texts are by them.

Invariant: a bag depends on the text alone; blanks never count. A word weighs 1, each word of a compound identifier ½
(so that `userName` and `user_name` meet), a sign ¼. Positions and order are left to diff.py and hunks.py.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

import msgspec

__all__ = ["EMPTY", "TOKEN", "Bag", "bag", "dice", "joined", "token_spans"]

TOKEN = re.compile(r"\w+|[^\w\s]")
"""A word, or a sign by itself."""


class Bag(msgspec.Struct, frozen=True):
    """Tokens with their weight times their count, and the sum of it all."""

    weights: Mapping[str, float]
    total: float


EMPTY = Bag({}, 0.0)


def bag(text: str) -> Bag:
    """Return the tokens of `text`."""
    weights: dict[str, float] = {}
    total = 0.0
    for token in TOKEN.findall(text):
        for key, weight in _weighed(token):
            weights[key] = weights.get(key, 0.0) + weight
            total += weight
    return Bag(weights, total)


def joined(first: Bag, second: Bag) -> Bag:
    """Return the bag of two texts, one after the other."""
    weights = dict(first.weights)
    for key, weight in second.weights.items():
        weights[key] = weights.get(key, 0.0) + weight
    return Bag(weights, first.total + second.total)


def dice(first: Bag, second: Bag) -> float:
    """Return what two bags have in common, in [0, 1]: twice the shared weight over the sum of both; two empty ones: 0.

    Source: Dice 1945, over multisets.
    """
    total = first.total + second.total
    if not total:
        return 0.0
    small, large = first.weights, second.weights
    if len(large) < len(small):
        small, large = large, small
    shared = 0.0
    for key, weight in small.items():
        other = large.get(key)
        if other is not None:
            shared += weight if weight < other else other
    return 2 * shared / total


def token_spans(text: str, start: int, end: int) -> Iterator[tuple[str, int]]:
    """Yield the tokens of `text[start:end]` and where each begins in `text`."""
    for match in TOKEN.finditer(text, start, end):
        yield match.group(), match.start()


_SUBWORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SHORT = 3
"""Words up to this length are not taken apart."""


@lru_cache(maxsize=1 << 13)
def _weighed(token: str) -> tuple[tuple[str, float], ...]:
    if not (token[0].isalnum() or token[0] == "_"):
        return ((token, 0.25),)
    if len(token) <= _SHORT or token[0].isdigit():
        return ((token, 1.0),)
    parts = [part.lower() for part in _SUBWORD.findall(token)]
    subwords = [part for part in parts if len(part) > 1] if len(parts) > 1 else [token.lower()]
    return ((token, 1.0), *(("~" + part, 0.5) for part in subwords))
