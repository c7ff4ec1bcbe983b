"""What gofmt leaves alone in Go.

Silent: redundant parentheses, `;` (the parts of a `for` are named instead), trailing commas, the order of imports,
capital letters in numbers.
"""

from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from memofs.anchors.shape.rules import Part, ShapeRules, group, is_trailing
from memofs.anchors.source import Source, text_of

__all__ = ["GO"]


def _says(_source: Source, node: Node, children: Sequence[Node], index: int) -> bool:
    match children[index].type:
        case ",":
            return not is_trailing(children, index, _SILENT)
        case "(" | ")":
            return node.type not in _BARE
        case _:
            return True


def _for(_source: Source, _node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return the head of a `for`; with a condition alone it is the same with semicolons and without."""
    if len(parts) == 2 and parts[0] == "condition:":
        return parts[1:]
    return group("for_clause", parts)


def _imports(source: Source, _node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return a list of imports in the order of their text."""
    return sorted(parts, key=lambda part: part if isinstance(part, str) else text_of(source, part))


_SILENT: Final = frozenset({";", "comment"})
_BARE: Final = frozenset({"parenthesized_expression", "parenthesized_type"})
GO: Final = ShapeRules(
    silent=_SILENT,
    says=_says,
    expand={"for_clause": _for, "import_spec_list": _imports},
    spell={"int_literal": str.lower, "float_literal": str.lower, "imaginary_literal": str.lower},
    roles={"for_clause": frozenset({"initializer", "condition", "update"})},
    imports=frozenset({"import_declaration"}),
    bodies=frozenset({"source_file", "statement_list"}),
)
