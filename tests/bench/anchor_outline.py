"""What a parser other than ours knows of a source file: its declarations, statements and expressions.

Invariant: offsets are code points of the text, `end` excluded; `code` is equal exactly if that parser sees no
difference but layout, comments and documentation. Nothing here comes from memofs.anchors: this is the truth it is
measured by. anchor_python.py and anchor_typescript.py fill it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b

import msgspec

__all__ = ["Declared", "Expression", "Outline", "Statement", "digest", "within"]


class Declared(msgspec.Struct, frozen=True, kw_only=True):
    """A function, method or class.

    `start` is where decorators, modifiers or `export` begin; `documented` where the doc comment before it begins,
    equal to `start` if there is none. `role` tells apart what shares a name: setter and getter, an overload.
    """

    name: str
    kind: str
    start: int
    end: int
    documented: int
    code: str
    role: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What identifies it in its file."""
        return self.name, "class" if self.kind == "class" else "function", self.role


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """A statement, or a member of a class. `block` numbers the list it stands in, `parent` the statement around it.

    `head` is the code of what comes before its blocks, empty if it has none. `parent` is -1 at the top.
    """

    type: str
    start: int
    end: int
    code: str
    head: str
    block: int
    parent: int


class Expression(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a statement that stands in one line; `statement` is the innermost one around it."""

    type: str
    start: int
    end: int
    code: str
    statement: int


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    """A file. Statements in the order of their starts, an outer one before those in it."""

    declared: tuple[Declared, ...] = ()
    statements: tuple[Statement, ...] = ()
    expressions: tuple[Expression, ...] = ()

    def unique(self) -> dict[tuple[str, str, str], Declared]:
        """Return the declarations whose key no other has."""
        counts = Counter(each.key for each in self.declared)
        return {each.key: each for each in self.declared if counts[each.key] == 1}


def within(places: Sequence[Statement], start: int, end: int) -> list[int]:
    """Return the numbers of the statements inside a span, the one with that very span left out."""
    return [
        number
        for number, each in enumerate(places)
        if start <= each.start and each.end <= end and (each.start, each.end) != (start, end)
    ]


def digest(parts: Iterable[str]) -> str:
    """Return a short name for a sequence of texts."""
    hashed = blake2b(digest_size=8)
    for part in parts:
        hashed.update(part.encode("utf-8", "surrogatepass"))
        hashed.update(b"\0")
    return hashed.hexdigest()
