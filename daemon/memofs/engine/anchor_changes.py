"""What became of the code of one anchor: as it was when its mark was made, and as it is now."""

import difflib
import re
from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from memofs.anchors.mark import Mark, decode
from memofs.anchors.resolution import resolve
from memofs.anchors.source import Source
from memofs.anchors.spans import lines_of, span_at, whole
from memofs.engine.anchor_look import source_of
from memofs.engine.view import View
from memofs.model.memory import Anchor, Lines
from memofs.model.place import AnchorState, Place, Span
from memofs.store.code_files import CodeFile, code_of

__all__ = ["Changes", "Piece", "changes"]

_HUNK: Final = re.compile(r"^@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@")

Origin = Literal["file", "cache", "git", "mark", "none"]


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of code and its lines; None where they are not known."""

    text: str
    lines: Lines | None = None


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """The code before and after, where they can be had, and a unified diff; `origin` is where `before` is from.

    Without `after`, `there` is what stands now in the lines where the code was recorded, if anything does.
    """

    before: Piece | None
    after: Piece | None
    diff: str
    origin: Origin
    there: Piece | None = None


def changes(view: View, anchor: Anchor, state: AnchorState | None) -> Changes:
    """What changed at the anchor's place. Never raises."""
    place = state.place if state is not None else None
    after, now = _after(view, place)
    before, origin = _before(view, anchor, now)
    there = _there(view, anchor) if state is not None and place is None and state.fault is None else None
    diff = _diff(anchor, place, before, after)
    if state is not None and state.verdict == "missing" and before is not None:
        diff = _removal(anchor, before)
    return Changes(before=before, after=after, diff=diff, origin=origin, there=there)


def _there(view: View, anchor: Anchor) -> Piece | None:
    """What stands in the recorded lines now, as far as the file has them; None for no more than blanks."""
    if anchor.lines is None:
        return None
    file = view.buffers.read(view.store.layout, anchor.path)
    if not isinstance(file, CodeFile) or file.text is None:
        return None
    lines = file.text.split("\n")[anchor.lines.first - 1 : anchor.lines.last]
    text = "\n".join(lines)
    if not text.strip():
        return None
    return Piece(text=text, lines=Lines(first=anchor.lines.first, last=anchor.lines.first + len(lines) - 1))


def _after(view: View, place: Place | None) -> tuple[Piece | None, CodeFile | None]:
    if place is None:
        return None, None
    file = view.buffers.read(view.store.layout, place.path)
    if not isinstance(file, CodeFile) or file.text is None:
        return None, file if isinstance(file, CodeFile) else None
    source = source_of(place.path, file.text)
    region = span_at(source, place.lines, place.columns) if place.lines is not None else whole(source)
    return (None if region is None else _piece(source, region)), file


def _before(view: View, anchor: Anchor, now: CodeFile | None) -> tuple[Piece | None, Origin]:
    mark = decode(anchor.mark) if anchor.mark else None
    if not isinstance(mark, Mark):
        return None, "none"
    old, origin = _old(view, anchor, mark, now)
    if old is not None:
        region = whole(old) if anchor.lines is None and anchor.symbol is None else resolve(anchor, old).span
        if region is not None:
            return _piece(old, region), origin
    if mark.fingerprint is not None and not mark.fingerprint.left_out:
        head = mark.fingerprint.head
        return Piece(text=(head if not head.strip() else "") + mark.fingerprint.text), "mark"
    return None, "none"


def _old(view: View, anchor: Anchor, mark: Mark, now: CodeFile | None) -> tuple[Source | None, Origin]:
    if mark.blob is None:
        return None, "none"
    if now is not None and now.text is not None and mark.blob in (now.blob, now.raw_blob):
        return source_of(anchor.path, now.text), "file"
    found = view.anchoring.blobs.find(mark.blob) if view.anchoring is not None else None
    text = code_of(found[0]) if found is not None else None
    if found is None or text is None:
        return None, "none"
    return source_of(anchor.path, text), found[1]


def _piece(source: Source, region: Span) -> Piece:
    """The text of a region, its first line with its indentation."""
    lines, columns = lines_of(source, region)
    start, end = region.start, region.end
    if columns is None:
        start = source.starts[lines.first - 1]
    return Piece(text=source.text[start:end].rstrip("\n"), lines=lines)


def _diff(anchor: Anchor, place: Place | None, before: Piece | None, after: Piece | None) -> str:
    if before is None or after is None or before.text == after.text:
        return ""
    old, new = _named(anchor.path, before), _named(place.path if place is not None else anchor.path, after)
    lines = difflib.unified_diff(before.text.split("\n"), after.text.split("\n"), old, new, lineterm="")
    return "".join(f"{line}\n" for line in _numbered(lines, _first(before), _first(after)))


def _removal(anchor: Anchor, before: Piece) -> str:
    """The diff that takes all of the code away."""
    lines = difflib.unified_diff(before.text.split("\n"), [], _named(anchor.path, before), "/dev/null", lineterm="")
    return "".join(f"{line}\n" for line in _numbered(lines, _first(before), 1))


def _named(path: str, piece: Piece) -> str:
    if piece.lines is None:
        return path
    first, last = piece.lines.first, piece.lines.last
    return f"{path}:{first}" if first == last else f"{path}:{first}-{last}"


def _first(piece: Piece) -> int:
    return piece.lines.first if piece.lines is not None else 1


def _numbered(lines: Iterator[str], old_first: int, new_first: int) -> Iterator[str]:
    """The diff with line numbers of the files, not of the pieces."""
    for line in lines:
        hunk = _HUNK.match(line)
        if hunk is None:
            yield line
            continue
        old = int(hunk[1]) + old_first - 1
        new = int(hunk[3]) + new_first - 1
        yield f"@@ -{old}{hunk[2] or ''} +{new}{hunk[4] or ''} @@{line[hunk.end() :]}"
