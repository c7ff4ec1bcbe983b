"""Step 3: a region that nothing touched, whose neighbours nothing touched, is where the line diff carries it.

Invariant: no parsing. The text is equal, every line of it is carried, and so is the nearest line with text on either
side, to the very place beside it: so repeated text cannot be mistaken for itself elsewhere.
"""

from memofs.anchors.pair import Pair
from memofs.anchors.ranges import Carried
from memofs.anchors.source import Source, line_at
from memofs.model.place import Span

__all__ = ["is_framed", "is_held", "is_untouched"]


def is_untouched(pair: Pair, region: Span, diff: Carried) -> bool:
    """Return whether the diff alone settles that the region is at `diff.span`."""
    span = diff.span
    if span is None or diff.share < 1:
        return False
    if pair.new.text[span.start : span.end] != pair.old.text[region.start : region.end]:
        return False
    old_first, old_last = line_at(pair.old, region.start), line_at(pair.old, region.end - 1)
    new_first, new_last = line_at(pair.new, span.start), line_at(pair.new, span.end - 1)
    forward = pair.diff.forward
    if old_last - old_first != new_last - new_first:
        return False
    if any(forward[old_first + k] != new_first + k for k in range(old_last - old_first + 1)):
        return False
    return is_framed(pair, region, span)


def is_framed(pair: Pair, region: Span, span: Span) -> bool:
    """Return whether the lines with text next to a region are carried to those next to `span`."""
    return _carried_before(pair, region, span) and _carried_after(pair, region, span)


def is_held(pair: Pair, region: Span, span: Span) -> bool:
    """Return whether the line with text next to a region on either side at least is carried to one next to `span`."""
    return _carried_before(pair, region, span) or _carried_after(pair, region, span)


def _carried_before(pair: Pair, region: Span, span: Span) -> bool:
    return _neighbour_carried(pair, line_at(pair.old, region.start), line_at(pair.new, span.start), -1)


def _carried_after(pair: Pair, region: Span, span: Span) -> bool:
    return _neighbour_carried(pair, line_at(pair.old, region.end - 1), line_at(pair.new, span.end - 1), 1)


def _neighbour_carried(pair: Pair, old_line: int, new_line: int, step: int) -> bool:
    """Return whether the nearest line with text in a direction is carried to the nearest one there."""
    old_near = _nearest(pair.old.keys, old_line + step, step)
    new_near = _nearest(pair.new.keys, new_line + step, step)
    if old_near is None or new_near is None:
        return old_near is new_near
    if pair.diff.forward[old_near] != new_near:
        return False
    # A line that moved into the block above it, or out of it, is another neighbour.
    return _step(pair.old, old_line, old_near) == _step(pair.new, new_line, new_near)


def _step(source: Source, line: int, other: int) -> int:
    """Return -1, 0 or 1: whether a line is indented less than another, as much, or more."""
    one, two = _indent(source.lines[line]), _indent(source.lines[other])
    return (one > two) - (one < two)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _nearest(keys: tuple[str, ...], line: int, step: int) -> int | None:
    while 0 <= line < len(keys):
        if keys[line]:
            return line
        line += step
    return None
