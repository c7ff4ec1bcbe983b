"""Where a region of code is, and what became of it."""

from typing import Literal

import msgspec

__all__ = ["VERDICTS", "Candidate", "Certainty", "Resolution", "Span", "Verdict"]

Verdict = Literal["current", "moved", "reformatted", "changed", "missing"]
VERDICTS: tuple[Verdict, ...] = ("current", "moved", "reformatted", "changed", "missing")
Certainty = Literal["sure", "probable"]


class Span(msgspec.Struct, frozen=True):
    """A piece of a text: code points, `end` excluded."""

    start: int
    end: int


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A place where a lost region may be. `path` is None for the file it was looked for in; `score` is in [0, 1]."""

    span: Span
    score: float
    path: str | None = None


class Resolution(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a region. `span` is where it is now, None if `missing`; `path` is another file if it went there.

    `similarity` in [0, 1] compares old and new text. `how` names the rule that decided. `candidates` are guesses for
    a person to choose from, best first. `degraded` names what was lacking: grammar, git.
    """

    verdict: Verdict
    span: Span | None = None
    path: str | None = None
    certainty: Certainty = "sure"
    similarity: float = 1.0
    how: str = ""
    candidates: tuple[Candidate, ...] = ()
    degraded: tuple[str, ...] = ()
