"""Declarations of shell scripts: functions, and variables set outside of them."""

from collections.abc import Iterable
from typing import Final

from tree_sitter import Node

from memofs.anchors.declared.rules import FUNCTIONS, Named, Rules, Scope, one
from memofs.anchors.source import Source, text_of

__all__ = ["BASH"]


def _variable(source: Source, node: Node, scope: Scope) -> Iterable[Named]:
    found, around = node.child_by_field_name("name"), node.parent
    if found is None or found.type != "variable_name" or scope in FUNCTIONS or around is None:
        return
    # "A=1 command" sets A for the command alone.
    if around.type in ("program", "declaration_command", "if_statement", "else_clause", "elif_clause", "list"):
        name = text_of(source, found)
        yield Named(name=name, kind="constant" if name.isupper() else "variable", node=node)


BASH: Final = Rules(
    declared={"function_definition": one("function"), "variable_assignment": _variable},
    comments=frozenset({"comment"}),
    wrappers=frozenset({"declaration_command"}),
    listing=frozenset({"variable_assignment"}),
)
