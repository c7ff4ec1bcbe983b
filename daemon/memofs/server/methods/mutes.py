"""mute, unmute, mutes: what editors of this machine do not show."""

from pathlib import Path

from memofs.engine.engine import Engine
from memofs.engine.lookup import find_one
from memofs.engine.muting import MOST_MUTES, Wish, mutes_of
from memofs.engine.view import View
from memofs.model.errors import InvalidRequest, Refused
from memofs.model.mute import Mute, without
from memofs.server.call import Call
from memofs.server.convert import iso
from memofs.server.uris import path_in
from memofs.text.fields import is_inside
from memofs.text.times import parse_iso
from memofs.wire.mutes import MuteParams, MutesResult, MuteView, UnmuteParams
from memofs.wire.values import Empty

__all__ = ["mute", "mutes", "unmute"]


def mute(engine: Engine, params: MuteParams, call: Call) -> MutesResult:
    """Hide a lens or a warning on this machine."""
    view = engine.view().seeing(call.buffers)
    memory = view.find(params.id) if params.id is not None else None
    until_ms, while_same = _until(params.until)
    if while_same:
        view = view.following(None if memory is None else [memory.id])
    wish = Wish(
        memory=memory,
        index=params.anchor_index,
        path=_path(engine, params),
        scope=params.scope,
        until_ms=until_ms,
        while_same=while_same,
    )
    new = mutes_of(view, wish)

    def change(before: tuple[Mute, ...]) -> tuple[Mute, ...]:
        kept = before
        for each in new:
            kept = tuple(old for old in kept if not _is_same(old, each) and old.holds(view.now_ms))
        return (*kept, *new)[-MOST_MUTES:]

    return _changed(engine, engine.mutes.change(change))


def unmute(engine: Engine, params: UnmuteParams, call: Call) -> MutesResult:
    """Show again what was hidden."""
    del call
    path = _path(engine, params)
    if not params.all and params.id is None and path is None:
        raise InvalidRequest("nothingNamed", "name a memory (id) or a file (uri) to show again, or all")
    if params.all and (params.id is not None or path is not None or params.anchor_index is not None):
        raise InvalidRequest("all", "all means everything: name nothing else")
    view = engine.view()
    muted = engine.mutes.current()
    memory = params.id
    if memory is not None and all(each.memory != memory for each in muted):
        memory = find_one(view.world.memories, memory, problems=view.world.problems).id
    return _changed(
        engine,
        engine.mutes.change(
            lambda before: without(
                before,
                memory=memory,
                index=params.anchor_index,
                path=path,
                scope=params.scope,
                now_ms=view.now_ms,
            )
        ),
    )


def mutes(view: View, params: Empty, call: Call) -> MutesResult:
    """What is hidden now."""
    del params, call
    return _result(view, view.mutes.current())


def _until(text: str | None) -> tuple[int | None, bool]:
    if text is None:
        return None, False
    if text == "changed":
        return None, True
    moment_ms = parse_iso(text)
    if moment_ms is None:
        raise InvalidRequest("until", f"{text!r} is no time", "give one in ISO 8601, or changed")
    return moment_ms, False


def _path(engine: Engine, params: MuteParams | UnmuteParams) -> str | None:
    if params.uri is not None and params.path is not None:
        raise InvalidRequest("pathOrUri", "give a path or a uri, not both")
    if params.uri is not None:
        return path_in(Path(engine.root), params.uri)
    if params.path is not None and not is_inside(params.path):
        raise Refused("outside", f"{params.path!r} leads out of the workspace", "use a path inside the workspace")
    return params.path


def _is_same(one: Mute, other: Mute) -> bool:
    """Whether two wishes are about the same, however long: the newer takes the other's place."""
    return (one.scope, one.memory, one.index, one.path) == (other.scope, other.memory, other.index, other.path)


def _changed(engine: Engine, muted: tuple[Mute, ...]) -> MutesResult:
    engine.look_again()
    return _result(engine.view(), muted)


def _result(view: View, muted: tuple[Mute, ...]) -> MutesResult:
    current = [each for each in muted if each.holds(view.now_ms)]
    return MutesResult(
        revision=view.world.revision,
        degraded=view.degraded,
        muted=tuple(_shown(view, each) for each in reversed(current)),
    )


def _shown(view: View, each: Mute) -> MuteView:
    memory = view.world.memories.get(each.memory) if each.memory is not None else None
    return MuteView(
        scope=each.scope,
        since=iso(each.since_ms),
        memory=each.memory,
        title=memory.title if memory is not None else None,
        anchor_index=each.index,
        path=each.path,
        until="changed" if each.code is not None else iso(each.until_ms),
    )
