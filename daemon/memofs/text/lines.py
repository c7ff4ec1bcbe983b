r"""Where the lines of a text are.

Invariant: lines end at "\n", "\r\n" and "\r", as editors see them, and nowhere else; there is always at least one;
a text that ends with a line end has an empty last line. Lines and columns are 0-based, columns in code points.
"""

import re
from bisect import bisect_right

import msgspec

__all__ = ["LineIndex", "line_index", "line_span", "offset_at", "position_at"]


class LineIndex(msgspec.Struct, frozen=True, kw_only=True):
    """`starts[i]` is where line i begins, `ends[i]` where its content ends, before the line end."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]


def line_index(text: str) -> LineIndex:
    """Return the index of `text`."""
    starts = [0]
    ends: list[int] = []
    for match in _LINE_END.finditer(text):
        ends.append(match.start())
        starts.append(match.end())
    ends.append(len(text))
    return LineIndex(starts=tuple(starts), ends=tuple(ends))


def position_at(index: LineIndex, offset: int) -> tuple[int, int]:
    """Return (line, column) of an offset; within a line end it is the end of that line's content."""
    line = max(0, bisect_right(index.starts, offset) - 1)
    start, end = index.starts[line], index.ends[line]
    return line, min(max(offset, start), end) - start


def offset_at(index: LineIndex, line: int, column: int) -> int:
    """Return the offset of a position; a line or column beyond the end means the end."""
    if line >= len(index.starts):
        return index.ends[-1]
    start, end = line_span(index, line)
    return min(start + max(0, column), end)


def line_span(index: LineIndex, line: int) -> tuple[int, int]:
    """Return where the content of `line` starts and ends; IndexError if there is no such line."""
    if line < 0:
        raise IndexError(line)
    return index.starts[line], index.ends[line]


_LINE_END = re.compile(r"\r\n|\r|\n")
