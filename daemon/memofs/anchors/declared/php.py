"""Declarations of PHP: functions, types, their members, constants. Namespaces are only a part of the alias."""

from collections.abc import Iterable
from typing import Final

from tree_sitter import Node

from memofs.anchors.declared.rules import FUNCTIONS, Kind, Named, Rule, Rules, Scope, child, field_text
from memofs.anchors.source import Source, nodes_of, text_of

__all__ = ["PHP"]


def _named(kind: Kind) -> Rule:
    """Return the rule of a declaration with a name; outside of types it has its full name as alias."""

    def rule(source: Source, node: Node, scope: Scope) -> Iterable[Named]:
        name = field_text(source, node, "name")
        if name:
            space = "" if scope else _namespace(source, node)
            yield Named(name=name, kind=kind, node=node, alias=f"{space}.{name}" if space else "")

    return rule


def _namespace(source: Source, node: Node) -> str:
    """Return the last namespace that begins before a node."""
    name = ""
    for found in nodes_of(source, ("namespace_definition",)):
        if found.start_byte < node.start_byte:
            name = field_text(source, found, "name").replace("\\", ".")
    return name


def _constants(source: Source, node: Node, scope: Scope) -> Iterable[Named]:
    members = [part for part in node.named_children if part.type == "const_element"]
    for part in members:
        found = child(part, "name")
        if found is not None and scope not in FUNCTIONS:
            alone = node if len(members) == 1 else part
            yield Named(name=text_of(source, found), kind="constant", node=alone)


def _properties(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
    """Yield properties without their dollar; people write it sometimes."""
    members = [part for part in node.named_children if part.type == "property_element"]
    for part in members:
        written = field_text(source, part, "name")
        alone = node if len(members) == 1 else part
        yield Named(name=written.lstrip("$"), kind="field", node=alone, alias=written)


def _defined(source: Source, node: Node, scope: Scope) -> Iterable[Named]:
    """Yield `define('NAME', …)` as a constant."""
    if scope or field_text(source, node, "function").lower() != "define":
        return
    arguments = node.child_by_field_name("arguments")
    first = arguments.named_children[0] if arguments and arguments.named_children else None
    string = child(first, "string", "encapsed_string") if first else None
    if string is not None:
        yield Named(name=text_of(source, string).strip("'\""), kind="constant", node=node)


PHP: Final = Rules(
    declared={
        "function_definition": _named("function"),
        "method_declaration": _named("method"),
        "class_declaration": _named("class"),
        "interface_declaration": _named("interface"),
        "trait_declaration": _named("trait"),
        "enum_declaration": _named("enum"),
        "enum_case": _named("field"),
        "const_declaration": _constants,
        "property_declaration": _properties,
        "function_call_expression": _defined,
    },
    comments=frozenset({"comment"}),
    wrappers=frozenset({"expression_statement"}),
)
