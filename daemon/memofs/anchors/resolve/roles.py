"""Step 6: an operand, an argument, a name goes with the statement it is part of.

Invariant: the statement is matched first; in it the part with the same role is found by descending along fields, types
and ordinals. A part with the same text wins, then the only place where its text occurs, then its role alone, which
costs a little.
"""

import re
from collections.abc import Callable
from typing import Final

import msgspec
from tree_sitter import Node

from memofs.anchors.pair import Pair
from memofs.anchors.resolve.found import Found
from memofs.anchors.resolve.kinds import is_parameter, is_statement
from memofs.anchors.source import nodes_of, span_of, text_of
from memofs.anchors.tokens import TOKEN, dice
from memofs.model.place import Span

__all__ = ["by_role", "counterpart", "is_part", "occurrences"]

_FEWEST_TOKENS: Final = 3
"""A statement shorter than this says too little to be found by itself."""
_ROLE_ALONE: Final = 0.1
_ONLY_OCCURRENCE: Final = 0.02
_LEAST_ALIKE: Final = 0.3
_LIKE_ENOUGH: Final = 0.75
_CLEARLY: Final = 0.2
_OTHER_FIELD: Final = {"parameters": "parameter", "parameter": "parameters"}
"""An arrow function of one parameter has no list."""


class _Step(msgspec.Struct, frozen=True):
    """How a part hangs in its parent: by field, or as the nth child of its type.

    `is_unique` says that no other child of the type has its text.
    """

    field: str | None
    type: str
    ordinal: int
    is_unique: bool


def is_part(pair: Pair, node: Node, *, standing: bool) -> bool:
    """Return whether a node of the old text is to be found by the statement around it rather than by itself."""
    return not standing or node.child_count == 0 or len(TOKEN.findall(text_of(pair.old, node))) < _FEWEST_TOKENS


def by_role(pair: Pair, node: Node, named: Callable[[Node], bool], match: Callable[[Node], Found]) -> Found | None:
    """Return the part that plays the role of `node` in what its statement became; None if there is none.

    `named` says whether a node is a declared element, `match` finds a node of the old text.
    """
    climbed = _statement(pair, node, named)
    if climbed is None:
        return None
    statement, path = climbed
    found = match(statement)
    if found.span is None:
        return None
    target = counterpart(pair, statement, found.span)
    if target is None:
        return None
    text = text_of(pair.old, node)
    part = _descend(pair, target, path, text)
    if part is not None and text_of(pair.new, part) == text:
        return Found(span=span_of(part), score=found.score, margin=found.margin, how="role")
    there = occurrences(pair.new.text, text, found.span)
    if len(there) == 1 and len(occurrences(pair.old.text, text, span_of(statement))) == 1:
        return Found(span=there[0], score=found.score - _ONLY_OCCURRENCE, margin=found.margin, how="occurrence")
    if part is not None and node.child_count:
        part = _likelier(pair, node, part, target)
    if part is None or not (part.type == node.type or path[-1].field in _OTHER_FIELD):
        return None
    if node.child_count == 0 or _alike(pair, node, part):
        return Found(span=span_of(part), score=found.score - _ROLE_ALONE, margin=found.margin, how="role")
    return None


def counterpart(pair: Pair, node: Node, span: Span) -> Node | None:
    """Return the node with `span` in the new text, of the type of `node` if several have it."""
    root = pair.new.root
    found = root.descendant_for_byte_range(span.start, span.end) if root is not None else None
    if found is not None and span_of(found) != span and root is not None:
        found = root.descendant_for_byte_range(span.start, span.end - 1)
    if found is None or span_of(found) != span:
        return None
    while found.type != node.type and found.parent is not None and span_of(found.parent) == span:
        found = found.parent
    return found


def occurrences(text: str, wanted: str, within: Span) -> tuple[Span, ...]:
    """Return where `wanted` stands in a part of `text`, never within a longer word."""
    pattern = re.escape(wanted)
    if wanted[:1].isalnum() or wanted[:1] == "_":
        pattern = r"(?<!\w)" + pattern
    if wanted[-1:].isalnum() or wanted[-1:] == "_":
        pattern += r"(?!\w)"
    return tuple(Span(*match.span()) for match in re.compile(pattern).finditer(text, within.start, within.end))


def _statement(pair: Pair, node: Node, named: Callable[[Node], bool]) -> tuple[Node, tuple[_Step, ...]] | None:
    """Return the nearest ancestor that stands by itself, and the way down from it."""
    path: list[_Step] = []
    while (parent := node.parent) is not None:
        siblings = parent.children
        index = siblings.index(node)
        alike = [sibling for sibling in siblings if sibling.type == node.type]
        text = text_of(pair.old, node)
        is_unique = sum(text_of(pair.old, sibling) == text for sibling in alike) == 1
        path.append(_Step(parent.field_name_for_child(index), node.type, alike.index(node), is_unique))
        node = parent
        if node.parent is None:
            return None
        enough = len(TOKEN.findall(text_of(pair.old, node))) >= _FEWEST_TOKENS or is_parameter(node)
        if named(node) or (enough and (is_statement(node) or is_parameter(node))):
            return node, tuple(reversed(path))
    return None


def _descend(pair: Pair, node: Node, path: tuple[_Step, ...], text: str) -> Node | None:
    for step in path:
        child: Node | None = None
        if step.field is not None:
            held = node.children_by_field_name(step.field) or node.children_by_field_name(
                _OTHER_FIELD.get(step.field, "")
            )
            alike = [other for other in held if other.type == step.type]
            if len(held) == 1:
                child = held[0]
            elif step.ordinal < len(alike):
                child = alike[step.ordinal]
            elif held:
                child = held[0]
        else:
            alike = [other for other in node.children if other.type == step.type]
            if len(alike) > 1 and step.is_unique:
                child = next((other for other in alike if text_of(pair.new, other) == text), None)
            if child is None and alike:
                child = alike[min(step.ordinal, len(alike) - 1)]
        if child is None:
            return None
        node = child
    return node


def _likelier(pair: Pair, node: Node, part: Node, target: Node) -> Node:
    """Return a part of the statement that is clearly more like `node` than the one in its role: its role changed."""
    bag = pair.old_bag(node.start_byte, node.end_byte)
    own = dice(bag, pair.new_bag(part.start_byte, part.end_byte))
    if own >= _LIKE_ENOUGH:
        return part
    scored = [
        (dice(bag, pair.new_bag(other.start_byte, other.end_byte)), -other.start_byte, other)
        for other in nodes_of(pair.new, (node.type,), within=target)
    ]
    best = max(scored, key=lambda item: item[:2], default=None)
    return best[2] if best is not None and best[0] >= _LIKE_ENOUGH and best[0] >= own + _CLEARLY else part


def _alike(pair: Pair, node: Node, other: Node) -> bool:
    old = pair.old_bag(node.start_byte, node.end_byte)
    return dice(old, pair.new_bag(other.start_byte, other.end_byte)) > _LEAST_ALIKE
