"""Making anchors: from what a person or an editor names to what is recorded of it.

Invariant: nothing is recorded that was not read from the file just now, or stands in the unsaved text of who asks;
nothing outside the workspace is read, and no secret goes into a memory by way of the code around it. Old versions that
git does not have are kept aside, so that the anchor can be followed from here.
"""

import difflib
import posixpath
from collections.abc import Iterable
from typing import Final

import msgspec

from memofs.anchors.anchoring import anchored
from memofs.anchors.digest import short_digest
from memofs.anchors.fingerprint import BUDGET, GENEROUS, MOST_LINES_AROUND
from memofs.anchors.mark import Mark, decode, encode
from memofs.anchors.source import Source, line_at, stripped
from memofs.anchors.spans import span_at
from memofs.anchors.symbols import Declaration, find
from memofs.engine.anchor_look import line_count
from memofs.engine.anchoring import Anchoring
from memofs.engine.buffers import NO_BUFFERS, Buffers
from memofs.model.errors import InvalidRequest, NotFound, Refused, Unavailable
from memofs.model.memory import Anchor, Lines
from memofs.model.place import Place, Span
from memofs.store.code_files import CodeFile, Unread
from memofs.store.secrets import find_secret
from memofs.store.walk import walked
from memofs.text.positions import Encoding, from_units, units

__all__ = ["MOST_ANCHORS", "Made", "Spec", "Spot", "make", "make_all", "remake"]

MOST_ANCHORS: Final = 100
"""A memory about more places than that is about something else."""
_MOST_NAMED: Final = 5

_OPAQUE = {
    "binary": "is binary",
    "tooLarge": "is too large to look into",
    "generated": "is generated",
}


class Spot(msgspec.Struct, frozen=True):
    """A position: 0-based line, and character in the units of the spec's encoding."""

    line: int
    character: int


class Spec(msgspec.Struct, frozen=True, kw_only=True):
    """What to anchor to: the file at `path`, a symbol in it, or the text from `start` to `end`."""

    path: str
    symbol: str | None = None
    start: Spot | None = None
    end: Spot | None = None
    encoding: Encoding = "utf-32"


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """An anchor, and what a person should know about it."""

    anchor: Anchor
    remarks: tuple[str, ...] = ()


def make_all(anchoring: Anchoring, specs: Iterable[Spec], buffers: Buffers = NO_BUFFERS) -> tuple[Made, ...]:
    """The anchors, each once. Raises as `make` does, and InvalidRequest for too many."""
    made = {each.anchor: each for each in (make(anchoring, spec, buffers) for spec in specs)}
    if len(made) > MOST_ANCHORS:
        raise InvalidRequest("manyAnchors", f"{len(made)} anchors; a memory has at most {MOST_ANCHORS}")
    return tuple(made.values())


def make(anchoring: Anchoring, spec: Spec, buffers: Buffers = NO_BUFFERS) -> Made:
    """The anchor that the spec names.

    Raises Refused for a path that leads out, NotFound for a file or symbol that is not there, InvalidRequest for what
    cannot be anchored (a folder, a range past the end, a name that several declarations have), Unavailable for a file
    that cannot be read.
    """
    path = posixpath.normpath(spec.path.replace("\\", "/")) if spec.path else ""
    file = buffers.read(anchoring.layout, path)
    if isinstance(file, Unread):
        raise _unreadable(anchoring, file)
    if spec.symbol is not None and spec.start is not None:
        raise InvalidRequest("symbolOrRange", "an anchor names a symbol or a range, not both")
    if file.text is None:
        return _made_of_hash(spec, file)
    source = anchoring.source(file)
    region: Span | None = None
    if spec.symbol is not None:
        region = _declared(source, path, spec.symbol).span
    elif spec.start is not None and spec.end is not None:
        region = _ranged(source, path, spec.start, spec.end, spec.encoding)
    return _made(anchoring, file, source, region)


