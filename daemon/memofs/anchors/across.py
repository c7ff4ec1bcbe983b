"""A region that left its file: looked for in the files it may have gone to.

    resolve_across(anchor, old, others)     Resolution with a `path`, or `missing`
    may_hold(anchor, old, text)             a cheap look at a text before it is taken for one of the others

Which files these are is the caller's: the file's new name by git's rename map, followed commit by commit; the files
that changed in the same step; those that declare the symbol's name.

Invariant: a place in another file is accepted only if it is new there, if it leads back to the region, if that file is
no copy of the one that the region left, and if no other file has such a place: what two places may be, neither is, and
both are offered.
"""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from memofs.anchors.anchoring import anchored
from memofs.anchors.diff import line_diff
from memofs.anchors.pair import Pair
from memofs.anchors.resolution import Comparison, resolve
from memofs.anchors.resolve.cascade import locate
from memofs.anchors.resolve.matching import Matching
from memofs.anchors.source import Source, line_at
from memofs.anchors.spans import from_plain, plain, span_at, to_plain
from memofs.anchors.symbols import named, symbol_around, symbol_at
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
_TELLING_LINE: Final = 8
# Imports, comments and what headers of licences consist of.
_COMMON: Final = re.compile(
    r"\s*(?:#|//|/\*|\*|--|import\b|from\b|use\b|using\b|package\b|require|include|namespace\b|module\b)"
)


class OtherFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file in which a region may be: as it is, and as it was before the step in which the region left its own.

    `before` is None for a file that is new. `is_renamed` says that the whole file is the anchored one under a new name.
    """

    path: str
    now: Source
    before: Source | None = None
    is_renamed: bool = False


def resolve_across(
    anchor: Anchor, old: Source | None, others: Sequence[OtherFile], *, stays: Source | None = None
) -> Resolution:
    """Return where the region of `anchor`, gone from its own file, is in one of `others`.

    `old` is its file as it was when the mark was made; with None the mark alone has to tell. `stays` is its file as it
    is now, None if there is none: what holds that too is a copy, from which nothing was taken away.
    """
    accepted: list[Resolution] = []
    namesakes = {other.path for other in others if _declares_anew(anchor, other)}
    offered: list[Candidate] = []
    for other in sorted(others, key=lambda other: (not other.is_renamed, other.path)):
        found = resolve(anchor, Comparison(old, other.now) if old is not None else other.now)
        is_copy = stays is not None and _is_copy(stays, other.now)
        carried = None if is_copy or other.is_renamed else _carried(anchor, old, other)
        if carried is not None:
            accepted.append(_at(carried, other))
        elif found.span is None:
            offered += [
                msgspec.structs.replace(one, path=other.path) for one in found.candidates if one.score >= _OFFERED
            ]
        elif other.is_renamed and not other.before:
            return _at(found, other)
        elif not is_copy and _may_be(anchor, old, other, found):
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


def _is_copy(stays: Source, now: Source) -> bool:
    """Return whether a file holds most of what is left in the one that the region is gone from."""
    left = _telling(stays)
    return 2 * len(left & _telling(now)) > len(left)


def _telling(source: Source) -> frozenset[str]:
    """Return the lines of a file, without blanks, that files do not have in common anyway."""
    return source.once(_telling_lines)


def _telling_lines(source: Source) -> frozenset[str]:
    return frozenset(
        "".join(line.split())
        for line in plain(source).lines
        if len(line.strip()) >= _TELLING_LINE and not _COMMON.match(line)
    )


def _carried(anchor: Anchor, old: Source | None, other: OtherFile) -> Resolution | None:
    """Return where a region went with the declaration that it is a part of, its text written once in that.

    None if that declaration is not in the file for sure, or the text was edited.
    """
    if old is None or anchor.lines is None:
        return None
    was = plain(old)
    region = span_at(was, anchor.lines, anchor.columns)
    owner = symbol_around(was, region) if region is not None else None
    if region is None or owner is None or symbol_at(was, region) is not None:
        return None
    words = was.text[region.start : region.end].strip()
    whole = anchored(was, anchor.path, owner.span)
    found = resolve(whole, Comparison(old, other.now))
    if found.span is None or found.certainty != "sure" or not _may_be(whole, old, other, found):
        return None
    now = plain(other.now)
    place = to_plain(other.now, found.span)
    text = now.text[place.start : place.end]
    if not words or text.count(words) != 1 or was.text[owner.span.start : owner.span.end].count(words) != 1:
        return None
    start = place.start + text.index(words)
    return Resolution(verdict="moved", span=from_plain(other.now, Span(start, start + len(words))), how="in its symbol")


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
