"""The tokens of a region's shape: the tree in it, taken apart by the rules of its language."""

from collections.abc import Sequence

from tree_sitter import Node

from memofs.anchors.shape.rules import CLOSE, Part, ShapeRules, kept, open_of, raw
from memofs.anchors.source import Source
from memofs.model.place import Span

__all__ = ["tokens_of_file", "tokens_of_parts", "tokens_of_region"]


def tokens_of_region(source: Source, root: Node, region: Span, rules: ShapeRules) -> list[str]:
    """Return the tokens of the nodes in `region`, which has no blanks at its ends.

    Of a region that is no node: the outermost nodes in it, in order, and the tokens at its edges, cut to it. Empty
    if nothing in it says anything: a comment, a docstring.
    """
    return tokens_of_parts(source, _inside(source, root, region, rules), rules)


def tokens_of_file(source: Source, root: Node, rules: ShapeRules) -> list[str]:
    """Return the tokens of a whole file: its imports first, in an order of their own."""
    imports: list[list[str]] = []
    rest: list[Part] = []
    for part in kept(source, root, rules):
        if not isinstance(part, str) and part.type in rules.imports:
            imports.append(_sorted_import(source, part, rules))
        else:
            rest.append(part)
    imports.sort()
    return [token for one in imports for token in one] + tokens_of_parts(source, rest, rules)


def tokens_of_parts(source: Source, parts: Sequence[Part], rules: ShapeRules) -> list[str]:
    """Return the tokens that `parts` come to, in order."""
    tokens: list[str] = []
    left = list(reversed(parts))
    while left:
        part = left.pop()
        if isinstance(part, str):
            tokens.append(part)
        else:
            left.extend(reversed(_parts(source, part, rules)))
    return tokens


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
        if (start, end) == (part.start_byte, part.end_byte):
            found.append(part)
        elif not part.child_count:
            found.append(source.text[start:end])
        else:
            left.extend(reversed(_cut(source, part, region, rules)))
    return _opened(source, found, rules)


def _opened(source: Source, found: list[Part], rules: ShapeRules) -> list[Part]:
    """Return what a region's only node is made of, without the node's name: three lines may be a block, or not."""
    while len(found) == 1 and not isinstance(only := found[0], str):
        if only.type in rules.expand or only.type in rules.spell or not only.child_count:
            break
        found = kept(source, only, rules)
    return found


def _cut(source: Source, node: Node, region: Span, rules: ShapeRules) -> list[Part]:
    """Return the children of a node that is only in part in the region, and the text between them that is."""
    parts: list[Part] = []
    children = node.children
    at = node.start_byte

    def between(end: int) -> None:
        said = rules.between(source.text[max(at, region.start) : min(end, region.end)])
        if said:
            parts.append(said)

    for index, one in enumerate(children):
        between(one.start_byte)
        at = one.end_byte
        overlaps = one.start_byte < region.end and one.end_byte > region.start
        if overlaps and one.type not in rules.silent and rules.says(source, node, children, index):
            parts.append(one)
    between(node.end_byte)
    return parts


def _sorted_import(source: Source, node: Node, rules: ShapeRules) -> list[str]:
    """Return the tokens of an import with the names of its list in order."""
    names: list[list[str]] = []
    rest: list[Part] = []
    left: list[Part] = [node]
    while left:
        part = left.pop()
        if isinstance(part, str):
            rest.append(part)
        elif part.type in _LISTS or part == node:
            left.extend(reversed(kept(source, part, rules)))
        elif part.parent is not None and part.parent.type in _NAMED_IN and part.prev_sibling is not None:
            names.append(tokens_of_parts(source, [part], rules))
        elif part.type != ",":
            rest.append(part)
    names.sort()
    return [*tokens_of_parts(source, rest, rules), *(token for one in names for token in one)]


_LISTS = frozenset({"import_clause", "named_imports"})
_NAMED_IN = frozenset({"named_imports"})
