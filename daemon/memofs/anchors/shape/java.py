"""What formatters leave alone in Java and C#.

Silent: `;` (the parts of a `for` are named instead), commas before a closing bracket, parentheses that change
nothing, where a long string is split with `+`, the order of modifiers.
"""

from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from memofs.anchors.shape.rules import Part, ShapeRules, group, in_order, is_trailing, raw
from memofs.anchors.source import Source, text_of

__all__ = ["CSHARP", "JAVA"]


def _says(_source: Source, _node: Node, children: Sequence[Node], index: int) -> bool:
    match children[index].type:
        case ",":
            ends = index + 1 < len(children) and children[index + 1].type == "enum_body_declarations"
            return not ends and not is_trailing(children, index, _SILENT)
        case _:
            return True


def _sum(source: Source, node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return a sum with adjacent string literals joined; anything else as it is."""
    operands = _operands(node)
    if len(operands) < 2:
        return group("binary_expression", parts)
    joined: list[Part] = []
    for one in operands:
        literal = _literal(source, one)
        before = joined[-1] if joined else None
        if literal and isinstance(before, str):
            joined[-1] = f"{before[:-1]}{literal[1:]}"
        else:
            joined.append(literal or one)
    return joined if len(joined) == 1 else group("sum", ["+", *joined])


def _parenthesised(source: Source, node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return what is in parentheses, which the tree makes up for."""
    literal = _literal(source, node)
    return [literal] if literal else [part for part in parts if isinstance(part, str) or part.type not in "()"]


def _modifiers(source: Source, _node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return modifiers and annotations in the order of their text."""
    parts.sort(key=lambda part: part if isinstance(part, str) else text_of(source, part))
    return group("modifiers", parts)


def _modified(source: Source, node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return a declaration of C#, whose modifiers are its own children."""
    return group(node.type, in_order(source, parts, _MODIFIER))


def _literal(source: Source, node: Node) -> str:
    """Return a string literal, or a sum of nothing but such, as one; empty if there is anything else in it."""
    texts: list[str] = []
    left = [node]
    while left:
        one = left.pop()
        text = text_of(source, one) if one.type == "string_literal" else ""
        inner = [part for part in one.named_children if part.type not in _SILENT]
        if text and not text.startswith(_TEXT_BLOCK):
            texts.append(text[1:-1])
        elif one.type == "parenthesized_expression" and len(inner) == 1:
            left.extend(inner)
        elif len(operands := _operands(one)) > 1:
            left.extend(reversed(operands))
        else:
            return ""
    return f'"{"".join(texts)}"'


def _operands(node: Node) -> list[Node]:
    """Return what a sum adds, from left to right; the node alone if it is none."""
    operands: list[Node] = []
    while node.type == "binary_expression" and any(one.type == "+" for one in node.children):
        sides = [one for one in node.named_children if one.type not in _SILENT]
        if len(sides) != 2:
            break
        operands.append(sides[1])
        node = sides[0]
        while node.type == "parenthesized_expression" and len(node.named_children) == 1:
            node = node.named_children[0]
    return [node, *reversed(operands)]


def _string(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    return (raw(source, node),)


_SILENT: Final = frozenset({";", "comment", "line_comment", "block_comment", "empty_statement"})
_TEXT_BLOCK: Final = '"""'
_EXPAND: Final = {
    "binary_expression": _sum,
    "parenthesized_expression": _parenthesised,
    "string_literal": _string,
    "modifiers": _modifiers,
}
_FOR: Final = frozenset({"init", "initializer", "condition", "update"})
JAVA: Final = ShapeRules(
    silent=_SILENT,
    says=_says,
    expand=_EXPAND,
    roles={"for_statement": _FOR},
    imports=frozenset({"import_declaration"}),
    imports_sorted="everywhere",
    bodies=frozenset({"program"}),
    groups="sound",
)
_MODIFIER: Final = frozenset({"modifier"})
_MODIFIED: Final = (
    *("class_declaration", "struct_declaration", "interface_declaration", "enum_declaration", "record_declaration"),
    *("method_declaration", "constructor_declaration", "property_declaration", "field_declaration"),
    *("indexer_declaration", "operator_declaration", "event_declaration", "event_field_declaration"),
    *("delegate_declaration", "conversion_operator_declaration", "local_function_statement"),
)
CSHARP: Final = ShapeRules(
    silent=_SILENT,
    says=_says,
    expand={**_EXPAND, **dict.fromkeys(_MODIFIED, _modified)},
    roles={"for_statement": _FOR},
    imports=frozenset({"using_directive"}),
    imports_sorted="everywhere",
    bodies=frozenset({"compilation_unit"}),
    groups="sound",
)
