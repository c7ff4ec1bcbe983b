"""Declarations of Java: types, their members and constructors, enum constants."""

from collections.abc import Iterable
from typing import Final

from tree_sitter import Node

from memofs.anchors.declared.rules import Kind, Named, Rule, Rules, Scope, listed, one, tight
from memofs.anchors.source import Source, text_of

__all__ = ["JAVA"]


def _callable(kind: Kind) -> Rule:
    def rule(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
        found = node.child_by_field_name("name")
        if found is not None:
            yield Named(name=text_of(source, found), kind=kind, node=node, signature=_signature(source, node))

    return rule


def _signature(source: Source, node: Node) -> str:
    """Return the types of the parameters, "()" where there are none: in Java that tells an overload."""
    parameters = node.child_by_field_name("parameters")
    types: list[str] = []
    for part in parameters.named_children if parameters else ():
        if part.type == "formal_parameter":
            found = part.child_by_field_name("type")
            dimensions = part.child_by_field_name("dimensions")
            types.append("".join(tight(text_of(source, piece)) for piece in (found, dimensions) if piece))
        elif part.type == "spread_parameter":
            found = next((piece for piece in part.named_children if piece.type not in _NO_TYPE), None)
            types.append(f"{tight(text_of(source, found)) if found else ''}...")
    return f"({', '.join(types)})"


_NO_TYPE: Final = frozenset({"modifiers", "variable_declarator", "line_comment", "block_comment"})
JAVA: Final = Rules(
    declared={
        "class_declaration": one("class"),
        "interface_declaration": one("interface"),
        "enum_declaration": one("enum"),
        "record_declaration": one("class"),
        "annotation_type_declaration": one("interface"),
        "annotation_type_element_declaration": one("method"),
        "method_declaration": _callable("method"),
        "constructor_declaration": _callable("constructor"),
        "compact_constructor_declaration": one("constructor"),
        "field_declaration": listed("field", "variable_declarator"),
        "constant_declaration": listed("constant", "variable_declarator"),
        "enum_constant": one("field"),
    },
    comments=frozenset({"line_comment", "block_comment"}),
)
