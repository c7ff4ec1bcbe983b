"""What Prettier leaves alone in JSON: all but blanks, comments and trailing commas."""

from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from memofs.anchors.shape.rules import ShapeRules, is_trailing
from memofs.anchors.source import Source

__all__ = ["JSON"]


def _says(_source: Source, _node: Node, children: Sequence[Node], index: int) -> bool:
    match children[index].type:
        case ",":
            return not is_trailing(children, index, _SILENT)
        case _:
            return True


_SILENT: Final = frozenset({"comment"})
JSON: Final = ShapeRules(silent=_SILENT, says=_says)
