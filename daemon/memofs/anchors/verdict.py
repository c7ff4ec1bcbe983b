"""What became of a region that was found again: current, moved, reformatted or changed.

Invariant: the text decides first, the shape only where the text differs; so nothing that leaves the text alone, no
new version of a grammar and no new rule for shapes, turns an anchor stale. `missing` is not judged here: the region
was found.
"""

from typing import Literal

import msgspec

from memofs.anchors.digest import short_digest, text_digest
from memofs.anchors.mark import MarkedShape
from memofs.anchors.source import Source
from memofs.model.place import Span

__all__ = ["Judged", "Was", "judge"]


class Was(msgspec.Struct, frozen=True, kw_only=True):
    """A region as it was: what its mark says, and more where more is known.

    `old` is the plain source it was in and the region there; `words` its text where a fingerprint holds all of it;
    `line` its first line, 1-based, None if it never had one.
    """

    digest: bytes | None
    shape: MarkedShape | None = None
    old: tuple[Source, Span] | None = None
    words: str | None = None
    line: int | None = None


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """A verdict, and what it had to do without."""

    verdict: Literal["current", "moved", "reformatted", "changed"]
    degraded: tuple[str, ...] = ()


def judge(was: Was, new: Source, region: Span, line: int) -> Judged:
    """Return what became of a region that is now `region` of a plain source, from `line` (1-based) on."""
    digest = text_digest(*was.old) if was.old is not None else was.digest
    if digest is None:
        return Judged(verdict=_placed(was, line), degraded=("mark",))
    if digest == text_digest(new, region):
        return Judged(verdict=_placed(was, line))
    if was.old is not None:
        same = _collapsed(*was.old) == _collapsed(new, region)
        return Judged(verdict="reformatted" if same else "changed")
    return Judged(verdict="changed")


def _placed(was: Was, line: int) -> Literal["current", "moved"]:
    return "current" if was.line in (None, line) else "moved"


def _collapsed(source: Source, region: Span) -> bytes:
    return short_digest(" ".join(source.text[region.start : region.end].split()))
