"""What clang-format leaves alone in Java and C#.

Silent: `;` (the parts of a `for` are named instead), commas before a closing bracket, where a long string is split
with `+`. Parentheses stay: they decide whether `+` adds or joins.
"""

from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from memofs.anchors.shape.rules import Part, ShapeRules, group, is_trailing
from memofs.anchors.source import Source, text_of

__all__ = ["CSHARP", "JAVA"]


def _says(_source: Source, _node: Node, children: Sequence[Node], index: int) -> bool:
    match children[index].type:
        case ",":
            return not is_trailing(children, index, _SILENT)
        case ";":
            return False
        case _:
            return True


def _sum(source: Source, node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return a sum with adjacent string literals joined; anything else as it is."""
    if not _is_sum(node):
        return group("binary_expression", parts)
    operands: list[Node] = []
    left = node
    while _is_sum(left):
        sides = [one for one in left.named_children if one.type not in _SILENT]
        if len(sides) != 2:
            return group("binary_expression", parts)
        operands.append(sides[1])
        left = sides[0]
    operands.append(left)
    joined: list[Part] = []
    for one in reversed(operands):
        text = text_of(source, one)
        if one.type != "string_literal" or text.startswith('"""'):
            joined.append(one)
        elif joined and isinstance(before := joined[-1], str):
            joined[-1] = f"{before[:-1]}{text[1:]}"
        else:
            joined.append(text)
    return joined if len(joined) == 1 else group("+", joined)


def _is_sum(node: Node) -> bool:
    return node.type == "binary_expression" and any(one.type == "+" for one in node.children)


_SILENT: Final = frozenset({"comment", "line_comment", "block_comment", "empty_statement"})
_FOR: Final = frozenset({"init", "initializer", "condition", "update"})
JAVA: Final = ShapeRules(
    silent=_SILENT,
    says=_says,
    expand={"binary_expression": _sum},
    roles={"for_statement": _FOR},
    imports=frozenset({"import_declaration"}),
)
CSHARP: Final = ShapeRules(
    silent=_SILENT,
    says=_says,
    expand={"binary_expression": _sum},
    roles={"for_statement": _FOR},
    imports=frozenset({"using_directive"}),
)
