"""Declarations of Python: classes, functions, properties and their setters, names assigned in modules and classes."""

from collections.abc import Iterable
from typing import Final

from tree_sitter import Node

from memofs.anchors.declared.rules import Kind, Named, Rules, Scope, child, one, plain_name, tight
from memofs.anchors.source import Source, text_of

__all__ = ["PYTHON"]


def _function(source: Source, node: Node, scope: Scope) -> Iterable[Named]:
    """Yield a function; a property's setter is `x.setter`, as its decorator is written."""
    found = node.child_by_field_name("name")
    if found is None:
        return
    name = text_of(source, found)
    kind: Kind = "method" if scope == "class" else "function"
    if scope == "class":
        for decorator in _decorators(source, node):
            owner, _, accessor = decorator.rpartition(".")
            if accessor in _ACCESSORS and owner == name:
                name, kind = f"{name}.{accessor}", "property"
            elif decorator.rpartition(".")[2] in _PROPERTIES:
                kind = "property"
    yield Named(name=name, kind=kind, node=node, signature=_signature(source, node))


def _decorators(source: Source, node: Node) -> list[str]:
    """Return the names of a definition's decorators, without their arguments."""
    around = node.parent
    if around is None or around.type != "decorated_definition":
        return []
    texts = [text_of(source, part) for part in around.named_children if part.type == "decorator"]
    return [tight(text.lstrip("@").partition("(")[0]) for text in texts]


def _signature(source: Source, node: Node) -> str:
    """Return the annotations of a function's parameters."""
    parameters = node.child_by_field_name("parameters")
    if parameters is None:
        return ""
    types = [part.child_by_field_name("type") for part in parameters.named_children]
    written = [tight(text_of(source, found)) for found in types if found is not None]
    return f"({', '.join(written)})" if written else ""


def _assignment(source: Source, node: Node, scope: Scope) -> Iterable[Named]:
    """Yield the names that a statement of a module or class assigns; not those of a loop, a with or a function."""
    statement = node.parent
    if statement is None or statement.type != "expression_statement" or not _is_declaring(statement, scope):
        return
    for found in _targets(node):
        if found.type == "identifier":
            name = plain_name(source, found)
            kind: Kind = "field" if scope == "class" else "constant" if name.isupper() else "variable"
            yield Named(name=name, kind=kind, node=node)


def _targets(node: Node | None) -> Iterable[Node]:
    """Yield what is assigned: a of `a = …`, a and b of `a, b = …` and of `a = b = …`."""
    while node is not None and node.type == "assignment":
        left = node.child_by_field_name("left")
        if left is not None:
            yield from left.named_children if left.type in _SEVERAL else (left,)
        node = node.child_by_field_name("right")


def _is_declaring(statement: Node, scope: Scope) -> bool:
    if scope not in ("", "class"):
        return False
    around = statement.parent
    while around is not None and around.type in _CONDITIONAL:
        around = around.parent
    return around is not None and around.type in ("module", "class_definition")


def _alias(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
    """Yield `type X[T] = …` as X."""
    left = node.child_by_field_name("left")
    while left is not None and left.type in ("type", "generic_type"):
        left = child(left, "identifier", "generic_type")
    if left is not None:
        yield Named(name=text_of(source, left), kind="type", node=node)


_ACCESSORS: Final = frozenset({"setter", "deleter", "getter"})
_PROPERTIES: Final = frozenset({"property", "cached_property"})
_SEVERAL: Final = frozenset({"pattern_list", "tuple_pattern"})
_CONDITIONAL: Final = frozenset(
    {"block", "if_statement", "elif_clause", "else_clause", "try_statement", "except_clause", "finally_clause"}
)
PYTHON: Final = Rules(
    declared={
        "class_definition": one("class"),
        "function_definition": _function,
        "assignment": _assignment,
        "type_alias_statement": _alias,
    },
    comments=frozenset({"comment"}),
    wrappers=frozenset({"decorated_definition", "expression_statement"}),
)
