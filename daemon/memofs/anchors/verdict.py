"""What became of a region that was found again: current, moved, reformatted or changed.

Invariant: the text decides first, the shape only where the text differs, and only shapes made by the same rules and
grammar are compared. So nothing that leaves the text alone, no new version of a grammar and no new rule for shapes,
turns an anchor stale. `missing` is not judged here: the region was found.
"""

from typing import Literal

import msgspec

from memofs.anchors.digest import text_digest
from memofs.anchors.mark import MarkedShape
from memofs.anchors.shape import DIRECTIVES_VERSION, Shape, shape_of, shape_of_file
from memofs.anchors.source import Source
from memofs.model.place import Span

__all__ = ["Judged", "Was", "judge", "marked_shape"]


class Was(msgspec.Struct, frozen=True, kw_only=True):
    """A region as it was: what its mark says, and more where more is known.

    `old` is the plain source it was in and the region there, None in its place for the whole file; `line` its first
    line, 1-based, None if it never had one.
    """

    digest: bytes | None
    shape: MarkedShape | None = None
    old: tuple[Source, Span | None] | None = None
    line: int | None = None


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """A verdict, and what it had to do without."""

    verdict: Literal["current", "moved", "reformatted", "changed"]
    degraded: tuple[str, ...] = ()


def judge(was: Was, new: Source, region: Span | None, line: int = 1) -> Judged:
    """Return what became of a region that is now `region` of a plain source, from `line` (1-based) on.

    `region` is None for the whole file. Where neither the recorded shape nor one made of the old text can be compared
    with today's, the words decide, and the grammar is named as lacking.
    """
    digest = _digest(*was.old) if was.old is not None else was.digest
    if digest is None:
        return Judged(verdict=_placed(was, line), degraded=("mark",))
    if digest == _digest(new, region) and not _is_retabbed(was, new, region):
        return Judged(verdict=_placed(was, line))
    shape = _shape(new, region)
    if was.shape is not None and was.shape.version == shape.made_by:
        return Judged(verdict="reformatted" if was.shape.digest == shape.digest else "changed")
    if was.old is None:
        return Judged(verdict="changed", degraded=("grammar",))
    before = _shape(*was.old)
    if _grammar(before.made_by) == _grammar(shape.made_by):  # both are made by today's rules
        return Judged(verdict="reformatted" if before.digest == shape.digest else "changed")
    same = _words(*was.old) == _words(new, region)
    return Judged(verdict="reformatted" if same else "changed", degraded=("grammar",))


def marked_shape(source: Source, region: Span | None) -> MarkedShape:
    """Return the shape of a region, None for the whole file, as a mark records it."""
    shape = _shape(source, region)
    return MarkedShape(version=shape.made_by, digest=shape.digest)


def _is_retabbed(was: Was, new: Source, region: Span | None) -> bool:
    """Return whether a makefile's region has the same text but for tabs that digests leave out and make does not."""
    if not new.has_recipes:
        return False
    digest = _shape(new, region).digest
    if was.old is not None:
        return _shape(*was.old).digest != digest
    return was.shape is not None and was.shape.version == str(DIRECTIVES_VERSION) and was.shape.digest != digest


def _grammar(made_by: str) -> str:
    """Return what a shape was made by, without the version of the rules."""
    return made_by.partition(" ")[2]


def _placed(was: Was, line: int) -> Literal["current", "moved"]:
    return "current" if was.line in (None, line) else "moved"


def _digest(source: Source, region: Span | None) -> bytes:
    return text_digest(source, region if region is not None else Span(0, len(source.text)))


def _shape(source: Source, region: Span | None) -> Shape:
    return shape_of_file(source) if region is None else shape_of(source, region)


def _words(source: Source, region: Span | None) -> list[str]:
    return (source.text[region.start : region.end] if region is not None else source.text).split()
