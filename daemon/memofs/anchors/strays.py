"""A range without what strayed from it: a few tokens of a region that the diff found far from the rest.

Invariant: only an end of a range is given up, only for little of the region's text behind much that is not its own, and
never for a line that the diff carried whole and that can be told from others.
"""

from typing import Final

from memofs.anchors.hunks import Kept
from memofs.anchors.pair import Pair
from memofs.anchors.source import line_at
from memofs.model.place import Span

__all__ = ["tightened"]

_LITTLE: Final = 0.3
"""The share of what survives that may be given up at either end."""
_MUCH: Final = 3.0
_MUCH_MORE: Final = 40
"""It is given up if it stands behind three times as much, and 40 characters, that is not the region's."""
_TELLING_KEY: Final = 8


def tightened(pair: Pair, region: Span, kept: list[Kept], span: Span) -> tuple[int, int]:
    """Return the start and end of `span` without strays; `kept` is what survives of `region`, in order."""
    first, last = 0, len(kept)
    total = sum(_ink(pair, run) for run in kept)
    while last - first > 1:
        head = _stray_head(pair, kept[first:last], total)
        tail = _stray_tail(pair, kept[first:last], total)
        if not head and not tail:
            break
        first, last = first + head, last - tail
    start, end = span.start, span.end
    if first:
        start = _grown_up(pair, region, kept[first])
    if last < len(kept):
        end = _grown_down(pair, region, kept[last - 1])
    return start, end


def _stray_head(pair: Pair, kept: list[Kept], total: int) -> int:
    """Return how many runs at the start are strays."""
    ink = 0
    for index in range(len(kept) - 1):
        run = kept[index]
        ink += _ink(pair, run)
        if ink > _LITTLE * total or _is_telling(pair, run):
            return 0
        if _between(pair, run, kept[index + 1]) > _MUCH * ink + _MUCH_MORE:
            return index + 1
    return 0


def _stray_tail(pair: Pair, kept: list[Kept], total: int) -> int:
    ink = 0
    for count in range(1, len(kept)):
        run = kept[-count]
        ink += _ink(pair, run)
        if ink > _LITTLE * total or _is_telling(pair, run):
            return 0
        if _between(pair, kept[-count - 1], run) > _MUCH * ink + _MUCH_MORE:
            return count
    return 0


def _between(pair: Pair, run: Kept, following: Kept) -> int:
    """Return how much text stands between two runs in the new text beyond what stood there in the old one."""
    new = sum(map(len, pair.new.text[run.new + run.length : following.new].split()))
    old = sum(map(len, pair.old.text[run.old + run.length : following.old].split()))
    return new - old


def _is_telling(pair: Pair, run: Kept) -> bool:
    """Return whether a run is a whole line that can hardly be mistaken for another."""
    line = line_at(pair.old, run.old)
    key = pair.old.keys[line]
    whole = "".join(pair.old.text[run.old : run.old + run.length].split()) == key
    return whole and len(key) >= _TELLING_KEY and pair.new.keys.count(key) == 1


def _grown_up(pair: Pair, region: Span, run: Kept) -> int:
    """Return where the range starts if `run` is the first of it: with the lines above that read like the region's."""
    old_line, new_line = line_at(pair.old, run.old), line_at(pair.new, run.new)
    start = run.new
    first = line_at(pair.old, region.start)
    while old_line > first and new_line > 0 and pair.old.keys[old_line - 1] == pair.new.keys[new_line - 1]:
        old_line -= 1
        new_line -= 1
        start = pair.new.starts[new_line]
    return start


def _grown_down(pair: Pair, region: Span, run: Kept) -> int:
    old_line, new_line = line_at(pair.old, run.old + run.length - 1), line_at(pair.new, run.new + run.length - 1)
    end = run.new + run.length
    last = line_at(pair.old, region.end - 1)
    while (
        old_line < last
        and new_line + 1 < len(pair.new.keys)
        and pair.old.keys[old_line + 1] == pair.new.keys[new_line + 1]
    ):
        old_line += 1
        new_line += 1
        end = pair.new.index.ends[new_line]
    return end


def _ink(pair: Pair, run: Kept) -> int:
    return sum(map(len, pair.old.text[run.old : run.old + run.length].split()))
