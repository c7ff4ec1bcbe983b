"""Requests about what editors of this machine do not show."""

from typing import Annotated, Literal

import msgspec

from memofs.wire.values import Params, Result

__all__ = ["MuteParams", "MuteView", "MutesResult", "Scope", "UnmuteParams"]

Scope = Literal["lens", "diagnostics"]
Index = Annotated[int, msgspec.Meta(ge=0)]


class MuteParams(Params, frozen=True, kw_only=True):
    """Hide a memory, one anchor of it (`anchorIndex`), what is in a file (`uri` or `path`), or both together.

    `scope` is what to hide, both without it; `until` a time in ISO 8601, or `changed`: until the code changes again.
    """

    id: str | None = None
    anchor_index: Index | None = None
    uri: str | None = None
    path: str | None = None
    scope: Scope | None = None
    until: str | None = None


class UnmuteParams(Params, frozen=True, kw_only=True):
    """Take back what was muted about this; what is left out means any, and `all` everything."""

    id: str | None = None
    anchor_index: Index | None = None
    uri: str | None = None
    path: str | None = None
    scope: Scope | None = None
    all: bool = False


class MuteView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One wish; a memory that is gone has no title."""

    scope: Scope
    since: str | None
    memory: str | None = None
    title: str | None = None
    anchor_index: int | None = None
    path: str | None = None
    until: str | None = None


class MutesResult(Result, frozen=True, kw_only=True):
    """What is muted now, the newest first."""

    muted: tuple[MuteView, ...]
