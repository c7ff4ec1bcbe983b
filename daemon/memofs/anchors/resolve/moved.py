"""Text that moved out of its place: found whole elsewhere, or told to be something else's.

Invariant: a region counts as moved only if nothing else in either text could be meant: its lines stand once in the old
text and once in the new one, or it is by far the node most like the place, and the place by far the node most like it.
"""

from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from memofs.anchors.pair import Pair
from memofs.anchors.resolve.found import ACCEPT, NOTHING, Found
from memofs.anchors.resolve.frame import Frame
from memofs.anchors.resolve.kinds import kin
from memofs.anchors.source import Source, line_at, nodes_of, span_of, stripped
from memofs.anchors.tokens import dice
from memofs.model.place import Span

__all__ = ["is_another", "moved_node", "moved_text", "overlap"]

_FEWEST_LINES: Final = 3
_SHORTEST: Final = 80
_SHORTEST_NODE: Final = 50
_ALIKE: Final = 0.78
_ALIKE_HEAD: Final = 0.6
_LEAD: Final = 0.15
_MUTUAL: Final = 0.05
_TELLING: Final = 12


def moved_text(pair: Pair, region: Span) -> Span | None:
    """Return where `region` moved to as it is, indentation aside: its lines stood once, and stand once now.

    None for less than three lines or 80 characters: so little may be written twice.
    """
    text = pair.old.text[region.start : region.end]
    parts = [part.strip() for part in text.split("\n")]
    if sum(1 for part in parts if part) < _FEWEST_LINES and len(text) < _SHORTEST:
        return None
    whole = (not _head(pair.old, region.start), not _rest(pair.old, region.end))
    if len(_standing(pair.old, parts, whole)) != 1:
        return None
    found = _standing(pair.new, parts, whole)
    return found[0] if len(found) == 1 else None


def is_another(pair: Pair, region: Span, place: Span) -> bool:
    """Return whether a place is accounted for without the region: its text stood elsewhere as often as it does now."""
    text = pair.new.text[place.start : place.end].strip()
    if len(text) < _TELLING:
        return False
    before = 0
    at = pair.old.text.find(text)
    while at >= 0:
        before += at + len(text) <= region.start or at >= region.end
        at = pair.old.text.find(text, at + 1)
    return bool(before) and before >= pair.new.text.count(text)


def moved_node(pair: Pair, node: Node) -> Found:
    """Return the node that a node of the old tree moved to, edited or not, if each is by far the other's likeliest."""
    region = span_of(node)
    size = region.end - region.start
    if size < _SHORTEST_NODE:
        return NOTHING
    frame = Frame(pair)
    bag = pair.old_bag(region.start, region.end)
    scored: list[tuple[float, Span]] = []
    for other in nodes_of(pair.new, kin(node)):
        span = span_of(other)
        if other.is_named and 2 * (span.end - span.start) >= size and span.end - span.start <= 2 * size:
            alike = dice(bag, pair.new_bag(span.start, span.end))
            if alike >= _ALIKE - _LEAD:
                scored.append((alike, span))
    scored.sort(key=lambda item: (-item[0], item[1].start))
    if not scored or scored[0][0] < _ALIKE:
        return NOTHING
    best, place = scored[0]
    second = next((alike for alike, span in scored[1:] if not overlap(span, place)), _ALIKE - _LEAD)
    head, new_head = _first_line(pair.old, region), _first_line(pair.new, place)
    if dice(pair.old_bag(head.start, head.end), pair.new_bag(new_head.start, new_head.end)) < _ALIKE_HEAD:
        return NOTHING
    if best - second < _LEAD or frame.claimed(place, region) > 0.5 or _has_rival(pair, node, place, best):
        return NOTHING
    return Found(span=place, score=ACCEPT + 0.05, margin=best - second, how="moved")


def overlap(first: Span, second: Span) -> bool:
    """Return whether two spans share a character."""
    return first.start < second.end and second.start < first.end


def _has_rival(pair: Pair, node: Node, place: Span, likeness: float) -> bool:
    """Return whether another old node resembles the place as much."""
    bag = pair.new_bag(place.start, place.end)
    size, region = place.end - place.start, span_of(node)
    for other in nodes_of(pair.old, kin(node)):
        span = span_of(other)
        alike_in_size = 2 * (span.end - span.start) >= size and span.end - span.start <= 2 * size
        if (
            alike_in_size
            and not overlap(span, region)
            and dice(bag, pair.old_bag(span.start, span.end)) > likeness - _MUTUAL
        ):
            return True
    return False


def _first_line(source: Source, span: Span) -> Span:
    return Span(span.start, min(span.end, source.index.ends[line_at(source, span.start)]))


def _head(source: Source, offset: int) -> str:
    return source.text[source.starts[line_at(source, offset)] : offset].strip()


def _rest(source: Source, offset: int) -> str:
    return source.text[offset : source.index.ends[line_at(source, max(0, offset - 1))]].strip()


def _standing(source: Source, parts: Sequence[str], whole: tuple[bool, bool]) -> list[Span]:
    """Return where these parts of lines stand one below the other.

    `whole` says whether the first begins its line and the last ends its own.
    """
    keys = ["".join(part.split()) for part in parts]
    if len(parts) == 1:
        return [
            span
            for span in _in_lines(source, parts[0])
            if not (whole[0] and _head(source, span.start)) and not (whole[1] and _rest(source, span.end))
        ]
    anchor = max(range(len(keys)), key=lambda index: (0 < index < len(keys) - 1, len(keys[index])))
    found: list[Span] = []
    for line, key in enumerate(source.keys):
        first = line - anchor
        last = first + len(keys) - 1
        if key != keys[anchor] and (0 < anchor < len(keys) - 1 or keys[anchor] not in key):
            continue
        if first < 0 or last >= len(source.keys) or source.keys[first + 1 : last] != tuple(keys[1:-1]):
            continue
        if (whole[0] and source.keys[first] != keys[0]) or (whole[1] and source.keys[last] != keys[-1]):
            continue
        if source.keys[first].endswith(keys[0]) and source.keys[last].startswith(keys[-1]):
            start = source.index.ends[first] - len(source.lines[first]) + _at(source.lines[first], parts[0], keys[0])
            end = source.starts[last] + _until(source.lines[last], keys[-1])
            found.append(stripped(source.text, Span(start, end)))
    return found


def _in_lines(source: Source, part: str) -> list[Span]:
    found: list[Span] = []
    at = source.text.find(part)
    while at >= 0:
        found.append(Span(at, at + len(part)))
        at = source.text.find(part, at + 1)
    return found


def _at(line: str, part: str, key: str) -> int:
    """Return where in a line its last characters that make up `key` begin."""
    if line.rstrip().endswith(part):
        return len(line.rstrip()) - len(part)
    left = len(key)
    for index in range(len(line) - 1, -1, -1):
        left -= not line[index].isspace()
        if not left:
            return index
    return 0


def _until(line: str, key: str) -> int:
    """Return where in a line its first characters that make up `key` end."""
    left = len(key)
    for index, character in enumerate(line):
        left -= not character.isspace()
        if not left:
            return index + 1
    return len(line)
