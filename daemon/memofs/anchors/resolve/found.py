"""What a step of the search says, and the thresholds all steps share.

Invariant: a `Found` is a value; `score` and `margin` are in [0, 1]. The steps only propose: cascade.py decides which
proposal is an answer and how sure it is.
"""

from typing import Final

import msgspec

from memofs.model.place import Span

__all__ = ["ACCEPT", "MARGIN", "NOTHING", "Found"]

ACCEPT: Final = 0.45
"""A proposal below this score is no answer."""
MARGIN: Final = 0.05
"""Nor is one that leads the second best by less."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A proposal: where, how well it fits, by how much it leads the next best, and the rule that made it.

    `rivals` are the next best places with their scores, best first.
    """

    span: Span | None
    score: float = 0.0
    margin: float = 0.0
    how: str = ""
    rivals: tuple[tuple[float, Span], ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether it is good enough to be an answer."""
        return self.span is not None and self.score >= ACCEPT and self.margin >= MARGIN


NOTHING: Final = Found(span=None)
