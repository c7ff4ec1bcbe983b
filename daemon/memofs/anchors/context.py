"""What stands around a region: the nearest text before and after it.

Invariant: the nearest piece comes first on either side and blank lines do not count; a file's edge is a neighbour like
any other, so a region at the end of one file resembles a region at the end of another.
"""

import msgspec

from memofs.anchors.source import Source, line_at
from memofs.anchors.tokens import Bag, bag, dice
from memofs.model.place import Span

__all__ = ["Context", "context", "context_likeness"]

_NEIGHBOURS = 2
_WEIGHTS = (1.0, 0.5)
_UNKNOWN = 0.5
"""The likeness of two contexts without any text."""


class Context(msgspec.Struct, frozen=True):
    """The pieces before and after a region, the nearest first: the rest of its line, then lines, two on each side."""

    before: tuple[Bag, ...]
    after: tuple[Bag, ...]


def context(source: Source, region: Span) -> Context:
    """Return what stands around `region`."""
    first, last = line_at(source, region.start), line_at(source, max(region.start, region.end - 1))
    before: list[str] = []
    head = source.text[source.starts[first] : region.start]
    if head.strip():
        before.append(head)
    line = first - 1
    while line >= 0 and len(before) < _NEIGHBOURS:
        if source.keys[line]:
            before.append(source.lines[line])
        line -= 1
    after: list[str] = []
    rest = source.text[region.end : source.index.ends[last]]
    if rest.strip():
        after.append(rest)
    line = last + 1
    while line < len(source.lines) and len(after) < _NEIGHBOURS:
        if source.keys[line]:
            after.append(source.lines[line])
        line += 1
    return Context(tuple(map(bag, before)), tuple(map(bag, after)))


def context_likeness(first: Context, second: Context) -> float:
    """Return how alike two contexts are, in [0, 1]; nearest pieces count double."""
    total = weight_sum = 0.0
    for one, other in ((first.before, second.before), (first.after, second.after)):
        for index, weight in enumerate(_WEIGHTS):
            if index < len(one) or index < len(other):
                weight_sum += weight
                if index < len(one) and index < len(other):
                    total += weight * dice(one[index], other[index])
    return total / weight_sum if weight_sum else _UNKNOWN
