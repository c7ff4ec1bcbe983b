"""anchor, unanchor, reanchor, anchors, memoriesAt, changes, check: what ties memories to code."""

from collections.abc import Callable, Iterable
from pathlib import Path

from memofs.engine import anchor_edit
from memofs.engine.anchor_changes import Piece
from memofs.engine.anchor_changes import changes as changes_of
from memofs.engine.anchor_check import Looked, Stale, looked_at
from memofs.engine.anchor_check import check as check_anchors
from memofs.engine.anchor_making import Spec, Spot
from memofs.engine.anchor_place import recorded_place
from memofs.engine.engine import Engine
from memofs.engine.muting import muted_now
from memofs.engine.view import View
from memofs.model.errors import InvalidRequest, NotFound
from memofs.model.memory import Memory
from memofs.model.place import STALE_VERDICTS, Guess, Place
from memofs.recall.eligible import path_matcher
from memofs.server.call import Call
from memofs.server.convert import iso, memory_view, range_of, uri_of
from memofs.server.seeing import seen_by
from memofs.server.uris import path_in
from memofs.wire.anchors import (
    AnchorParams,
    AnchorRow,
    AnchorsParams,
    AnchorSpec,
    AnchorsResult,
    CandidateView,
    ChangesParams,
    ChangesResult,
    CheckParams,
    CheckResult,
    FindingView,
    MemoriesAtParams,
    MemoriesAtResult,
    MemoryAt,
    PlaceView,
    ReanchorParams,
    UnanchorParams,
    UncheckedView,
)
from memofs.wire.values import PositionEncoding, Progress, Range
from memofs.wire.write import MemoryResult

__all__ = ["anchor", "anchors", "changes", "check", "memories_at", "reanchor", "spec_of", "unanchor"]


def anchor(engine: Engine, params: AnchorParams, call: Call) -> MemoryResult:
    """Tie a memory to code."""
    spec = spec_of(engine.root, params.anchor, call)
    done = anchor_edit.add_anchor(
        engine,
        params.id,
        spec,
        actor=call.session.role,
        expected_hash=params.expected_hash,
        buffers=call.buffers,
    )
    return _anchored(engine, done, call)


def unanchor(engine: Engine, params: UnanchorParams, call: Call) -> MemoryResult:
    """Take anchors from a memory."""
    if params.anchor_index is not None and params.path is not None:
        raise InvalidRequest("indexOrPath", "give anchorIndex or path, not both")
    done = anchor_edit.remove_anchors(
        engine,
        params.id,
        index=params.anchor_index,
        path=params.path,
        actor=call.session.role,
        expected_hash=params.expected_hash,
        buffers=call.buffers,
    )
    return _anchored(engine, done, call)


def reanchor(engine: Engine, params: ReanchorParams, call: Call) -> MemoryResult:
    """Give an anchor another place."""
    done = anchor_edit.move_anchor(
        engine,
        params.id,
        index=params.anchor_index,
        spec=None if params.target is None else spec_of(engine.root, params.target, call),
        candidate=params.candidate,
        actor=call.session.role,
        expected_hash=params.expected_hash,
        buffers=call.buffers,
    )
    return _anchored(engine, done, call)


def anchors(view: View, params: AnchorsParams, call: Call) -> AnchorsResult:
    """The anchors that are asked for, by path and place."""
    paths, ids = params.paths, None
    if params.text_document is not None:
        path = path_in(Path(view.root), params.text_document.uri)
        if not paths:  # an editor asks whenever the typing pauses: only what may be in this file is looked at
            ids = [memory.id for memory in view.world.memories.values() if _may_be_in(view, memory, path)]
        paths = (*paths, path)
    view = view.following(ids, patience_s=None, again=True, cancel=call.cancel, report=_reporter(call))
    matches = path_matcher(paths) if paths else _any
    rows = [
        _row(view, each, call.session.encoding)
        for each in looked_at(view, include_retired=params.include_retired)
        if _touches(each, matches)
    ]
    if params.verdicts:
        rows = [row for row in rows if row.verdict in params.verdicts]
    rows.sort(key=lambda row: (row.path, row.range.start.line if row.range else -1, row.memory, row.anchor_index))
    return AnchorsResult(revision=view.world.revision, degraded=view.degraded, anchors=tuple(rows))


