"""The vocabulary in which a language says what it declares.

A language is a `Rules`: for each node type that may declare something, a function that returns what it declares,
as `Named` values. Whoever walks the tree (`memofs.anchors.symbols`) qualifies the names, finds the regions and tells
apart what shares a name; the rules only look at one node and at what encloses it.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal, TypeAlias

import msgspec
from tree_sitter import Node

from memofs.anchors.source import Source, text_of

__all__ = [
    "FUNCTIONS",
    "Kind",
    "Named",
    "Rule",
    "Rules",
    "Scope",
    "child",
    "field_text",
    "listed",
    "one",
    "plain_name",
    "typed",
]

Kind: TypeAlias = Literal[
    "class",
    "constant",
    "constructor",
    "enum",
    "field",
    "function",
    "impl",
    "interface",
    "key",
    "macro",
    "method",
    "namespace",
    "property",
    "section",
    "struct",
    "trait",
    "type",
    "variable",
]
FUNCTIONS: Final[frozenset[Kind]] = frozenset({"constructor", "function", "method", "property"})
"""The kinds with a body of statements: what is assigned in one is local, and no declaration."""
Scope: TypeAlias = Kind | Literal[""]
"""The kind of the declaration around a node; empty at the top of a file."""


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a node declares. `name` may be qualified itself (`Type.method`), but not by what encloses it.

    `node` is the declaration without decorators, export and the like. `signature` are the types of its parameters as
    "(int, str)", empty where none are written. `alias` is another name that people use for it. `prefix` is what the
    declarations in it are qualified with, if not its name; `end` where it ends, if not with its node.
    """

    name: str
    kind: Kind
    node: Node
    signature: str = ""
    alias: str = ""
    prefix: str | None = None
    end: int | None = None


Rule: TypeAlias = Callable[[Source, Node, Scope], Iterable[Named]]


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """How a language declares. `wrappers` enclose a declaration and belong to it, `attributes` stand before it."""

    declared: Mapping[str, Rule]
    comments: frozenset[str]
    wrappers: frozenset[str] = frozenset()
    attributes: frozenset[str] = frozenset()
    listing: frozenset[str] = frozenset()
    """The node types of which a wrapper may hold several; it belongs to a declaration that it holds alone."""
    tail: str = ""
    """A sign that belongs to a declaration if it stands right behind it, though the grammar leaves it outside."""
    joint: str = "."
    """What stands between the parts of a qualified name."""


def one(kind: Kind, *, name: str = "name", parameters: str = "") -> Rule:
    """Return the rule of a node whose name is in the field `name`, its parameters' list in the field `parameters`."""

    def rule(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
        found = node.child_by_field_name(name)
        if found is None:
            return ()
        signature = typed(source, node.child_by_field_name(parameters)) if parameters else ""
        return (Named(name=plain_name(source, found), kind=kind, node=node, signature=signature),)

    return rule


def listed(kind: Kind, member: str, *, name: str = "name") -> Rule:
    """Return the rule of a node that declares one thing a child of type `member`, named in the field `name`."""

    def rule(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
        members = [part for part in node.named_children if part.type == member]
        for part in members:
            found = part.child_by_field_name(name)
            if found is not None:
                alone = node if len(members) == 1 else part
                yield Named(name=plain_name(source, found), kind=kind, node=alone)

    return rule


def child(node: Node, *types: str) -> Node | None:
    """Return the first named child of one of these types."""
    return next((part for part in node.named_children if part.type in types), None)


def field_text(source: Source, node: Node, field: str) -> str:
    """Return the text of a field without blanks that say nothing, "" if there is none."""
    found = node.child_by_field_name(field)
    return tight(text_of(source, found)) if found is not None else ""


def plain_name(source: Source, node: Node) -> str:
    """Return a name as it is qualified with: without quotes, `::` as a dot."""
    return tight(text_of(source, node)).strip("\"'`").replace("::", ".")


def typed(source: Source, parameters: Node | None, *, field: str = "type") -> str:
    """Return the types in a list of parameters, as "(int, str)"; "" where none is written."""
    if parameters is None:
        return ""
    types: list[str] = []
    for part in parameters.named_children:
        found = part.child_by_field_name(field)
        if found is not None:
            types.append(tight(text_of(source, found)).lstrip(": "))
    return f"({', '.join(types)})" if types else ""


def tight(text: str) -> str:
    """Return `text` in one line, with a blank only where two words would run together."""
    return _LOOSE.sub(r"\1", " ".join(text.split())) if _BLANK.search(text) else text


_BLANK: Final = re.compile(r"\s")
_LOOSE: Final = re.compile(r" ?([^\w\s]) ?")
