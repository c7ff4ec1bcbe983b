"""Regions of a file that are not declarations, drawn at random: what a person would tie a memory to.

Invariant: a target's lines are its own: no two targets of one draw share a line, so that each can be edited apart.
"""

from __future__ import annotations

import random
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from bench.anchor_cases import lines_of, trimmed
from bench.anchor_outline import Outline
from bench.anchor_units import Unit
from memofs.model.place import Span

__all__ = ["Target", "targets"]

BLOCK_LINES: Final = 3
LARGEST_LINES: Final = 60
SHORTEST: Final = 4
LONGEST_RUN: Final = 4


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """A region. `lines` are those it stands in; `whole` says whether they are whole units that can be moved."""

    subject: str
    span: Span
    first: int
    last: int
    whole: bool
    kind: str
    block: int

    @property
    def lines(self) -> range:
        """The numbers of its lines."""
        return range(self.first, self.last + 1)


def targets(
    text: str, language: str, outline: Outline | None, units: Sequence[Unit], most: int, random_: random.Random
) -> list[Target]:
    """Return up to `most` regions of different kinds that share no line."""
    by_subject: dict[str, list[Target]] = defaultdict(list)
    for target in _candidates(text, language, outline, units, random_):
        if target.span.end - target.span.start >= SHORTEST and target.last - target.first < LARGEST_LINES:
            by_subject[target.subject].append(target)
    chosen: list[Target] = []
    taken: set[int] = set()
    subjects = sorted(by_subject)
    for _ in range(4 * most):
        if len(chosen) == most or not subjects:
            break
        target = random_.choice(by_subject[random_.choice(subjects)])
        if taken.isdisjoint(target.lines):
            taken.update(target.lines)
            chosen.append(target)
    return chosen


def _candidates(
    text: str, language: str, outline: Outline | None, units: Sequence[Unit], random_: random.Random
) -> Iterator[Target]:
    lines = text.split("\n")
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    blocks: dict[int, list[Unit]] = defaultdict(list)
    in_unit: dict[int, Unit] = {}
    for unit in units:
        blocks[unit.block].append(unit)
        # The innermost unit comes last.
        in_unit.update(dict.fromkeys(unit.lines, unit))
        subject = _subject(unit, language)
        if subject:
            yield _target(subject, text, starts, unit.first, unit.last, unit, whole=True)
    if language in {"markdown", "json"}:
        runs: list[tuple[Unit, ...]] = []
    else:
        runs = [
            tuple(members[first : first + length])
            for members in blocks.values()
            for first in range(len(members))
            for length in range(2, LONGEST_RUN + 1)
        ]
    for run in random_.sample(runs, min(len(runs), 60)):
        if len(run) > 1 and all(two.first - one.last <= 2 for one, two in pairwise(run)):
            yield _target("lines", text, starts, run[0].first, run[-1].last, run[0], whole=True)
    if language not in {"markdown", "json", "yaml"}:
        for _ in range(30):
            first = random_.randrange(len(lines))
            last = first + random_.randrange(1, 5)
            if last < len(lines) and lines[first].strip() and lines[last].strip() and first in in_unit:
                yield _target("any lines", text, starts, first, last, in_unit[first], whole=False)
    for start, end in _parts(text, language, outline, random_):
        line = bisect_right(starts, start) - 1
        unit = in_unit.get(line)
        if unit is not None and lines_of(text, start, end) != Span(start, end):
            yield Target(
                subject="phrase"
                if language == "markdown"
                else "value"
                if language in {"yaml", "json"}
                else "expression",
                span=Span(start, end),
                first=line,
                last=line,
                whole=unit.first == unit.last,
                kind=unit.kind,
                block=unit.block,
            )


def _target(
    subject: str, text: str, starts: Sequence[int], first: int, last: int, unit: Unit, *, whole: bool
) -> Target:
    end = starts[last + 1] - 1 if last + 1 < len(starts) else len(text)
    span = trimmed(text, starts[first], end)
    return Target(subject=subject, span=span, first=first, last=last, whole=whole, kind=unit.kind, block=unit.block)


def _subject(unit: Unit, language: str) -> str:
    count = unit.last - unit.first + 1
    if language == "markdown":
        return {"row": "table row", "item": "list item", "fence": "code fence"}.get(unit.kind, unit.kind)
    if unit.kind == "comment":
        return "comment"
    return "line" if count == 1 else "block" if count >= BLOCK_LINES else "lines"


_PHRASE: Final = re.compile(r"(?<!\S)\w+(?: [\w,'-]+){2,6}(?![\w`*_])")
_VALUE: Final = re.compile(r"""(?<=: )(?:"[^"\n]+"|[^\s"{\[#>|&][^#\n{\["]*[^\s,])""")
_CALL: Final = re.compile(
    r"\b[A-Za-z_]\w*(?:(?:\.|->|::)\w+)*\([^()\n]*\)|\b[A-Za-z_]\w*(?:\.\w+)+\b|\b\w+ [=!<>]=+ \w+"
)


def _parts(text: str, language: str, outline: Outline | None, random_: random.Random) -> list[tuple[int, int]]:
    """Return spans that are a part of a line."""
    if outline is not None:
        found = [(each.start, each.end) for each in outline.expressions]
    else:
        pattern = {"markdown": _PHRASE, "yaml": _VALUE, "json": _VALUE}.get(language, _CALL)
        found = [match.span() for match in pattern.finditer(text)]
    return random_.sample(found, min(len(found), 60))
