"""What is asked of a way of finding regions again, and what it answers.

Invariant: a `Case` says what is true by construction or by a parser of others, never by memofs.anchors. Offsets are
code points, `end` excluded, and a region begins and ends on text, not on blanks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from memofs.model.place import Span

__all__ = [
    "GROUPS",
    "Case",
    "FilePair",
    "Found",
    "Group",
    "Other",
    "alike",
    "language_group",
    "lines_of",
    "trimmed",
    "words",
]

Group = Literal["history", "edits", "formatters"]
GROUPS: Final[tuple[Group, ...]] = ("history", "edits", "formatters")


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A region of the old text and its truth. `places` are the spans that are right, none if the region is gone.

    `subject` is what the region is (function, block, lines, line, expression, table row, …), `change` what happened
    to it. `symbol` names the declaration it is, empty if it is none. `stale` says whether what it means changed.
    `path` is where `places` are, the file pair's new path unless it went to another file.
    """

    subject: str
    change: str
    region: Span
    places: tuple[Span, ...]
    stale: bool
    symbol: str = ""
    path: str = ""


class Other(msgspec.Struct, frozen=True, kw_only=True):
    """Another file as it is now, and as it was, None if it is new."""

    now: str
    before: str | None


class FilePair(msgspec.Struct, frozen=True, kw_only=True):
    """An old and a new text with the cases between them.

    `new` is None if the file is gone; `others` are the files of the new release to which its declarations may have
    gone, by path: those which changed or came.
    """

    group: Group
    package: str
    language: str
    path: str
    old: str
    new: str | None
    cases: tuple[Case, ...]
    others: Mapping[str, Other] = {}


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """An answer: a span, or None where a way abstains. `stale` is None where it does not tell.

    `sure` is False for a place that is only offered to a person, and `ms` what the answer took.
    """

    span: Span | None
    path: str = ""
    sure: bool = True
    stale: bool | None = None
    verdict: str = ""
    how: str = ""
    ms: float = 0.0


def language_group(path: str) -> str:
    """Return the language under which a file is counted, empty for one that is not measured."""
    return _LANGUAGES.get(path.rpartition(".")[2], "")


def trimmed(text: str, start: int, end: int) -> Span:
    """Return a span without the blanks at its ends."""
    piece = text[start:end]
    bare = piece.strip()
    first = start + len(piece) - len(piece.lstrip()) if bare else start
    return Span(first, first + len(bare))


def lines_of(text: str, start: int, end: int) -> Span:
    """Return the whole lines in which a span stands, from their first sign to their last."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    return trimmed(text, first, len(text) if last < 0 else last)


def comment_above(text: str, start: int) -> int:
    """Return where the comment lines right above a line begin, or `start` if there are none."""
    first = text.rfind("\n", 0, start) + 1
    found = start
    while first > 0:
        above = text.rfind("\n", 0, first - 1) + 1
        line = text[above : first - 1]
        if not line.lstrip().startswith(("#", "//", "/*", "*")):
            break
        found, first = above + len(line) - len(line.lstrip()), above
    return found


def comment_behind(text: str, end: int) -> int:
    """Return where a comment behind something in its last line ends, or `end` if there is none."""
    line_end = text.find("\n", end)
    rest = text[end : line_end if line_end >= 0 else len(text)]
    return end + len(rest.rstrip()) if rest.lstrip(" \t;,").startswith(("#", "//")) else end


def words(text: str) -> list[str]:
    """Return the words and signs of a text."""
    return _WORD.findall(text)


def alike(first: Counter[str], second: Counter[str]) -> float:
    """Return the share that two multisets have in common, in [0, 1]."""
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 0.0


_WORD: Final = re.compile(r"\w+|[^\w\s]")
_LANGUAGES: Final = {
    ending: language
    for language, endings in {
        "python": "py pyi",
        "typescript": "ts tsx mts",
        "javascript": "js jsx mjs cjs",
        "markdown": "md",
        "yaml": "yml yaml",
        "json": "json",
        "java": "java",
        "c": "c",
        "c++": "h hpp cpp",
        "go": "go",
        "ruby": "rb",
        "rust": "rs",
        "c#": "cs",
        "bash": "bash sh",
        "php": "php",
    }.items()
    for ending in endings.split()
}
