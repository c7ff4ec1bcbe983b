"""The tokens of a region's shape: the tree in it, taken apart by the rules of its language."""

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from tree_sitter import Node

from memofs.anchors.shape.rules import CLOSE, OPEN, Part, ShapeRules, between, kept, open_of, raw
from memofs.anchors.source import Source
from memofs.model.place import Span

__all__ = ["tokens_of_file", "tokens_of_parts", "tokens_of_region"]


def tokens_of_region(source: Source, root: Node, region: Span, rules: ShapeRules) -> list[str]:
    """Return the tokens of the nodes in `region`, which has no blanks at its ends.

    Of a region that is no node: the outermost nodes in it, in order, and the tokens at its edges, cut to it. Empty
    if nothing in it says anything: a comment, a docstring.
    """
    parts = _inside(source, root, region, rules)
    tokens = tokens_of_parts(source, parts, rules)
    return _as_labelled(tokens, rules, _state(source, parts, rules))


def tokens_of_file(source: Source, root: Node, rules: ShapeRules) -> list[str]:
    """Return the tokens of a whole file, in which imports next to each other are in an order of their own."""
    tokens = _tokens(source, [root], rules, _all_sorted if rules.imports else _as_they_stand)
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


_Order: TypeAlias = Callable[[Source, Sequence[Part], ShapeRules], Sequence[Part]]
_Import: TypeAlias = Callable[[Source, Node, ShapeRules], list[str]]


def tokens_of_parts(source: Source, parts: Sequence[Part], rules: ShapeRules) -> list[str]:
    """Return the tokens that `parts` come to, in order."""
    return _tokens(source, parts, rules, _runs_sorted if rules.imports_sorted == "everywhere" else _as_they_stand)


def _tokens(source: Source, parts: Sequence[Part], rules: ShapeRules, order: _Order) -> list[str]:
    tokens: list[str] = []
    left = list(reversed(order(source, parts, rules)))
    while left:
        part = left.pop()
        if isinstance(part, str):
            tokens.append(part)
        elif part.type in rules.imports and order is _all_sorted:
            tokens += _sorted_import(source, part, rules)
        else:
            left.extend(reversed(order(source, _parts(source, part, rules), rules)))
    return tokens


def _as_they_stand(_source: Source, parts: Sequence[Part], _rules: ShapeRules) -> Sequence[Part]:
    return parts


def _all_sorted(source: Source, parts: Sequence[Part], rules: ShapeRules) -> Sequence[Part]:
    """Return the parts of a node with all its imports where the first is, in the order of their tokens."""
    imports, rest, first = _imports_apart(parts, rules)
    if len(imports) < 2:
        return parts
    imports.sort(key=lambda unit: _key(source, unit, rules, _sorted_import))
    return [*rest[:first], *_flat(imports), *rest[first:]]


def _runs_sorted(source: Source, parts: Sequence[Part], rules: ShapeRules) -> Sequence[Part]:
    """Return the parts of a node with imports that stand next to each other in the order of their tokens."""
    if sum(_is_import(part, rules) for part in parts) < 2:
        return parts
    ordered: list[Part] = []
    run: list[list[Part]] = []
    unit: list[Part] = []
    for part in parts:
        unit.append(part)
        if _is_import(part, rules):
            run.append(unit)
            unit = []
        elif isinstance(part, str) or part.type not in rules.before_imports:
            ordered += _flat(_in_order(source, run, rules)) + unit
            run, unit = [], []
    return [*ordered, *_flat(_in_order(source, run, rules)), *unit]


def _in_order(source: Source, run: list[list[Part]], rules: ShapeRules) -> list[list[Part]]:
    return sorted(run, key=lambda unit: _key(source, unit, rules, _plain_import))


def _imports_apart(parts: Sequence[Part], rules: ShapeRules) -> tuple[list[list[Part]], list[Part], int]:
    """Return the imports with what stands before each, the rest, and where in it the first import was."""
    imports: list[list[Part]] = []
    rest: list[Part] = []
    unit: list[Part] = []
    first = 0
    for part in parts:
        unit.append(part)
        if _is_import(part, rules):
            first = first if imports else len(rest)
            imports.append(unit)
            unit = []
        elif isinstance(part, str) or part.type not in rules.before_imports:
            rest += unit
            unit = []
    return imports, [*rest, *unit], first


def _is_import(part: Part, rules: ShapeRules) -> bool:
    return not isinstance(part, str) and part.type in rules.imports


def _flat(units: Sequence[Sequence[Part]]) -> list[Part]:
    return [part for unit in units for part in unit]


def _key(source: Source, unit: Sequence[Part], rules: ShapeRules, spell: _Import) -> list[str]:
    """Return the tokens of an import, then those of what stands before it."""
    *before, own = unit
    tokens = [own] if isinstance(own, str) else spell(source, own, rules)
    return [*tokens, *_tokens(source, before, rules, _as_they_stand)]


def _plain_import(source: Source, node: Node, rules: ShapeRules) -> list[str]:
    return _tokens(source, [node], rules, _as_they_stand)


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
    return _opened(source, found, rules)


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
