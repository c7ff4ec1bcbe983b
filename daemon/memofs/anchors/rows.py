"""The lines a fingerprint holds, and which lines of a text they became.

Invariant: pairs of row and line are in order on both sides. A row of which only a hash is known says where to look, not
what stood there.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from memofs.anchors.fingerprint import Fingerprint, key_hash
from memofs.anchors.source import Source, line_at
from memofs.anchors.symbols import named
from memofs.anchors.tokens import Bag, bag, dice

__all__ = ["Row", "Rows", "aligned", "place_of", "rows_of"]

_MOST_PLACES: Final = 64
_MOST_RANKED: Final = 12
_TELLING_KEY: Final = 24
"""A key of so many characters says as much as any longer one."""
_REGION_WEIGHT: Final = 1.5
_HASH_WEIGHT: Final = 0.5
SLACK_LINES: Final = 8
_IN_ELEMENT: Final = 0.25
_NEARNESS: Final = 0.05
_ALIKE: Final = 0.55
_MOST_CELLS: Final = 8_000
_WEAK_KEY: Final = 3


class Row(msgspec.Struct, frozen=True):
    """A line that a fingerprint holds.

    `offset` counts lines from the first one, `weight` is what it says of the place.
    """

    text: str
    key: str
    offset: int
    weight: float


class Rows(msgspec.Struct, frozen=True):
    """The rows up to where lines are left out, and those behind; all are in `head` if none are.

    The region begins in `head[first]` and ends in the row `last` of `tail`, or of `head`. `hints` are hashes of lines
    left out, with their offsets.
    """

    head: tuple[Row, ...]
    tail: tuple[Row, ...]
    first: int
    last: int
    hints: tuple[tuple[bytes, int], ...]


def rows_of(one: Fingerprint) -> Rows:
    """Return the lines that a fingerprint holds."""
    before = one.before.split("\n") if one.before else []
    after = one.after.split("\n") if one.after else []
    if not one.left_out:
        region = (one.head + one.text + one.rest).split("\n")
        head = [*_made(before, 0, 1.0), *_made(region, len(before), _REGION_WEIGHT)]
        last = len(head) - 1
        return Rows((*head, *_made(after, len(head), 1.0)), (), len(before), last, ())
    top = (one.head + one.text).split("\n")
    bottom = (one.tail + one.rest).split("\n")
    head = [*_made(before, 0, 1.0), *_made(top, len(before), _REGION_WEIGHT)]
    behind = len(head) + one.left_out
    tail = [*_made(bottom, behind, _REGION_WEIGHT), *_made(after, behind + len(bottom), 1.0)]
    count = len(one.hashes) // 2
    hints = tuple((one.hashes[2 * i : 2 * i + 2], len(head) + i * one.left_out // max(1, count)) for i in range(count))
    return Rows(tuple(head), tuple(tail), len(before), len(bottom) - 1, hints)


def place_of(one: Fingerprint, rows: Rows, new: Source, near_line: int) -> int:
    """Return the new line at which the first row would stand, which may be before the first line.

    Each line that equals a row votes; the declaration around the region, and then the recorded line, decide between
    places that are about as good, and alone where no line is as it was.
    """
    votes = _votes(rows, new)
    around = named(new, one.within) if one.within else ()
    holder = (line_at(new, around[0].span.start), line_at(new, around[0].span.end - 1)) if len(around) == 1 else None
    if not votes:
        return holder[0] if holder is not None else near_line - rows.first
    length = rows.tail[-1].offset if rows.tail else len(rows.head)
    slack = max(SLACK_LINES, length // 2)
    total = sum(row.weight for row in (*rows.head, *rows.tail)) + _HASH_WEIGHT * len(rows.hints) or 1.0
    count = len(new.lines)

    def rank(shift: int) -> tuple[float, int]:
        near = sum(value for other, value in votes.items() if abs(other - shift) <= slack)
        middle = shift + length // 2
        inside = holder is not None and holder[0] <= middle <= holder[1]
        distance = abs(shift + rows.first - near_line) / max(1, count)
        score = (near + 0.5 * votes[shift]) / total + _IN_ELEMENT * inside + _NEARNESS * (1 - min(1.0, distance))
        return score, -shift

    return max(sorted(votes, key=lambda one: (-votes[one], one))[:_MOST_RANKED], key=rank)


def aligned(rows: Sequence[Row], new: Source, start: int, end: int) -> list[tuple[int, int]]:
    """Return pairs of row index and new line, in order, for the greatest sum of likeness.

    Weak lines at the ends that do not stand beside the next pair as they did are left out.
    """
    count, width = len(rows), max(0, end - start)
    fuzzy = count * width <= _MOST_CELLS
    old_bags = [bag(row.text) for row in rows] if fuzzy else []
    new_bags = [bag(new.lines[line]) for line in range(start, end)] if fuzzy else []
    best = [[0.0] * (width + 1) for _ in range(count + 1)]
    gains: dict[tuple[int, int], float] = {}
    for i in range(count - 1, -1, -1):
        row, here, below = rows[i], best[i], best[i + 1]
        # What the region is worth must not draw it to a copy of it: all rows count alike here.
        worth = 0.6 + 2 * min(len(row.key), _TELLING_KEY) / _TELLING_KEY if row.key else 0.05
        for j in range(width - 1, -1, -1):
            value = max(below[j], here[j + 1])
            if row.key == new.keys[start + j]:
                gain = worth
            else:
                gain = _likeness(old_bags[i], new_bags[j]) if fuzzy and row.key else 0.0
            if gain:
                gains[i, j] = gain
                value = max(value, below[j + 1] + gain)
            here[j] = value
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < count and j < width:
        gain = gains.get((i, j))
        if gain is not None and best[i][j] == best[i + 1][j + 1] + gain:
            pairs.append((i, start + j))
            i += 1
            j += 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return _trimmed(rows, pairs)


def _made(lines: Sequence[str], offset: int, weight: float) -> list[Row]:
    keys = ["".join(line.split()) for line in lines]
    return [
        Row(line, key, offset + index, weight * min(len(key), _TELLING_KEY) / _TELLING_KEY)
        for index, (line, key) in enumerate(zip(lines, keys, strict=True))
    ]


def _votes(rows: Rows, new: Source) -> dict[int, float]:
    votes: dict[int, float] = {}
    places = new.once(_places)
    hashed = new.once(_hashed) if rows.hints else {}
    told = [(places.get(row.key, ()) if row.key else (), row.offset, row.weight) for row in (*rows.head, *rows.tail)]
    told += [(hashed.get(value, ()), offset, _HASH_WEIGHT) for value, offset in rows.hints]
    for found, offset, weight in told:
        if 0 < len(found) <= _MOST_PLACES:
            for line in found:
                votes[line - offset] = votes.get(line - offset, 0.0) + weight / len(found) ** 0.5
    return votes


def _places(source: Source) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for line, key in enumerate(source.keys):
        places.setdefault(key, []).append(line)
    return places


def _hashed(source: Source) -> dict[bytes, list[int]]:
    places: dict[bytes, list[int]] = {}
    for line, key in enumerate(source.keys):
        places.setdefault(key_hash(key), []).append(line)
    return places


def _likeness(old: Bag, new: Bag) -> float:
    if old.total < 1 or new.total < 1:
        return 0.0
    likeness = dice(old, new)
    return likeness if likeness >= _ALIKE else 0.0


def _trimmed(rows: Sequence[Row], pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    while len(pairs) > 1 and _stray(rows, pairs[0], pairs[1]):
        pairs = pairs[1:]
    while len(pairs) > 1 and _stray(rows, pairs[-1], pairs[-2]):
        pairs = pairs[:-1]
    return pairs


def _stray(rows: Sequence[Row], pair: tuple[int, int], inner: tuple[int, int]) -> bool:
    return len(rows[pair[0]].key) <= _WEAK_KEY and pair[1] - inner[1] != pair[0] - inner[0]
