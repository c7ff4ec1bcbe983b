"""How text is laid out and coloured: one frozen `Style`, and the functions that turn outside text into output.

Invariant: `paint`, `marked` and `table` neutralise every text they are given, so a view built from them is safe to
print whatever a memory holds.
"""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Literal

import msgspec

from memofs.cli.terminal_text import cells, clip, neutral_line, pad

__all__ = ["Cell", "ColourWhen", "Role", "Style", "count", "marked", "paint", "table", "wants_colour"]

ColourWhen = Literal["auto", "always", "never"]
Role = Literal["title", "match", "id", "path", "dim", "good", "warning", "error", "heading", "added", "removed"]
Cell = str | tuple[str, Role]
"""A table's cell: its text, or its text and the role that colours it."""

_CODES: Mapping[Role, str] = {
    "title": "1",
    "match": "1;33",
    "id": "36",
    "path": "34",
    "dim": "2",
    "good": "32",
    "warning": "33",
    "error": "1;31",
    "heading": "1",
    "added": "32",
    "removed": "31",
}


class Style(msgspec.Struct, frozen=True, kw_only=True):
    """What the output goes to.

    `width` is the terminal's in columns, `None` for a pipe, where nothing is cut or wrapped. `prefix` leads from
    where the person stands to the workspace (empty, or ending in a slash), so that printed paths can be opened.
    """

    now_ms: int
    colour: bool = False
    width: int | None = None
    prefix: str = ""

    def path(self, path: str) -> str:
        """A workspace path as it is opened from where the person stands."""
        return f"{self.prefix}{path}"


def wants_colour(when: ColourWhen, environ: Mapping[str, str], *, terminal: bool) -> bool:
    """Whether to colour: what was asked for, else `NO_COLOR`, `FORCE_COLOR`, else only on a terminal that can."""
    if when != "auto":
        return when == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in {"", "0"}:
        return True
    return terminal and environ.get("TERM") != "dumb"


def paint(style: Style, role: Role, text: str) -> str:
    """`text` on one line, safe, in the colour of its role."""
    return _colour(style, role, neutral_line(text))


def marked(style: Style, text: str, marks: Sequence[tuple[int, int]], role: Role | None = None) -> str:
    """`text` on one line, safe, with the code point ranges of `marks` emphasised.

    A range that lies outside of the text or overlaps the one before is left out.
    """
    out: list[str] = []
    at = 0
    for start, end in sorted(marks):
        if not at <= start < end <= len(text):
            continue
        out.append(_plain(style, role, text[at:start]))
        out.append(paint(style, "match", text[start:end]))
        at = end
    out.append(_plain(style, role, text[at:]))
    return "".join(out)


def table(
    rows: Sequence[Sequence[Cell]],
    style: Style,
    *,
    indent: str = "",
    right: frozenset[int] = frozenset(),
    fit: bool = False,
) -> list[str]:
    """Lines with aligned columns two spaces apart, without trailing spaces.

    `right` names the columns that are aligned to the right; `fit` cuts the last column to a terminal's width.
    """
    texts = [[_neutral_cell(cell) for cell in row] for row in rows]
    widths = [max(map(cells, column)) for column in zip_longest(*texts, fillvalue="")]
    lines: list[str] = []
    for row, plain in zip(rows, texts, strict=True):
        out: list[str] = []
        used = len(indent)
        for index, (cell, text) in enumerate(zip(row, plain, strict=True)):
            last = index == len(row) - 1
            if fit and last and style.width is not None:
                text = clip(text, max(8, style.width - used))
            filled = text if last and index not in right else pad(text, widths[index], right=index in right)
            blank = len(filled) - len(filled.lstrip())
            shown = filled if isinstance(cell, str) else filled[:blank] + _colour(style, cell[1], filled[blank:])
            out.append(shown)
            used += cells(filled) + 2
        lines.append((indent + "  ".join(out)).rstrip())
    return lines


def count(number: int, one: str, many: str | None = None) -> str:
    """`1 memory`, `627 memories`: a number with its noun, thousands separated."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _neutral_cell(cell: Cell) -> str:
    return neutral_line(cell if isinstance(cell, str) else cell[0])


def _plain(style: Style, role: Role | None, text: str) -> str:
    return neutral_line(text) if role is None else paint(style, role, text)


def _colour(style: Style, role: Role, text: str) -> str:
    return f"\x1b[{_CODES[role]}m{text}\x1b[0m" if style.colour and text.strip() else text