def remake(anchoring: Anchoring, place: Place, content: str, buffers: Buffers = NO_BUFFERS) -> Made | None:
    """The anchor of a place that was found, made anew; None if the file's content is another now.

    Raises as `make` does for a file that went away meanwhile.
    """
    file = buffers.read(anchoring.layout, place.path)
    if isinstance(file, Unread):
        raise _unreadable(anchoring, file)
    if file.blob != content:
        return None
    if file.text is None:
        return Made(anchor=_by_hash(file, place.lines), remarks=_hash_remarks(file))
    source = anchoring.source(file)
    region = span_at(source, place.lines, place.columns) if place.lines is not None else None
    if place.lines is not None and region is None:
        return None
    return _made(anchoring, file, source, region)


def _made(anchoring: Anchoring, file: CodeFile, source: Source, region: Span | None) -> Made:
    known = next((id_ for id_ in dict.fromkeys((file.blob, file.raw_blob)) if anchoring.in_git(id_)), None)
    if known is None:
        anchoring.blobs.keep(file.data)
    budget = BUDGET if known is not None else GENEROUS
    anchor = anchored(source, file.path, region, blob=known or file.blob, budget_bytes=budget)
    remarks = [] if file.is_utf8 else [f"{file.path} is not UTF-8: it is read a character a byte"]
    if region is not None and (secret := find_secret(_around(source, region))) is not None:
        anchor = _without_text(anchor)
        remarks.append(
            f"the code in or around it looks like it holds a secret ({secret.rule}): no piece of it is put into the "
            "memory, and the anchor is found again by git's version of the file"
        )
    return Made(anchor=anchor, remarks=tuple(remarks))


def _around(source: Source, region: Span) -> str:
    """All the text that a mark may hold: the region, and as many lines around it as a fingerprint takes at most."""
    first = max(0, line_at(source, region.start) - MOST_LINES_AROUND)
    last = min(len(source.lines) - 1, line_at(source, max(region.start, region.end - 1)) + MOST_LINES_AROUND)
    return source.text[source.starts[first] : source.index.ends[last]]


def _without_text(anchor: Anchor) -> Anchor:
    mark = decode(anchor.mark) if anchor.mark else None
    if not isinstance(mark, Mark):
        return anchor
    return msgspec.structs.replace(anchor, quote=None, mark=encode(msgspec.structs.replace(mark, fingerprint=None)))


def _made_of_hash(spec: Spec, file: CodeFile) -> Made:
    """An anchor in a file of which only the hash is known: all of it, or lines that are not followed."""
    why = _OPAQUE[file.opaque or "binary"]
    if spec.symbol is not None:
        hint = f"anchor the whole file: {file.path}"
        raise InvalidRequest(file.opaque or "binary", f"{file.path} {why}: no symbols are looked for in it", hint)
    if spec.start is None or spec.end is None:
        return Made(anchor=_by_hash(file, None), remarks=_hash_remarks(file))
    if file.opaque == "binary":
        hint = f"anchor the whole file: {file.path}"
        raise InvalidRequest("binary", f"{file.path} is binary: it has no lines", hint)
    lines = _lines(file.path, spec.start, spec.end, file.line_count)
    return Made(anchor=_by_hash(file, lines), remarks=_hash_remarks(file))


def _by_hash(file: CodeFile, lines: Lines | None) -> Anchor:
    mark = Mark(digest=short_digest(file.blob), blob=file.blob)
    return Anchor(path=file.path, lines=lines, mark=encode(mark))


def _hash_remarks(file: CodeFile) -> tuple[str, ...]:
    why = _OPAQUE[file.opaque or "binary"]
    return (f"{file.path} {why}: it is known by its hash alone, so that any change to it makes the memory stale",)


