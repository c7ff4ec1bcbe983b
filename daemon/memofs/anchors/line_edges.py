"""Whole lines stay whole lines: the edges of a range that the diff left in the middle of a line.

Invariant: only the range of a region that covers whole lines is changed, and only at an edge within a line; not where
nearly all of the region's words are there as it is, as after lines were joined.
"""

from memofs.anchors.pair import Pair
from memofs.anchors.source import Source, line_at, stripped
from memofs.anchors.tokens import Bag, dice
from memofs.model.place import Span

_COMPLETE = 0.9

__all__ = ["on_lines", "to_line_end"]


def on_lines(pair: Pair, region: Span, span: Span) -> Span:
    """Return `span` with its edges at the ends of lines, where `region` had them there."""
    bag = pair.old_bag(region.start, region.end)
    if dice(bag, pair.new_bag(span.start, span.end)) >= _COMPLETE:
        return span
    if not _head(pair.old, region.start).strip():
        span = _best(pair, bag, span, _starts(pair.new, span))
    if not _rest(pair.old, region.end).strip():
        span = _best(pair, bag, span, _ends(pair.new, span))
    return span


def to_line_end(pair: Pair, region: Span, place: Span) -> Span:
    """Return `place` up to the end of its line, if whole lines were meant and only a comment or `;` and `,` follow."""
    if _head(pair.old, region.start).strip() or _rest(pair.old, region.end).strip():
        return place
    rest = _rest(pair.new, place.end)
    bare = rest.strip().lstrip(";,").strip()
    if not rest.strip() or (bare and not _is_comment(pair.new, place.end + len(rest.rstrip()) - 1, bare)):
        return place
    return Span(place.start, place.end + len(rest.rstrip()))


def _is_comment(source: Source, last: int, text: str) -> bool:
    """Return whether `text`, which ends with the character at `last`, is a comment or the end of one."""
    root = source.root
    node = root.descendant_for_byte_range(last, last) if root is not None else None
    while node is not None and "comment" not in node.type:
        node = node.parent
    return node is not None and node.start_byte <= last - len(text) + 1


def _starts(new: Source, span: Span) -> list[Span]:
    """Return the span from the start of its first line and from that of the second, if it begins within a line."""
    if not _head(new, span.start).strip():
        return []
    line = line_at(new, span.start)
    options = [stripped(new.text, Span(new.starts[line], span.end))]
    if line + 1 < len(new.starts) and new.starts[line + 1] < span.end:
        options.append(stripped(new.text, Span(new.starts[line + 1], span.end)))
    return options


def _ends(new: Source, span: Span) -> list[Span]:
    if not _rest(new, span.end).strip():
        return []
    line = line_at(new, span.end - 1)
    options = [stripped(new.text, Span(span.start, new.index.ends[line]))]
    if line and new.index.ends[line - 1] > span.start:
        options.append(stripped(new.text, Span(span.start, new.index.ends[line - 1])))
    return options


def _best(pair: Pair, bag: Bag, span: Span, options: list[Span]) -> Span:
    best, score = span, -1.0
    for option in options:
        if option.start < option.end:
            alike = dice(bag, pair.new_bag(option.start, option.end))
            if alike >= score:
                best, score = option, alike
    return best


def _head(source: Source, offset: int) -> str:
    return source.text[source.starts[line_at(source, offset)] : offset]


def _rest(source: Source, offset: int) -> str:
    return source.text[offset : source.index.ends[line_at(source, max(0, offset - 1))]]
