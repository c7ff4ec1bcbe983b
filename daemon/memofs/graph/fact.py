"""What one memory says of entities, before it is known what others say: read once, kept as long as its text is.

Invariant: depends on one memory alone. Labels are as they are spelled; which of them are entities is decided where all
are known together (graph/state.py).
"""

from typing import Final, Literal, TypeAlias

import msgspec

from memofs.model.relation import RelationType

__all__ = ["NOTHING", "SELF", "End", "Facts", "Statement"]

SELF: Final = ""
"""The label of an end that is the memory itself: "we use D1" says it of whatever the memory is about."""

End: TypeAlias = Literal["named", "known"]
"""named: it looks like an entity; known: it is one only where another memory, a tag or a person names it."""


class Statement(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True, gc=False):
    """`source` relation `target`, labels; `line` is 0-based in the body, `ended` as in `Edge`.

    An end that is not `named` by its looks counts only where it is an entity anyway.
    """

    source: str
    relation: RelationType
    target: str
    line: int = 0
    ended: bool = False
    source_end: End = "named"
    target_end: End = "named"


class Facts(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True, gc=False):
    """`names` are entities (tags, aliases, what parentheses explain), `mentions` what is only spoken of.

    `aliases` are pairs (short name, long name) that the text introduces.
    """

    statements: tuple[Statement, ...] = ()
    names: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()


NOTHING: Final = Facts()
"""What most memories say."""
