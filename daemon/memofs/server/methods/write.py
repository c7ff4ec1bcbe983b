"""remember, update, verify, retire, restore, accept, reject, forget, undo."""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

import msgspec

from memofs.engine import anchor_edit, modify
from memofs.engine.anchor_making import make_all
from memofs.engine.anchor_place import written
from memofs.engine.draft import Draft
from memofs.engine.engine import Engine
from memofs.engine.lookup import find_all
from memofs.engine.remember import remember as remember_draft
from memofs.engine.remove import forget as forget_memories
from memofs.engine.remove import undo as undo_write
from memofs.model.errors import InvalidRequest, NotFound, Refused
from memofs.model.memory import Anchor, Memory, Status
from memofs.server.agents import check_changeable, source_of, status_of
from memofs.server.call import Call
from memofs.server.convert import memory_view
from memofs.server.methods.anchors import spec_of
from memofs.server.seeing import seen_by
from memofs.text.fields import Changes
from memofs.wire.write import (
    Fields,
    ForgetResult,
    IdsParams,
    MemoriesResult,
    MemoryResult,
    RememberParams,
    RememberResult,
    UndoParams,
    UndoResult,
    UpdateParams,
)
from memofs.world.select import select

__all__ = ["accept", "forget", "reject", "remember", "restore", "retire", "undo", "update", "verify"]

MOST_TOLD = 20
"""How many anchors that were not found a verification tells one by one."""
ANY_STATUS: tuple[Status, ...] = ("active", "pending", "retired")


def remember(engine: Engine, params: RememberParams, call: Call) -> RememberResult:
    """Write a new memory, or say which one says it already."""
    _secrets_are_for_people(call, allow_secrets=params.allow_secrets)
    made = make_all(engine.anchoring, [spec_of(engine.root, each, call) for each in params.anchors], call.buffers)
    done = remember_draft(
        engine,
        Draft(
            body=params.body,
            kind=params.kind,
            title=params.title,
            tags=params.tags,
            aliases=params.aliases,
            confidence=params.confidence,
            supersedes=params.supersedes,
            source=source_of(call, params.source),
            anchors=tuple(each.anchor for each in made),
            status=status_of(engine, call),
        ),
        actor=call.session.role,
        allow_duplicate=params.allow_duplicate,
        allow_secrets=params.allow_secrets,
    )
    shown = done.memory or done.duplicate_of
    view = seen_by(engine, call, () if shown is None else (shown.id,))
    encoding = call.session.encoding
    if done.duplicate_of is None:
        remarks = tuple(remark for each in made for remark in each.remarks)
    else:
        states = view.world.anchors.get(done.duplicate_of.id, ())
        unsaid = anchor_edit.lacking(done.duplicate_of, states, [each.anchor for each in made])
        remarks = tuple(_lacking(done.duplicate_of, each, call) for each in unsaid)
    return RememberResult(
        revision=view.world.revision,
        degraded=view.degraded,
        memory=memory_view(view, done.memory, encoding=encoding) if done.memory else None,
        duplicate_of=memory_view(view, done.duplicate_of, encoding=encoding) if done.duplicate_of else None,
        remarks=remarks,
    )


def _lacking(memory: Memory, anchor: Anchor, call: Call) -> str:
    """That an anchor was not written down, since the memory that says the same has none there, and what adds it."""
    where = written(anchor)
    if call.session.role == "mcp":
        how = "memofs.update with anchors, those that it has included, ties it there"
    else:
        how = f"`memofs anchor {memory.id} {shlex.quote(where)}` ties it there"
    return f"{memory.id} is not anchored to {where}: {how}"