def _declared(source: Source, path: str, symbol: str) -> Declaration:
    if source.root is None:
        message = f"no symbols are looked for in {path}: {source.lacking}"
        raise InvalidRequest("noSymbols", message, "name lines instead: FILE:LINE-LINE")
    lookup = find(source, symbol)
    if (exact := lookup.exact) is not None:
        return exact
    if lookup.found:
        named = ", ".join(
            f"{each.label} (line {line_at(source, each.core.start) + 1})" for each in lookup.found[:_MOST_NAMED]
        )
        more = f" and {len(lookup.found) - _MOST_NAMED} more" if len(lookup.found) > _MOST_NAMED else ""
        raise InvalidRequest(
            "ambiguousSymbol",
            f"{symbol!r} names {len(lookup.found)} declarations in {path}: {named}{more}",
            "give more of the name, or lines: FILE:LINE-LINE",
        )
    hint = f"did you mean {_either(lookup.near)}?" if lookup.near else "memofs anchor ID FILE:LINE-LINE takes lines"
    raise NotFound("symbol", f"there is no {symbol!r} in {path}", hint)


def _ranged(source: Source, path: str, start: Spot, end: Spot, encoding: Encoding) -> Span:
    lines = _lines(path, start, end, line_count(source))
    first, last = lines.first - 1, lines.last - 1
    begin = source.starts[first] + _column(source, path, start, encoding)
    rest = source.index.ends[last] - source.starts[last]
    stop = source.starts[last] + (rest if end.line > last else _column(source, path, end, encoding))
    region = Span(begin, stop)
    bare = stripped(source.text, region) if begin < stop else Span(begin, begin)
    if bare.start >= bare.end:
        raise InvalidRequest("blankRange", f"there is nothing but blanks at that place of {path}")
    return region


def _lines(path: str, start: Spot, end: Spot, count: int) -> Lines:
    """The lines from `start` to `end`; an end at the start of a line leaves that line out."""
    last = end.line if end.character == 0 and end.line > start.line else end.line + 1
    if (end.line, end.character) < (start.line, start.character):
        raise InvalidRequest("range", "the range ends before it begins")
    if last > count:
        has = f"{count} line{'' if count == 1 else 's'}"
        raise InvalidRequest("rangePastEnd", f"{path} has {has}; line {last} is past the end")
    return Lines(first=start.line + 1, last=last)


def _column(source: Source, path: str, spot: Spot, encoding: Encoding) -> int:
    line = source.lines[spot.line]
    if spot.character > units(line, encoding):
        raise InvalidRequest(
            "rangePastEnd", f"line {spot.line + 1} of {path} has {len(line)} characters; that place is past its end"
        )
    return from_units(line, spot.character, encoding)


def _unreadable(anchoring: Anchoring, file: Unread) -> InvalidRequest | NotFound | Refused | Unavailable:
    match file.reason:
        case "outside":
            return Refused("outside", file.message, "use a path inside the workspace")
        case "missing":
            near = _near_files(anchoring, file.path)
            return NotFound("file", file.message, f"did you mean {_either(near)}?" if near else None)
        case "folder":
            return InvalidRequest("folder", file.message, "anchor a file in it")
        case "tooLarge":
            return InvalidRequest("tooLarge", file.message, "anchor something smaller that says the same")
        case _:
            return Unavailable("unreadable", file.message, f"ls -l {file.path} shows what is there")


def _near_files(anchoring: Anchoring, path: str) -> list[str]:
    """Files whose path is spelled like this one, or that bear its name elsewhere."""
    files = sorted(anchoring.history.files() or walked(anchoring.layout))
    name = posixpath.basename(path)
    same = [each for each in files if posixpath.basename(each) == name]
    near = difflib.get_close_matches(path, files, n=3, cutoff=0.8) if len(files) <= _MOST_COMPARED else []
    return [each for each in dict.fromkeys((*same, *near)) if (anchoring.layout.root / each).is_file()][:3]


_MOST_COMPARED: Final = 20_000


def _either(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last
