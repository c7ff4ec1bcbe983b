"""Who names an entity how, and which name is short for which: what nodes are made of.

A name leads to another where all that say so agree: "JWT" that two memories explain differently stands for itself.
A plural leads to its singular, initials to the one name that has them.

Invariant: what a key leads to depends on the claims and namings of its own line alone.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from memofs.graph.fact import SELF, Facts
from memofs.graph.names import FILE, known_names, name_key

__all__ = [
    "DECLARED",
    "MENTIONED",
    "NAMED",
    "SPOKEN",
    "Claim",
    "Naming",
    "claims_of",
    "label_among",
    "namings_of",
    "plural",
    "singular",
]

MENTIONED: Final = 0
"""Spoken of in a title, or anchored: makes no entity."""
SPOKEN: Final = 1
"""An end of a statement that does not look like an entity: makes none either."""
NAMED: Final = 2
"""An end of a statement that does."""
DECLARED: Final = 3
"""A tag, an alias, a name that parentheses explain, what a person wrote down: an entity whatever else is said."""


class Naming(msgspec.Struct, frozen=True, array_like=True, order=True, gc=False):
    """One memory's way to call an entity; `memory` is empty for what a person wrote down."""

    memory: str
    label: str
    sort: int


class Claim(msgspec.Struct, frozen=True, array_like=True, order=True, gc=False):
    """One memory's saying that a name is short for the one with the key `long`; by its initials only, or in words."""

    memory: str
    long: str
    by_initials: bool


def namings_of(memory: str, facts: Facts) -> Iterator[tuple[str, Naming]]:
    """Every way in which a memory names an entity, with its key; the surest of each spelling."""
    surest: dict[tuple[str, str], int] = {}
    for label, sort in _labels(facts):
        key = name_key(label)
        if key and surest.get((key, label), -1) < sort:
            surest[key, label] = sort
    for (key, label), sort in surest.items():
        yield key, Naming(memory, label, sort)


def claims_of(memory: str, facts: Facts) -> Iterator[tuple[str, Claim]]:
    """Every name that a memory says is short for another, by its key; and initials of long names."""
    for short, long in facts.aliases:
        key, of = name_key(short), name_key(long)
        if key and of and key != of:
            yield key, Claim(memory, of, by_initials=False)
    for label, sort in _labels(facts):
        if sort >= NAMED and (letters := _initials(label)):
            of = name_key(label)
            if of and of != letters and letters not in known_names():
                yield letters, Claim(memory, of, by_initials=True)


def singular(key: str) -> str | None:
    """The key of which this one would be the plural."""
    if len(key) < _SHORTEST_PLURAL or key[-1] != "s" or key[-2] in "sui":
        return None
    if key.startswith(FILE) or key in known_names():
        return None
    return f"{key[:-3]}y" if key.endswith("ies") else key[:-1]


def plural(key: str) -> str:
    """The key that would be the plural of this one."""
    return f"{key[:-1]}ies" if key.endswith("y") else f"{key}s"


def label_among(key: str, namings: Iterable[Naming]) -> str:
    """How to call an entity: as the trade does, else as most memories do; of equals the one with more capitals."""
    known = known_names().get(key)
    if known is not None:
        return known.label
    counted: dict[str, int] = {}
    for naming in namings:
        counted[naming.label] = counted.get(naming.label, 0) + (naming.sort >= NAMED)
    return min(counted, key=lambda label: (-counted[label], -sum(map(str.isupper, label)), label))


_SHORTEST_PLURAL: Final = 4
_CAPITALISED: Final = re.compile(r"[A-Z][A-Za-z]+(?:[ -][A-Z][A-Za-z]+){2,4}")


def _labels(facts: Facts) -> Iterator[tuple[str, int]]:
    for statement in facts.statements:
        for label, end in ((statement.source, statement.source_end), (statement.target, statement.target_end)):
            if label != SELF:
                yield label, NAMED if end == "named" else SPOKEN
    yield from ((label, DECLARED) for label in facts.names)
    yield from ((label, DECLARED) for pair in facts.aliases for label in pair)
    yield from ((label, MENTIONED) for label in facts.mentions)


def _initials(label: str) -> str:
    """The initials of three to five capitalised words: fewer are shared by too much."""
    if _CAPITALISED.fullmatch(label) is None:
        return ""
    return "".join(word[0] for word in re.split(r"[ -]", label)).lower()
