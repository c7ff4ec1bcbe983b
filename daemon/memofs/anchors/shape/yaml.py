"""What Prettier leaves alone in YAML.

Silent: indentation, comments, which quotes are around a string, where lines of folded text are broken, `---` before
the only document. Whether a value is quoted counts: `1` is not `"1"`.
"""

import re
from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from memofs.anchors.shape.literals import unescaped
from memofs.anchors.shape.rules import Part, ShapeRules, group, is_trailing, raw
from memofs.anchors.source import Source

__all__ = ["YAML"]


def _says(_source: Source, _node: Node, children: Sequence[Node], index: int) -> bool:
    match children[index].type:
        case ",":
            return not is_trailing(children, index, _SILENT)
        case "---" | "...":
            return False
        case _:
            return True


def _document(_source: Source, _node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return a document, whatever marks its ends."""
    return group("document", parts)


def _plain(text: str) -> str:
    return " ".join(text.split())


def _single(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    return (f"'{_plain(raw(source, node)[1:-1]).replace(_QUOTE * 2, _QUOTE)}",)


def _double(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    return (f"'{unescaped(_plain(raw(source, node)[1:-1]))}",)


def _block(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    """Return a block of text: how it is folded and ended, and its lines without their common margin."""
    head, _, body = raw(source, node).partition("\n")
    lines = body.rstrip().split("\n")
    margin = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    style = head.partition("#")[0].strip()
    text = "\n".join(line[margin:].rstrip() for line in lines)
    # A line end between two lines of folded text is a blank.
    return group("block", [style, _FOLDED.sub(" ", text) if style.startswith(">") else text])


_SILENT: Final = frozenset({"comment"})
_FOLDED: Final = re.compile(r"(?m)(?<=\S)(?<!^)\n(?=[^\s])")
_QUOTE: Final = "'"
YAML: Final = ShapeRules(
    silent=_SILENT,
    says=_says,
    expand={
        "document": _document,
        "single_quote_scalar": _single,
        "double_quote_scalar": _double,
        "block_scalar": _block,
    },
    spell=dict.fromkeys(
        ("string_scalar", "integer_scalar", "float_scalar", "boolean_scalar", "null_scalar", "timestamp_scalar"), _plain
    ),
    bodies=frozenset({"stream", "block_mapping", "block_sequence"}),
)
