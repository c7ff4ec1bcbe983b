"""Changing the anchors of memories: add, take away, put elsewhere, and confirm.

Invariant: what a mark says was read together with the place it marks; a memory is rewritten only on top of what its
file says now, and one of several writers at once either sees the other's change or repeats its own on top of it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeVar

import msgspec

from memofs.engine.anchor_making import MOST_ANCHORS, Made, Spec, make, remake
from memofs.engine.buffers import NO_BUFFERS, Buffers
from memofs.engine.clock import now_ms
from memofs.engine.engine import Engine
from memofs.engine.modify import Changed, Lost, check_editable, check_hash, fresh, rewritten
from memofs.model.errors import Conflict, InvalidRequest, NotFound
from memofs.model.memory import Anchor, Memory
from memofs.model.place import STALE_VERDICTS, AnchorState, Place
from memofs.text.fields import Changes

__all__ = ["Anchored", "add_anchor", "lacking", "move_anchor", "remove_anchors", "verify"]

_TRIES: Final = 4
T = TypeVar("T")


class Anchored(msgspec.Struct, frozen=True, kw_only=True):
    """A memory after its anchors were changed, and what a person should know; `changed` is false where they were so."""

    memory: Memory
    changed: bool = True
    remarks: tuple[str, ...] = ()


def add_anchor(
    engine: Engine,
    text: str,
    spec: Spec,
    *,
    actor: str,
    expected_hash: str | None = None,
    buffers: Buffers = NO_BUFFERS,
) -> Anchored:
    """The memory with one more anchor. Raises as `make` does, and NotFound, InvalidRequest, Conflict."""
    made = make(engine.anchoring, spec, buffers)

    def change(memory: Memory) -> tuple[Anchor, ...]:
        if any(_same_place(each, made.anchor) for each in memory.anchors):
            return tuple(made.anchor if _same_place(each, made.anchor) else each for each in memory.anchors)
        if len(memory.anchors) >= MOST_ANCHORS:
            raise InvalidRequest(
                "manyAnchors", f"{memory.id} has {len(memory.anchors)} anchors; at most {MOST_ANCHORS}"
            )
        return (*memory.anchors, made.anchor)

    return _changed(engine, text, change, made.remarks, kind="anchor", actor=actor, expected_hash=expected_hash)


def remove_anchors(
    engine: Engine,
    text: str,
    *,
    index: int | None = None,
    path: str | None = None,
    actor: str,
    expected_hash: str | None = None,
    buffers: Buffers = NO_BUFFERS,
) -> Anchored:
    """The memory without the anchor at `index`, or without those that were or are in the file `path`, or its only one.

    Raises NotFound, InvalidRequest, Conflict.
    """

    def change(memory: Memory) -> tuple[Anchor, ...]:
        if path is not None:
            now = {at for at, each in enumerate(_states(engine, memory, buffers)) if _is_in(each, path)}
            kept = tuple(each for at, each in enumerate(memory.anchors) if each.path != path and at not in now)
            if len(kept) == len(memory.anchors):
                raise NotFound("anchor", f"{memory.id} is not anchored in {path}", _said_hint(memory, path))
            return kept
        at = _index(engine, memory, index, buffers)
        if at >= len(memory.anchors):
            said = memory.every_anchor[at]
            message = f"the anchor in {said.path} stands in the memory's text, @anchor(…)"
            raise InvalidRequest("saidAnchor", message, "take it out of the text: memofs edit ID")
        return (*memory.anchors[:at], *memory.anchors[at + 1 :])

    return _changed(engine, text, change, (), kind="unanchor", actor=actor, expected_hash=expected_hash)


def move_anchor(
    engine: Engine,
    text: str,
    *,
    index: int | None = None,
    spec: Spec | None = None,
    candidate: int | None = None,
    actor: str,
    expected_hash: str | None = None,
    buffers: Buffers = NO_BUFFERS,
) -> Anchored:
    """The memory with an anchor put elsewhere: where the spec says, where a candidate is, or where it was found.

    Without an index, the only anchor, or the only one that is stale. Raises NotFound, InvalidRequest, Conflict.
    """
    if spec is not None and candidate is not None:
        raise InvalidRequest("targetOrCandidate", "give a target or a candidate, not both")
    remarks: list[str] = []

    def change(memory: Memory) -> tuple[Anchor, ...]:
        at = _index(engine, memory, index, buffers)
        if spec is not None:
            made = make(engine.anchoring, spec, buffers)
        else:
            state = _states(engine, memory, buffers)[at]
            made = _remade(engine, _target(memory, at, state, candidate), buffers)
        remarks[:] = made.remarks
        if at >= len(memory.anchors):  # said in the text: what is written down goes before it
            return (*memory.anchors, made.anchor)
        return (*memory.anchors[:at], made.anchor, *memory.anchors[at + 1 :])

    done = _changed(engine, text, change, (), kind="reanchor", actor=actor, expected_hash=expected_hash)
    return msgspec.structs.replace(done, remarks=tuple(remarks))


def verify(engine: Engine, memories: Sequence[Memory], *, actor: str, buffers: Buffers = NO_BUFFERS) -> Changed:
    """The memories confirmed as of now, with marks of the code as it is now; a lost anchor stays as it is and is told.

    Raises Conflict for entries of a log.
    """
    if not memories:
        return Changed()

    def attempt(number: int) -> Changed:
        current = memories if number == 0 else [fresh(engine, memory.id) for memory in memories]
        engine.anchoring.follow([memory.id for memory in current if memory.every_anchor], again=True)
        moment_ms = now_ms()
        wanted: list[tuple[Memory, Changes]] = []
        lost: list[Lost] = []
        for memory in current:
            check_editable(memory)
            changes: Changes = {"verified_ms": moment_ms}
            states = _states(engine, memory, buffers)
            lost += _lost(memory, states)
            anchors = _confirmed(engine, memory, states, buffers)
            if anchors != memory.anchors:
                changes["anchors"] = anchors
            wanted.append((memory, changes))
        done = rewritten(engine, wanted, kind="verify", actor=actor)
        return msgspec.structs.replace(done, lost=tuple(lost))

    return _again_on_conflict(attempt)


def lacking(memory: Memory, states: Sequence[AnchorState], wanted: Iterable[Anchor]) -> tuple[Anchor, ...]:
    """Those of the wanted anchors that the memory has none for: neither as it is written down, nor as it is now."""
    return tuple(
        anchor
        for anchor in wanted
        if not any(_same_place(each, anchor) for each in memory.every_anchor)
        and not any(_is_now(state, anchor) for state in states)
    )


def _changed(
    engine: Engine,
    text: str,
    change: Callable[[Memory], tuple[Anchor, ...]],
    remarks: tuple[str, ...],
    *,
    kind: str,
    actor: str,
    expected_hash: str | None,
) -> Anchored:
    def attempt(_number: int) -> Anchored:
        memory = fresh(engine, text)
        check_editable(memory)
        check_hash(memory, expected_hash)
        anchors = change(memory)
        if anchors == memory.anchors:
            return Anchored(memory=memory, changed=False, remarks=remarks)
        moment_ms = now_ms()
        changes: Changes = {"anchors": anchors, "updated_ms": moment_ms, "verified_ms": moment_ms}
        done = rewritten(engine, [(memory, changes)], kind=kind, actor=actor)
        return Anchored(memory=done.memories[0], remarks=remarks)

    done = attempt(0) if expected_hash is not None else _again_on_conflict(attempt)
    engine.anchoring.follow([done.memory.id])
    return done


def _again_on_conflict(attempt: Callable[[int], T]) -> T:
    """What the first attempt answers that no other writer came in between of. Raises Conflict if none is."""
    for number in range(_TRIES - 1):
        try:
            return attempt(number)
        except Conflict as conflict:
            if conflict.code != "changedOnDisk":
                raise
    return attempt(_TRIES)


def _lost(memory: Memory, states: Sequence[AnchorState]) -> Iterator[Lost]:
    for index, (anchor, state) in enumerate(zip(memory.every_anchor, states, strict=False)):
        if state.place is None or state.fault is not None:
            yield Lost(memory_id=memory.id, index=index, anchor=anchor, fault=state.fault)


def _confirmed(engine: Engine, memory: Memory, states: Sequence[AnchorState], buffers: Buffers) -> tuple[Anchor, ...]:
    """The anchors with marks of what they are now; what the text says itself is written down if it is found."""
    kept = [
        each if (made := _found(engine, state, buffers)) is None else made.anchor
        for each, state in zip(memory.anchors, states, strict=False)
    ]
    rest = (_found(engine, state, buffers) for state in states[len(memory.anchors) :])
    said = [made.anchor for made in rest if made is not None]
    return (*kept, *said)


def _found(engine: Engine, state: AnchorState, buffers: Buffers) -> Made | None:
    """The anchor made anew where it was found; None if it was not, or its file is another by now."""
    if state.place is None or state.fault is not None:
        return None
    try:
        return _remade(engine, state.place, buffers)
    except (NotFound, InvalidRequest, Conflict):
        return None


def _remade(engine: Engine, place: Place, buffers: Buffers) -> Made:
    anchoring = engine.anchoring
    content = buffers.content(anchoring.layout, place.path) or anchoring.content(place.path)
    made = remake(anchoring, place, content, buffers)
    if made is None:
        raise Conflict("codeChanged", f"{place.path} has just changed", "repeat the command")
    return made


def _target(memory: Memory, at: int, state: AnchorState, candidate: int | None) -> Place:
    """The place that a request without one means."""
    if candidate is not None:
        if candidate < len(state.guesses):
            return state.guesses[candidate].place
        offered = f"{len(state.guesses)} are offered" if state.guesses else "none is offered"
        raise NotFound("candidate", f"there is no place {candidate + 1} for anchor {at + 1}: {offered}", _NAME_IT)
    if state.place is not None:
        return state.place
    anchor = memory.every_anchor[at]
    what = f"{anchor.symbol} in {anchor.path}" if anchor.symbol else anchor.path
    hint = "memofs stale shows the places that are offered; --accept takes the first" if state.guesses else _NAME_IT
    raise NotFound("lostAnchor", state.fault or f"anchor {at + 1} of {memory.id} ({what}) is not found", hint)


_NAME_IT = "name the place: memofs reanchor ID [NUMBER] FILE:LINES"


def _index(engine: Engine, memory: Memory, index: int | None, buffers: Buffers) -> int:
    """The index of the anchor that is meant. Raises NotFound, InvalidRequest."""
    anchors = memory.every_anchor
    if index is not None:
        if index < len(anchors):
            return index
        has = f"{len(anchors)} anchor{'' if len(anchors) == 1 else 's'}"
        raise NotFound("anchor", f"{memory.id} has {has}; there is no anchor {index + 1}", _SHOW_IT)
    if not anchors:
        raise NotFound("anchor", f"{memory.id} has no anchors", "memofs anchor ID FILE:LINES adds one")
    if len(anchors) == 1:
        return 0
    stale = [at for at, state in enumerate(_states(engine, memory, buffers)) if state.verdict in STALE_VERDICTS]
    if len(stale) == 1:
        return stale[0]
    listed = ", ".join(f"{at}. {each.path}" for at, each in enumerate(anchors, start=1))
    raise InvalidRequest("whichAnchor", f"{memory.id} has {len(anchors)} anchors: {listed}", "say which: its number")


_SHOW_IT = "memofs show ID lists them"


def _states(engine: Engine, memory: Memory, buffers: Buffers) -> tuple[AnchorState, ...]:
    followed = engine.anchoring.follow([memory.id], again=True)
    return buffers.over(memory, followed.world.anchors.get(memory.id, ()))


def _same_place(one: Anchor, other: Anchor) -> bool:
    if one.path != other.path or one.symbol != other.symbol:
        return False
    return one.symbol is not None or (one.lines, one.columns) == (other.lines, other.columns)


def _is_in(state: AnchorState, path: str) -> bool:
    return state.place is not None and state.place.path == path


def _is_now(state: AnchorState, anchor: Anchor) -> bool:
    """Whether an anchor in this state is where `anchor` was just made."""
    place = state.place
    if place is None or place.path != anchor.path:
        return False
    if anchor.symbol is not None:
        return state.symbol == anchor.symbol
    return state.symbol is None and (place.lines, place.columns) == (anchor.lines, anchor.columns)


def _said_hint(memory: Memory, path: str) -> str | None:
    if any(each.path == path for each in memory.said_anchors):
        return "it stands in the memory's text, @anchor(…): memofs edit ID"
    return _SHOW_IT
