"""Where a region of code is, and what became of it."""

from typing import Literal

import msgspec

from memofs.model.memory import Columns, Lines

__all__ = [
    "STALE_VERDICTS",
    "VERDICTS",
    "AnchorState",
    "Candidate",
    "Certainty",
    "Guess",
    "Place",
    "Resolution",
    "Span",
    "Verdict",
]

Verdict = Literal["current", "moved", "reformatted", "changed", "missing"]
VERDICTS: tuple[Verdict, ...] = ("current", "moved", "reformatted", "changed", "missing")
STALE_VERDICTS: frozenset[Verdict] = frozenset({"changed", "missing"})
"""The verdicts that make a memory stale."""
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


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A file of the workspace, or lines of it, or a part of them.

    `columns` are as an anchor has them; the other two are the same in code units of UTF-16 and UTF-8.
    """

    path: str
    lines: Lines | None = None
    columns: Columns | None = None
    columns_utf16: Columns | None = None
    columns_utf8: Columns | None = None


class Guess(msgspec.Struct, frozen=True, kw_only=True):
    """A place where a lost anchor may have gone; `text` is its first line, `score` is in [0, 1]."""

    place: Place
    score: float
    text: str = ""


class AnchorState(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of an anchor now.

    `verdict` is None where nothing says what was meant: the anchor has no mark yet. `place` is where it is now, None if
    it is missing; `symbol` what it is called now. `fault` says why it could not be looked at; the other fields are
    as they were before then.
    """

    verdict: Verdict | None = None
    place: Place | None = None
    symbol: str | None = None
    certainty: Certainty = "sure"
    similarity: float = 1.0
    how: str = ""
    guesses: tuple[Guess, ...] = ()
    degraded: tuple[str, ...] = ()
    fault: str | None = None
