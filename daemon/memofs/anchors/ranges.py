"""Where a line and token diff says that a region is now.

Invariant: a range found here begins and ends on text, not on blanks, if the region does; `share` in [0, 1] is how much
of the region's text survives in order. Whether the range is the region is for resolve/ to decide: a diff cannot see
that a region grew at its edges, nor that it was replaced by something else.
"""

from typing import Final

import msgspec

from memofs.anchors.hunks import Kept
from memofs.anchors.line_edges import on_lines
from memofs.anchors.pair import Pair
from memofs.anchors.source import line_at
from memofs.anchors.strays import tightened
from memofs.model.place import Span

__all__ = ["Carried", "carried", "claimed", "pieces"]


class Carried(msgspec.Struct, frozen=True, kw_only=True):
    """A region as the diff carries it. `span` is None if nothing of it survives.

    `start_kept` and `end_kept` say whether the very character at that edge survives.
    """

    span: Span | None
    share: float
    start_kept: bool
    end_kept: bool


def carried(pair: Pair, region: Span) -> Carried:
    """Return where the diff carries `region`, which begins and ends on text."""
    start, end = region.start, region.end
    kept = pair.kept(line_at(pair.old, start), line_at(pair.old, max(start, end - 1)))
    low = high = before = after = None
    inside: list[Kept] = []
    for run in kept:
        run_end = run.old + run.length
        if run.old <= start < run_end:
            low = run.new + start - run.old
        if run.old < end <= run_end:
            high = run.new + end - run.old
        if run_end <= start:
            before = max(before or 0, run.new + run.length)
        if run.old >= end:
            after = run.new if after is None else min(after, run.new)
        first, last = max(run.old, start), min(run_end, end)
        if first < last:
            inside.append(Kept(first, run.new + first - run.old, last - first))
    survived = sum(_inked(pair.old.text[run.old : run.old + run.length]) for run in inside)
    share = survived / max(1, _inked(pair.old.text[start:end]))
    start_kept, end_kept = low is not None, high is not None
    if low is None:
        low = before if before is not None else min((run.new for run in inside), default=0)
    if high is None:
        high = after if after is not None else max((run.new + run.length for run in inside), default=len(pair.new.text))
    span = _bare(pair, region, low, high) if survived else None
    if span is not None and span.end - span.start > _GROWN * (end - start) + _GROWN_BY:
        span = _bare(pair, region, *tightened(pair, region, inside, span)) or span
    if span is not None:
        span = on_lines(pair, region, span)
    return Carried(span=span, share=share, start_kept=start_kept, end_kept=end_kept)


def pieces(pair: Pair, region: Span) -> tuple[Span, ...]:
    """Return the words of `region` that survive, as where they stand in the new text."""
    found: list[Span] = []
    text = pair.old.text
    for run in pair.kept(line_at(pair.old, region.start), line_at(pair.old, max(region.start, region.end - 1))):
        first, last = max(run.old, region.start), min(run.old + run.length, region.end)
        at = first
        for word in text[first:last].split():
            at = text.index(word, at)
            found.append(Span(run.new + at - run.old, run.new + at - run.old + len(word)))
            at += len(word)
    return tuple(found)


def claimed(pair: Pair, new_lines: tuple[int, int], old_lines: tuple[int, int]) -> float:
    """Return the share of the new lines (first, last) that the diff took from old lines outside `old_lines`.

    Such lines are the continuation of something else. Lines of less than three characters do not count.
    """
    first, last = old_lines
    backward, keys = pair.diff.backward, pair.new.keys
    counted = elsewhere = 0
    for line in range(new_lines[0], new_lines[1] + 1):
        if len(keys[line]) > _SHORTEST_KEY:
            counted += 1
            origin = backward[line]
            elsewhere += origin >= 0 and not first <= origin <= last
    return elsewhere / counted if counted else 0.0


_SHORTEST_KEY: Final = 2
_GROWN: Final = 1.5
_GROWN_BY: Final = 60
"""A range that much larger than its region is looked at for strays."""


def _inked(text: str) -> int:
    """Return how many characters of `text` are not blank."""
    return sum(map(len, text.split()))


def _bare(pair: Pair, region: Span, low: int, high: int) -> Span | None:
    """Return the range without blanks at the ends where the region has none."""
    old, new = pair.old.text, pair.new.text
    if not old[region.start].isspace():
        while low < high and new[low].isspace():
            low += 1
    if not old[region.end - 1].isspace():
        while low < high and new[high - 1].isspace():
            high -= 1
    return Span(low, high) if low < high else None
