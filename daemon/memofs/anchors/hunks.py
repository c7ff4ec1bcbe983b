"""What survives inside lines that the line diff calls replaced.

Invariant: kept runs are equal text on both sides, in order, and never overlap. Lines of a hunk are first paired where
they resemble each other, in order; tokens are compared inside a pair, and between pairs.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher

import msgspec

from memofs.anchors.diff import histogram
from memofs.anchors.tokens import Bag, dice, token_spans

__all__ = ["Kept", "kept_tokens", "paired_lines"]

_ALIKE = 0.55
"""Lines pair from this dice on."""
_MOST_CELLS = 6_000
"""Beyond so many pairs of lines a hunk is a rewrite, and is compared by its tokens alone."""
_MOST_TOKEN_CELLS = 250_000
"""Beyond so many pairs of tokens the frequent ones are no longer compared."""


class Kept(msgspec.Struct, frozen=True):
    """`length` code points from `old` on that stand from `new` on."""

    old: int
    new: int
    length: int


def paired_lines(old: Sequence[Bag], new: Sequence[Bag]) -> tuple[tuple[int, int], ...]:
    """Return pairs of lines that resemble each other, in order on both sides, for the greatest sum of likeness.

    Long lines count more: a `}` that fits is worth little. Nothing if there are more than 6,000 pairs to weigh.
    """
    rows, columns = len(old), len(new)
    if not rows or not columns or rows * columns > _MOST_CELLS:
        return ()
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    gains: dict[tuple[int, int], float] = {}
    for i in range(rows - 1, -1, -1):
        row, below = best[i], best[i + 1]
        for j in range(columns - 1, -1, -1):
            value = max(below[j], row[j + 1])
            gain = _gain(old[i], new[j])
            if gain:
                gains[i, j] = gain
                value = max(value, below[j + 1] + gain)
            row[j] = value
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < rows and j < columns:
        gain = gains.get((i, j))
        if gain is not None and best[i][j] == best[i + 1][j + 1] + gain:
            pairs.append((i, j))
            i += 1
            j += 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return tuple(pairs)


def kept_tokens(old: str, old_range: tuple[int, int], new: str, new_range: tuple[int, int]) -> list[Kept]:
    """Return the tokens of a piece of `old` that stand, in order, in a piece of `new`."""
    before = list(token_spans(old, *old_range))
    after = list(token_spans(new, *new_range))
    if not before or not after:
        return []
    words_before = [token for token, _ in before]
    words_after = [token for token, _ in after]
    if len(before) * len(after) > _MOST_TOKEN_CELLS:
        blocks = [(run.old, run.new, run.count) for run in histogram(words_before, words_after)]
    else:
        blocks = [
            tuple(block) for block in SequenceMatcher(None, words_before, words_after, False).get_matching_blocks()
        ]
    kept: list[Kept] = []
    for i, j, count in blocks:
        for k in range(count):
            token, start = before[i + k]
            kept.append(Kept(start, after[j + k][1], len(token)))
    return kept


def _gain(old: Bag, new: Bag) -> float:
    if old.total < 1 or new.total < 1:
        return 0.0
    least = min(old.total, new.total)
    if 2 * least / (old.total + new.total) < _ALIKE:
        return 0.0
    likeness = dice(old, new)
    return likeness * (0.5 + min(least, 8.0) / 8) if likeness >= _ALIKE else 0.0
