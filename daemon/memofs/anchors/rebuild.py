"""The old text of a file, as far as a fingerprint and the new text tell it.

Invariant: a rebuilt text is the new one with the fingerprint's lines in the place of those they became; everything
else is taken to be as it is now. So the region and its neighbourhood read as they did, in a file that parses, and the
steps of resolve/ find the region as they would with the old text.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from memofs.anchors.fingerprint import Fingerprint, key_hash
from memofs.anchors.source import Source, line_at
from memofs.anchors.symbols import named
from memofs.anchors.tokens import Bag, bag, dice
from memofs.model.place import Span

__all__ = ["Rebuilt", "rebuilt"]

_MOST_PLACES: Final = 64
_TELLING_KEY: Final = 24
"""A key of so many characters says as much as any longer one."""
_REGION_WEIGHT: Final = 1.5
_SLACK_LINES: Final = 8
_IN_ELEMENT: Final = 0.25
_NEARNESS: Final = 0.05
_ALIKE: Final = 0.55
_MOST_RANKED: Final = 12
_MOST_CELLS: Final = 8_000
_WEAK_KEY: Final = 3


class Rebuilt(msgspec.Struct, frozen=True):
    """An old text, the region in it, and how much of what the fingerprint holds is in the new text, in [0, 1]."""

    source: Source
    region: Span
    support: float


class _Row(msgspec.Struct, frozen=True):
    """A line of the fingerprint. `text` is None where only the hash of its key is known."""

    text: str | None
    key: str
    hash: bytes
    weight: float


def rebuilt(one: Fingerprint, new: Source, near_line: int) -> Rebuilt | None:
    """Return the old text as `one` tells it; None if nothing of it is in the new one.

    `near_line` (0-based) is where the region was recorded; it decides between places that are equally good.
    """
    rows, first, last = _rows(one)
    window = _window(one, rows, new, near_line)
    if window is None:
        return None
    matches = _aligned(rows, new, *window)
    if not matches:
        return None
    start, end = matches[0][1], matches[-1][1] + 1
    found = dict(matches)
    lines: list[str] = list(new.lines[:start])
    region_start = region_end = 0
    offset = sum(len(line) + 1 for line in lines)
    for index, row in enumerate(rows):
        text = row.text if row.text is not None else new.lines[found[index]] if index in found else None
        if index == first:
            region_start = offset + len(one.head)
        if not text and index not in found and not first <= index <= last:
            continue
        if text is not None:
            lines.append(text)
            offset += len(text) + 1
        if index == last:
            region_end = offset - 1 - len(one.rest)
    lines += new.lines[end:]
    weight = sum(row.weight for row in rows)
    support = sum(rows[index].weight for index, _ in matches) / weight if weight else 0.0
    source = Source("\n".join(lines), new.language, previous=new)
    return Rebuilt(source, Span(region_start, region_end), support)


def _rows(one: Fingerprint) -> tuple[list[_Row], int, int]:
    """Return the lines of a fingerprint, and the indices of the region's first and last."""
    if one.left_out:
        top = (one.head + one.text).split("\n")
        bottom = (one.tail + one.rest).split("\n") if one.tail else []
    else:
        top, bottom = (one.head + one.text + one.rest).split("\n"), []
    before = one.before.split("\n") if one.before else []
    after = one.after.split("\n") if one.after else []
    hidden = [one.hashes[i : i + 2] for i in range(0, len(one.hashes) - 1, 2)]
    rows = [_row(line, 1.0) for line in before]
    rows += [_row(line, _REGION_WEIGHT) for line in top]
    rows += [_Row(None, "", value, 0.5) for value in hidden]
    rows += [_row(line, _REGION_WEIGHT) for line in bottom]
    last = len(rows) - 1
    rows += [_row(line, 1.0) for line in after]
    return rows, len(before), last


def _row(text: str, weight: float) -> _Row:
    key = "".join(text.split())
    return _Row(text, key, b"", weight * min(len(key), _TELLING_KEY) / _TELLING_KEY)


