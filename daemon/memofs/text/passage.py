"""The piece of a memory to show for a question, on one line, with what was asked for marked.

Invariant: a passage is never longer than its width and has no line breaks; its marks lie within it, are sorted and
do not touch. Marks and headings of markdown are left out, words are not: text is shown as it is written.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Set
from typing import Final, NamedTuple

from memofs.model.query import Passage
from memofs.text.analyzer import Word, find_terms
from memofs.text.lines import line_index

__all__ = ["WIDTH", "marks", "passage"]

WIDTH: Final = 240
"""Code points of a passage, ellipses included."""

_ELLIPSIS: Final = "…"
_LONGEST_WORD: Final = 32
"""Where no space is this near (scripts without them, long names), a passage is cut within a word."""


def marks(text: str, terms: Set[str]) -> tuple[tuple[int, int], ...]:
    """Return the spans of `text` to mark for `terms`, in code points."""
    return _merged((word.start, word.end) for word in find_terms(text, terms))


def passage(text: str, terms: Set[str], *, width: int = WIDTH) -> Passage:
    """Return the part of `text` with most of `terms` in it, from the start of a sentence if there is room.

    Without any of them it is the beginning. Headings are shown only where nothing else can be.
    """
    every = _lines(text)
    said = [line for line in every if not line.heading]
    shown = _join(said or every)
    found = find_terms(shown.text, terms)
    if not found and len(said) < len(every):
        shown_with_headings = _join(every)
        found = find_terms(shown_with_headings.text, terms)
        shown = shown_with_headings if found else shown
    return _cut(shown, found, width)


class _Line(NamedTuple):
    text: str
    line: int
    heading: bool


class _Shown(NamedTuple):
    """Lines joined by spaces: where each begins, and which line of the source it is."""

    text: str
    starts: list[int]
    lines: list[int]


# These read a line whose white space is collapsed, so none of them can be made to backtrack far.
_NOISE = re.compile(r"(?:`{3,}|~{3,}).*|[-=*_ ]{3,}|(?=[^-]*-)[|:+ -]+|<!--.*-->")
_HEADING = re.compile(r"#{1,6}(?: (.*))?")
_CLOSING = re.compile(r" #+\Z")
_LEAD = re.compile(r"\A(?:> ?|(?:[-*+]|\d{1,3}[.)]|\[[ xX]\])(?: |\Z))*")
_SENTENCE_START = re.compile(r"(?<=[.!?:;])\s+|(?<=[。！？；])")


def _lines(text: str) -> list[_Line]:
    """Return the lines that say something, without the marks in front, white space collapsed."""
    index = line_index(text)
    found: list[_Line] = []
    for line, (start, end) in enumerate(zip(index.starts, index.ends, strict=True)):
        said = " ".join(text[start:end].split())
        if not said or _NOISE.fullmatch(said):
            continue
        heading = _HEADING.fullmatch(said)
        said = _CLOSING.sub("", heading[1] or "") if heading else _LEAD.sub("", said, count=1)
        if said:
            found.append(_Line(said, line, heading is not None))
    return found


def _join(lines: list[_Line]) -> _Shown:
    starts: list[int] = []
    at = 0
    for line in lines:
        starts.append(at)
        at += len(line.text) + 1
    return _Shown(" ".join(line.text for line in lines), starts, [line.line for line in lines])


def _cut(shown: _Shown, found: list[Word], width: int) -> Passage:
    text = shown.text
    start, end = 0, len(text)
    if end > width:
        room = width - 2 * len(_ELLIPSIS)
        first, last = _best(found, room) if found else (0, 0)
        start = _start(shown, first, max(0, room - (last - first)))
        start = max(0, min(start, len(text) - room))
        start = _next_word(text, start, first)
        end = _last_word(text, min(len(text), start + room), last)
    before = _ELLIPSIS if start > 0 else ""
    after = _ELLIPSIS if end < len(text) else ""
    shift = len(before) - start
    return Passage(
        text=before + text[start:end] + after,
        marks=_merged((max(word.start, start) + shift, min(word.end, end) + shift) for word in found),
        line=shown.lines[max(0, bisect_right(shown.starts, start) - 1)] if shown.lines else 0,
    )


def _best(found: list[Word], room: int) -> tuple[int, int]:
    """Return start and end of the words of the best window: most different terms, then most words, then first."""
    best = (0, 0)
    span = (found[0].start, min(found[0].end, found[0].start + room))
    counts: dict[str, int] = {}
    first = 0
    for last, word in enumerate(found):
        counts[word.term] = counts.get(word.term, 0) + 1
        while first < last and word.end - found[first].start > room:
            gone = found[first].term
            counts[gone] -= 1
            if not counts[gone]:
                del counts[gone]
            first += 1
        score = (len(counts), last - first + 1)
        if score > best:
            best = score
            span = (found[first].start, min(word.end, found[first].start + room))
    return span


def _start(shown: _Shown, first: int, spare: int) -> int:
    """Return where to begin so that `first` is seen: its sentence or line, else some words before it."""
    earliest = max(0, first - spare)
    line = shown.starts[max(0, bisect_right(shown.starts, first) - 1)]
    begins = [match.end() for match in _SENTENCE_START.finditer(shown.text, earliest, first) if match.end() <= first]
    start = max([*begins, line])
    return start if start >= earliest else max(0, first - spare // 3)


def _next_word(text: str, start: int, latest: int) -> int:
    if start == 0 or text[start - 1].isspace():
        return start
    space = text.find(" ", start, min(latest, start + _LONGEST_WORD))
    return start if space < 0 else space + 1


def _last_word(text: str, end: int, earliest: int) -> int:
    if end == len(text) or text[end].isspace():
        return end
    space = text.rfind(" ", max(earliest, end - _LONGEST_WORD), end)
    return end if space < 0 else space


def _merged(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
