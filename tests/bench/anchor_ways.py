"""Ways of finding regions again that are measured: ours, by old text or mark, with and without symbol; and a line diff.

Invariant: a way sees of a case its region and its paths, and the texts; of a declaration's name only what our own code
records. Each answer is timed from an anchor to a verdict; what a file pair shares is made by the first answer that
needs it.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from typing import Final

import msgspec

from bench.anchor_cases import Case, FilePair, Found, trimmed
from memofs.anchors.across import OtherFile, may_hold, resolve_across
from memofs.anchors.anchoring import anchored
from memofs.anchors.fingerprint import BUDGET, GENEROUS
from memofs.anchors.language import language_of
from memofs.anchors.mark import Mark, decode, encode
from memofs.anchors.resolution import Comparison, resolve
from memofs.anchors.source import Source
from memofs.model.memory import Anchor
from memofs.model.place import Resolution

__all__ = ["DECLARED", "WAYS", "Prepared", "Way", "cold_ms"]

DECLARED: Final = frozenset({"function", "method", "class"})


class Prepared:
    """A file pair and the anchors of its cases, made once for all ways. `every` thins the cases."""

    def __init__(self, pair: FilePair) -> None:
        self.pair = pair
        self._anchors: dict[tuple[int, int], Anchor] = {}
        self._source = _source(pair.path, pair.old)

    def cases(self, every: int) -> list[tuple[int, Case]]:
        """Return one case in so many, with its number."""
        return list(enumerate(self.pair.cases))[::every]

    def anchor(self, number: int, budget_bytes: int) -> Anchor:
        """Return the anchor of a case."""
        key = (number, budget_bytes)
        if key not in self._anchors:
            region = self.pair.cases[number].region
            self._anchors[key] = anchored(self._source, self.pair.path, region, budget_bytes=budget_bytes)
        return self._anchors[key]


Way = Callable[[Prepared], Iterator[tuple[Case, Found]]]


def _ours(*, old: bool, symbol: bool, every: int = 1, budget_bytes: int = BUDGET) -> Way:
    """Return our way: with the old text or by the mark alone, with what names a declaration or without."""

    def answers(prepared: Prepared) -> Iterator[tuple[Case, Found]]:
        pair = prepared.pair
        before, after = _source(pair.path, pair.old), _source(pair.path, pair.new or "")
        comparison = Comparison(before, after)
        others = [
            OtherFile(
                path=path,
                now=_source(path, other.now),
                before=None if other.before is None else _source(path, other.before),
            )
            for path, other in pair.others.items()
        ]
        for number, case in prepared.cases(every):
            anchor = prepared.anchor(number, budget_bytes)
            if not symbol:
                anchor = nameless(anchor)
            started = time.process_time()
            resolution = resolve(anchor, comparison if old else after)
            if resolution.span is None and others:
                seen = before if old else None
                held = [other for other in others if may_hold(anchor, seen, other.now.text)]
                resolution = resolve_across(anchor, seen, held)
            yield case, _found(resolution, pair.path, started)

    return answers


def line_diff(prepared: Prepared) -> Iterator[tuple[Case, Found]]:
    """Yield the answers of a plain line diff: the only place of the same text, else where difflib takes its lines."""
    pair = prepared.pair
    new = pair.new or ""
    started = time.process_time()
    old_lines, new_lines = pair.old.split("\n"), new.split("\n")
    matcher = SequenceMatcher(None, old_lines, new_lines, autojunk=False)
    image = {block.a + place: block.b + place for block in matcher.get_matching_blocks() for place in range(block.size)}
    old_starts, new_starts = _starts(old_lines), _starts(new_lines)
    for _, case in prepared.cases(1):
        text = pair.old[case.region.start : case.region.end]
        span, how = None, "difflib"
        if new.count(text) == 1:
            place, how = new.index(text), "search"
            span = trimmed(new, place, place + len(text))
        else:
            first = bisect_right(old_starts, case.region.start) - 1
            last = bisect_right(old_starts, case.region.end - 1) - 1
            kept = [image[line] for line in range(first, last + 1) if line in image]
            if kept:
                end = new_starts[max(kept)] + len(new_lines[max(kept)])
                span = trimmed(new, new_starts[min(kept)], end)
                if first == last and old_lines[first] == new_lines[kept[0]]:
                    start = new_starts[kept[0]] + case.region.start - old_starts[first]
                    span = trimmed(new, start, start + len(text))
        stale = span is None or new[span.start : span.end].split() != text.split()
        ms = 1000 * (time.process_time() - started)
        verdict = "missing" if span is None else "changed" if stale else "current"
        yield case, Found(span=span, path=pair.path, stale=stale, verdict=verdict, how=how, ms=ms)
        started = time.process_time()


def cold_ms(pair: FilePair, case: Case) -> float:
    """Return what one answer takes if nothing is known of the two texts yet."""
    anchor = anchored(_source(pair.path, pair.old), pair.path, case.region)
    started = time.process_time()
    resolve(anchor, Comparison(_source(pair.path, pair.old), _source(pair.path, pair.new or "")))
    return 1000 * (time.process_time() - started)


def nameless(anchor: Anchor) -> Anchor:
    """Return an anchor that does not know what its region is called, nor what is around it."""
    mark = decode(anchor.mark or "")
    if not isinstance(mark, Mark) or mark.fingerprint is None:
        return msgspec.structs.replace(anchor, symbol=None)
    fingerprint = msgspec.structs.replace(mark.fingerprint, label="", part="", within="")
    bare = encode(msgspec.structs.replace(mark, fingerprint=fingerprint))
    return msgspec.structs.replace(anchor, symbol=None, mark=bare)


WAYS: Final[dict[str, Way]] = {
    "symbol": _ours(old=True, symbol=True),
    "no-symbol": _ours(old=True, symbol=False),
    "mark": _ours(old=False, symbol=True, every=2),
    "mark-no-symbol": _ours(old=False, symbol=False, every=3),
    "long-mark": _ours(old=False, symbol=True, every=6, budget_bytes=GENEROUS),
    "line-diff": line_diff,
}


def _source(path: str, text: str) -> Source:
    return Source(text, language_of(path, text.split("\n", 1)[0]))


def _found(resolution: Resolution, path: str, started: float) -> Found:
    return Found(
        span=resolution.span,
        path=resolution.path or path,
        sure=resolution.certainty == "sure",
        stale=resolution.verdict in {"changed", "missing"},
        verdict=resolution.verdict,
        how=resolution.how,
        ms=1000 * (time.process_time() - started),
    )


def _starts(lines: list[str]) -> list[int]:
    starts = [0]
    for line in lines[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    return starts
