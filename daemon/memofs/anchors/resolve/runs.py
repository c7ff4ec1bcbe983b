"""Step 8, node runs: a region of several nodes goes from what its first became to what its last became.

Invariant: where a node at an edge is gone the next one inside takes its place, unless the diff kept that very edge; the
result must resemble the region, and may not have grown out of proportion.
"""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from tree_sitter import Node

from memofs.anchors.pair import Pair
from memofs.anchors.ranges import Carried
from memofs.anchors.resolve.comments import comments_above, is_comment_text
from memofs.anchors.resolve.found import ACCEPT, NOTHING, Found
from memofs.anchors.resolve.frame import Frame
from memofs.anchors.resolve.kinds import is_bare_block, is_comment, is_standing
from memofs.anchors.resolve.passages import as_text
from memofs.anchors.resolve.roles import counterpart
from memofs.anchors.source import span_of, text_of
from memofs.anchors.tokens import dice
from memofs.model.place import Span

__all__ = ["as_run", "edge_nodes"]

_LEAST_ALIKE: Final = 0.4
_MOST_GROWN: Final = 80
_SLACK: Final = 20
_MOST_CLAIMED: Final = 0.5
_MOST_OF_IT: Final = 0.5
_COMPLETE: Final = 0.7
"""Where nodes at the edges are gone half of the words have to be left, of a single line most of them."""
_RESEMBLING: Final = 0.5
_CERTAIN: Final = 0.8
"""Nodes that clearly are at the edges bound a region however much it has grown."""
_MOST_TRIED: Final = 4
"""How many nodes from an edge are looked for before that edge is left to the diff."""


def _same_text(region: Span, span: Span, edges: tuple[Node, Node], match: Callable[[Node], Found]) -> Found:
    """Return where a run still reads as it did, with what its last node has grown by."""
    last = edges[1]
    if is_standing(last) and last.child_count and last.start_byte > region.start:
        grown = match(last)
        begins = grown.span is not None and grown.span.start == span.end - (region.end - last.start_byte)
        if grown.span is not None and begins and grown.accepted and grown.span.end > span.end:
            return Found(span=Span(span.start, grown.span.end), score=grown.score, margin=0.5, how="run")
    return Found(span=span, score=0.9, margin=0.5, how="run text")


def _guess(region: Span, first: Found, last: Found) -> tuple[tuple[float, Span], ...]:
    """Return the place from what the first node may be to what the last may be, if that is a place at all."""
    if first.span is None or last.span is None:
        return ()
    low, high = first.span.start, last.span.end
    fits = low < high <= low + 3 * (region.end - region.start) + _MOST_GROWN
    return ((min(first.score, last.score), Span(low, high)),) if fits else ()


class _Edge(msgspec.Struct, frozen=True):
    """A node near an edge, from `from_offset` to `to_offset` of the old text, and what it became.

    `signs` stand between it and the edge, and `gone` counts nodes there, `lost` those that are no comments.
    """

    found: Found
    gone: int = 0
    from_offset: int = 0
    to_offset: int = 0
    signs: tuple[str, ...] = ()
    node: Node | None = None
    lost: int = 0


def edge_nodes(root: Node, region: Span) -> tuple[Node, Node] | None:
    """Return the largest nodes within a region that begin at its start and end at its end."""
    start, end = region.start, region.end
    first = root.descendant_for_byte_range(start, min(start + 1, end))
    if first is None or first.start_byte != start:
        return None
    while first is not None and first.end_byte > end:
        first = next((child for child in first.children if child.start_byte == start), None)
    if first is None:
        return None
    while (parent := first.parent) is not None and parent.start_byte == start and parent.end_byte <= end:
        first = parent
    while is_bare_block(first):
        first = first.children[0]
    last = root.descendant_for_byte_range(end - 1, end)
    if last is not None and last.end_byte != end:
        last = root.descendant_for_byte_range(end - 1, end - 1)
    if last is None or last.end_byte != end:
        return None
    while (parent := last.parent) is not None and parent.end_byte == end and parent.start_byte >= start:
        last = parent
    while is_bare_block(last):
        last = last.children[-1]
    return first, last


def as_run(
    frame: Frame,
    pair: Pair,
    region: Span,
    diff: Carried,
    edges: tuple[Node, Node],
    match: Callable[[Node], Found],
) -> Found:
    """Return where a region that begins and ends with whole nodes is."""
    text = pair.old.text[region.start : region.end]
    if diff.span is not None and pair.new.text[diff.span.start : diff.span.end] == text:
        return _same_text(region, diff.span, edges, match)
    inner = _siblings(*edges)
    first = _edge(pair, inner or (_beginning(edges[0]),), match)
    last = _edge(pair, inner[::-1] or (_ending(edges[1]),), match)
    low = _low(pair, frame, region, diff, first)
    high = _high(pair, frame, region, diff, last)
    certain = min(first.found.score, last.found.score) >= _CERTAIN
    most = 3 * (region.end - region.start) + _MOST_GROWN
    if low is None or high is None or low >= high or (high - low > most and not certain):
        if diff.span is not None and diff.share >= 0.75:
            return Found(span=diff.span, score=diff.share, margin=0.5, how="run diff")
        found = as_text(pair, region, diff)
        if found.span is None and not found.rivals:
            return msgspec.structs.replace(found, rivals=_guess(region, match(edges[0]), match(edges[1])))
        return found
    span = Span(low, high)
    alike = dice(pair.old_bag(region.start, region.end), pair.new_bag(low, high))
    weak = diff.share < 0.25 and max(first.found.score, last.found.score) < 0.6
    if weak or alike < _LEAST_ALIKE:
        return Found(span=None, score=diff.share, how="run unlike", rivals=((alike, span),))
    score = max(first.found.score, last.found.score, diff.share)
    whole = first.found.span is not None and last.found.span is not None and not (first.lost or last.lost)
    if not whole and alike < (_MOST_OF_IT if "\n" in text else _COMPLETE):
        return Found(span=None, score=diff.share, how="run in part", rivals=((alike, span),))
    return Found(span=span, score=score, margin=0.5, how="run" if whole else "run in part")