def update(engine: Engine, params: UpdateParams, call: Call) -> MemoryResult:
    """Set fields, or put in the whole text as an editor left it."""
    _secrets_are_for_people(call, allow_secrets=params.allow_secrets)
    if (params.fields is None) == (params.text is None):
        raise InvalidRequest("fieldsOrText", "give either fields or text")
    check_changeable(engine, find_all(engine.world.memories, (params.id,), problems=engine.world.problems), call)
    remarks: tuple[str, ...] = ()
    if params.text is not None:
        changed = modify.replace_text(
            engine,
            params.id,
            params.text,
            actor=call.session.role,
            expected_hash=params.expected_hash,
            allow_secrets=params.allow_secrets,
        )
    else:
        assert params.fields is not None  # noqa: S101 - one of the two is given
        changes, remarks = _changes(engine, params.fields, call)
        changed = modify.update(
            engine,
            params.id,
            changes,
            actor=call.session.role,
            expected_hash=params.expected_hash,
            allow_secrets=params.allow_secrets,
        )
    view = seen_by(engine, call, [changed.memories[0].id])
    return MemoryResult(
        revision=view.world.revision,
        degraded=view.degraded,
        memory=memory_view(view, changed.memories[0], encoding=call.session.encoding),
        changed=not changed.unchanged,
        remarks=remarks,
    )


def verify(engine: Engine, params: IdsParams, call: Call) -> MemoriesResult:
    """Confirm that memories still hold, and put down what their anchors are now."""
    named = {memory.id for memory in find_all(engine.world.memories, params.ids, problems=engine.world.problems)}
    memories = [each for each in _chosen(engine, params, call) if each.status != "retired" or each.id in named]
    check_changeable(engine, memories, call)
    return _result(engine, anchor_edit.verify(engine, memories, actor=call.session.role, buffers=call.buffers), call)


def retire(engine: Engine, params: IdsParams, call: Call) -> MemoriesResult:
    """Take memories out of recall; their files stay."""
    return _to_status(engine, params, call, "retired", kind="retire")


def restore(engine: Engine, params: IdsParams, call: Call) -> MemoriesResult:
    """Put retired memories back."""
    return _to_status(engine, params, call, "active", kind="restore", only="retired")


def accept(engine: Engine, params: IdsParams, call: Call) -> MemoriesResult:
    """Make pending memories active."""
    return _to_status(engine, params, call, "active", kind="accept", only="pending")


def reject(engine: Engine, params: IdsParams, call: Call) -> MemoriesResult:
    """Retire pending memories."""
    return _to_status(engine, params, call, "retired", kind="reject", only="pending")


def forget(engine: Engine, params: IdsParams, call: Call) -> ForgetResult:
    """Remove memories for good, from undo and snapshots too."""
    if params.all:
        raise InvalidRequest("all", "forget does not take everything at once", "name the memories")
    view = engine.view()
    done = forget_memories(engine, _chosen(engine, params, call), actor=call.session.role)
    return ForgetResult(
        revision=engine.world.revision,
        degraded=view.degraded,
        forgotten=tuple(memory_view(view, memory, encoding=call.session.encoding) for memory in done.forgotten),
        in_git=done.in_git,
        in_archives=done.in_archives,
    )


def undo(engine: Engine, params: UndoParams, call: Call) -> UndoResult:
    """Take back the last write that was not taken back yet."""
    done = undo_write(engine, actor=call.session.role, skip=params.skip)
    view = seen_by(engine, call, [memory.id for memory in done.memories])
    return UndoResult(
        revision=view.world.revision,
        degraded=view.degraded,
        type=done.type,
        summary=done.summary,
        timestamp=done.timestamp,
        files=done.paths,
        memories=tuple(memory_view(view, memory, encoding=call.session.encoding) for memory in done.memories),
    )


def _to_status(
    engine: Engine, params: IdsParams, call: Call, status: Status, *, kind: str, only: Status | None = None
) -> MemoriesResult:
    memories = _chosen(engine, params, call)
    check_changeable(engine, memories, call)
    if params.all and only is not None:
        memories = tuple(memory for memory in memories if memory.status == only)
    for memory in memories:
        if only is not None and memory.status not in (only, status):
            raise InvalidRequest("status", f"{memory.id} ({memory.title}) is {memory.status}, not {only}")
    return _result(engine, modify.set_status(engine, memories, status, kind=kind, actor=call.session.role), call)


