"""What a person does not want to be shown in an editor, and for how long.

Invariant: muting hides a lens or a warning in editors and nothing else: recall, `stale`, `check` and briefings say what
they would say without it.
"""

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

__all__ = ["SCOPES", "Mute", "Scope", "is_muted", "key_of", "muted_scopes", "without"]

Scope = Literal["lens", "diagnostics"]
SCOPES: tuple[Scope, ...] = ("lens", "diagnostics")


class Mute(msgspec.Struct, frozen=True, kw_only=True):
    """One wish. It covers anchors of `memory` (one of them with `index`), in the file `path`; None means any.

    With `code` it holds as long as the code of an anchor has the digest that stands there under `key_of`; what is not
    named there is not muted. `until_ms` is when it ends by itself.
    """

    scope: Scope
    since_ms: int
    memory: str | None = None
    index: int | None = None
    path: str | None = None
    until_ms: int | None = None
    code: Mapping[str, str] | None = None

    def holds(self, now_ms: int) -> bool:
        """Whether it has not ended by itself yet."""
        return self.until_ms is None or now_ms < self.until_ms

    def covers(self, memory: str, index: int, path: str) -> bool:
        """Whether the anchor is among those that it is about."""
        return (
            self.memory in (None, memory) and (self.index is None or self.index == index) and self.path in (None, path)
        )


def key_of(memory: str, index: int) -> str:
    """The name of an anchor in `Mute.code`."""
    return f"{memory}#{index}"


def is_muted(
    mutes: Iterable[Mute], scope: Scope, *, memory: str, index: int, path: str, digest: str, now_ms: int
) -> bool:
    """Whether one of the wishes covers the anchor, whose code has the digest, at this moment."""
    return any(
        each.scope == scope
        and each.covers(memory, index, path)
        and each.holds(now_ms)
        and (each.code is None or each.code.get(key_of(memory, index)) == digest)
        for each in mutes
    )


def muted_scopes(
    mutes: Iterable[Mute], *, memory: str, index: int, path: str, digest: str, now_ms: int
) -> tuple[Scope, ...]:
    """What of an anchor is not to be shown now."""
    every = tuple(mutes)
    return tuple(
        scope
        for scope in SCOPES
        if is_muted(every, scope, memory=memory, index=index, path=path, digest=digest, now_ms=now_ms)
    )


def without(
    mutes: Iterable[Mute], *, memory: str | None, index: int | None, path: str | None, scope: Scope | None, now_ms: int
) -> tuple[Mute, ...]:
    """The wishes that are left when those about this are taken back; None means any. Those that have ended go too."""
    return tuple(
        each
        for each in mutes
        if each.holds(now_ms)
        and not (
            scope in (None, each.scope)
            and memory in (None, each.memory)
            and index in (None, each.index)
            and path in (None, each.path)
        )
    )
