"""What formatters leave alone in PHP.

Silent: `;`, parentheses that change nothing, trailing commas, `array(…)` for `[…]`, braces around the one statement
of an `if` or loop, quotes of strings without variables, the letter case of keywords, `new A` for `new A()`.
"""

import re
from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from memofs.anchors.shape.literals import number, unescaped
from memofs.anchors.shape.rules import Part, ShapeRules, exact, group, in_order, is_trailing, raw
from memofs.anchors.source import Source

__all__ = ["PHP"]


def _says(_source: Source, node: Node, children: Sequence[Node], index: int) -> bool:
    match children[index].type:
        case ",":
            return not is_trailing(children, index, _SILENT)
        case "(" | ")":
            return node.type not in ("parenthesized_expression", *_LISTS)
        case "[" | "]" | "array" | "list":
            return node.type not in _LISTS
        case "arguments":
            return node.type != "object_creation_expression" or any(one.is_named for one in children[index].children)
        case _:
            return True


def _list(_source: Source, node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return an array or list, whichever brackets are around it."""
    return group(node.type, parts)


def _block(_source: Source, node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return a block; the one statement of a condition or loop stands for it."""
    around = node.parent
    if around is not None and around.type in _CONTROL and len(parts) == _ONE_IN_BRACES:
        return parts[1:-1]
    return group("compound_statement", parts)


def _modified(source: Source, node: Node, parts: list[Part]) -> Sequence[Part]:
    return group(node.type, in_order(source, parts, _MODIFIERS))


def _else(_source: Source, _node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return `else`; with an `if` behind it, it is `elseif`, and what follows that `if` follows."""
    inner = parts[-1]
    if len(parts) != len(("else", "if")) or isinstance(inner, str) or inner.type != "if_statement":
        return group("else_clause", parts)
    condition, body = inner.child_by_field_name("condition"), inner.child_by_field_name("body")
    if condition is None or body is None:
        return group("else_clause", parts)
    return [*group("else_if_clause", ["elseif", condition, body]), *inner.children_by_field_name("alternative")]


def _cast(text: str) -> str:
    return _CASTS.get(text.lower(), text.lower())


def _single(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    return (f"'{_SINGLE.sub(lambda found: found[1], raw(source, node)[1:-1])}",)


def _double(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    """Return a string with double quotes; without variables it is what one with single quotes is."""
    inner = {one.type for one in node.named_children} - {"string_content", "escape_sequence"}
    if inner:
        return group("string", exact(source, node, inner, skip=1))
    return (f"'{_ESCAPE.sub(_character, raw(source, node)[1:-1])}",)


def _character(found: re.Match[str]) -> str:
    """Return what an escape stands for: a dollar and the escape character have their own, the rest are as in C."""
    return _OWN_ESCAPES.get(found[1]) or unescaped(found[0])


def _lower(text: str) -> str:
    return text.lower()


_SILENT: Final = frozenset({";", "comment", "empty_statement"})
_LISTS: Final = frozenset({"array_creation_expression", "list_literal"})
_CONTROL: Final = frozenset(
    {
        *("if_statement", "else_clause", "else_if_clause", "while_statement", "do_statement", "for_statement"),
        "foreach_statement",
    }
)
_ONE_IN_BRACES: Final = 3
_MODIFIERS: Final = frozenset(
    {
        *("abstract_modifier", "final_modifier", "static_modifier", "visibility_modifier", "readonly_modifier"),
        "var_modifier",
    }
)
_CASTS: Final = {"boolean": "bool", "integer": "int", "double": "float", "real": "float", "binary": "string"}
_OWN_ESCAPES: Final = {"$": "$", "e": "\x1b"}
_ESCAPE: Final = re.compile(r"\\([\\$\"efnrtv]|[0-7]{1,3}|x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]+\})")
_SINGLE: Final = re.compile(r"\\([\\'])")
_KEYWORDS: Final = (
    *("abstract", "and", "as", "break", "case", "catch", "class", "clone", "const", "continue", "declare", "default"),
    *("do", "echo", "else", "elseif", "enddeclare", "endfor", "endforeach", "endif", "endswitch", "endwhile", "enum"),
    *("extends", "final", "finally", "fn", "for", "foreach", "function", "global", "goto", "if", "implements"),
    *("include", "include_once", "instanceof", "insteadof", "interface", "match", "namespace", "new", "or", "print"),
    *("readonly", "require", "require_once", "return", "static", "switch", "throw", "trait", "try", "unset", "use"),
    *("var", "while", "xor", "yield", "boolean", "null", "primitive_type"),
)
PHP: Final = ShapeRules(
    silent=_SILENT,
    says=_says,
    expand={
        "array_creation_expression": _list,
        "list_literal": _list,
        "compound_statement": _block,
        "else_clause": _else,
        "string": _single,
        "encapsed_string": _double,
        **dict.fromkeys(("class_declaration", "method_declaration", "property_declaration"), _modified),
    },
    spell={**dict.fromkeys(_KEYWORDS, _lower), "cast_type": _cast, "integer": number, "float": number},
    roles={"for_statement": frozenset({"initialize", "condition", "update"})},
    imports=frozenset({"namespace_use_declaration"}),
    bodies=frozenset({"program"}),
    groups="sound",
)
