"""Model values to wire values: times to ISO, code points to the session's units, paths to URIs."""

from datetime import UTC, datetime
from pathlib import Path

from memofs.engine.anchor_place import recorded_place
from memofs.engine.view import View
from memofs.model.memory import Anchor, Memory
from memofs.model.place import AnchorState, Place
from memofs.model.problem import Problem
from memofs.model.query import Hit, Passage, Signal, Signals
from memofs.recall.calibration import Calibration
from memofs.store.events import Event
from memofs.text.positions import spans_to_units
from memofs.wire.memory import AnchorView, EventView, MemoryView, ProblemView
from memofs.wire.read import CalibrationView, EmbedderView, HitView, Matches, SignalsView, SignalView
from memofs.wire.values import Position, PositionEncoding, Range

__all__ = [
    "embedder_view",
    "event_view",
    "hit_view",
    "iso",
    "memory_view",
    "problem_view",
    "range_of",
    "uri_of",
]


def iso(ms: int | None) -> str | None:
    """ISO 8601 in UTC, to the second (milliseconds only where there are any)."""
    if ms is None:
        return None
    moment = datetime.fromtimestamp(ms / 1000, tz=UTC)
    return moment.isoformat(timespec="milliseconds" if ms % 1000 else "seconds").replace("+00:00", "Z")


def memory_view(view: View, memory: Memory, *, body: bool = True, encoding: PositionEncoding = "utf-16") -> MemoryView:
    """The memory as clients see it, with its flags of today, ranges in the session's units."""
    return MemoryView(
        id=memory.id,
        title=memory.title,
        kind=memory.kind,
        status=memory.status,
        uri=uri_of(view, memory.path),
        path=memory.path,
        line=memory.line,
        hash=memory.digest,
        body=memory.body if body else None,
        tags=memory.tags,
        aliases=memory.aliases,
        confidence=memory.confidence,
        created=iso(memory.created_ms),
        updated=iso(memory.updated_ms),
        verified=iso(memory.verified_ms),
        supersedes=memory.supersedes,
        superseded_by=view.world.superseded_by.get(memory.id),
        source=memory.source,
        author=memory.author,
        anchors=_anchors(view, memory, encoding),
        flags=view.flags(memory),
        editable=memory.origin != "log",
    )


def hit_view(view: View, hit: Hit, encoding: PositionEncoding) -> HitView:
    """One hit of an answer, its marks in the session's units."""
    memory = view.world.memories[hit.id]
    return HitView(
        id=hit.id,
        title=hit.title.text,
        kind=memory.kind,
        status=memory.status,
        score=hit.score,
        flags=hit.flags,
        snippet=hit.snippet.text,
        matches=Matches(title=_marks(hit.title, encoding), snippet=_marks(hit.snippet, encoding)),
        uri=uri_of(view, memory.path),
        path=memory.path,
        line=memory.line,
        anchors=_anchors(view, memory, encoding),
        tags=memory.tags,
        created=iso(memory.created_ms),
        updated=iso(memory.updated_ms),
        verified=iso(memory.verified_ms),
        confidence=memory.confidence,
        superseded_by=hit.superseded_by,
        via=hit.via,
        signals=_signals(hit.signals) if hit.signals else None,
    )


def embedder_view(view: View) -> EmbedderView:
    """What makes the vectors here, and how far it is."""
    if view.meaning is None:
        return EmbedderView(name="none", state="off", embedded=0, pending=0)
    progress = view.meaning.progress()
    return EmbedderView(
        name=progress.name,
        state=progress.state,
        embedded=progress.embedded,
        pending=progress.pending,
        problem=progress.problem,
        hint=progress.hint,
        calibration=_calibration(progress.calibration),
    )


def _calibration(found: Calibration | None) -> CalibrationView | None:
    if found is None:
        return None
    return CalibrationView(memories=found.memories, tau=found.tau, cosine_tau=found.cosine_tau)


def problem_view(problem: Problem, *, fixable: bool = False, fixed: bool = False) -> ProblemView:
    """One finding about a file."""
    return ProblemView(
        code=problem.code,
        severity=problem.severity,
        message=problem.message,
        path=problem.path,
        line=problem.line,
        hint=problem.hint,
        fixable=fixable,
        fixed=fixed,
    )


def event_view(event: Event) -> EventView:
    """One line of the audit trail."""
    return EventView(
        id=event.id,
        type=event.type,
        timestamp=event.timestamp,
        actor=event.actor,
        memory=event.memory,
        summary=event.summary,
        path=event.path,
        batch=event.batch,
        undone=event.undone,
    )


def uri_of(view: View, path: str) -> str:
    """The URI of a workspace path, in the spelling of the workspace's root."""
    return (Path(view.root) / path).as_uri()


def range_of(place: Place, encoding: PositionEncoding) -> Range | None:
    """The range of a place in the session's units: from the first line to the start of the line after the last.

    A part of lines begins and ends within them; None is the whole file.
    """
    if place.lines is None:
        return None
    first, last = place.lines.first - 1, place.lines.last - 1
    columns = {"utf-8": place.columns_utf8, "utf-16": place.columns_utf16, "utf-32": place.columns}[encoding]
    if columns is None:
        return Range(start=Position(first, 0), end=Position(last + 1, 0))
    return Range(start=Position(first, columns.start - 1), end=Position(last, columns.end - 1))


def _anchors(view: View, memory: Memory, encoding: PositionEncoding) -> tuple[AnchorView, ...]:
    states = view.world.anchors.get(memory.id, ())
    return tuple(
        _anchor(view, anchor, states[index] if index < len(states) else None, encoding)
        for index, anchor in enumerate(memory.every_anchor)
    )


def _anchor(view: View, anchor: Anchor, state: AnchorState | None, encoding: PositionEncoding) -> AnchorView:
    """An anchor where it is; where it was last if it is missing, and where it is recorded if nothing is known yet."""
    place = state.place if state is not None and state.place is not None else recorded_place(anchor)
    return AnchorView(
        path=place.path,
        uri=uri_of(view, place.path),
        symbol=anchor.symbol if state is None else state.symbol,
        range=range_of(place, encoding),
        verdict=None if state is None else state.verdict,
    )


def _marks(passage: Passage, encoding: PositionEncoding) -> tuple[tuple[int, int], ...]:
    return spans_to_units(passage.text, passage.marks, encoding)


def _signal(signal: Signal | None) -> SignalView | None:
    if signal is None:
        return None
    return SignalView(raw=signal.raw, usual=signal.usual, z=signal.z, place=signal.place, adds=signal.adds)


def _signals(signals: Signals) -> SignalsView:
    return SignalsView(
        why=signals.why,
        named=signals.named,
        typos=signals.typos,
        matched=signals.matched,
        alpha=signals.alpha,
        meaning=_signal(signals.meaning),
        words=_signal(signals.words),
        coverage=_signal(signals.coverage),
        title=_signal(signals.title),
        fuzzy=signals.fuzzy,
        evidence=signals.evidence,
        threshold=signals.threshold,
        relevance=signals.relevance,
        recency=signals.recency,
        confidence=signals.confidence,
        composite=signals.composite,
        drift=signals.drift,
        decay=signals.decay,
        final=signals.final,
        via=signals.via,
        calibrated=signals.calibrated,
    )
