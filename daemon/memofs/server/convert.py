"""Model values to wire values: times to ISO, code points to the session's units, paths to URIs."""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from memofs.engine.view import View
from memofs.model.memory import Anchor, Memory
from memofs.model.problem import Problem
from memofs.model.query import Hit, Passage, Signal, Signals
from memofs.recall.calibration import Calibration
from memofs.store.events import Event
from memofs.text.positions import spans_to_units
from memofs.wire.memory import AnchorView, EventView, MemoryView, ProblemView
from memofs.wire.read import CalibrationView, EmbedderView, HitView, Matches, SignalsView, SignalView
from memofs.wire.values import Position, PositionEncoding, Range

__all__ = ["embedder_view", "event_view", "hit_view", "iso", "memory_view", "problem_view"]


def iso(ms: int | None) -> str | None:
    """ISO 8601 in UTC, to the second (milliseconds only where there are any)."""
    if ms is None:
        return None
    moment = datetime.fromtimestamp(ms / 1000, tz=UTC)
    return moment.isoformat(timespec="milliseconds" if ms % 1000 else "seconds").replace("+00:00", "Z")


def memory_view(view: View, memory: Memory, *, body: bool = True) -> MemoryView:
    """The memory as clients see it, with its flags of today."""
    return MemoryView(
        id=memory.id,
        title=memory.title,
        kind=memory.kind,
        status=memory.status,
        uri=_uri(view, memory.path),
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
        anchors=_anchors(view, memory.anchors),
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
        uri=_uri(view, memory.path),
        path=memory.path,
        line=memory.line,
        anchors=_anchors(view, memory.anchors),
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


def _uri(view: View, path: str) -> str:
    return (Path(view.root) / path).as_uri()


def _anchors(view: View, anchors: Iterable[Anchor]) -> tuple[AnchorView, ...]:
    return tuple(
        AnchorView(path=each.path, uri=_uri(view, each.path), symbol=each.symbol, range=_lines(each))
        for each in anchors
    )


def _lines(anchor: Anchor) -> Range | None:
    """Whole lines: a part of a line needs the code's text, which only a session that follows the file has."""
    if anchor.lines is None:
        return None
    return Range(start=Position(anchor.lines.first - 1, 0), end=Position(anchor.lines.last, 0))


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
