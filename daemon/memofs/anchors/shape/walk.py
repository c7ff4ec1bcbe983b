"""The tokens of a region's shape: the tree in it, taken apart by the rules of its language."""

from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeAlias

from tree_sitter import Node

from memofs.anchors.shape.imports import Key, all_sorted, runs_sorted
from memofs.anchors.shape.rules import CLOSE, OPEN, Part, ShapeRules, between, kept, open_of, raw
from memofs.anchors.source import Source, text_of
from memofs.model.place import Span

__all__ = ["tokens_of_file", "tokens_of_parts", "tokens_of_region"]


_Order: TypeAlias = Callable[[Sequence[Part]], Sequence[Part]]
"""Puts the parts of a node in the order that counts."""


def tokens_of_region(source: Source, root: Node, region: Span, rules: ShapeRules) -> list[str]:
    """Return the tokens of the nodes in `region`, which has no blanks at its ends.

    Of a region that is no node: the outermost nodes in it, in order, and the tokens at its edges, cut to it. Empty
    if nothing in it says anything: a comment, a docstring.
    """
    parts = _inside(source, root, region, rules)
    tokens = tokens_of_parts(source, parts, rules)
    return _as_labelled(tokens, rules, _state(source, parts, rules))


def tokens_of_file(source: Source, root: Node, rules: ShapeRules) -> list[str]:
    """Return the tokens of a whole file, in which imports and the names in each are in an order of their own."""
    tokens = _remembered(source, root, rules, lambda found: all_sorted(found, rules, _key(source, rules)), 0)
    return _as_labelled(tokens, rules, _state(source, [root], rules))


def _state(source: Source, parts: Sequence[Part], rules: ShapeRules) -> Literal["sound", "broken"]:
    """Return whether the grammar could read all that says anything."""
    left = [part for part in parts if not isinstance(part, str)]
    while left:
        node = left.pop()
        if node.is_error and kept(source, node, rules):
            return "broken"
        if node.has_error:
            left.extend(node.children)
    return "sound"


def _as_labelled(tokens: list[str], rules: ShapeRules, tree: Literal["sound", "broken"]) -> list[str]:
    """Return the tokens without groups where the language has none, or the tree is not to be trusted with them."""
    if rules.groups == "always" or (rules.groups == "sound" and tree == "sound"):
        return tokens
    return [token for token in tokens if token != CLOSE and not token.startswith(OPEN)]


def tokens_of_parts(source: Source, parts: Sequence[Part], rules: ShapeRules) -> list[str]:
    """Return the tokens that `parts` come to, in order."""
    if rules.imports_sorted == "in files":
        return _tokens(source, parts, rules, _as_they_stand)
    return _tokens(source, parts, rules, lambda found: runs_sorted(found, rules, _key(source, rules)))


def _tokens(source: Source, parts: Sequence[Part], rules: ShapeRules, order: _Order) -> list[str]:
    tokens: list[str] = []
    left = list(reversed(order(parts)))
    while left:
        part = left.pop()
        if isinstance(part, str):
            tokens.append(part)
        else:
            left.extend(reversed(order(_parts(source, part, rules))))
    return tokens


def _remembered(source: Source, node: Node, rules: ShapeRules, order: _Order, depth: int) -> list[str]:
    """Return the tokens of a node, those of large nodes in it taken from the last version of the text if it had them.

    While somebody types, a file differs from the last by a few nodes: those around the edit. What a node comes to
    hangs on its text, its type and what it stands in.
    """
    tokens: list[str] = []
    for part in order(_parts(source, node, rules)):
        if isinstance(part, str):
            tokens.append(part)
        elif depth == _DEEPEST or part.has_error or part.end_byte - part.start_byte < _LARGE:
            tokens += _tokens(source, [part], rules, order)
        else:
            around = part.parent
            key = (part.type, around.type if around is not None else "", text_of(source, part))
            known = source.pieces.get(key)
            if known is None:
                known = source.pieces.made[key] = tuple(_remembered(source, part, rules, order, depth + 1))
            tokens += known
    return tokens


_LARGE: Final = 120
"""In code points: smaller nodes are taken apart faster than they are looked up."""
_DEEPEST: Final = 24


def _key(source: Source, rules: ShapeRules) -> Key:
    return lambda parts: _tokens(source, parts, rules, _as_they_stand)


def _as_they_stand(parts: Sequence[Part]) -> Sequence[Part]:
    return parts


def _parts(source: Source, node: Node, rules: ShapeRules) -> Sequence[Part]:
    type_of = node.type
    if type_of in rules.silent:
        return ()
    spell = rules.spell.get(type_of)
    if spell is not None:
        return (spell(raw(source, node)),)
    expand = rules.expand.get(type_of)
    if expand is None and not node.child_count:
        text = raw(source, node)
        return (text,) if text and not text.isspace() else ()
    parts = kept(source, node, rules)
    if expand is not None:
        return expand(source, node, parts)
    if len(parts) < 2:
        return parts
    return (open_of(rules.labels.get(type_of, type_of)), *parts, CLOSE)


def _inside(source: Source, root: Node, region: Span, rules: ShapeRules) -> list[Part]:
    """Return the outermost nodes in a region, as far as they say anything, and pieces of those that it cuts."""
    found: list[Part] = []
    left: list[Part] = [root]
    while left:
        part = left.pop()
        if isinstance(part, str):
            found.append(part)
            continue
        start, end = max(part.start_byte, region.start), min(part.end_byte, region.end)
        if start >= end:
            continue
        if _is_blank(source, part.start_byte, start) and _is_blank(source, end, part.end_byte):
            found.append(part)
        elif not part.child_count:
            found.append(rules.piece(source.text[start:end]))
        else:
            left.extend(reversed(_cut(source, part, region, rules)))
    if len(found) > 1 and _is_comma(found[-1]):
        # It is the list's in which the region stands: formatters put it there or take it away.
        found.pop()
    return _opened(source, found, rules)


def _is_comma(part: Part) -> bool:
    return (part if isinstance(part, str) else part.type) == ","


def _is_blank(source: Source, start: int, end: int) -> bool:
    return start >= end or not source.text[start:end].strip()


def _opened(source: Source, found: list[Part], rules: ShapeRules) -> list[Part]:
    """Return what a region's only node holds, if it is a mere body: three lines may be all of a block, or not."""
    while len(found) == 1 and not isinstance(only := found[0], str):
        if only.type in rules.expand or only.type in rules.spell or not only.child_count:
            break
        inner = kept(source, only, rules)
        if len(inner) > 1 and only.type not in rules.bodies:
            break
        found = inner
    return found


def _cut(source: Source, node: Node, region: Span, rules: ShapeRules) -> list[Part]:
    """Return the children of a node that is only in part in the region, and the text between them that is."""
    parts: list[Part] = []
    children = node.children
    at = node.start_byte

    def gap(end: int) -> None:
        said = between(source.text[max(at, region.start) : min(end, region.end)])
        if said and said not in rules.silent:
            parts.append(said)

    for index, one in enumerate(children):
        gap(one.start_byte)
        at = one.end_byte
        overlaps = one.start_byte < region.end and one.end_byte > region.start
        if overlaps and one.type not in rules.silent and rules.says(source, node, children, index):
            parts.append(one)
    gap(node.end_byte)
    return parts
