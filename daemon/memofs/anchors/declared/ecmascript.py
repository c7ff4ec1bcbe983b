"""Declarations of JavaScript and TypeScript, exported or not, and functions that are values of names and keys."""

from collections.abc import Iterable
from typing import Final

from tree_sitter import Node

from memofs.anchors.declared.rules import FUNCTIONS, Kind, Named, Rules, Scope, one, plain_name, typed
from memofs.anchors.source import Source, text_of

__all__ = ["ECMASCRIPT"]


def _function(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
    found = node.child_by_field_name("name")
    exported = node.parent is not None and node.parent.type == "export_statement"
    if found is not None and (node.type != "function_expression" or exported):
        yield _named(source, plain_name(source, found), "function", node, node)
    elif exported:
        yield _named(source, "default", "function", node, node)


def _class(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
    found = node.child_by_field_name("name")
    exported = node.parent is not None and node.parent.type == "export_statement"
    if found is not None and (node.type != "class" or exported):
        yield Named(name=plain_name(source, found), kind="class", node=node)
    elif exported:
        yield Named(name="default", kind="class", node=node)


def _method(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
    """Yield a method; that of a setter is `x.setter`, so that it is not its getter's."""
    found = node.child_by_field_name("name")
    if found is None:
        return
    name = plain_name(source, found)
    words = {part.type for part in node.children if part.end_byte <= found.start_byte}
    kind: Kind = "method"
    if "set" in words:
        name, kind = f"{name}.setter", "property"
    elif "get" in words:
        kind = "property"
    elif name == "constructor":
        kind = "constructor"
    yield _named(source, name, kind, node, node)


def _field(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
    found = node.child_by_field_name("name") or node.child_by_field_name("property")
    if found is not None:
        value = node.child_by_field_name("value")
        kind: Kind = "method" if value is not None and value.type in _CALLABLE else "field"
        yield _named(source, plain_name(source, found), kind, node, value)


def _variable(source: Source, node: Node, scope: Scope) -> Iterable[Named]:
    """Yield what `const a = …` declares: a function or class anywhere, anything else only outside functions."""
    found, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if found is None:
        return
    if value is not None and value.type in _CALLABLE:
        yield _named(source, plain_name(source, found), "function", node, value)
    elif value is not None and value.type == "class":
        yield Named(name=plain_name(source, found), kind="class", node=node)
    elif scope not in FUNCTIONS and _is_outside_blocks(node):
        names = [found] if found.type == "identifier" else _bound(found)
        around = node.parent
        constant = around is not None and any(part.type == "const" for part in around.children)
        for name in names:
            yield Named(name=text_of(source, name), kind="constant" if constant else "variable", node=node)


def _is_outside_blocks(node: Node) -> bool:
    """Tell whether a declarator's statement stands in a module or namespace, not in a function's or other block."""
    around = node.parent.parent if node.parent else None
    while around is not None and around.type in ("export_statement", "ambient_declaration"):
        around = around.parent
    if around is not None and around.type == "statement_block":
        around = around.parent
        return around is not None and around.type in ("internal_module", "module")
    return around is not None and around.type == "program"


def _bound(pattern: Node) -> list[Node]:
    """Return the names that `{a, b: [c]}` binds."""
    names: list[Node] = []
    left = [pattern]
    while left:
        node = left.pop()
        if node.type in ("identifier", "shorthand_property_identifier_pattern"):
            names.append(node)
        elif node.type == "pair_pattern":
            value = node.child_by_field_name("value")
            left.extend([value] if value else [])
        elif node.type in ("array_pattern", "object_pattern", "rest_pattern"):
            left.extend(reversed(node.named_children))
        elif node.type in ("assignment_pattern", "object_assignment_pattern"):
            left.extend(node.named_children[:1])
    return names


def _pair(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
    """Yield a function that is the value of an object's key, and an object as far as it holds some."""
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    if key is not None and value is not None and value.type in _CALLABLE:
        yield _named(source, plain_name(source, key), "method", node, value)


def _assignment(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
    """Yield `exports.a = function …` as a, `A.prototype.b = function …` as A.b."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or left.type != "member_expression" or right.type not in (*_CALLABLE, "class"):
        return
    name = plain_name(source, left).replace(".prototype.", ".")
    for owner in ("module.exports.", "exports.", "this."):
        name = name.removeprefix(owner)
    if name == "module.exports":
        name = "default"
    if right.type == "class":
        yield Named(name=name, kind="class", node=node)
    else:
        yield _named(source, name, "function", node, right)


def _enum_member(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
    for part in node.named_children:
        found = part.child_by_field_name("name") if part.type == "enum_assignment" else part
        if found is not None and part.type in ("enum_assignment", "property_identifier", "string"):
            yield Named(name=plain_name(source, found), kind="field", node=part)


def _named(source: Source, name: str, kind: Kind, node: Node, function: Node | None) -> Named:
    parameters = function.child_by_field_name("parameters") if function else None
    return Named(name=name, kind=kind, node=node, signature=typed(source, parameters))


_CALLABLE: Final = frozenset({"arrow_function", "function_expression", "generator_function"})
ECMASCRIPT: Final = Rules(
    declared={
        "function_declaration": _function,
        "generator_function_declaration": _function,
        "function_signature": _function,
        "function_expression": _function,
        "class_declaration": _class,
        "abstract_class_declaration": _class,
        "class": _class,
        "interface_declaration": one("interface"),
        "enum_declaration": one("enum"),
        "enum_body": _enum_member,
        "type_alias_declaration": one("type"),
        "internal_module": one("namespace"),
        "module": one("namespace"),
        "method_definition": _method,
        "method_signature": _method,
        "abstract_method_signature": _method,
        "public_field_definition": _field,
        "field_definition": _field,
        "property_signature": _field,
        "variable_declarator": _variable,
        "pair": _pair,
        "assignment_expression": _assignment,
    },
    tail=";",
    comments=frozenset({"comment", "html_comment"}),
    wrappers=frozenset(
        {
            *("export_statement", "ambient_declaration", "expression_statement"),
            *("lexical_declaration", "variable_declaration"),
        }
    ),
    attributes=frozenset({"decorator"}),
    listing=frozenset({"variable_declarator"}),
)
