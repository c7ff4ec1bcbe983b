"""Declarations of Rust: items, fields, variants, and the members of impl blocks by their type."""

from collections.abc import Iterable
from typing import Final

from tree_sitter import Node

from memofs.anchors.declared.rules import FUNCTIONS, Named, Rules, Scope, child, field_text, one, plain_name
from memofs.anchors.source import Source, text_of

__all__ = ["RUST"]


def _function(source: Source, node: Node, scope: Scope) -> Iterable[Named]:
    found = node.child_by_field_name("name")
    if found is not None:
        yield Named(name=text_of(source, found), kind="method" if scope in ("impl", "trait") else "function", node=node)


def _impl(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
    """Yield `impl Foo` and `impl Display for Foo`; their members are Foo.new and <Foo as Display>.fmt."""
    of = _bare(source, node.child_by_field_name("type"))
    trait = field_text(source, node, "trait").replace("::", ".").rpartition(".")[2] if _trait(node) else ""
    if trait:
        yield Named(name=f"impl {trait} for {of}", kind="impl", node=node, alias=of, prefix=f"<{of} as {trait}>")
    else:
        yield Named(name=f"impl {of}", kind="impl", node=node, prefix=of)


def _trait(node: Node) -> Node | None:
    return node.child_by_field_name("trait")


def _bare(source: Source, type_of: Node | None) -> str:
    """Return a type's name without its arguments, references and path."""
    while type_of is not None:
        if type_of.type == "generic_type" or type_of.type == "reference_type":
            type_of = type_of.child_by_field_name("type")
        elif type_of.type == "scoped_type_identifier":
            type_of = type_of.child_by_field_name("name")
        else:
            return plain_name(source, type_of)
    return ""


def _global(source: Source, node: Node, scope: Scope) -> Iterable[Named]:
    found = node.child_by_field_name("name")
    if found is not None and scope not in FUNCTIONS:
        kind = "variable" if node.type == "static_item" else "constant"
        yield Named(name=text_of(source, found), kind=kind, node=node)


def _macro(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
    found = node.child_by_field_name("name") or child(node, "identifier")
    if found is not None:
        name = text_of(source, found)
        yield Named(name=name, kind="macro", node=node, alias=f"{name}!")


RUST: Final = Rules(
    declared={
        "function_item": _function,
        "function_signature_item": _function,
        "struct_item": one("struct"),
        "union_item": one("struct"),
        "enum_item": one("enum"),
        "enum_variant": one("field"),
        "field_declaration": one("field"),
        "trait_item": one("trait"),
        "mod_item": one("namespace"),
        "impl_item": _impl,
        "type_item": one("type"),
        "associated_type": one("type"),
        "const_item": _global,
        "static_item": _global,
        "macro_definition": _macro,
    },
    comments=frozenset({"line_comment", "block_comment"}),
    attributes=frozenset({"attribute_item"}),
)
