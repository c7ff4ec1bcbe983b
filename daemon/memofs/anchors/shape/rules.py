"""The vocabulary in which a language says what its formatters leave alone.

The shape of a node is a list of `Part`s: tokens, and nodes that stand for their own parts. A language is a
`ShapeRules`: which children say nothing, which node types have parts of their own making, how leaves are spelled.
The rules look at one node at a time and never recurse: trees are deeper than Python's stack.

Invariant: text is dropped only by a rule. What stands between the children of a node and is not blank is a token
too, so that a grammar which leaves text out of its nodes hides nothing.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec
from tree_sitter import Node

from memofs.anchors.source import Source, text_of

__all__ = [
    "CLOSE",
    "CLOSERS",
    "DIRECTIVE",
    "OPEN",
    "Expand",
    "Part",
    "Says",
    "ShapeRules",
    "Spell",
    "between",
    "exact",
    "group",
    "in_order",
    "is_trailing",
    "kept",
    "one_line",
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

OPEN: Final = "\x01"
CLOSE: Final = "\x02"
DIRECTIVE: Final = "\x03"
"""What begins a token made of a comment or blank that instructs a tool: see `DIRECTIVES_VERSION`."""
CLOSERS: Final = frozenset({")", "]", "}", ">", "|}"})


def one_line(text: str) -> str:
    """Return text with each run of blanks as one."""
    return " ".join(text.split())


class ShapeRules(msgspec.Struct, frozen=True, kw_only=True):
    """How the shape of a language is made.

    `silent` are the node types, and signs, that never say anything, `says` decides on other children, `expand` makes
    the parts of a node type, `spell` the text of a leaf type, `labels` gives node types that mean the same one name.
    `roles` are the fields, by node type, whose name is part of the shape. `imports` are the statements whose order
    does not count in a whole file, nor next to each other in any region where formatters sort them; what stands
    `before_imports` goes with them. `bodies` are the nodes that are nothing but what they hold: a file, a block
    without braces. `piece` spells a part of a token at the edge of a region. `groups` says when groups are part of
    the shape: never where all tokens are, as those alone say how they nest, whatever a grammar makes of macros; only
    in a sound tree where a formatter may move what the grammar does not know.
    """

    silent: frozenset[str]
    says: Says
    expand: Mapping[str, Expand] = {}
    spell: Mapping[str, Spell] = {}
    labels: Mapping[str, str] = {}
    roles: Mapping[str, frozenset[str]] = {}
    imports: frozenset[str] = frozenset()
    imports_sorted: Literal["in files", "everywhere"] = "in files"
    before_imports: frozenset[str] = frozenset()
    bodies: frozenset[str] = frozenset()
    piece: Spell = one_line
    groups: Literal["always", "sound", "never"] = "always"


def open_of(label: str) -> str:
    """Return the token that opens a group; `CLOSE` closes it."""
    return OPEN + label


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
        if one.start_byte > at and (said := between(text[at : one.start_byte])) and said not in rules.silent:
            parts.append(said)
        at = one.end_byte
        if one.type in rules.silent or not rules.says(source, node, children, index):
            continue
        if roles and (role := node.field_name_for_child(index)) in roles:
            parts.append(f"{role}:")
        parts.append(one)
    if node.end_byte > at and (said := between(text[at : node.end_byte])) and said not in rules.silent:
        parts.append(said)
    return parts


def is_trailing(children: Sequence[Node], index: int, silent: frozenset[str]) -> bool:
    """Tell whether the comma at `index` is the last: before a closing bracket, or before nothing."""
    for at in range(index + 1, len(children)):
        if (type_of := children[at].type) not in silent:
            return type_of in CLOSERS
    return True


def between(text: str) -> str:
    """Return what text says that belongs to no child of a node: continued lines and a byte order mark are blanks."""
    said = text.strip()
    return _CONTINUED.sub(" ", said).strip("\ufeff \t\r\n\f") if said else ""


def exact(source: Source, node: Node, inner: Iterable[str], *, skip: int = 0) -> list[Part]:
    """Return the text of a node, in which every blank counts, around its children of the types `inner`.

    `skip` characters at either end are left out: quotes.
    """
    types = frozenset(inner)
    parts: list[Part] = []
    at, end = node.start_byte + skip, node.end_byte - skip
    for one in node.children:
        if one.type in types:
            parts += [f"'{_lines(source.text[at : one.start_byte])}", one]
            at = one.end_byte
    parts.append(f"'{_lines(source.text[at : max(at, end)])}")
    return parts


def in_order(source: Source, parts: Iterable[Part], types: frozenset[str]) -> list[Part]:
    """Return parts with the nodes of `types` among them in the order of their text: modifiers."""
    ordered = list(parts)
    places = [at for at, part in enumerate(ordered) if not isinstance(part, str) and part.type in types]
    nodes = sorted(
        (ordered[at] for at in places), key=lambda part: "" if isinstance(part, str) else text_of(source, part)
    )
    for at, node in zip(places, nodes, strict=True):
        ordered[at] = node
    return ordered


def raw(source: Source, node: Node) -> str:
    """Return the text of a node with line ends as they are meant."""
    return _lines(text_of(source, node))


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


_CONTINUED: Final = re.compile(r"\\\r?\n?")
