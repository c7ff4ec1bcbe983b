"""What the anchors are meant to reach, beside what was measured: printed, never asserted.

Invariant: a goal is measured over what its words say and nothing else; where it is not met, nothing is left out to meet
it. Regions of which nobody could say where they went, short ones that were moved or removed while their text stands
elsewhere too, count for wrong places, not for exact ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import msgspec

from bench.anchor_scores import Answer, percentile, shares
from bench.anchor_ways import DECLARED

__all__ = ["Goal", "goals", "told"]


class Goal(msgspec.Struct, frozen=True, kw_only=True):
    """A goal in percent or milliseconds. `offered` is what is measured if probable places are only offered."""

    name: str
    sign: Literal["≥", "≤"]
    goal: float
    count: int
    applied: float
    offered: float

    @property
    def met(self) -> bool:
        """Whether what is measured reaches the goal, probable places applied."""
        return self.applied >= self.goal if self.sign == "≥" else self.applied <= self.goal


def goals(answers: Sequence[Answer], cold_ms: Sequence[float]) -> list[Goal]:
    """Return the goals with what was measured; those of which nothing was measured are left out."""
    found = [
        _exact("exact: declarations still in their file, symbol recorded", 97, answers, "symbol", _stays),
        _exact("exact: the same, symbol withheld", 92, answers, "no-symbol", _stays),
        _exact("exact: declarations, by the mark alone", 97, answers, "mark", _stays),
        _exact("exact: inner regions of real histories", 95, answers, "symbol", lambda each: _inner(each, "history")),
        _exact("exact: inner regions of edit scripts", 95, answers, "symbol", lambda each: _inner(each, "edits")),
        _exact("exact: parts of a line", 95, answers, "symbol", _part),
        _exact("exact: inner regions, by the mark alone", 80, answers, "mark", lambda each: _inner(each, "")),
        _wrong("wrong: all, by the old text", answers, "symbol"),
        _wrong("wrong: all, symbol withheld", answers, "no-symbol"),
        _wrong("wrong: all, by the mark alone", answers, "mark"),
        _stale("false stale: the same, moved, formatted, comments", answers, "symbol"),
        _stale("false stale: by the mark alone", answers, "mark"),
        _missed("missed drift: by the old text", answers, "symbol"),
        _missed("missed drift: by the mark alone", answers, "mark"),
        Goal(
            name="ms of one region, nothing known before, p95",
            sign="≤",
            goal=20,
            count=len(cold_ms),
            applied=percentile(sorted(cold_ms), 95),
            offered=math.nan,
        ),
    ]
    return [each for each in found if each.count]


def told(found: Iterable[Goal]) -> str:
    """Return goals as lines of text."""
    lines = [f"{'':60}{'goal':>8}{'is':>9}{'offered':>9}{'n':>9}"]
    for each in found:
        offered = "" if math.isnan(each.offered) else f"{each.offered:.2f}"
        met = "" if each.met else "  not met"
        lines.append(
            f"{each.name:60}{each.sign + f' {each.goal:g}':>8}{each.applied:>9.2f}{offered:>9}{each.count:>9}{met}"
        )
    return "\n".join(lines)


def _told_where(each: Answer) -> bool:
    return not each.case.change.endswith(("short", "text elsewhere"))


def _stays(each: Answer) -> bool:
    is_declared = each.group == "history" and each.case.subject in DECLARED
    return is_declared and bool(each.case.places) and "other file" not in each.case.change


def _inner(each: Answer, group: str) -> bool:
    return each.case.subject not in DECLARED and each.group in ((group,) if group else ("history", "edits"))


def _part(each: Answer) -> bool:
    return each.case.subject in {"expression", "value", "phrase"} and each.group != "formatters"


def _exact(name: str, goal: float, answers: Iterable[Answer], way: str, counts: Callable[[Answer], bool]) -> Goal:
    found = shares(each for each in answers if each.way == way and _told_where(each) and counts(each))
    return Goal(name=name, sign="≥", goal=goal, count=found.count, applied=found.exact, offered=found.exact_sure)


def _wrong(name: str, answers: Iterable[Answer], way: str) -> Goal:
    found = shares(each for each in answers if each.way == way)
    return Goal(name=name, sign="≤", goal=1, count=found.count, applied=found.wrong, offered=found.wrong_sure)


def _stale(name: str, answers: Iterable[Answer], way: str) -> Goal:
    kept = [each for each in answers if each.way == way and not each.case.stale and _told_where(each)]
    found = shares(kept)
    return Goal(
        name=name, sign="≤", goal=1, count=found.count, applied=found.false_stale, offered=found.false_stale_sure
    )


def _missed(name: str, answers: Iterable[Answer], way: str) -> Goal:
    drifted = [each for each in answers if each.way == way and each.case.stale]
    found = shares(drifted)
    return Goal(name=name, sign="≤", goal=1, count=found.count, applied=found.missed, offered=math.nan)
