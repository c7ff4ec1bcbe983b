"""The old text of a file, as far as a fingerprint and the new text tell it.

Invariant: a rebuilt text is the new one with the fingerprint's lines in the place of those they became; everything
else is taken to be as it is now, the lines that the fingerprint leaves out of a large region too. So the region and its
neighbourhood read as they did, in a file that parses, and the steps of resolve/ find the region as they would with the
old text.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from memofs.anchors.fingerprint import Fingerprint
from memofs.anchors.rows import SLACK_LINES, Row, aligned, place_of, rows_of
from memofs.anchors.source import Source
from memofs.model.place import Span

__all__ = ["Rebuilt", "rebuilt"]


_LEAST_SUPPORT: Final = 0.2


class Rebuilt(msgspec.Struct, frozen=True):
    """An old text, the region in it, and how much of what the fingerprint holds is in the new text, in [0, 1]."""

    source: Source
    region: Span
    support: float


class _Text:
    """A text made line by line."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines: list[str] = []
        self.length = 0
        for line in lines:
            self.add(line)

    def add(self, line: str) -> None:
        """Append a line."""
        self.lines.append(line)
        self.length += len(line) + 1


def rebuilt(one: Fingerprint, new: Source, near_line: int) -> Rebuilt | None:
    """Return the old text as `one` tells it; None if too little of it is in the new one.

    `near_line` (0-based) is where the region was recorded; it decides between places that are equally good.
    """
    rows = rows_of(one)
    shift = place_of(one, rows, new, near_line)
    slack = max(SLACK_LINES, len(rows.head) // 2)
    head = _near(rows.head, new, shift, slack)
    if not head:
        return None
    text = _Text(new.lines[: head[0][1]])
    region_start = region_end = 0
    kept = {index for index, _ in head}
    for index, row in enumerate(rows.head):
        if index == rows.first:
            region_start = text.length + len(one.head)
        if row.text or index in kept or rows.first <= index <= (len(rows.head) if rows.tail else rows.last):
            text.add(row.text)
        if not rows.tail and index == rows.last:
            region_end = text.length - 1 - len(one.rest)
    found, end = _weight(rows.head, head), head[-1][1] + 1
    if rows.tail:
        tail = _near(rows.tail, new, shift + rows.tail[0].offset, max(SLACK_LINES, one.left_out // 2), least=end)
        if not tail:
            return None
        for line in new.lines[end : tail[0][1]]:
            text.add(line)
        for index, row in enumerate(rows.tail):
            if row.text or index <= rows.last:
                text.add(row.text)
            if index == rows.last:
                region_end = text.length - 1 - len(one.rest)
        found, end = found + _weight(rows.tail, tail), tail[-1][1] + 1
    for line in new.lines[end:]:
        text.add(line)
    total = sum(row.weight for row in (*rows.head, *rows.tail))
    support = found / total if total else 0.0
    if support < _LEAST_SUPPORT:
        return None
    source = Source("\n".join(text.lines), new.language, previous=new, has_recipes=new.has_recipes)
    return Rebuilt(source, Span(region_start, region_end), support)


def _near(rows: Sequence[Row], new: Source, shift: int, slack: int, *, least: int = 0) -> list[tuple[int, int]]:
    start = min(max(least, shift - slack), len(new.lines))
    return aligned(rows, new, start, min(len(new.lines), max(start, shift + len(rows) + slack)))


def _weight(rows: Sequence[Row], pairs: Sequence[tuple[int, int]]) -> float:
    return sum(rows[index].weight for index, _ in pairs)
