"""Where the lines of a region stand again.

Invariant: lines are compared by their keys, so blanks do not count; nor does a comma or a semicolon behind the last
one, which an element of a list may have or not. Overlapping copies are all there.
"""

from collections.abc import Sequence
from typing import TypeAlias

from memofs.anchors.source import Source, line_at
from memofs.model.place import Span

__all__ = ["LineRange", "copies", "keys_of", "line_range", "standing"]

LineRange: TypeAlias = tuple[int, int]
"""The first and the last line, 0-based."""


def copies(source: Source, region: Span) -> tuple[LineRange, ...]:
    """Return the other lines that read like those a region touches, in order."""
    lines = line_range(source, region)
    return tuple(one for one in standing(source, keys_of(source, lines)) if one != lines)


def line_range(source: Source, span: Span) -> LineRange:
    """Return the lines that a span touches."""
    return line_at(source, span.start), line_at(source, max(span.start, span.end - 1))


def keys_of(source: Source, lines: LineRange) -> tuple[str, ...]:
    """Return the keys of lines as they are compared."""
    keys = source.keys[lines[0] : lines[1] + 1]
    return (*keys[:-1], _bare(keys[-1]))


def standing(source: Source, keys: Sequence[str]) -> list[LineRange]:
    """Return the lines that have these keys, in order."""
    places = source.once(_places)
    landmark = min(range(len(keys)), key=lambda index: len(places.get(_bare(keys[index]), ())))
    found: list[LineRange] = []
    for line in places.get(_bare(keys[landmark]), ()):
        first = line - landmark
        lines = (first, first + len(keys) - 1)
        if first >= 0 and lines[1] < len(source.keys) and keys_of(source, lines) == tuple(keys):
            found.append(lines)
    return found


def _places(source: Source) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for line, key in enumerate(source.keys):
        places.setdefault(_bare(key), []).append(line)
    return places


def _bare(key: str) -> str:
    return key.rstrip(",;") or key