def _survives(pair: Pair, frame: Frame, part: Span) -> bool:
    """Return whether most of the text of a part of the region survives, by the diff."""
    ink = sum(map(len, pair.old.text[part.start : part.end].split()))
    if not ink:
        return False
    return 3 * sum(piece.end - piece.start for piece in frame.pieces(part)) >= 2 * ink


def _resembles(pair: Pair, gone: Span, place: Span) -> bool:
    """Return whether what the diff has beyond the nodes that were found is what was beyond them."""
    if place.start >= place.end or place.end - place.start > 2 * (gone.end - gone.start) + _SLACK:
        return False
    return dice(pair.old_bag(gone.start, gone.end), pair.new_bag(place.start, place.end)) > _RESEMBLING


def _beside(pair: Pair, frame: Frame, region: Span, edge: _Edge, step: Callable[[Node], Node | None]) -> Span | None:
    """Return what stands in the place of the one node gone at an edge: a node of its type that is nothing else's."""
    node, span = edge.node, edge.found.span
    found = counterpart(pair, node, span) if node is not None and span is not None else None
    gone, new = (step(node) if node is not None else None), (step(found) if found is not None else None)
    if edge.lost != 1 or gone is None or new is None or gone.type != new.type:
        return None
    return span_of(new) if frame.claimed(span_of(new), region) <= _MOST_CLAIMED else None


def _previous(node: Node) -> Node | None:
    other = node.prev_named_sibling
    while other is not None and is_comment(other):
        other = other.prev_named_sibling
    return other


def _next(node: Node) -> Node | None:
    other = node.next_named_sibling
    while other is not None and is_comment(other):
        other = other.next_named_sibling
    return other


def _siblings(first: Node, last: Node) -> list[Node]:
    """Return the nodes of a run: the edges and what is between them, if they have one parent."""
    parent = first.parent
    if parent is None or parent != last.parent:
        return []
    return [
        child for child in parent.children if first.start_byte <= child.start_byte and child.end_byte <= last.end_byte
    ]


def _beginning(node: Node) -> Node:
    """Return the statement that a word or a sign begins, such as `def`, though the region does not hold it all."""
    outer = node
    while _is_sign(node) and (parent := outer.parent) is not None and parent.start_byte == node.start_byte:
        outer = parent
        if is_standing(outer) and outer.parent is not None and not is_bare_block(outer):
            return outer
    return node


def _ending(node: Node) -> Node:
    """Return the statement that a sign ends, such as a brace."""
    outer = node
    while _is_sign(node) and (parent := outer.parent) is not None and parent.end_byte == node.end_byte:
        outer = parent
        if is_standing(outer) and outer.parent is not None and not is_bare_block(outer):
            return outer
    return node


def _is_sign(node: Node) -> bool:
    return not node.is_named and not node.child_count


def _edge(pair: Pair, nodes: Sequence[Node], match: Callable[[Node], Found]) -> _Edge:
    """Return the nearest of `nodes` to an edge, the first of them, that is found."""
    gone = lost = 0
    signs: list[str] = []
    for node in nodes:
        if lost >= _MOST_TRIED:
            break
        if is_comment(node):
            # The same words stand beside much other code; the diff tells whether the comment is kept.
            gone += 1
            signs.clear()
            continue
        if _is_sign(node):
            signs.append(text_of(pair.old, node))
            continue
        found = match(node)
        if found.span is not None and found.score >= ACCEPT:
            return _Edge(found, gone, node.start_byte, node.end_byte, tuple(signs), node, lost)
        gone += 1
        lost += 1
        signs.clear()
    return _Edge(NOTHING)


def _low(pair: Pair, frame: Frame, region: Span, diff: Carried, edge: _Edge) -> int | None:
    found = edge.found.span
    gone = Span(region.start, edge.from_offset)
    kept = diff.span is not None and diff.start_kept and _survives(pair, frame, gone)
    if found is not None and not kept and edge.gone and is_comment_text(pair.old, gone):
        between = pair.old.text[region.start : edge.from_offset]
        blanks = between[len(between.rstrip()) :].count("\n")
        return comments_above(pair.new, found.start, blanks)
    if found is None or _survives(pair, frame, gone):
        return diff.span.start if diff.span else None
    if edge.gone and diff.span is not None and _resembles(pair, gone, Span(diff.span.start, found.start)):
        return diff.span.start
    other = _beside(pair, frame, region, edge, _previous) if edge.lost else None
    return other.start if other is not None else found.start


def _high(pair: Pair, frame: Frame, region: Span, diff: Carried, edge: _Edge) -> int | None:
    """Return where the run ends: after the signs, such as a comma, that stood behind the last node that is found."""
    found = edge.found.span
    survives = edge.gone and _survives(pair, frame, Span(edge.to_offset, region.end))
    if found is None or (survives and (diff.span is None or diff.span.end > found.end)):
        return diff.span.end if diff.span else None
    behind = Span(edge.to_offset, region.end)
    if edge.gone and diff.span is not None and _resembles(pair, behind, Span(found.end, diff.span.end)):
        return diff.span.end
    other = _beside(pair, frame, region, edge, _next) if edge.lost else None
    end = other.end if other is not None else found.end
    for sign in reversed(edge.signs):
        following = len(pair.new.text) - len(pair.new.text[end:].lstrip())
        if not pair.new.text.startswith(sign, following):
            break
        end = following + len(sign)
    return end
