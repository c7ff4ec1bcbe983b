"""Declarations of Ruby: modules, classes, methods of instances and of the class itself, constants."""

from collections.abc import Iterable
from typing import Final

from tree_sitter import Node

from memofs.anchors.declared.rules import FUNCTIONS, Named, Rules, Scope, one, plain_name
from memofs.anchors.source import Source, text_of

__all__ = ["RUBY"]


def _method(source: Source, node: Node, scope: Scope) -> Iterable[Named]:
    found = node.child_by_field_name("name")
    if found is not None:
        yield Named(name=text_of(source, found), kind="method" if scope else "function", node=node)


def _singleton(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
    """Yield `def self.make` as self.make, which people call by the class's name alone."""
    found, of = node.child_by_field_name("name"), node.child_by_field_name("object")
    if found is not None and of is not None:
        name = text_of(source, found)
        yield Named(name=f"{plain_name(source, of)}.{name}", kind="method", node=node, alias=name)


def _class_itself(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
    of = node.child_by_field_name("value")
    if of is not None:
        yield Named(name=plain_name(source, of), kind="class", node=node)


def _constant(source: Source, node: Node, scope: Scope) -> Iterable[Named]:
    left = node.child_by_field_name("left")
    if left is not None and left.type in ("constant", "scope_resolution") and scope not in FUNCTIONS:
        yield Named(name=plain_name(source, left), kind="constant", node=node)


RUBY: Final = Rules(
    declared={
        "module": one("namespace"),
        "class": one("class"),
        "singleton_class": _class_itself,
        "method": _method,
        "singleton_method": _singleton,
        "assignment": _constant,
    },
    comments=frozenset({"comment"}),
)
