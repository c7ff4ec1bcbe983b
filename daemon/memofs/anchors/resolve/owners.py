"""Text that stands more than once: which of its copies a place is the continuation of.

Invariant: lines decide, blanks aside. What ties a copy in the old text to a place in the new one is that the diff
carries it there, that its neighbours stand there, and that what is around it went there. A place to which another copy
is tied more closely is that one's; a place to which two are tied alike is nobody's for sure.
"""

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

from memofs.anchors.copies import LineRange, copies, keys_of, line_range, standing
from memofs.anchors.pair import Pair
from memofs.anchors.resolve.matching import Matching
from memofs.anchors.resolve.named import enclosing, match_element
from memofs.anchors.source import Source
from memofs.anchors.tokens import bag, dice
from memofs.model.place import Span

__all__ = ["Owner", "own_copy", "owner"]

Owner: TypeAlias = Literal["own", "open", "another"]
"""Whose a place is: the region's, nobody's for sure, or another copy's."""

_LEAD: Final = 0.4
_MOST_COPIES: Final = 64
_TELLING_KEY: Final = 3
_WEIGHTS: Final = (1.0, 0.5)
_ALIKE: Final = 0.8
"""What a neighbour that only reads alike is worth, next to one that the diff carried."""
_AROUND: Final = 1.5
_CLEARLY: Final = 1.0


def owner(matching: Matching, region: Span, place: Span) -> Owner:
    """Return whose continuation a place of the new text is, of the copies of the region's lines in the old one."""
    pair = matching.pair
    others = copies(pair.old, region)
    if not others or len(others) > _MOST_COPIES:
        return "own" if not others else "open"
    lines, there = line_range(pair.old, region), line_range(pair.new, place)
    tie = _tie(matching, lines, there)
    rival = max(_tie(matching, other, there) for other in others)
    if rival >= tie + _LEAD:
        return "another"
    elsewhere = [other for other in standing(pair.new, keys_of(pair.old, lines)) if other != there]
    if any(_tie(matching, lines, other) >= tie + _LEAD for other in elsewhere[:_MOST_COPIES]):
        return "another"
    if tie >= rival + _LEAD:
        return "own"
    # All of them are still there: the first is the first.
    before = sum(other < lines for other in others)
    same_number = len(elsewhere) + 1 == len(others) + 1 and sum(other < there for other in elsewhere) == before
    return "own" if same_number and keys_of(pair.new, there) == keys_of(pair.old, lines) else "open"


def own_copy(matching: Matching, region: Span) -> Span | None:
    """Return the place that reads like the region and is clearly tied to it, of several that read so."""
    pair = matching.pair
    lines = line_range(pair.old, region)
    others = copies(pair.old, region)
    if not others or len(others) > _MOST_COPIES:
        return None
    found = standing(pair.new, keys_of(pair.old, lines))[:_MOST_COPIES]
    scored = sorted(((_tie(matching, lines, there), there) for there in found), reverse=True)
    if not scored or scored[0][0] < _CLEARLY or (len(scored) > 1 and scored[0][0] < scored[1][0] + _LEAD):
        return None
    tie, there = scored[0]
    if max(_tie(matching, other, there) for other in others) + _LEAD > tie:
        return None
    return _same_part(pair, region, lines, there)


def _same_part(pair: Pair, region: Span, lines: LineRange, there: LineRange) -> Span | None:
    """Return the part of the new lines that the region is of the old ones, if it reads the same."""
    first, last = _ink_start(pair.old, lines[0]), _ink_start(pair.old, lines[1])
    start = _ink_start(pair.new, there[0]) + region.start - first
    end = _ink_start(pair.new, there[1]) + region.end - last
    if start < 0 or end > len(pair.new.text):
        return None
    same = pair.new.text[start:end].split() == pair.old.text[region.start : region.end].split()
    return Span(start, end) if same else None


def _ink_start(source: Source, line: int) -> int:
    text = source.lines[line]
    return source.starts[line] + len(text) - len(text.lstrip())


def _tie(matching: Matching, old: LineRange, new: LineRange) -> float:
    """Return how much ties old lines to new ones."""
    pair = matching.pair
    forward = pair.diff.forward
    inked = [line for line in range(old[0], old[1] + 1) if pair.old.keys[line]]
    carried = sum(new[0] <= forward[line] <= new[1] for line in inked) / max(1, len(inked))
    before = _side(pair, range(old[0] - 1, -1, -1), range(new[0] - 1, -1, -1))
    after = _side(pair, range(old[1] + 1, len(pair.old.keys)), range(new[1] + 1, len(pair.new.keys)))
    return carried + before + after + _AROUND * _around(matching, old, new)


def _side(pair: Pair, old_lines: Iterable[int], new_lines: Iterable[int]) -> float:
    """Return how far the nearest telling lines on one side are the same ones, in [0, 1.5]."""
    old, new = _telling(pair.old, old_lines), _telling(pair.new, new_lines)
    tie = 0.0
    for weight, one, other in zip(_WEIGHTS, old, new, strict=False):
        if pair.diff.forward[one] == other:
            tie += weight
        else:
            tie += weight * _ALIKE * dice(bag(pair.old.lines[one]), bag(pair.new.lines[other]))
    if not old and not new:
        # The end of the file is a neighbour like any other.
        tie += _WEIGHTS[0]
    return tie


def _telling(source: Source, lines: Iterable[int]) -> list[int]:
    found: list[int] = []
    for line in lines:
        if len(source.keys[line]) >= _TELLING_KEY:
            found.append(line)
            if len(found) == len(_WEIGHTS):
                break
    return found


def _around(matching: Matching, old: LineRange, new: LineRange) -> float:
    """Return how sure it is that what is around the new lines is what was around the old ones."""
    if not matching.parsed:
        return 0.0
    pair = matching.pair
    region = Span(_ink_start(pair.old, old[0]), pair.old.index.ends[old[1]])
    element = enclosing(matching.old_elements, region)
    match = match_element(matching, element) if element is not None else None
    if match is None or match.element is None:
        return 0.0
    span = match.element.span
    inside = span.start <= pair.new.starts[new[0]] + len(pair.new.lines[new[0]]) and pair.new.starts[new[1]] < span.end
    return min(1.0, match.score) if inside else 0.0
