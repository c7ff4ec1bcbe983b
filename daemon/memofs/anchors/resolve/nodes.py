"""Step 7: a node that has no name goes where its text, its lines and its neighbours point.

Invariant: candidates are nodes of its kind in the matched element, where the diff leads, or with the same text; each is
scored by likeness, by the runs of text that survive into it, by its first line and by what stands around it. Lines that
the diff carried from elsewhere count against a candidate: they are the continuation of something else.
"""

from bisect import bisect_left
from itertools import accumulate
from typing import Final

import msgspec
from tree_sitter import Node

from memofs.anchors.context import Context, context, context_likeness
from memofs.anchors.pair import Pair
from memofs.anchors.resolve.found import ACCEPT, NOTHING, Found
from memofs.anchors.resolve.frame import Frame, frame_of
from memofs.anchors.resolve.kinds import kin
from memofs.anchors.resolve.matching import Matching
from memofs.anchors.resolve.named import enclosing, match_element
from memofs.anchors.source import Source, line_at, nodes_of, span_of, text_of
from memofs.anchors.symbols import Declaration
from memofs.anchors.tokens import Bag, dice
from memofs.model.place import Span

__all__ = ["Scope", "by_score", "scope_of"]

_FEW_CANDIDATES: Final = 60
_MOST_REACHED: Final = 60
_MOST_EQUAL: Final = 30
_OPENING: Final = 0.08
"""For beginning with the very line the node began with."""
_OUTSIDE: Final = 0.15
_TELLING_KEY: Final = 8
_CLAIMED: Final = 0.3
_MOST_CLAIMED: Final = 0.5
_ELEMENT_KNOWN: Final = 0.6


class Scope(msgspec.Struct, frozen=True):
    """The element around a node: in the old text, and what became of it. None at the top of a file."""

    old: Declaration | None
    new: Declaration | None
    score: float

    def holds(self, node: Node) -> bool:
        """Return whether a node of the new text stands where the element went."""
        if self.old is None:
            return True
        new = self.new
        return new is not None and new.dressed.start <= node.start_byte and node.end_byte <= new.dressed.end


def scope_of(matching: Matching, node: Node) -> Scope:
    """Return the element around a node of the old text and its match."""
    element = enclosing(matching.old_elements, span_of(node))
    if element is None:
        return Scope(None, None, 1.0)
    match = match_element(matching, element)
    return Scope(element, match.element, match.score)


def by_score(matching: Matching, node: Node, scope: Scope, handicap: float) -> Found:
    """Return the candidate that fits a node of the old text best; `handicap` is taken off its score."""
    pair = matching.pair
    traits = _Traits.of(pair, node, frame_of(matching, span_of(node)))
    text = text_of(pair.old, node)
    place = node.start_byte
    if scope.old is not None and scope.new is not None:
        place += scope.new.core.start - scope.old.core.start
    scored: list[tuple[float, float, _Likeness, Span]] = []
    for candidate in _candidates(pair, node, traits, scope, text):
        inside = scope.holds(candidate)
        likeness = traits.compare(pair, candidate)
        score = likeness.score + 0.05 * inside
        if scope.new is not None and not inside:
            score -= _OUTSIDE * min(1.0, scope.score)
        scored.append((score, -abs(candidate.start_byte - place), likeness, span_of(candidate)))
    if not scored:
        return NOTHING
    scored.sort(key=lambda item: item[:2], reverse=True)
    score, _, likeness, span = scored[0]
    rivals = tuple((other, place) for other, _, _, place in scored[1:] if place != span)[:3]
    margin = score - rivals[0][0] if rivals else max(0.0, score)
    if not handicap and likeness.in_place and 0.25 <= score < ACCEPT and margin >= 0.08:
        return Found(span=span, score=ACCEPT, margin=margin, how="context", rivals=rivals)
    return Found(span=span, score=max(0.0, score - handicap), margin=margin, how="node", rivals=rivals)


class _Likeness(msgspec.Struct, frozen=True):
    score: float
    tokens: float
    context: float
    claimed: float

    @property
    def in_place(self) -> bool:
        """Whether little survives, but clearly in the same place."""
        return self.context >= 0.6 and self.tokens >= 0.3 and self.claimed <= _MOST_CLAIMED


