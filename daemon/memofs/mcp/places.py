"""Places as agents name them, turned into those of the wire. Looks at no file."""

import os
from collections.abc import Sequence
from pathlib import Path

from memofs.link.client import RemoteError
from memofs.mcp.arguments import AnchorArgument
from memofs.wire.anchors import AnchorSpec
from memofs.wire.values import Position, Range

__all__ = ["anchor_specs", "lines_of", "relative"]


def relative(root: Path, path: str) -> str:
    """The path as the wire takes it: relative to the workspace where it lies in it, else as it is."""
    if path.startswith("file://"):
        from urllib.parse import unquote, urlsplit

        path = unquote(urlsplit(path).path)
    if not path.startswith("/"):
        return path
    given = Path(os.path.normpath(path))
    for base in (root, root.resolve()):
        if given.is_relative_to(base):
            return given.relative_to(base).as_posix()
    return path


def lines_of(first: int | None, last: int | None) -> Range | None:
    """Whole lines, the last one included. Raises RemoteError if they end before they begin."""
    if first is None:
        if last is not None:
            raise _invalid("lastLine needs a firstLine")
        return None
    last = first if last is None else last
    if last < first:
        raise _invalid(f"lastLine ({last}) lies before firstLine ({first})")
    return Range(start=Position(first - 1, 0), end=Position(last, 0))


def anchor_specs(root: Path, anchors: Sequence[AnchorArgument]) -> tuple[AnchorSpec, ...]:
    """Anchors for the wire. Raises RemoteError for one that names a symbol and lines."""
    return tuple(_spec(root, each) for each in anchors)


def _spec(root: Path, anchor: AnchorArgument) -> AnchorSpec:
    lines = lines_of(anchor.first_line, anchor.last_line)
    if anchor.symbol is not None and lines is not None:
        raise _invalid(f"the anchor in {anchor.path} names a symbol and lines: give one of the two")
    return AnchorSpec(path=relative(root, anchor.path), symbol=anchor.symbol, range=lines)


def _invalid(message: str) -> RemoteError:
    return RemoteError(message, family="InvalidRequest", code="place", hint="lines count from 1 and include the last")
