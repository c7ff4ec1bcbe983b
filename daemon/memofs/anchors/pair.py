"""An old and a new version of a file, and what is worked out once for all regions of it.

Invariant: everything here follows from the two texts; a `Pair` only remembers. The line diff is made once, a hunk is
looked into once, a bag is counted once. Parsing is left to the sources, and happens only if a region asks for it.
"""

from functools import cached_property
from typing import Final

from memofs.anchors.diff import LineDiff, line_diff
from memofs.anchors.hunks import Kept, kept_tokens, paired_lines
from memofs.anchors.source import Source
from memofs.anchors.tokens import Bag, bag

__all__ = ["Pair"]

_MARGIN_LINES = 3
"""How many carried lines on either side of a region are looked at: they hold its edges in place."""


class Pair:
    """Two versions of one file, the old one and the new one."""

    def __init__(self, old: Source, new: Source) -> None:
        self.old: Final = old
        self.new: Final = new
        self._hunks: dict[tuple[int, int], tuple[Kept, ...]] = {}
        self._kept: dict[tuple[int, int], tuple[Kept, ...]] = {}
        self._bags: dict[tuple[bool, int, int], Bag] = {}

    @cached_property
    def diff(self) -> LineDiff:
        """How the lines correspond."""
        return line_diff(self.old.keys, self.new.keys)

    def kept(self, first: int, last: int) -> tuple[Kept, ...]:
        """Return the runs of text that survive in the old lines `first` to `last` and around them, in order.

        By lines where the diff carries them, by tokens in the hunks that touch the lines or their neighbours.
        """
        known = self._kept.get((first, last))
        if known is None:
            known = self._kept[first, last] = tuple(self._gathered(first, last))
        return known

    def old_bag(self, start: int, end: int) -> Bag:
        """Return the tokens of a piece of the old text."""
        key = (False, start, end)
        known = self._bags.get(key)
        if known is None:
            known = self._bags[key] = bag(self.old.text[start:end])
        return known

    def new_bag(self, start: int, end: int) -> Bag:
        """Return the tokens of a piece of the new text."""
        key = (True, start, end)
        known = self._bags.get(key)
        if known is None:
            known = self._bags[key] = bag(self.new.text[start:end])
        return known

    def _gathered(self, first: int, last: int) -> list[Kept]:
        kept: list[Kept] = []
        old_line = new_line = 0
        for run in (*self.diff.runs, None):
            old_next, new_next = (run.old, run.new) if run else (len(self.old.keys), len(self.new.keys))
            if old_line < old_next and new_line < new_next and old_line <= last + 1 and old_next >= first - 1:
                kept += self._hunk(old_line, old_next, new_line, new_next)
            if run is None or old_next > last + _MARGIN_LINES:
                break
            from_line = max(run.old, first - _MARGIN_LINES)
            for line in range(from_line, min(run.old + run.count, last + 1 + _MARGIN_LINES)):
                kept += self._line(line, run.new + line - run.old)
            old_line, new_line = run.old + run.count, run.new + run.count
        return kept

    def _hunk(self, old_first: int, old_end: int, new_first: int, new_end: int) -> tuple[Kept, ...]:
        """Return what survives in replaced lines: tokens of lines that pair, and of what lies between the pairs."""
        known = self._hunks.get((old_first, new_first))
        if known is not None:
            return known
        pairs = paired_lines(
            [self.old_bag(*_content(self.old, line)) for line in range(old_first, old_end)],
            [self.new_bag(*_content(self.new, line)) for line in range(new_first, new_end)],
        )
        kept: list[Kept] = []
        old_line, new_line = old_first, new_first
        for i, j in pairs:
            kept += self._between(old_line, old_first + i, new_line, new_first + j)
            kept += self._line(old_first + i, new_first + j)
            old_line, new_line = old_first + i + 1, new_first + j + 1
        kept += self._between(old_line, old_end, new_line, new_end)
        known = self._hunks[old_first, new_first] = tuple(kept)
        return known

    def _between(self, old_line: int, old_end: int, new_line: int, new_end: int) -> list[Kept]:
        if old_line >= old_end or new_line >= new_end:
            return []
        old_range = (self.old.starts[old_line], self.old.index.ends[old_end - 1])
        new_range = (self.new.starts[new_line], self.new.index.ends[new_end - 1])
        return kept_tokens(self.old.text, old_range, self.new.text, new_range)

    def _line(self, old_line: int, new_line: int) -> list[Kept]:
        """Return what survives of a line in the line it became."""
        old_start, old_end = _whole(self.old, old_line)
        new_start, new_end = _whole(self.new, new_line)
        before, after = self.old.text[old_start:old_end], self.new.text[new_start:new_end]
        if before == after:
            return [Kept(old_start, new_start, old_end - old_start)] if before else []
        bare = before.strip()
        if not bare:
            return []
        if bare == after.strip():
            old_indent = len(before) - len(before.lstrip())
            new_indent = len(after) - len(after.lstrip())
            return [Kept(old_start + old_indent, new_start + new_indent, len(bare))]
        return kept_tokens(self.old.text, (old_start, old_end), self.new.text, (new_start, new_end))


def _content(source: Source, line: int) -> tuple[int, int]:
    return source.starts[line], source.index.ends[line]


def _whole(source: Source, line: int) -> tuple[int, int]:
    """Return where a line starts and ends, its line end included."""
    starts = source.starts
    return starts[line], starts[line + 1] if line + 1 < len(starts) else len(source.text)
