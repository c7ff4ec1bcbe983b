"""A region that left its file: looked for in the files it may have gone to.

    resolve_across(anchor, old, others)     Resolution with a `path`, or `missing`
    may_hold(anchor, old, text)             a cheap look at a text before it is taken for one of the others

Which files these are is the caller's: the file's new name by git's rename map, followed commit by commit; the files
that changed in the same step; those that declare the symbol's name.

Invariant: a place in another file is accepted only if it is new there, if it leads back to the region, and if no other
file has such a place: what two places may be, neither is, and both are offered.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from memofs.anchors.diff import line_diff
from memofs.anchors.pair import Pair
from memofs.anchors.resolution import Comparison, resolve
from memofs.anchors.resolve.cascade import locate
from memofs.anchors.resolve.matching import Matching
from memofs.anchors.source import Source, line_at
from memofs.anchors.spans import plain, span_at, to_plain
from memofs.anchors.symbols import named, symbol_at
from memofs.model.memory import Anchor
from memofs.model.place import Candidate, Resolution, Span

__all__ = ["OtherFile", "may_hold", "resolve_across"]

_ALIKE: Final = 0.5
_NAMED_ALIKE: Final = 0.2
_NAMELESS_ALIKE: Final = 0.7
_OFFERED: Final = 0.4
_SHORTEST: Final = 80
_FEWEST_LINES: Final = 3
_MOST_TAKEN: Final = 0.5
_TELLING_KEY: Final = 12


class OtherFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file in which a region may be: as it is, and as it was before the step in which the region left its own.

    `before` is None for a file that is new. `is_renamed` says that the whole file is the anchored one under a new name.
    """

    path: str
    now: Source
    before: Source | None = None
    is_renamed: bool = False


def resolve_across(anchor: Anchor, old: Source | None, others: Sequence[OtherFile]) -> Resolution:
    """Return where the region of `anchor`, gone from its own file, is in one of `others`.

    `old` is its file as it was when the mark was made; with None the mark alone has to tell.
    """
    accepted: list[Resolution] = []
    namesakes = {other.path for other in others if _declares_anew(anchor, other)}
    offered: list[Candidate] = []
    for other in sorted(others, key=lambda other: (not other.is_renamed, other.path)):
        found = resolve(anchor, Comparison(old, other.now) if old is not None else other.now)
        if found.span is None:
            offered += [
                msgspec.structs.replace(one, path=other.path) for one in found.candidates if one.score >= _OFFERED
            ]
        elif other.is_renamed and not other.before:
            return _at(found, other)
        elif _may_be(anchor, old, other, found):
            accepted.append(_at(found, other))
        else:
            offered += [one for one in (_guess(found, other),) if one.score >= _OFFERED]
    if len(accepted) == 1:
        return accepted[0]
    named_so = [one for one in accepted if one.path is not None and one.path in namesakes]
    if len(named_so) == 1:
        return named_so[0]
    exact = [one for one in accepted if one.verdict in ("current", "moved")]
    if len(exact) == 1:
        return exact[0]
    guesses = [Candidate(span=one.span, score=one.similarity, path=one.path) for one in accepted if one.span]
    candidates = sorted([*guesses, *offered], key=lambda one: -one.score)[:5]
    return Resolution(verdict="missing", similarity=0.0, how="other files", candidates=tuple(candidates))


def may_hold(anchor: Anchor, old: Source | None, text: str) -> bool:
    """Return whether `text` may hold the region: its symbol's last name, or one of its longest lines, is in it."""
    if anchor.symbol is not None and anchor.symbol.rpartition(".")[2].partition("(")[0].strip() in text:
        return True
    source = plain(old) if old is not None else None
    region = span_at(source, anchor.lines, anchor.columns) if source is not None and anchor.lines is not None else None
    words = source.text[region.start : region.end] if source is not None and region is not None else anchor.quote or ""
    lines = sorted({line.strip() for line in words.split("\n")}, key=len, reverse=True)[:_FEWEST_LINES]
    return any(len(line) >= _TELLING_KEY and line in text for line in lines)


def _at(found: Resolution, other: OtherFile) -> Resolution:
    """Return a resolution as one in another file: text that is as it was has moved, whatever its line."""
    verdict = "moved" if found.verdict == "current" else found.verdict
    return msgspec.structs.replace(
        found,
        verdict=verdict,
        path=other.path,
        candidates=tuple(msgspec.structs.replace(one, path=other.path) for one in found.candidates),
    )


def _guess(found: Resolution, other: OtherFile) -> Candidate:
    span = found.span if found.span is not None else Span(0, 0)
    return Candidate(span=span, score=found.similarity, path=other.path)


def _may_be(anchor: Anchor, old: Source | None, other: OtherFile, found: Resolution) -> bool:
    """Return whether a place in another file can be the region: much like it, new there, and leading back to it."""
    if found.span is None:
        return False
    now = plain(other.now)
    place = to_plain(other.now, found.span)
    text = now.text[place.start : place.end]
    declared = symbol_at(now, place)
    called = declared is not None and anchor.symbol is not None and _last(declared.label) == _last(anchor.symbol)
    if _declares_anew(anchor, other) and declared is not None and declared.label == anchor.symbol:
        return found.similarity >= _NAMED_ALIKE
    if found.similarity < (_ALIKE if called else _NAMELESS_ALIKE):
        return False
    if not called and len(text) < _SHORTEST and text.count("\n") + 1 < _FEWEST_LINES:
        return False
    if other.before is not None and _taken(plain(other.before), now, place) > _MOST_TAKEN:
        return False
    return old is None or _leads_back(anchor, old, now, place)


def _declares_anew(anchor: Anchor, other: OtherFile) -> bool:
    """Return whether a file declares the anchor's qualified name, once, and did not before."""
    if anchor.symbol is None or len(named(plain(other.now), anchor.symbol)) != 1:
        return False
    return other.before is None or not named(plain(other.before), anchor.symbol)


def _taken(before: Source, now: Source, place: Span) -> float:
    """Return the share of a place's lines that the file had before."""
    backward = line_diff(before.keys, now.keys).backward
    first, last = line_at(now, place.start), line_at(now, max(place.start, place.end - 1))
    lines = [line for line in range(first, last + 1) if now.keys[line]]
    return sum(backward[line] >= 0 for line in lines) / max(1, len(lines))


def _leads_back(anchor: Anchor, old: Source, now: Source, place: Span) -> bool:
    """Return whether the place, looked for in the old file, is the region, or something much like it around there."""
    source = plain(old)
    region = span_at(source, anchor.lines, anchor.columns) if anchor.lines is not None else None
    if region is None:
        return True
    back = locate(Matching(Pair(now, source)), place).span
    if back is None:
        return False
    overlap = min(back.end, region.end) - max(back.start, region.start)
    return 2 * overlap > min(back.end - back.start, region.end - region.start)


def _last(label: str) -> str:
    return label.partition("(")[0].rpartition(".")[2]