class _Traits:
    """What candidates for one node are compared with."""

    def __init__(
        self, *, bag: Bag, head: Bag, around: Context, inked: int, survived: tuple[Span, ...], old: Node, frame: Frame
    ) -> None:
        self.bag = bag
        self.head = head
        self.around = around
        self.inked = inked
        self.old = old
        self.frame = frame
        self.opening = _opening(frame.pair, old) if not frame.old_start else None
        self.starts = [piece.start for piece in survived]
        self.sums = [0, *accumulate(piece.end - piece.start for piece in survived)]

    @classmethod
    def of(cls, pair: Pair, node: Node, frame: Frame) -> "_Traits":
        region = span_of(node)
        return cls(
            bag=pair.old_bag(region.start, region.end),
            head=pair.old_bag(region.start, _first_line_end(pair.old, region)),
            around=context(pair.old, region),
            inked=sum(map(len, pair.old.text[region.start : region.end].split())),
            survived=frame.pieces(region),
            old=node,
            frame=frame,
        )

    def survived_in(self, span: Span) -> int:
        """Return how many characters of the node survive in a span of the new text."""
        return self.sums[bisect_left(self.starts, span.end)] - self.sums[bisect_left(self.starts, span.start)]

    def compare(self, pair: Pair, candidate: Node) -> _Likeness:
        """Return how well a node of the new text fits."""
        region = span_of(candidate)
        new = pair.new
        tokens = dice(self.bag, pair.new_bag(region.start, region.end))
        inked = sum(map(len, new.text[region.start : region.end].split()))
        support = 2 * self.survived_in(region) / (self.inked + inked) if self.inked + inked else 0.0
        around = context_likeness(self.around, context(new, region))
        head = dice(self.head, pair.new_bag(region.start, _first_line_end(new, region)))
        frame = self.frame if self.frame.holds(region) else Frame(pair)
        taken = frame.claimed(region, span_of(self.old))
        parent = _parent_type(candidate) == _parent_type(self.old)
        score = 0.35 * tokens + 0.25 * support + 0.15 * head + 0.15 * around + 0.05 * parent
        if self.opening is not None and self.opening == line_at(new, region.start):
            score += _OPENING
        if taken > _MOST_CLAIMED:
            score -= _CLAIMED * taken
        return _Likeness(score, tokens, around, taken)


def _candidates(pair: Pair, node: Node, traits: _Traits, scope: Scope, text: str) -> list[Node]:
    """Return nodes of the kind: all if they are few, else those in the element, reached by the diff, or equal."""
    found = [other for other in nodes_of(pair.new, kin(node)) if other.is_named == node.is_named]
    known = scope.old is not None and scope.new is not None and scope.score >= _ELEMENT_KNOWN
    chosen: list[Node] = []
    reached = equal = 0
    for other in found:
        inside = scope.holds(other) and (scope.new is not None or len(found) <= _FEW_CANDIDATES)
        if inside:
            chosen.append(other)
        elif traits.survived_in(span_of(other)) and (len(found) <= _FEW_CANDIDATES or reached < _MOST_REACHED):
            reached += 1
            chosen.append(other)
        elif equal < _MOST_EQUAL and text_of(pair.new, other) == text:
            equal += 1
            chosen.append(other)
        elif not known and len(found) <= _FEW_CANDIDATES:
            chosen.append(other)
    return chosen


def _opening(pair: Pair, node: Node) -> int | None:
    """Return the new line that the first line of a node is carried to, if the node begins it and it says something."""
    line = line_at(pair.old, node.start_byte)
    if line >= len(pair.old.keys) or len(pair.old.keys[line]) < _TELLING_KEY:
        return None
    if pair.old.text[pair.old.starts[line] : node.start_byte].strip():
        return None
    target = pair.diff.forward[line]
    return target if target >= 0 else None


def _first_line_end(source: Source, region: Span) -> int:
    return min(region.end, source.index.ends[line_at(source, region.start)])


def _parent_type(node: Node) -> str:
    return node.parent.type if node.parent is not None else ""
