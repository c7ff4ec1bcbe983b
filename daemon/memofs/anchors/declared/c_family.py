"""Declarations of C and C++: functions and prototypes, types, globals, macros, in namespaces and classes."""

from collections.abc import Iterable
from typing import Final

from tree_sitter import Node

from memofs.anchors.declared.rules import FUNCTIONS, Kind, Named, Rule, Rules, Scope, child, one, plain_name, tight
from memofs.anchors.source import Source, text_of

__all__ = ["C_FAMILY"]


def _function(source: Source, node: Node, scope: Scope) -> Iterable[Named]:
    declarator = _innermost(node.child_by_field_name("declarator"))
    if declarator is None:
        return
    function = declarator.parent if declarator.parent and declarator.parent.type == "function_declarator" else None
    name = _name(source, declarator)
    kind: Kind = "method" if scope in ("class", "struct") or "." in name else "function"
    yield Named(name=name, kind=kind, node=node, signature=_signature(source, function))


def _variables(source: Source, node: Node, scope: Scope) -> Iterable[Named]:
    """Yield the prototypes and variables of a declaration outside functions, the members of one in a class."""
    if scope in FUNCTIONS or _in_block(node):
        return
    for outer in node.children_by_field_name("declarator"):
        declarator = _innermost(outer)
        if declarator is None:
            continue
        around = declarator.parent
        if around is not None and around.type == "function_declarator" and _is_prototype(declarator):
            kind: Kind = "method" if scope in ("class", "struct") else "function"
            # A prototype is told from the definition by its end.
            signature = f"{_signature(source, around)};"
            yield Named(name=_name(source, declarator), kind=kind, node=node, signature=signature)
        else:
            kind = "field" if scope in ("class", "struct") else "variable"
            yield Named(name=_name(source, declarator), kind=kind, node=node)


def _in_block(node: Node) -> bool:
    return node.parent is not None and node.parent.type in ("compound_statement", "for_statement", "condition_clause")


def _is_prototype(declarator: Node) -> bool:
    """Tell `int f(int)` from `int (*f)(int)`, a variable."""
    return declarator.type not in ("pointer_declarator", "parenthesized_declarator")


def _type(kind: Kind) -> Rule:
    """Return the rule of a type that is defined here, not just named."""

    def rule(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
        found = node.child_by_field_name("name")
        if found is not None and node.child_by_field_name("body") is not None:
            yield Named(name=_name(source, found), kind=kind, node=node)

    return rule


def _typedef(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
    """Yield the names a typedef gives; where one is the type's own name, the type has it already."""
    type_of = node.child_by_field_name("type")
    tag = type_of.child_by_field_name("name") if type_of and type_of.child_by_field_name("body") else None
    own = text_of(source, tag) if tag else ""
    kind: Kind = "struct" if type_of and type_of.child_by_field_name("body") else "type"
    for outer in node.children_by_field_name("declarator"):
        declarator = _innermost(outer)
        if declarator is not None and (name := _name(source, declarator)) != own:
            yield Named(name=name, kind=kind, node=node, prefix="" if own else None)


def _namespace(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
    found = node.child_by_field_name("name")
    if found is not None:
        yield Named(name=plain_name(source, found), kind="namespace", node=node)


def _innermost(declarator: Node | None) -> Node | None:
    """Return what a declarator declares, without pointers, references, arrays, parentheses and parameters."""
    while declarator is not None:
        inner = declarator.child_by_field_name("declarator")
        if declarator.type in ("reference_declarator", "parenthesized_declarator", "attributed_declarator"):
            inner = next((part for part in declarator.named_children if part.type in _DECLARATORS), None)
        if inner is None or declarator.type in ("operator_cast", "qualified_identifier"):
            return declarator
        declarator = inner
    return None


def _name(source: Source, node: Node) -> str:
    """Return a name with its scopes, without template arguments: A<T>::m is A.m."""
    parts: list[str] = []
    left: Node | None = node
    while left is not None and left.type == "qualified_identifier":
        scope = left.child_by_field_name("scope")
        if scope is not None:
            inner = scope.child_by_field_name("name") if scope.type == "template_type" else scope
            parts.append(plain_name(source, inner or scope))
        left = left.child_by_field_name("name")
    if left is not None:
        if left.type in ("template_type", "template_function", "template_method"):
            left = left.child_by_field_name("name") or left
        if left.type == "operator_cast":
            of = left.child_by_field_name("type")
            parts.append(f"operator {tight(text_of(source, of)) if of else ''}")
        else:
            parts.append(plain_name(source, left))
    return ".".join(parts)


def _signature(source: Source, function: Node | None) -> str:
    """Return the types of the parameters, without their names, and `const` behind them: together an overload."""
    parameters = function.child_by_field_name("parameters") if function else None
    if function is None or parameters is None:
        return ""
    types: list[str] = []
    for part in parameters.named_children:
        if part.type.endswith("parameter_declaration") or part.type == "variadic_parameter":
            types.append(_parameter(source, part))
    after = [text_of(source, part) for part in function.named_children if part.type == "type_qualifier"]
    return " ".join([f"({', '.join(types)})", *after])


def _parameter(source: Source, part: Node) -> str:
    """Return a parameter without its name and default."""
    value = part.child_by_field_name("default_value")
    end = value.start_byte if value is not None else part.end_byte
    named = _innermost(part.child_by_field_name("declarator"))
    text = source.text[part.start_byte : end]
    if named is not None and named.type in ("identifier", "field_identifier"):
        text = source.text[part.start_byte : named.start_byte] + source.text[named.end_byte : end]
    return tight(text).removesuffix("=").strip()


def _macro(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
    found = node.child_by_field_name("name") or child(node, "identifier")
    if found is not None:
        yield Named(name=text_of(source, found), kind="macro", node=node)


_DECLARATORS: Final = frozenset(
    {
        *("identifier", "field_identifier", "type_identifier", "qualified_identifier", "destructor_name"),
        *("operator_name", "operator_cast", "pointer_declarator", "reference_declarator", "array_declarator"),
        *("function_declarator", "parenthesized_declarator", "attributed_declarator", "init_declarator"),
    }
)
C_FAMILY: Final = Rules(
    declared={
        "function_definition": _function,
        "declaration": _variables,
        "field_declaration": _variables,
        "struct_specifier": _type("struct"),
        "union_specifier": _type("struct"),
        "class_specifier": _type("class"),
        "enum_specifier": _type("enum"),
        "enumerator": one("field"),
        "type_definition": _typedef,
        "alias_declaration": one("type"),
        "concept_definition": one("type"),
        "namespace_definition": _namespace,
        "preproc_def": _macro,
        "preproc_function_def": _macro,
    },
    tail=";",
    comments=frozenset({"comment"}),
    wrappers=frozenset({"template_declaration"}),
)
