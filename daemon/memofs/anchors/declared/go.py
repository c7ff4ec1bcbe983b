"""Declarations of Go: functions, methods by their receiver's type, types with fields and methods, constants."""

from collections.abc import Iterable
from typing import Final

from tree_sitter import Node

from memofs.anchors.declared.rules import FUNCTIONS, Kind, Named, Rule, Rules, Scope, child, one
from memofs.anchors.source import Source, text_of

__all__ = ["GO"]


def _method(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
    """Yield `func (s *Server[T]) Run()` as Server.Run."""
    found, receiver = node.child_by_field_name("name"), node.child_by_field_name("receiver")
    if found is None:
        return
    owner = receiver.named_children[0].child_by_field_name("type") if receiver and receiver.named_children else None
    while owner is not None and owner.type != "type_identifier":
        owner = owner.child_by_field_name("type") or child(
            owner, "type_identifier", "generic_type", "pointer_type", "parenthesized_type"
        )
    name = text_of(source, found)
    yield Named(name=f"{text_of(source, owner)}.{name}" if owner else name, kind="method", node=node)


def _type(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
    found, value = node.child_by_field_name("name"), node.child_by_field_name("type")
    if found is not None:
        kind = _TYPES.get(value.type, "type") if value else "type"
        yield Named(name=text_of(source, found), kind=kind, node=node)


def _names(kind: Kind) -> Rule:
    """Return the rule of a line that declares one or several names, outside functions."""

    def rule(source: Source, node: Node, scope: Scope) -> Iterable[Named]:
        if scope not in FUNCTIONS:
            for found in node.children_by_field_name("name"):
                if found.type != ",":
                    yield Named(name=text_of(source, found), kind=kind, node=node)

    return rule


_TYPES: Final[dict[str, Kind]] = {"struct_type": "struct", "interface_type": "interface"}
GO: Final = Rules(
    declared={
        "function_declaration": one("function"),
        "method_declaration": _method,
        "type_spec": _type,
        "type_alias": one("type"),
        "const_spec": _names("constant"),
        "var_spec": _names("variable"),
        "field_declaration": _names("field"),
        "method_elem": one("method"),
    },
    comments=frozenset({"comment"}),
    wrappers=frozenset({"type_declaration", "const_declaration", "var_declaration", "var_spec_list"}),
    listing=frozenset({"type_spec", "type_alias", "const_spec", "var_spec"}),
)
