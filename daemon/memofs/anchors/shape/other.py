"""Shapes of the languages whose formatters change little but blanks: shell, Ruby, PHP, JSON."""

from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from memofs.anchors.shape.rules import ShapeRules, is_trailing
from memofs.anchors.source import Source

__all__ = ["BASH", "JSON", "PHP", "RUBY"]


def _says(_source: Source, _node: Node, children: Sequence[Node], index: int) -> bool:
    match children[index].type:
        case ",":
            return not is_trailing(children, index, _SILENT)
        case ";":
            return False
        case _:
            return True


_SILENT: Final = frozenset({"comment", "empty_statement"})
BASH: Final = ShapeRules(silent=_SILENT, says=_says)
JSON: Final = ShapeRules(silent=_SILENT, says=_says)
PHP: Final = ShapeRules(silent=_SILENT, says=_says, imports=frozenset({"namespace_use_declaration"}))
RUBY: Final = ShapeRules(silent=_SILENT, says=_says)
