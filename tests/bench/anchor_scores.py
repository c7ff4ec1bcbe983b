"""What answers are worth: counts by way, language, kind of region and kind of change, and their shares.

Invariant: each answer is exactly one of exact, partial, wrong and abstained. A place that is only probable is offered
to a person, not applied: it counts as `offered` beside that, and shares are worked out both with such places and
without them. For a region that is gone, abstaining is exact, and any place is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from bench.anchor_cases import Case, Found
from memofs.model.place import Span

__all__ = ["Answer", "Outcome", "Shares", "judged", "outcome", "shares"]

Outcome = Literal["exact", "partial", "wrong", "abstained"]
HALF = 0.5


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """A case with what a way answered, and what that is worth if probable places are applied, or only offered."""

    group: str
    package: str
    language: str
    way: str
    file: str
    case: Case
    found: Found
    applied: Outcome
    offered: Outcome


class Shares(msgspec.Struct, frozen=True, kw_only=True):
    """Shares of answers, in percent; NaN where there is nothing to share. Suffix `_sure`: probable places offered.

    `false_stale` is of regions whose meaning did not change, `missed` of those that changed or went.
    """

    count: int
    exact: float
    partial: float
    wrong: float
    abstained: float
    exact_sure: float
    wrong_sure: float
    false_stale: float
    false_stale_sure: float
    missed: float
    p50_ms: float
    p95_ms: float


def outcome(case: Case, span: Span | None, path: str) -> Outcome:
    """Return what a place is worth."""
    if span is None:
        return "abstained" if case.places else "exact"
    if not case.places or path != case.path:
        return "wrong"
    if span in case.places:
        return "exact"
    return "partial" if max(_overlap(span, place) for place in case.places) >= HALF else "wrong"


def judged(case: Case, found: Found) -> tuple[Outcome, Outcome]:
    """Return what an answer is worth if probable places are applied, and if they are not."""
    applied = outcome(case, found.span, found.path)
    return applied, applied if found.sure else outcome(case, None, found.path)


def shares(answers: Iterable[Answer]) -> Shares:
    """Return the shares over some answers."""
    every = list(answers)
    kept = [each for each in every if not each.case.stale]
    drifted = [each for each in every if each.case.stale]
    times = sorted(each.found.ms for each in every)
    return Shares(
        count=len(every),
        exact=_percent(every, lambda each: each.applied == "exact"),
        partial=_percent(every, lambda each: each.applied == "partial"),
        wrong=_percent(every, lambda each: each.applied == "wrong"),
        abstained=_percent(every, lambda each: each.applied == "abstained"),
        exact_sure=_percent(every, lambda each: each.offered == "exact"),
        wrong_sure=_percent(every, lambda each: each.offered == "wrong"),
        false_stale=_percent(kept, lambda each: bool(each.found.stale)),
        false_stale_sure=_percent(kept, lambda each: bool(each.found.stale) or not each.found.sure),
        missed=_percent(drifted, lambda each: not each.found.stale and each.found.sure),
        p50_ms=percentile(times, 50),
        p95_ms=percentile(times, 95),
    )


def percentile(ordered: Sequence[float], percent: int) -> float:
    """Return the value below which so many percent lie, NaN of nothing."""
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] if ordered else math.nan


def table(title: str, rows: Mapping[str, Shares]) -> str:
    """Return rows of shares as text."""
    left = max([len(title), *map(len, rows)]) + 2
    head = f"{title:{left}}" + "".join(f"{name:>9}" for name, _ in _COLUMNS)
    lines = [head]
    for name, row in rows.items():
        cells = (getattr(row, field) for _, field in _COLUMNS)
        lines.append(f"{name:{left}}" + "".join(f"{_cell(value):>9}" for value in cells))
    return "\n".join(lines)


_COLUMNS = (
    ("n", "count"),
    ("exact", "exact"),
    ("partial", "partial"),
    ("wrong", "wrong"),
    ("abstain", "abstained"),
    ("exact!", "exact_sure"),
    ("wrong!", "wrong_sure"),
    ("f.stale", "false_stale"),
    ("f.stale!", "false_stale_sure"),
    ("missed", "missed"),
    ("p50 ms", "p50_ms"),
    ("p95 ms", "p95_ms"),
)


def _cell(value: float) -> str:
    if isinstance(value, int):
        return str(value)
    return "" if math.isnan(value) else f"{value:.2f}"


def _percent(answers: Sequence[Answer], counts: Callable[[Answer], bool]) -> float:
    return 100 * sum(map(counts, answers)) / len(answers) if answers else math.nan


def _overlap(one: Span, two: Span) -> float:
    """Return the share of two spans that they have in common."""
    shared = min(one.end, two.end) - max(one.start, two.start)
    return max(0, shared) / (max(one.end, two.end) - min(one.start, two.start))