def _window(one: Fingerprint, rows: Sequence[_Row], new: Source, near_line: int) -> tuple[int, int] | None:
    """Return the range of new lines in which the rows are to be looked for."""
    slack = max(_SLACK_LINES, len(rows) // 2)
    count = len(new.lines)
    around = named(new, one.within) if one.within else ()
    holder = (line_at(new, around[0].span.start), line_at(new, around[0].span.end - 1)) if len(around) == 1 else None
    votes: dict[int, float] = {}
    places = new.once(_places)
    hashed = new.once(_hashed) if one.hashes else {}
    for index, row in enumerate(rows):
        found = hashed.get(row.hash, ()) if row.text is None else places.get(row.key, ()) if row.key else ()
        if 0 < len(found) <= _MOST_PLACES:
            for line in found:
                votes[line - index] = votes.get(line - index, 0.0) + row.weight / len(found) ** 0.5
    if not votes:
        if holder is None or len(rows) * (holder[1] - holder[0] + 1) > _MOST_CELLS:
            return None
        return max(0, holder[0] - slack), min(count, holder[1] + 1 + slack)
    total = sum(row.weight for row in rows) or 1.0

    def rank(shift: int) -> tuple[float, int]:
        near = sum(value for other, value in votes.items() if abs(other - shift) <= slack)
        exact = votes[shift]
        middle = shift + len(rows) // 2
        inside = holder is not None and holder[0] <= middle <= holder[1]
        distance = abs(middle - near_line) / max(1, count)
        score = (near + 0.5 * exact) / total + _IN_ELEMENT * inside + _NEARNESS * (1 - min(1.0, distance))
        return score, -shift

    shift = max(sorted(votes, key=lambda one: (-votes[one], one))[:_MOST_RANKED], key=rank)
    return max(0, shift - slack), min(count, shift + len(rows) + slack)


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


def _aligned(rows: Sequence[_Row], new: Source, start: int, end: int) -> list[tuple[int, int]]:
    """Return pairs of row and new line, in order, for the greatest sum of likeness; weak pairs far off are left out."""
    count, width = len(rows), end - start
    fuzzy = count * width <= _MOST_CELLS
    old_bags = [bag(row.text) if row.text is not None else None for row in rows] if fuzzy else []
    new_bags = [bag(new.lines[line]) for line in range(start, end)] if fuzzy else []
    hashes = [key_hash(new.keys[line]) for line in range(start, end)] if any(row.hash for row in rows) else []
    best = [[0.0] * (width + 1) for _ in range(count + 1)]
    gains: dict[tuple[int, int], float] = {}
    for i in range(count - 1, -1, -1):
        row = rows[i]
        for j in range(width - 1, -1, -1):
            value = max(best[i + 1][j], best[i][j + 1])
            if row.text is None:
                gain = 0.75 if hashes[j] == row.hash else 0.0
            elif row.key == new.keys[start + j]:
                # What the region is worth must not draw it to a copy of it: all rows count alike here.
                gain = 0.6 + 2 * min(len(row.key), _TELLING_KEY) / _TELLING_KEY if row.key else 0.05
            else:
                gain = _fuzzy(old_bags[i], new_bags[j]) if fuzzy and row.key else 0.0
            if gain:
                gains[i, j] = gain
                value = max(value, best[i + 1][j + 1] + gain)
            best[i][j] = value
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


def _fuzzy(old: Bag | None, new: Bag) -> float:
    if old is None or old.total < 1 or new.total < 1:
        return 0.0
    likeness = dice(old, new)
    return likeness if likeness >= _ALIKE else 0.0


def _trimmed(rows: Sequence[_Row], pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Leave out weak lines at the ends that do not stand beside the next pair as they did."""
    while len(pairs) > 1 and _stray(rows, pairs[0], pairs[1]):
        pairs = pairs[1:]
    while len(pairs) > 1 and _stray(rows, pairs[-1], pairs[-2]):
        pairs = pairs[:-1]
    return pairs


def _stray(rows: Sequence[_Row], pair: tuple[int, int], inner: tuple[int, int]) -> bool:
    row = rows[pair[0]]
    weak = row.text is not None and len(row.key) <= _WEAK_KEY
    return weak and pair[1] - inner[1] != pair[0] - inner[0]
