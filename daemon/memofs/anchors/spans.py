r"""Lines and columns as a person counts them, and offsets; a text with its line ends made alike, and back.

Invariant: a line and column mean the same in a text and in its plain form, except that a byte order mark is a column
of the first line. Git keeps a file with "\n" while the working tree may have "\r\n": regions are compared in plain
form.
"""

from memofs.anchors.source import Source, line_at, stripped
from memofs.model.memory import Columns, Lines
from memofs.model.place import Span

__all__ = ["from_plain", "lines_of", "plain", "span_at", "to_plain", "whole", "whole_lines"]

_MARK = "\ufeff"


def plain(source: Source) -> Source:
    r"""Return the source with every line end as "\n" and without a byte order mark; itself if it is so already."""
    if "\r" not in source.text and not source.text.startswith(_MARK):
        return source
    return source.once(_plain)


def from_plain(source: Source, span: Span) -> Span:
    """Return where a span of `plain(source)` is in `source`."""
    other = plain(source)
    if other is source:
        return span
    return Span(_offset(source, other, span.start), _offset(source, other, span.end))


def to_plain(source: Source, span: Span) -> Span:
    """Return where a span of `source` is in `plain(source)`."""
    other = plain(source)
    if other is source:
        return span
    return Span(_plain_offset(source, other, span.start), _plain_offset(source, other, span.end))


def whole(source: Source) -> Span:
    """Return the span of all of the text."""
    return Span(0, len(source.text))


def span_at(source: Source, lines: Lines, columns: Columns | None = None) -> Span | None:
    """Return the span of lines, or of a part of them; None if the text does not reach so far.

    Without columns it begins with the first line's indentation and ends before the last one's line end. Columns past
    a line's end mean its end.
    """
    first, last = lines.first - 1, lines.last - 1
    if not 0 <= first <= last < len(source.starts):
        return None
    start, end = source.starts[first], source.index.ends[last]
    if columns is not None:
        start = min(start + max(0, columns.start - 1), source.index.ends[first])
        end = min(source.starts[last] + max(0, columns.end - 1), end)
    return Span(start, end) if start <= end else None


def lines_of(source: Source, span: Span) -> tuple[Lines, Columns | None]:
    """Return the lines a span covers, with columns only if it leaves out some text of the first or the last."""
    bare = stripped(source.text, span)
    first = line_at(source, bare.start)
    last = line_at(source, max(bare.start, bare.end - 1))
    lines = Lines(first=first + 1, last=last + 1)
    head = source.text[source.starts[first] : bare.start]
    rest = source.text[bare.end : source.index.ends[last]]
    if not head.strip(" \t" + _MARK) and not rest.strip():
        return lines, None
    columns = Columns(start=bare.start - source.starts[first] + 1, end=bare.end - source.starts[last] + 1)
    return lines, columns


def whole_lines(source: Source, span: Span) -> Span:
    """Return the lines that a span touches, without the last one's end."""
    first, last = line_at(source, span.start), line_at(source, max(span.start, span.end - 1))
    return Span(source.starts[first], source.index.ends[last])


def _plain(source: Source) -> Source:
    text = source.text.removeprefix(_MARK).replace("\r\n", "\n").replace("\r", "\n")
    return Source(text, source.language, has_recipes=source.has_recipes)


def _plain_offset(source: Source, other: Source, offset: int) -> int:
    line = line_at(source, offset)
    column = min(offset, source.index.ends[line]) - source.starts[line]
    if line == 0 and source.text.startswith(_MARK):
        column = max(0, column - 1)
    return other.starts[line] + column


def _offset(source: Source, other: Source, offset: int) -> int:
    line = line_at(other, offset)
    column = offset - other.starts[line]
    if line == 0 and source.text.startswith(_MARK):
        column += 1
    return source.starts[line] + column
