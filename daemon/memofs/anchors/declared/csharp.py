"""Declarations of C#: types, members of every kind, local functions. Namespaces are only a part of the alias."""

from collections.abc import Iterable
from typing import Final

from tree_sitter import Node

from memofs.anchors.declared.rules import Kind, Named, Rule, Rules, Scope, child, field_text, listed, one, tight
from memofs.anchors.source import Source, nodes_of, text_of

__all__ = ["CSHARP"]


def _type(kind: Kind) -> Rule:
    """Return the rule of a type; with its namespace it has its full name as alias."""

    def rule(source: Source, node: Node, scope: Scope) -> Iterable[Named]:
        name = field_text(source, node, "name")
        if name:
            space = "" if scope else _namespace(source, node)
            yield Named(name=name, kind=kind, node=node, alias=f"{space}.{name}" if space else "")

    return rule


def _namespace(source: Source, node: Node) -> str:
    names: list[str] = []
    around = node.parent
    while around is not None:
        if around.type == "namespace_declaration":
            names.append(field_text(source, around, "name"))
        around = around.parent
    if not names:
        names = [field_text(source, found, "name") for found in nodes_of(source, _FILE_NAMESPACE)]
    return ".".join(reversed(names))


def _callable(kind: Kind) -> Rule:
    def rule(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
        name = field_text(source, node, "name")
        if name:
            yield Named(name=name, kind=kind, node=node, signature=_signature(source, node))

    return rule


def _unnamed(kind: Kind, name: str) -> Rule:
    """Return the rule of a member that has no name of its own, such as an indexer."""

    def rule(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
        operator = field_text(source, node, "operator")
        whole = f"{name}{operator or (field_text(source, node, 'type') if name == 'operator ' else '')}"
        yield Named(name=whole, kind=kind, node=node, signature=_signature(source, node))

    return rule


def _signature(source: Source, node: Node) -> str:
    """Return the types of the parameters with `ref`, `out` and the like, "()" where there are none."""
    parameters = node.child_by_field_name("parameters")
    types: list[str] = []
    for part in parameters.named_children if parameters else ():
        found = part.child_by_field_name("type") if part.type == "parameter" else part if _is_params(part) else None
        if found is not None:
            before = child(part, "modifier") if part.type == "parameter" else None
            types.append(tight(f"{text_of(source, before) if before else ''} {text_of(source, found)}".strip()))
    return f"({', '.join(types)})"


def _is_params(part: Node) -> bool:
    """Tell whether this is the type of `params T[] x`, which the grammar puts into the list itself."""
    return part.type in ("array_type", "generic_name", "nullable_type")


def _variables(kind: Kind) -> Rule:
    inner = listed(kind, "variable_declarator")

    def rule(source: Source, node: Node, scope: Scope) -> Iterable[Named]:
        around = child(node, "variable_declaration")
        for named in inner(source, around, scope) if around else ():
            alone = node if named.node == around else named.node
            yield Named(name=named.name, kind=kind, node=alone)

    return rule


_FILE_NAMESPACE: Final = ("file_scoped_namespace_declaration",)
CSHARP: Final = Rules(
    declared={
        "class_declaration": _type("class"),
        "record_declaration": _type("class"),
        "struct_declaration": _type("struct"),
        "interface_declaration": _type("interface"),
        "enum_declaration": _type("enum"),
        "enum_member_declaration": one("field"),
        "delegate_declaration": _type("type"),
        "method_declaration": _callable("method"),
        "local_function_statement": _callable("function"),
        "constructor_declaration": _callable("constructor"),
        "destructor_declaration": _unnamed("method", "Finalize"),
        "operator_declaration": _unnamed("method", "operator "),
        "conversion_operator_declaration": _unnamed("method", "operator "),
        "indexer_declaration": _unnamed("property", "this"),
        "property_declaration": one("property"),
        "event_declaration": one("field"),
        "field_declaration": _variables("field"),
        "event_field_declaration": _variables("field"),
    },
    comments=frozenset({"comment"}),
)