def memories_at(view: View, params: MemoriesAtParams, call: Call) -> MemoriesAtResult:
    """The memories of a file, or of a range of it."""
    path = path_in(Path(view.root), params.text_document.uri)
    here = [memory.id for memory in view.world.memories.values() if _may_be_in(view, memory, path)]
    view = view.following(here, patience_s=None, cancel=call.cancel) if here else view
    found: dict[str, list[int]] = {}
    order: dict[str, int] = {}
    for each in looked_at(view, include_retired=False):
        place = _place(each)
        if place.path == path and _overlaps(range_of(place, call.session.encoding), params.range):
            found.setdefault(each.memory.id, []).append(each.index)
            line = place.lines.first if place.lines is not None else 0
            order[each.memory.id] = min(line, order.get(each.memory.id, line))
    return MemoriesAtResult(
        revision=view.world.revision,
        degraded=view.degraded,
        memories=tuple(
            MemoryAt(
                memory=memory_view(view, view.world.memories[id_], encoding=call.session.encoding),
                anchors=tuple(indexes),
            )
            for id_, indexes in sorted(found.items(), key=lambda item: (order[item[0]], item[0]))
        ),
    )


def changes(view: View, params: ChangesParams, call: Call) -> ChangesResult:
    """An anchor's code as it was and as it is."""
    memory = view.find(params.id)
    view = view.following([memory.id], patience_s=None, again=True, cancel=call.cancel)
    looked = _chosen(view, memory, params.anchor_index)
    found = changes_of(view, looked.anchor, looked.state)
    return ChangesResult(
        revision=view.world.revision,
        degraded=view.degraded,
        anchor=_row(view, looked, call.session.encoding),
        before=None if found.before is None else found.before.text,
        after=None if found.after is None else found.after.text,
        diff=found.diff,
        source=found.origin,
        before_lines=_span(found.before),
        after_lines=_span(found.after),
        there=None if found.there is None else found.there.text,
        there_lines=_span(found.there),
    )


def check(view: View, params: CheckParams, call: Call) -> CheckResult:
    """Whether memories still fit their code."""
    view, found = check_anchors(
        view, paths=params.paths, since=params.since, cancel=call.cancel, report=_reporter(call)
    )
    return CheckResult(
        revision=view.world.revision,
        degraded=view.degraded,
        findings=tuple(_finding(view, each, call.session.encoding) for each in found.stale),
        unchecked=tuple(
            UncheckedView(path=each.path, message=each.message, memory=each.memory) for each in found.unchecked
        ),
        memories=found.memories,
        anchors=found.anchors,
        by_verdict=found.by_verdict,
        since=found.since,
    )


def spec_of(root: Path, given: AnchorSpec, call: Call) -> Spec:
    """What the wire names, as the engine takes it. Raises InvalidRequest, Refused."""
    if (given.path is None) == (given.uri is None):
        raise InvalidRequest("pathOrUri", "an anchor needs a path or a uri, and not both")
    if given.symbol is not None and given.range is not None:
        raise InvalidRequest("symbolOrRange", "an anchor names a symbol or a range, not both")
    path = given.path if given.path is not None else path_in(root, given.uri or "")
    if given.range is None:
        return Spec(path=path, symbol=given.symbol)
    start, end = given.range.start, given.range.end
    if min(start.line, start.character, end.line, end.character) < 0:
        raise InvalidRequest("range", "lines and characters count from 0")
    return Spec(
        path=path,
        start=Spot(start.line, start.character),
        end=Spot(end.line, end.character),
        encoding=call.session.encoding,
    )


def _anchored(engine: Engine, done: anchor_edit.Anchored, call: Call) -> MemoryResult:
    view = seen_by(engine, call, [done.memory.id])
    return MemoryResult(
        revision=view.world.revision,
        degraded=view.degraded,
        memory=memory_view(view, done.memory, encoding=call.session.encoding),
        changed=done.changed,
        remarks=done.remarks,
    )


