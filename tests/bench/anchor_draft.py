"""A text on its way through edits, with regions that are carried along by marks inside it.

Invariant: a region's marks are two signs of the private use area that stand in the text itself, so that whatever is
done to the lines is done to them; where a region is in the end does not depend on any arithmetic. Every line is edited
at most once, apart from renaming, which comes last.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from bench.anchor_cases import trimmed
from memofs.model.place import Span

__all__ = ["Draft", "shifted", "unmarked"]

_FIRST: Final = 0xE000
_MARKS: Final = re.compile("[\ue000-\uf8ff]")


class Draft:
    """The lines of a text with the marks of its regions, and what is to be done to them."""

    def __init__(self, text: str, regions: Sequence[Span]) -> None:
        if _MARKS.search(text):
            raise ValueError("the text has signs of the private use area")
        signs = [(region.start, 1, chr(_FIRST + 2 * number)) for number, region in enumerate(regions)]
        signs += [(region.end, 0, chr(_FIRST + 2 * number + 1)) for number, region in enumerate(regions)]
        marked: list[str] = []
        done = 0
        for place, _, sign in sorted(signs):
            marked += [text[done:place], sign]
            done = place
        marked.append(text[done:])
        self.regions = len(regions)
        self.lines: list[str] = "".join(marked).split("\n")
        self.touched: set[int] = set()
        self.removed: set[int] = set()
        self.before: dict[int, list[str]] = defaultdict(list)
        self.names: list[tuple[str, str]] = []

    def free(self, lines: Iterable[int]) -> bool:
        """Say whether nothing has been done to these lines yet."""
        return self.touched.isdisjoint(lines)

    def keep(self, lines: Iterable[int]) -> None:
        """Let nothing more be done to these lines."""
        self.touched.update(lines)

    def insert(self, line: int, new: Iterable[str]) -> None:
        """Put lines before a line; at the end if it is one past the last."""
        self.before[line] += new

    def remove(self, lines: Iterable[int]) -> list[str]:
        """Take lines out, and return them with the marks in them."""
        chosen = list(lines)
        self.removed.update(chosen)
        return [self.lines[number] for number in chosen]

    def rename(self, old: str, new: str) -> None:
        """Replace a word everywhere."""
        self.names.append((old, new))

    def result(self) -> tuple[str, list[Span | None]]:
        """Return the edited text and where each region is in it, None for one that was taken out."""
        made: list[str] = []
        for number, line in enumerate(self.lines):
            made += self.before.get(number, ())
            if number not in self.removed:
                made.append(line)
        made += self.before.get(len(self.lines), ())
        text = "\n".join(made)
        for old, new in self.names:
            text = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new, text)
        places: list[Span | None] = []
        bare = unmarked(text)
        offsets = {match.group(): match.start() - count for count, match in enumerate(_MARKS.finditer(text))}
        for number in range(self.regions):
            start, end = offsets.get(chr(_FIRST + 2 * number)), offsets.get(chr(_FIRST + 2 * number + 1))
            places.append(None if start is None or end is None else trimmed(bare, start, end))
        return bare, places


def unmarked(text: str) -> str:
    """Return a text without the marks in it."""
    return _MARKS.sub("", text)


def shifted(lines: Sequence[str], indent: str, *, marked: bool = False) -> list[str]:
    """Return lines with their common indentation replaced by `indent`; without marks unless `marked`."""
    plain = [line if marked else unmarked(line) for line in lines]
    # A mark stands before a line's first sign, never in its blanks.
    depth = min((len(line) - len(line.lstrip()) for line in plain if line.strip()), default=0)
    return [indent + line[depth:] if line.strip() else line for line in plain]
