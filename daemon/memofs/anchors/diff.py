"""Which lines of an old text are lines of a new one.

Invariant: runs are in order on both sides and never overlap, and lines that meet have equal keys. A line's key is the
line without its blanks, so indentation and trailing space do not count. What happens inside replaced lines is left to
hunks.py.
"""

from collections.abc import Sequence

import msgspec

__all__ = ["LineDiff", "Run", "histogram", "line_diff"]

_MOST_OCCURRENCES = 64
"""A line more frequent than this is no landmark. Source: JGit's HistogramDiff."""


class Run(msgspec.Struct, frozen=True):
    """`count` lines from `old` on that stand from `new` on."""

    old: int
    new: int
    count: int


class LineDiff(msgspec.Struct, frozen=True, kw_only=True):
    """How the lines of two texts correspond.

    `forward[i]` is the new line of old line i, `backward[j]` the old line of new line j; -1 where there is none.
    """

    runs: tuple[Run, ...]
    forward: tuple[int, ...]
    backward: tuple[int, ...]


def line_diff(old: Sequence[str], new: Sequence[str]) -> LineDiff:
    """Return the correspondence of two texts given by the keys of their lines."""
    runs = histogram(old, new)
    forward = [-1] * len(old)
    backward = [-1] * len(new)
    for run in runs:
        forward[run.old : run.old + run.count] = range(run.new, run.new + run.count)
        backward[run.new : run.new + run.count] = range(run.old, run.old + run.count)
    return LineDiff(runs=runs, forward=tuple(forward), backward=tuple(backward))


def histogram(old: Sequence[str], new: Sequence[str]) -> tuple[Run, ...]:
    """Return the runs of equal keys, in order.

    Common ends first, then the rarest run as a landmark, then what lies on either side of it. An empty key (a blank
    line) is never a landmark.

    Source: JGit's HistogramDiff (Pearce 2010), as in `git diff --histogram`.
    """
    runs: list[Run] = []
    ranges = [(0, len(old), 0, len(new))]
    while ranges:
        old_start, old_end, new_start, new_end = ranges.pop()
        head = _common_head(old, old_start, old_end, new, new_start, new_end)
        if head:
            runs.append(Run(old_start, new_start, head))
            old_start += head
            new_start += head
        tail = _common_tail(old, old_start, old_end, new, new_start, new_end)
        if tail:
            old_end -= tail
            new_end -= tail
            runs.append(Run(old_end, new_end, tail))
        if old_start >= old_end or new_start >= new_end:
            continue
        mark = _landmark(old, old_start, old_end, new, new_start, new_end)
        if mark is not None:
            runs.append(mark)
            ranges.append((old_start, mark.old, new_start, mark.new))
            ranges.append((mark.old + mark.count, old_end, mark.new + mark.count, new_end))
    return tuple(sorted(runs, key=lambda run: run.old))


def _common_head(old: Sequence[str], i: int, old_end: int, new: Sequence[str], j: int, new_end: int) -> int:
    most = min(old_end - i, new_end - j)
    count = 0
    while count < most and old[i + count] == new[j + count]:
        count += 1
    return count


def _common_tail(old: Sequence[str], old_start: int, i: int, new: Sequence[str], new_start: int, j: int) -> int:
    most = min(i - old_start, j - new_start)
    count = 0
    while count < most and old[i - 1 - count] == new[j - 1 - count]:
        count += 1
    return count


def _landmark(
    old: Sequence[str], old_start: int, old_end: int, new: Sequence[str], new_start: int, new_end: int
) -> Run | None:
    """Return the run with the rarest line in it, the longest of those; None if all is frequent, blank or different."""
    places: dict[str, list[int]] = {}
    for i in range(old_start, old_end):
        places.setdefault(old[i], []).append(i)
    best: Run | None = None
    rarest = _MOST_OCCURRENCES + 1
    j = new_start
    while j < new_end:
        next_j = j + 1
        found = places.get(new[j])
        if found is None or len(found) > rarest or len(found) > _MOST_OCCURRENCES:
            j = next_j
            continue
        passed = -1
        for i in found:
            if i < passed:
                continue
            before, after, rarity = 0, 1, len(found)
            while i - before > old_start and j - before > new_start and old[i - before - 1] == new[j - before - 1]:
                before += 1
                rarity = min(rarity, len(places[old[i - before]]))
            while i + after < old_end and j + after < new_end and old[i + after] == new[j + after]:
                rarity = min(rarity, len(places[old[i + after]]))
                after += 1
            passed = i + after
            next_j = max(next_j, j + after)
            if not any(old[k] for k in range(i - before, i + after)):
                continue
            if best is None or rarity < rarest or (rarity == rarest and before + after > best.count):
                best = Run(i - before, j - before, before + after)
                rarest = rarity
        j = next_j
    return best
