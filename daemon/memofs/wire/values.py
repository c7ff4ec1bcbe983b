"""What all requests share: naming, the version of the protocol, empty params, progress."""

from typing import Any, Literal

import msgspec

__all__ = [
    "WIRE_VERSION",
    "Empty",
    "Json",
    "Notice",
    "Params",
    "Position",
    "PositionEncoding",
    "Progress",
    "Range",
    "Result",
]

WIRE_VERSION = "1.0"
"""major.minor: a client and a daemon of different major do not talk; a minor only adds fields and methods."""

PositionEncoding = Literal["utf-8", "utf-16", "utf-32"]
Notice = Literal["emptyQuery", "nothingRelevant"]


class Params(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Base of every request's params: a field nobody knows is an error, not silence."""


class Result(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Base of every result. `revision` is that of the memory the answer was made from."""

    revision: int = 0
    degraded: tuple[str, ...] = ()


class Position(msgspec.Struct, frozen=True):
    """0-based line and character, the character in the session's position encoding."""

    line: int
    character: int


class Range(msgspec.Struct, frozen=True):
    """From start to end, the end excluded."""

    start: Position
    end: Position


class Progress(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The `value` of a `$/progress` notification, as in LSP's work done progress."""

    kind: Literal["begin", "report", "end"]
    title: str | None = None
    message: str | None = None
    done: int | None = None
    total: int | None = None


class Empty(Params, frozen=True, kw_only=True):
    """No params."""


Json = Any
"""A value of `config.json`: whatever JSON holds."""
