"""What formatters leave alone in Ruby.

Silent: `;` where a line end would do, redundant parentheses, trailing commas, which quotes are around a string that
has neither escapes nor anything interpolated.
"""

from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from memofs.anchors.shape.rules import Part, ShapeRules, exact, group, is_trailing, raw
from memofs.anchors.source import Source

__all__ = ["RUBY"]


def _says(_source: Source, node: Node, children: Sequence[Node], index: int) -> bool:
    match children[index].type:
        case ",":
            return not is_trailing(children, index, _SILENT)
        case "(" | ")":
            return node.type != "parenthesized_statements" or len(node.named_children) != 1
        case _:
            return True


def _string(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    """Return a string: its text alone if it is the same in either quotes, else with them."""
    text = raw(source, node)
    inner = text[1:-1]
    if text[:1] in _QUOTES and not any(sign in inner for sign in ("\\", "#", *_QUOTES)):
        return (f"'{inner}",)
    return group("string", [text[:1], *exact(source, node, ["interpolation"])])


_SILENT: Final = frozenset({";", "comment", "empty_statement"})
_QUOTES: Final = ("'", '"')
RUBY: Final = ShapeRules(
    silent=_SILENT,
    says=_says,
    expand={"string": _string},
    bodies=frozenset({"program", "body_statement"}),
)
