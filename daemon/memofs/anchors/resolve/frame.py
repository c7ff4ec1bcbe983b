"""The pair of texts in which a region is compared: the two files, or an element that moved and what it became.

Invariant: offsets are those of the files, whatever is compared. An element is compared by itself only if that carries
clearly more of its lines than the diff of the files does: a diff keeps order and cannot follow what moved.
"""

import msgspec

from memofs.anchors.pair import Pair
from memofs.anchors.ranges import Carried, carried, claimed, pieces
from memofs.anchors.resolve.matching import Matching
from memofs.anchors.resolve.named import enclosing, match_element
from memofs.anchors.source import Source, line_at
from memofs.anchors.symbols import Declaration
from memofs.model.place import Span

__all__ = ["Frame", "frame_of"]

_SURE_ENOUGH = 0.6
_MORE = 1.2


class Frame(msgspec.Struct, frozen=True):
    """A pair, and where its texts begin in the files."""

    pair: Pair
    old_start: int = 0
    new_start: int = 0

    def carried(self, region: Span) -> Carried:
        """Return where the diff carries a region of the old file."""
        found = carried(self.pair, _shifted(region, -self.old_start))
        if found.span is None or not self.new_start:
            return found
        return msgspec.structs.replace(found, span=_shifted(found.span, self.new_start))

    def pieces(self, region: Span) -> tuple[Span, ...]:
        """Return the words of a region that survive, as where they stand in the new file."""
        found = pieces(self.pair, _shifted(region, -self.old_start))
        return tuple(_shifted(piece, self.new_start) for piece in found) if self.new_start else found

    def claimed(self, place: Span, region: Span) -> float:
        """Return the share of the lines of `place` that are the continuation of others than the region's."""
        old, new = self.pair.old, self.pair.new
        old_lines = _lines(old, _shifted(region, -self.old_start))
        return claimed(self.pair, _lines(new, _shifted(place, -self.new_start)), old_lines)

    def holds(self, place: Span) -> bool:
        """Return whether a place of the new file is in what is compared."""
        return self.new_start <= place.start and place.end <= self.new_start + len(self.pair.new.text)


def frame_of(matching: Matching, region: Span) -> Frame:
    """Return what a region of the old file is best compared in."""
    whole = Frame(matching.pair)
    if not matching.parsed:
        return whole
    element = enclosing(matching.old_elements, region)
    if element is None:
        return whole
    key = element.core.start
    if key not in matching.scopes:
        matching.scopes[key] = _scope(matching, element)
    pair = matching.scopes[key]
    if pair is None:
        return whole
    new = match_element(matching, element).element
    return Frame(pair, element.dressed.start, new.dressed.start) if new is not None else whole


def _scope(matching: Matching, element: Declaration) -> Pair | None:
    """Return an element and its match as a pair, if that carries clearly more lines than the files do."""
    match = match_element(matching, element)
    if match.element is None or match.score < _SURE_ENOUGH:
        return None
    old, new = matching.pair.old, matching.pair.new
    old_span, new_span = element.dressed, match.element.dressed
    first, last = _lines(old, old_span)
    low, high = _lines(new, new_span)
    forward = matching.pair.diff.forward
    together = sum(low <= forward[line] <= high for line in range(first, last + 1) if old.keys[line])
    inked = sum(1 for line in range(first, last + 1) if old.keys[line])
    if together * _MORE + 1 >= inked:
        return None
    pair = Pair(Source(old.text[old_span.start : old_span.end]), Source(new.text[new_span.start : new_span.end]))
    alone = sum(1 for line, target in enumerate(pair.diff.forward) if target >= 0 and pair.old.keys[line])
    return pair if alone > together * _MORE + 1 else None


def _lines(source: Source, span: Span) -> tuple[int, int]:
    return line_at(source, span.start), line_at(source, max(span.start, span.end - 1))


def _shifted(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by) if by else span
