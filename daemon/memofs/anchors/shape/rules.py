"""The vocabulary in which a language says what its formatters leave alone.

The shape of a node is a list of `Part`s: tokens, and nodes that stand for their own parts. A language is a
`ShapeRules`: which children say nothing, which node types have parts of their own making, how leaves are spelled.
The rules look at one node at a time and never recurse: trees are deeper than Python's stack.

Invariant: text is dropped only by a rule. What stands between the children of a node and is not blank is a token
too, so that a grammar which leaves text out of its nodes hides nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

import msgspec
from tree_sitter import Node

from memofs.anchors.source import Source, text_of

__all__ = [
    "CLOSE",
    "CLOSERS",
    "Expand",
    "Part",
    "Says",
    "ShapeRules",
    "Spell",
    "group",
    "is_trailing",
    "kept",
    "open_of",
    "raw",
]

Part: TypeAlias = str | Node
Says: TypeAlias = Callable[[Source, Node, Sequence[Node], int], bool]
"""Whether the child at an index of a node's children says anything."""
Expand: TypeAlias = Callable[[Source, Node, list[Part]], Sequence[Part]]
"""The parts of a node, given what is kept of its children."""
Spell: TypeAlias = Callable[[str], str]
"""The one spelling of a leaf's text."""

CLOSE: Final = "\x02"
CLOSERS: Final = frozenset({")", "]", "}", ">", "|}"})


class ShapeRules(msgspec.Struct, frozen=True, kw_only=True):
    """How the shape of a language is made.

    `silent` are the node types that never say anything, `says` decides on other children, `expand` makes the parts
    of a node type, `spell` the text of a leaf type, `labels` gives node types that mean the same one name. `roles`
    are the fields, by node type, whose name is part of the shape. `imports` are the statements whose order does not
    count in a whole file.
    """

    silent: frozenset[str]
    says: Says
    expand: Mapping[str, Expand] = {}
    spell: Mapping[str, Spell] = {}
    labels: Mapping[str, str] = {}
    roles: Mapping[str, frozenset[str]] = {}
    imports: frozenset[str] = frozenset()
    between: Spell = str.strip
    """What is said by text that belongs to no child of a node."""


def open_of(label: str) -> str:
    """Return the token that opens a group; `CLOSE` closes it."""
    return f"\x01{label}"


def group(label: str, parts: Sequence[Part]) -> list[Part]:
    """Return the parts as a group of that name."""
    return [open_of(label), *parts, CLOSE]


def kept(source: Source, node: Node, rules: ShapeRules) -> list[Part]:
    """Return what is kept of a node's children, with the text between them that belongs to no child."""
    parts: list[Part] = []
    children = node.children
    roles = rules.roles.get(node.type)
    at = node.start_byte
    text = source.text
    for index, one in enumerate(children):
        if one.start_byte > at and (said := rules.between(text[at : one.start_byte])):
            parts.append(said)
        at = one.end_byte
        if one.type in rules.silent or not rules.says(source, node, children, index):
            continue
        if roles and (role := node.field_name_for_child(index)) in roles:
            parts.append(f"{role}:")
        parts.append(one)
    if node.end_byte > at and (said := rules.between(text[at : node.end_byte])):
        parts.append(said)
    return parts


def is_trailing(children: Sequence[Node], index: int, silent: frozenset[str]) -> bool:
    """Tell whether the comma at `index` is the last: before a closing bracket, or before nothing."""
    for one in children[index + 1 :]:
        if one.type not in silent:
            return one.type in CLOSERS
    return True


def raw(source: Source, node: Node) -> str:
    """Return the text of a node with line ends as they are meant."""
    text = text_of(source, node)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
