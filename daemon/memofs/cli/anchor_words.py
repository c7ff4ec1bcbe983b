"""Anchors as a person types them: `FILE`, `FILE:LINE[:COL][-LINE[:COL]]`, `FILE#SYMBOL`. Looks at the disk only.

Lines may also be named as GitHub's addresses do: `FILE#L3-L7`, `FILE:L3`.

Invariant: a name that is there on disk is a file, whatever signs it holds. Lines and columns count from 1, lines
include the last one, a column at the end is the first that is not meant; the wire's ranges are 0-based.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path

import click

from memofs.cli.paths import in_workspace
from memofs.wire.anchors import AnchorSpec
from memofs.wire.values import Position, Range

__all__ = ["ANCHOR_FORMS", "anchor_spec"]

ANCHOR_FORMS = "FILE, FILE:LINE[:COL][-LINE[:COL]] or FILE#SYMBOL"

_ENDING = r":L?(\d{1,8})(?::(\d{1,8}))?(?:-L?(\d{1,8})(?::(\d{1,8}))?)?"
_LINES = re.compile(r"L(\d+)(?:-L?(\d+))?")
_MOST_DIGITS = 8
_PLACE = re.compile(f"(.+?){_ENDING}", re.DOTALL)
_LONGEST = re.compile(f"(.+){_ENDING}", re.DOTALL)


def anchor_spec(given: str, *, here: Path, root: Path) -> AnchorSpec:
    """The anchor that `given` names, its path relative to the workspace.

    Raises Failure outside of the workspace, UsageError for what is no place.
    """

    def there(name: str) -> bool:
        return bool(name) and (os.path.lexists(here / name) or os.path.lexists(root / name))

    def is_file(name: str) -> bool:
        """Symbols are in files: a folder before a # is the beginning of a name that has one."""
        return there(name) and not (os.path.isdir(here / name) or os.path.isdir(root / name))  # noqa: PTH112

    def path(name: str) -> str:
        return in_workspace(name, here=here, root=root)

    if not given.strip():
        raise click.UsageError(f"an anchor is {ANCHOR_FORMS}")
    if given.startswith("file://"):
        raise click.UsageError(f"{given!r} is a URI; give the path of the file: an anchor is {ANCHOR_FORMS}")
    if there(given):
        return AnchorSpec(path=path(given))
    marks = [at for at, sign in enumerate(given) if sign == "#" and at]
    at = next((at for at in reversed(marks) if is_file(given[:at])), None)
    place = _place(given, there)
    if at is None and marks and (place is None or not there(place[1])):
        at = marks[0]
    if at is not None:
        symbol = given[at + 1 :].strip()
        if not symbol:
            raise click.UsageError(f"{given!r} names no symbol behind the #")
        if (lines := _LINES.fullmatch(symbol)) is not None:
            first, last = lines[1], lines[2] or lines[1]
            if max(len(first), len(last)) > _MOST_DIGITS:
                raise click.UsageError(f"{given!r}: no file has so many lines; an anchor is {ANCHOR_FORMS}")
            return AnchorSpec(path=path(given[:at]), range=_range(given, int(first), None, int(last), None))
        return AnchorSpec(path=path(given[:at]), symbol=symbol)
    if place is None:
        _check_ending(given, is_file)
        return AnchorSpec(path=path(given))
    first, column, last, end = (None if digits is None else int(digits) for digits in place.groups()[1:])
    return AnchorSpec(path=path(place[1]), range=_range(given, first or 0, column, last, end))


def _check_ending(given: str, is_file: Callable[[str], bool]) -> None:
    """Return if no file that is there is followed by something that is no place. Raises UsageError."""
    for at in (at for at, sign in enumerate(given) if sign == ":" and at):
        if not is_file(given[:at]):
            continue
        name = given[at:].lstrip(":").strip()
        hint = f"; {given[:at]}#{name} names the symbol" if name.isidentifier() else ""
        raise click.UsageError(f"{given[at:]!r} behind {given[:at]} is no place: an anchor is {ANCHOR_FORMS}{hint}")


def _place(given: str, there: Callable[[str], bool]) -> re.Match[str] | None:
    """File, line and columns; of several ways to read them the one whose file is there, else the shortest name."""
    shortest = _PLACE.fullmatch(given)
    if shortest is None or there(shortest[1]):
        return shortest
    longest = _LONGEST.fullmatch(given)
    return longest if longest is not None and there(longest[1]) else shortest


def _range(given: str, first: int, column: int | None, last: int | None, end: int | None) -> Range:
    last = first if last is None else last
    if first < 1 or column == 0 or end == 0:
        raise click.UsageError(f"{given!r}: lines and columns count from 1")
    start = Position(first - 1, (column or 1) - 1)
    stop = Position(last, 0) if end is None else Position(last - 1, end - 1)
    if last < first or (stop.line, stop.character) <= (start.line, start.character):
        raise click.UsageError(f"{given!r}: the place ends before it begins")
    return Range(start=start, end=stop)
