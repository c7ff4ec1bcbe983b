"""Spans of a text as places of the workspace, and what was resolved as the state of an anchor. Pure.

Invariant: a place says lines and columns, not offsets, so it can be shown without the text; columns are there in each
unit that a client may count in.
"""

from memofs.anchors.source import Source, line_at
from memofs.anchors.spans import lines_of
from memofs.anchors.symbols import symbol_at
from memofs.model.memory import Anchor, Columns, Lines
from memofs.model.place import AnchorState, Candidate, Guess, Place, Resolution, Span
from memofs.text.positions import Encoding, to_units

__all__ = ["MOST_GUESSES", "guess_of", "place_of", "recorded_place", "state_of", "written"]

MOST_GUESSES = 5
SAME_FILE = "same file"
"""How `resolve` found an anchor whose file is the very one it was made of: everything in it is called what it was."""
_MOST_TEXT = 120


def place_of(source: Source, span: Span, path: str) -> Place:
    """The place of a span of a plain source, which is the text of the file at `path`."""
    lines, columns = lines_of(source, span)
    return _place(path, lines, columns, source)


def recorded_place(anchor: Anchor, source: Source | None = None) -> Place:
    """The place that the anchor itself says; without the text its columns are as if all were ASCII."""
    return _place(anchor.path, anchor.lines, anchor.columns, source)


def state_of(anchor: Anchor, resolution: Resolution, source: Source, path: str) -> AnchorState:
    """What is known of an anchor that was resolved in `source`, the file at `path`.

    An anchor without lines and symbol is the whole file, wherever its span is said to be. Other places are offered
    only where it is not found, or not surely.
    """
    is_file = anchor.lines is None and anchor.symbol is None
    place: Place | None = None
    symbol = anchor.symbol
    if resolution.span is not None:
        place = Place(path=path) if is_file else place_of(source, resolution.span, path)
        if (
            symbol is not None
            and resolution.how != SAME_FILE
            and (declared := symbol_at(source, resolution.span)) is not None
        ):
            symbol = declared.label
    is_guess = resolution.span is None or resolution.certainty == "probable"
    offered = resolution.candidates[:MOST_GUESSES] if is_guess else ()
    return AnchorState(
        verdict=resolution.verdict,
        place=place,
        symbol=symbol,
        certainty=resolution.certainty,
        similarity=round(resolution.similarity, 3),
        how=resolution.how,
        guesses=tuple(guess_of(source, each, path) for each in offered),
        degraded=resolution.degraded,
    )


def guess_of(source: Source, candidate: Candidate, path: str) -> Guess:
    """A candidate in `source`, the file at `path`, as a place to choose."""
    line = source.lines[line_at(source, candidate.span.start)].strip()
    text = line if len(line) <= _MOST_TEXT else f"{line[:_MOST_TEXT]}…"
    return Guess(place=place_of(source, candidate.span, path), score=round(candidate.score, 3), text=text)


def written(anchor: Anchor) -> str:
    """The anchor as a person names it to the command line: `FILE`, `FILE#SYMBOL`, `FILE:LINE[:COL][-LINE[:COL]]`."""
    if anchor.symbol is not None:
        return f"{anchor.path}#{anchor.symbol}"
    if (lines := anchor.lines) is None:
        return anchor.path
    if (columns := anchor.columns) is not None:
        return f"{anchor.path}:{lines.first}:{columns.start}-{lines.last}:{columns.end}"
    return f"{anchor.path}:{lines.first}" if lines.first == lines.last else f"{anchor.path}:{lines.first}-{lines.last}"


def _place(path: str, lines: Lines | None, columns: Columns | None, source: Source | None) -> Place:
    if lines is None or columns is None:
        return Place(path=path, lines=lines)
    if source is None or lines.last > len(source.lines):
        return Place(path=path, lines=lines, columns=columns, columns_utf16=columns, columns_utf8=columns)
    return Place(
        path=path,
        lines=lines,
        columns=columns,
        columns_utf16=_in_units(source, lines, columns, "utf-16"),
        columns_utf8=_in_units(source, lines, columns, "utf-8"),
    )


def _in_units(source: Source, lines: Lines, columns: Columns, encoding: Encoding) -> Columns:
    start = to_units(source.lines[lines.first - 1], columns.start - 1, encoding)
    end = to_units(source.lines[lines.last - 1], columns.end - 1, encoding)
    return Columns(start=start + 1, end=end + 1)