def _chosen(engine: Engine, params: IdsParams, call: Call) -> Sequence[Memory]:
    """The memories that are named; a path is a memory's own file, or where an anchor is recorded or is now."""

    def at_paths() -> tuple[Memory, ...]:
        if not params.paths:
            return ()
        world = engine.view().seeing(call.buffers).following(patience_s=None, again=True).world
        found: list[Memory] = []
        for path in params.paths:
            here = [memory for memory in world.memories.values() if memory.path == path and memory.origin == "file"]
            here = here or select(world, paths=(path,), statuses=ANY_STATUS)
            if not here:
                raise _nothing_at(engine.root, path)
            found += here
        return tuple(found)

    return modify.chosen(engine, ids=params.ids, at_paths=at_paths, everything=params.all)


def _nothing_at(root: Path, path: str) -> NotFound:
    hint = "memofs list shows what there is"
    if os.path.lexists(root / path) or not _GLOB.isdisjoint(path):
        return NotFound("path", f"no memory is tied to {path}", hint)
    return NotFound("path", f"no memory is tied to {path}, and there is no such file or folder", hint)


_GLOB = frozenset("*?[")


def _result(engine: Engine, changed: modify.Changed, call: Call) -> MemoriesResult:
    view = seen_by(engine, call, [memory.id for memory in changed.memories])
    return MemoriesResult(
        revision=view.world.revision,
        degraded=view.degraded,
        memories=tuple(memory_view(view, memory, encoding=call.session.encoding) for memory in changed.memories),
        unchanged=changed.unchanged,
        remarks=_unconfirmed(changed.lost, call),
    )


def _unconfirmed(lost: Sequence[modify.Lost], call: Call) -> tuple[str, ...]:
    """What is told of the anchors that could not be confirmed, and what can be done about each."""
    told = [_lost(each, call) for each in lost[:MOST_TOLD]]
    if len(lost) > MOST_TOLD:
        told.append(f"and {len(lost) - MOST_TOLD} more anchors were not found")
    return tuple(told)


def _lost(lost: modify.Lost, call: Call) -> str:
    id_, number, where = lost.memory_id, lost.index + 1, written(lost.anchor)
    if lost.fault is not None:
        return f"anchor {number} of {id_}, {where}, is not confirmed: {lost.fault}"
    head = f"anchor {number} of {id_}, {where}, is not found, so the memory stays stale"
    if call.session.role == "mcp":
        return f"{head}: memofs.update gives it other anchors, memofs.retire takes it out of recall"
    return (
        f"{head}: `memofs reanchor {id_} {number} FILE:LINES` says where the code went; "
        f"where it is gone for good, `memofs edit {id_}` or `memofs retire {id_}`"
    )


def _changes(engine: Engine, fields: Fields, call: Call) -> tuple[Changes, tuple[str, ...]]:
    """The fields to set, and what is to be said of the anchors among them."""
    changes: Changes = {}
    remarks: tuple[str, ...] = ()
    if fields.title is not msgspec.UNSET:
        changes["title"] = fields.title
    if fields.body is not msgspec.UNSET:
        changes["body"] = fields.body
    if fields.kind is not msgspec.UNSET:
        changes["kind"] = fields.kind
    if fields.tags is not msgspec.UNSET:
        changes["tags"] = fields.tags
    if fields.aliases is not msgspec.UNSET:
        changes["aliases"] = fields.aliases
    if fields.confidence is not msgspec.UNSET:
        changes["confidence"] = fields.confidence
    if fields.supersedes is not msgspec.UNSET:
        changes["supersedes"] = fields.supersedes
    if fields.status is not msgspec.UNSET:
        changes["status"] = fields.status
    if fields.anchors is not msgspec.UNSET:
        made = make_all(engine.anchoring, [spec_of(engine.root, each, call) for each in fields.anchors], call.buffers)
        changes["anchors"] = tuple(each.anchor for each in made)
        remarks = tuple(remark for each in made for remark in each.remarks)
    if not changes:
        raise InvalidRequest("noFields", "no field was given to change")
    return changes, remarks


def _secrets_are_for_people(call: Call, *, allow_secrets: bool) -> None:
    if allow_secrets and call.session.role == "mcp":
        raise Refused("allowSecrets", "only a person can allow a secret", "leave the value out")
