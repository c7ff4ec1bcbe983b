"""What shfmt leaves alone in shell scripts.

Silent: `;` and `;;` (a case's items are groups of their own), continued lines, backquotes for `$(…)`, tabs before
the lines of `<<-`. Blanks in strings and in the text of `<<` count.
"""

import re
from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from memofs.anchors.shape.rules import Part, ShapeRules, exact, group
from memofs.anchors.source import Source

__all__ = ["BASH"]


def _says(_source: Source, node: Node, children: Sequence[Node], index: int) -> bool:
    return node.type != "command_substitution" or children[index].type not in ("`", "$(", ")")


def _string(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    return group("string", exact(source, node, _EXPANSIONS, skip=1))


def _here(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    """Return the text behind `<<`, with the blanks before its first line, which the grammar leaves out."""
    parts = exact(source, node, _EXPANSIONS)
    begin = source.text.rfind("\n", 0, node.start_byte) + 1
    parts[0] = f"'{source.text[begin : node.start_byte]}{str(parts[0])[1:]}"
    around = node.parent
    if around is not None and any(one.type == "<<-" for one in around.children):
        parts = [_TABS.sub("", part) if isinstance(part, str) else part for part in parts]
    return group("here", parts)


def _substitution(_source: Source, _node: Node, parts: list[Part]) -> Sequence[Part]:
    return group("command_substitution", parts)


_EXPANSIONS: Final = ("simple_expansion", "expansion", "command_substitution", "arithmetic_expansion")
# A piece of the text begins with its mark.
_TABS: Final = re.compile(r"(?m)(?<=^')\t+|^\t+")
BASH: Final = ShapeRules(
    silent=frozenset({"comment", ";", ";;"}),
    says=_says,
    expand={
        "string": _string,
        "heredoc_body": _here,
        "command_substitution": _substitution,
    },
    bodies=frozenset({"program"}),
)
