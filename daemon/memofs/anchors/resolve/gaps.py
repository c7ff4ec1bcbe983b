"""Step 11: a region replaced within its line is what stands between the parts of the line that were kept.

Invariant: the answer is in one line, the kept text reaches both edges, and little else of the line changed.
"""

from typing import Final

from memofs.anchors.pair import Pair
from memofs.anchors.source import line_at, stripped
from memofs.model.place import Span

__all__ = ["between_kept"]

_LEAST_KEPT: Final = 0.8
_FEWEST_KEPT: Final = 6


def between_kept(pair: Pair, region: Span) -> Span | None:
    """Return what stands in the place of a region within a line whose other parts survive."""
    old, new = pair.old, pair.new
    line = line_at(old, region.start)
    if line_at(old, region.end - 1) != line:
        return None
    line_start, line_end = old.starts[line], old.index.ends[line]
    head, tail = old.text[line_start : region.start], old.text[region.end : line_end]
    if not head.strip() or not tail.strip():
        return None
    runs = [run for run in pair.kept(line, line) if old.text[run.old : run.old + run.length].strip()]
    before = [run for run in runs if line_start <= run.old and run.old + run.length <= region.start]
    after = [run for run in runs if run.old >= region.end and run.old + run.length <= line_end + 1]
    if not before or not after:
        return None
    kept = sum(len(old.text[run.old : run.old + run.length].strip()) for run in (*before, *after))
    if kept < _LEAST_KEPT * (_inked(head) + _inked(tail)) or kept < _FEWEST_KEPT:
        return None
    head_end, tail_start = max(run.old + run.length for run in before), min(run.old for run in after)
    if old.text[head_end : region.start].strip() or old.text[region.end : tail_start].strip():
        return None
    low = max(run.new + run.length for run in before)
    high = min(run.new for run in after)
    if low >= high:
        return None
    span = stripped(new.text, Span(low, high))
    if span.start >= span.end or line_at(new, span.start) != line_at(new, span.end - 1):
        return None
    return span if span.end - span.start <= 3 * (region.end - region.start) + 40 else None


def _inked(text: str) -> int:
    return sum(map(len, text.split()))