def _row(view: View, looked: Looked, encoding: PositionEncoding) -> AnchorRow:
    memory, anchor, state = looked.memory, looked.anchor, looked.state
    place, recorded = _place(looked), recorded_place(anchor)
    return AnchorRow(
        memory=memory.id,
        title=memory.title,
        kind=memory.kind,
        status=memory.status,
        anchor_index=looked.index,
        path=place.path,
        uri=uri_of(view, place.path),
        range=range_of(place, encoding),
        symbol=anchor.symbol if state is None else state.symbol,
        verdict=None if state is None else state.verdict,
        marked=anchor.mark is not None,
        recorded=PlaceView(path=recorded.path, uri=uri_of(view, recorded.path), range=range_of(recorded, encoding)),
        certainty="sure" if state is None else state.certainty,
        similarity=1.0 if state is None else state.similarity,
        how="" if state is None else state.how,
        said=looked.index >= len(memory.anchors),
        candidates=() if state is None else tuple(_candidate(view, each, encoding) for each in state.guesses),
        degraded=() if state is None else state.degraded,
        problem="it was not looked at" if state is None else state.fault,
        muted=muted_now(view, memory, looked.index, state),
    )


def _candidate(view: View, guess: Guess, encoding: PositionEncoding) -> CandidateView:
    return CandidateView(
        path=guess.place.path,
        uri=uri_of(view, guess.place.path),
        range=range_of(guess.place, encoding),
        score=guess.score,
        text=guess.text,
    )


def _finding(view: View, stale: Stale, encoding: PositionEncoding) -> FindingView:
    memory = stale.looked.memory
    return FindingView(
        code="memofs.missing" if stale.state.verdict == "missing" else "memofs.changed",
        message=stale.message,
        anchor=_row(view, stale.looked, encoding),
        memory_path=memory.path,
        memory_uri=uri_of(view, memory.path),
        memory_line=stale.line,
        verified=iso(memory.verified_ms),
        exists=stale.exists,
    )


def _place(looked: Looked) -> Place:
    """Where the anchor is, or was last."""
    state = looked.state
    return state.place if state is not None and state.place is not None else recorded_place(looked.anchor)


def _chosen(view: View, memory: Memory, index: int | None) -> Looked:
    states = view.world.anchors.get(memory.id, ())
    anchors = memory.every_anchor
    if not anchors:
        raise NotFound("anchor", f"{memory.id} has no anchors", "memofs anchor ID FILE:LINES adds one")
    if index is None:
        index = next((at for at, state in enumerate(states) if state.verdict in STALE_VERDICTS), 0)
    if index >= len(anchors):
        has = f"{len(anchors)} anchor{'' if len(anchors) == 1 else 's'}"
        raise NotFound("anchor", f"{memory.id} has {has}; there is no anchor {index + 1}")
    state = states[index] if index < len(states) else None
    return Looked(memory=memory, index=index, anchor=anchors[index], state=state)


def _may_be_in(view: View, memory: Memory, path: str) -> bool:
    """Whether an anchor of the memory was or is in the file, as far as is known."""
    states = view.world.anchors.get(memory.id, ())
    places: Iterable[Place] = (state.place for state in states if state.place is not None)
    return any(each.path == path for each in memory.every_anchor) or any(each.path == path for each in places)


def _touches(looked: Looked, matches: Callable[[str], bool]) -> bool:
    return matches(looked.anchor.path) or matches(_place(looked).path)


def _any(_path: str) -> bool:
    return True


def _overlaps(one: Range | None, other: Range | None) -> bool:
    """Whether two ranges share a position; None is the whole file."""
    if one is None or other is None:
        return True
    first, last = (one.start.line, one.start.character), (one.end.line, one.end.character)
    begin, end = (other.start.line, other.start.character), (other.end.line, other.end.character)
    return first < end and begin < last if begin < end else first <= begin < last


def _span(piece: Piece | None) -> tuple[int, int] | None:
    return None if piece is None or piece.lines is None else (piece.lines.first, piece.lines.last)


def _reporter(call: Call) -> Callable[[int, int], None]:
    def report(done: int, total: int) -> None:
        call.report(Progress(kind="report", title="looking at anchors", done=done, total=total))

    return report
