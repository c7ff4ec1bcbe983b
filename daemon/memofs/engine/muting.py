"""Muting what an editor shows: which anchors are meant, and what their code is at that moment."""

from collections.abc import Mapping
from typing import Final

import msgspec

from memofs.anchors.digest import short_digest
from memofs.anchors.spans import span_at
from memofs.engine.anchor_look import source_of
from memofs.engine.view import View
from memofs.model.errors import InvalidRequest, NotFound
from memofs.model.memory import Memory
from memofs.model.mute import SCOPES, Mute, Scope, key_of, muted_scopes
from memofs.model.place import AnchorState
from memofs.store.code_files import CodeFile

__all__ = ["MISSING", "MOST_MUTES", "Wish", "code_digest", "muted_now", "mutes_of"]

MISSING: Final = "missing"
"""The digest of code that is not there."""
MOST_MUTES: Final = 2_000


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What a request to mute says. `while_same` asks for it to end when the code changes again."""

    memory: Memory | None = None
    index: int | None = None
    path: str | None = None
    scope: Scope | None = None
    until_ms: int | None = None
    while_same: bool = False


def code_digest(text: str) -> str:
    """What tells the code of an anchor from other code, its blanks set aside."""
    return short_digest("".join(text.split())).hex()


def mutes_of(view: View, wish: Wish) -> tuple[Mute, ...]:
    """One mute for each scope. Raises InvalidRequest, NotFound for a wish that means nothing."""
    memory = wish.memory
    if memory is None and wish.path is None:
        raise InvalidRequest("nothingNamed", "name a memory (id) or a file (uri) to mute")
    if memory is None and wish.index is not None:
        raise InvalidRequest("anchorIndex", "anchorIndex needs the id of a memory")
    if memory is not None and wish.index is not None and wish.index >= len(memory.every_anchor):
        raise NotFound("anchor", f"{memory.id} has no anchor {wish.index + 1}")
    if wish.until_ms is not None and wish.until_ms <= view.now_ms:
        raise InvalidRequest("until", "that moment has passed")
    code = _code(view, wish) if wish.while_same else None
    return tuple(
        Mute(
            scope=scope,
            since_ms=view.now_ms,
            memory=memory.id if memory is not None else None,
            index=wish.index,
            path=wish.path,
            until_ms=wish.until_ms,
            code=code,
        )
        for scope in ((wish.scope,) if wish.scope is not None else SCOPES)
    )


def muted_now(view: View, memory: Memory, index: int, state: AnchorState | None) -> tuple[Scope, ...]:
    """What editors of this machine do not show of an anchor now."""
    mutes = view.mutes.current()
    if not mutes:
        return ()
    anchor = memory.every_anchor[index]
    path = state.place.path if state is not None and state.place is not None else anchor.path
    asked = any(each.code is not None and each.covers(memory.id, index, path) for each in mutes)
    digest = _digest(view, state) if asked and state is not None else MISSING
    return muted_scopes(mutes, memory=memory.id, index=index, path=path, digest=digest, now_ms=view.now_ms)


def _code(view: View, wish: Wish) -> Mapping[str, str]:
    memories = (wish.memory,) if wish.memory is not None else tuple(view.world.memories.values())
    found: dict[str, str] = {}
    for memory in memories:
        states = view.world.anchors.get(memory.id, ())
        for index, (anchor, state) in enumerate(zip(memory.every_anchor, states, strict=False)):
            path = state.place.path if state.place is not None else anchor.path
            if wish.index in (None, index) and wish.path in (None, path):
                found[key_of(memory.id, index)] = _digest(view, state)
    return found


def _digest(view: View, state: AnchorState) -> str:
    place = state.place
    if place is None:
        return MISSING
    file = view.buffers.read(view.store.layout, place.path)
    if not isinstance(file, CodeFile) or file.text is None:
        return file.blob if isinstance(file, CodeFile) else MISSING
    if place.lines is None:
        return code_digest(file.text)
    source = source_of(place.path, file.text)
    region = span_at(source, place.lines, place.columns)
    return MISSING if region is None else code_digest(source.text[region.start : region.end])
