"""Steps 5 to 7 in one: what a node of the old tree became.

Invariant: a node is looked for once in a pair; while it is looked for, asking for it again finds nothing, so rules that
lean on ancestors end.
"""

from typing import Final

from tree_sitter import Node

from memofs.anchors.resolve.found import NOTHING, Found
from memofs.anchors.resolve.kinds import is_parameter, is_standing
from memofs.anchors.resolve.matching import Matching, node_key
from memofs.anchors.resolve.moved import moved_node
from memofs.anchors.resolve.named import match_element
from memofs.anchors.resolve.nodes import by_score, scope_of
from memofs.anchors.resolve.parameters import by_parameter
from memofs.anchors.resolve.roles import by_role, is_part
from memofs.anchors.source import span_of, text_of
from memofs.anchors.symbols import Declaration
from memofs.model.place import Span

__all__ = ["declared_at", "match_declared", "match_node"]

_SHORTEST_LEAF: Final = 6
_WITHOUT_ROLE: Final = 0.12


def match_node(matching: Matching, node: Node) -> Found:
    """Return what became of a node of the old tree."""
    key = node_key(node)
    known = matching.nodes.get(key)
    if known is None:
        matching.nodes[key] = NOTHING
        known = matching.nodes[key] = _matched(matching, node)
    return known


def declared_at(matching: Matching, region: Span) -> Declaration | None:
    """Return the old element whose bare or dressed span is `region`."""
    for element in matching.old_elements:
        if element.span.start > region.start:
            return None
        if region in (element.core, element.dressed, element.span):
            return element
    return None


def match_declared(matching: Matching, region: Span) -> Found | None:
    """Return what the declaration became that `region` is, documentation and all; None if it is none."""
    element = declared_at(matching, region)
    return _as_element(matching, element, region) if element is not None else None


def _matched(matching: Matching, node: Node) -> Found:
    pair = matching.pair
    if node.parent is None:
        return Found(span=Span(0, len(pair.new.text)), score=1.0, margin=1.0, how="file")
    element = declared_at(matching, span_of(node))
    if element is not None:
        return _as_element(matching, element, span_of(node))
    scope = scope_of(matching, node)
    handicap = 0.0
    if is_parameter(node) and scope.old is not None and scope.new is not None:
        found = by_parameter(pair, node, scope.old.node, scope.new.node)
        if found is not None:
            return found
    if is_part(pair, node, standing=is_standing(node)):
        found = by_role(
            pair,
            node,
            lambda other: declared_at(matching, span_of(other)) is not None,
            lambda other: match_node(matching, other),
        )
        if found is not None:
            return found
        if not node.is_named or (node.child_count == 0 and len(text_of(pair.old, node)) < _SHORTEST_LEAF):
            return Found(span=None, how="gone")
        handicap = _WITHOUT_ROLE
    found = by_score(matching, node, scope, handicap)
    if found.accepted or handicap:
        return found
    moved = moved_node(pair, node)
    return moved if moved.span is not None else found


def _as_element(matching: Matching, element: Declaration, region: Span) -> Found:
    """Return what an element became: with what dresses it if the region held all of that."""
    match = match_element(matching, element)
    if match.element is None:
        return Found(span=None, score=match.score, how="element gone")
    new = match.element
    if region == element.span != element.dressed:
        span = new.span
    elif region == element.dressed:
        span = new.dressed
    else:
        span = new.core
    return Found(span=span, score=match.score, margin=match.margin, how="element")
