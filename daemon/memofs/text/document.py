r"""The text of an open document, kept as lines, changed as editors change it.

Invariant: the text equals what the client has, edit by edit; positions are in the session's encoding, and one beyond a
line or the text means its end. Lines end at "\n", "\r\n" and "\r", as in the protocol.
"""

import re
from collections.abc import Sequence

import msgspec

from memofs.text.positions import Encoding, from_units, to_units

__all__ = [
    "Change",
    "Document",
    "PlainEdit",
    "Position",
    "changed",
    "document",
    "offset_of",
    "plain",
    "plain_edits",
    "position_of",
]

_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


class Position(msgspec.Struct, frozen=True, order=True):
    """0-based line and character, the character in code units of some encoding."""

    line: int
    character: int


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """`text` in the place of what stands from `start` to `end`; without a range, in the place of everything."""

    text: str
    start: Position | None = None
    end: Position | None = None


class PlainEdit(msgspec.Struct, frozen=True):
    """`text` in the place of `[start, end)`, code points of the plain text as it is before this edit."""

    start: int
    end: int
    text: str


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """`lines` with their line ends, the last one empty if the text ends with one. `version` is the client's.

    `has_returns` is true if some line ever ended with a carriage return.
    """

    lines: tuple[str, ...]
    version: int = 0
    language: str = ""
    has_returns: bool = False

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self.lines)


def document(text: str, *, version: int = 0, language: str = "") -> Document:
    """The document that holds `text`."""
    return Document(lines=_split(text), version=version, language=language, has_returns="\r" in text)


def changed(before: Document, changes: Sequence[Change], *, version: int, encoding: Encoding) -> Document:
    """The document after the changes, each relative to the text the one before it left."""
    lines = list(before.lines)
    for change in changes:
        if change.start is None or change.end is None:
            lines = list(_split(change.text))
        else:
            _splice(lines, change.start, change.end, change.text, encoding)
    has_returns = before.has_returns or any("\r" in change.text for change in changes)
    return Document(lines=tuple(lines), version=version, language=before.language, has_returns=has_returns)


def plain(text: Document) -> str:
    r"""The text with every line end as "\n" and without a byte order mark, as anchors count it."""
    return _plain(text.text)


def plain_edits(
    before: Document, changes: Sequence[Change], *, version: int, encoding: Encoding
) -> tuple[Document, tuple[PlainEdit, ...]]:
    """The document after the changes, and what they did to the plain text.

    A change of everything, and one that joins or splits a line end, comes as the one piece that differs.
    """
    edits: list[PlainEdit] = []
    now = before
    for change in changes:
        after = changed(now, [change], version=version, encoding=encoding)
        edits.append(_plain_edit(now, after, change, encoding))
        now = after
    if not changes:
        now = msgspec.structs.replace(before, version=version)
    return now, tuple(edits)


def offset_of(text: Document, position: Position, encoding: Encoding) -> int:
    """The code point offset of a position."""
    line = min(max(0, position.line), len(text.lines) - 1)
    if position.line > line:
        return sum(map(len, text.lines))
    return sum(map(len, text.lines[:line])) + _column(text.lines[line], position.character, encoding)


def position_of(text: Document, offset: int, encoding: Encoding) -> Position:
    """The position of a code point offset."""
    left = max(0, offset)
    for number, line in enumerate(text.lines):
        if left < len(line) or number == len(text.lines) - 1:
            content = _content(line)
            return Position(number, to_units(content, min(left, len(content)), encoding))
        left -= len(line)
    raise AssertionError("a document has at least one line")


def _plain_edit(before: Document, after: Document, change: Change, encoding: Encoding) -> PlainEdit:
    if change.start is None or change.end is None or "\r" in change.text or before.lines[0].startswith("\ufeff"):
        return _difference(plain(before), plain(after))
    start, end = min(change.start, change.end), max(change.start, change.end)
    if before.has_returns and 0 < start.line < len(before.lines) and before.lines[start.line - 1].endswith("\r"):
        return _difference(plain(before), plain(after))  # what follows may become one line end with it
    first = _plain_offset(before, start, encoding)
    last = first if start == end else _plain_offset(before, end, encoding)
    return PlainEdit(first, last, change.text)


def _plain_offset(text: Document, position: Position, encoding: Encoding) -> int:
    last = len(text.lines) - 1
    line = min(max(0, position.line), last)
    above = text.lines[:line]
    length = sum(map(len, above))
    if text.has_returns:
        length -= sum(each.endswith("\r\n") for each in above)
    column = (
        len(_content(text.lines[line]))
        if position.line > last
        else _column(text.lines[line], position.character, encoding)
    )
    return length + column


def _difference(before: str, after: str) -> PlainEdit:
    """The piece between the common head and the common tail."""
    shorter = min(len(before), len(after))
    head = _common(before, after, shorter)
    tail = _common(before[::-1], after[::-1], shorter - head)
    return PlainEdit(head, len(before) - tail, after[head : len(after) - tail])


def _common(one: str, other: str, most: int) -> int:
    """How many characters the two begin with alike, at most `most`: by halves, since comparing pieces is fast."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _plain(text: str) -> str:
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _splice(lines: list[str], start: Position, end: Position, text: str, encoding: Encoding) -> None:
    """Put `text` in the place of a range, in the list itself; a range whose ends are swapped is put right."""
    start, end = min(start, end), max(start, end)
    last = len(lines) - 1
    first_line, start_column = _place(lines, start, last, encoding)
    last_line, end_column = _place(lines, end, last, encoding)
    before, after = lines[first_line][:start_column], lines[last_line][end_column:]
    # A line end before or behind may join with one in the text ("\r" + "\n"), so the neighbours are split again too.
    low = first_line - 1 if first_line and lines[first_line - 1].endswith("\r") else first_line
    head = lines[low] if low < first_line else ""
    lines[low : last_line + 1] = _pieces(head + before + text + after, is_last=last_line == last)


def _place(lines: list[str], position: Position, last: int, encoding: Encoding) -> tuple[int, int]:
    if position.line > last:
        return last, len(lines[last])
    line = max(0, position.line)
    return line, _column(lines[line], position.character, encoding)


def _column(line: str, character: int, encoding: Encoding) -> int:
    content = _content(line)
    return from_units(content, character, encoding)


def _content(line: str) -> str:
    return line.rstrip("\r\n") if line.endswith(("\n", "\r")) else line


def _split(text: str) -> tuple[str, ...]:
    return tuple(_pieces(text, is_last=True))


def _pieces(text: str, *, is_last: bool) -> list[str]:
    """The lines of a piece; the last line of a document is there even if it is empty."""
    found = _LINES.findall(text)
    if is_last and (not found or found[-1].endswith(("\n", "\r"))):
        found.append("")
    return found
