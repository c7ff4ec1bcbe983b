"""Step 8, node runs: a region of several nodes goes from what its first became to what its last became.

Invariant: where an edge's node is not found the diff holds that edge; the result must resemble the region, and may not
have grown out of proportion.
"""

from collections.abc import Callable
from typing import Final

from tree_sitter import Node

from memofs.anchors.pair import Pair
from memofs.anchors.ranges import Carried
from memofs.anchors.resolve.found import ACCEPT, NOTHING, Found
from memofs.anchors.resolve.passages import as_text
from memofs.anchors.tokens import dice
from memofs.model.place import Span

__all__ = ["as_run", "edge_nodes"]

_LEAST_ALIKE: Final = 0.4
_MOST_GROWN: Final = 80


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
    last = root.descendant_for_byte_range(end - 1, end)
    if last is not None and last.end_byte != end:
        last = root.descendant_for_byte_range(end - 1, end - 1)
    if last is None or last.end_byte != end:
        return None
    while (parent := last.parent) is not None and parent.end_byte == end and parent.start_byte >= start:
        last = parent
    return first, last


def as_run(pair: Pair, region: Span, diff: Carried, edges: tuple[Node, Node], match: Callable[[Node], Found]) -> Found:
    """Return where a region that begins and ends with whole nodes is."""
    text = pair.old.text[region.start : region.end]
    if diff.span is not None and pair.new.text[diff.span.start : diff.span.end] == text:
        return Found(span=diff.span, score=0.9, margin=0.5, how="run text")
    first, last = (match(node) if node.is_named or node.child_count else NOTHING for node in edges)
    low = first.span.start if first.span and first.score >= ACCEPT else diff.span.start if diff.span else None
    high = last.span.end if last.span and last.score >= ACCEPT else diff.span.end if diff.span else None
    if low is None or high is None or low >= high or high - low > 3 * (region.end - region.start) + _MOST_GROWN:
        if diff.span is not None and diff.share >= 0.75:
            return Found(span=diff.span, score=diff.share, margin=0.5, how="run diff")
        return as_text(pair, region, diff)
    span = Span(low, high)
    alike = dice(pair.old_bag(region.start, region.end), pair.new_bag(low, high))
    weak = diff.share < 0.25 and max(first.score, last.score) < 0.6
    if weak or alike < _LEAST_ALIKE:
        return Found(span=None, score=diff.share, how="run unlike", rivals=((alike, span),))
    return Found(span=span, score=max(first.score, last.score, diff.share), margin=0.5, how="run")
