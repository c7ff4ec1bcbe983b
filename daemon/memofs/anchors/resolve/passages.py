"""Step 9: text without syntax goes where the diff carries it, or where it stands again.

Invariant: an occurrence whose lines the diff carried from elsewhere is something else's. A short text found again
counts only if its neighbours say so.
"""

import re
from typing import Final

from memofs.anchors.context import context, context_likeness
from memofs.anchors.pair import Pair
from memofs.anchors.ranges import Carried, claimed
from memofs.anchors.resolve.found import Found
from memofs.anchors.resolve.roles import occurrences
from memofs.anchors.source import line_at
from memofs.anchors.tokens import dice
from memofs.model.place import Span

__all__ = ["as_text", "unclaimed"]

_SHORTEST: Final = 6
_MOST_OCCURRENCES: Final = 200
_MANY_WORDS: Final = 3
_LEAST_SHARE: Final = 0.3
_LEAST_ALIKE: Final = 0.4
_WORDS = re.compile(r"\w\w+")


def as_text(pair: Pair, region: Span, diff: Carried) -> Found:
    """Return where a region is, going by its text, the diff and its neighbours."""
    text = pair.old.text[region.start : region.end]
    if diff.span is not None and pair.new.text[diff.span.start : diff.span.end] == text:
        return Found(span=diff.span, score=0.9, margin=0.5, how="text")
    if (found := _occurrence(pair, region, text)) is not None:
        return found
    if diff.span is None or diff.share < _LEAST_SHARE:
        return Found(span=None, score=diff.share, how="gone")
    alike = dice(pair.old_bag(region.start, region.end), pair.new_bag(diff.span.start, diff.span.end))
    if alike < _LEAST_ALIKE and not (diff.start_kept and diff.end_kept):
        return Found(span=None, score=diff.share, how="unlike", rivals=((diff.share, diff.span),))
    return Found(span=diff.span, score=diff.share, margin=0.5, how="diff")


def unclaimed(pair: Pair, region: Span, text: str) -> list[Span]:
    """Return where `text` stands in the new file and is not the continuation of other lines than the region's."""
    lines = (line_at(pair.old, region.start), line_at(pair.old, region.end - 1))
    found: list[Span] = []
    for span in occurrences(pair.new.text, text, Span(0, len(pair.new.text)))[:_MOST_OCCURRENCES]:
        new_lines = (line_at(pair.new, span.start), line_at(pair.new, span.end - 1))
        if claimed(pair, new_lines, lines) <= 0.5:
            found.append(span)
    return found


def _occurrence(pair: Pair, region: Span, text: str) -> Found | None:
    places = unclaimed(pair, region, text) if len(text) >= _SHORTEST else []
    if not places:
        return None
    around = context(pair.old, region)
    scored = sorted(
        ((context_likeness(around, context(pair.new, place)), place.start, place) for place in places), reverse=True
    )
    best, _, place = scored[0]
    worst = scored[-1][0]
    telling = len(set(_WORDS.findall(text))) >= _MANY_WORDS or (best > 0.6 and pair.old.text.count(text) == 1)
    if (len(scored) == 1 and telling) or (best > 0.5 and best > worst + 0.1):
        rivals = tuple((score / 2 + 0.5, other) for score, _, other in scored[1:4])
        return Found(
            span=place,
            score=0.5 + best / 2,
            margin=best - scored[1][0] if rivals else 0.5,
            how="occurrence",
            rivals=rivals,
        )
    return None
