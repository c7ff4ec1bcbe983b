"""Cases of anchors as people read them: a page of markdown with files, what is done to them, and what is expected.

A fenced block says by its info string what it is:

    python old=app.py        a file as it was. «id: text» is an anchored region, $0 to $9 are places.
    python new=app.py        as it is now; no block for a file that was there before: it is gone
    edits=app.py             or what is done to it, a line each:
                               $0 = "text"       put text at a place
                               $1 $2 = "text"    put text between two places
                               undo              take the last edit back
    symbols=app.py           anchors by name, a line each: id = Class.method
    renames                  what git says: old.py -> new.py
    expect                   a line for each anchor

Words after the path: `crlf`, `bom`, `open` (no line end at the end of the file).
Invariant: the page is never changed but for its `expect` block.
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from memofs.anchors.across import OtherFile, resolve_across
from memofs.anchors.anchoring import anchored
from memofs.anchors.edits import edits_between
from memofs.anchors.language import language_of
from memofs.anchors.resolution import Comparison, resolve
from memofs.anchors.source import Source
from memofs.anchors.spans import from_plain, lines_of, plain, to_plain
from memofs.anchors.symbols import find
from memofs.anchors.track import TextEdit, Tracked, apply, track, tracked
from memofs.model.memory import Anchor, Columns, Lines
from memofs.model.place import Resolution, Span

__all__ = ["Case", "outcome", "read", "rewritten"]

_FENCE = re.compile(r"^```(?P<info>[^\n`]+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"«(?P<id>[\w-]+): |»|\$(?P<place>\d)")


@dataclass
class Case:
    """One page."""

    path: Path
    old: dict[str, str] = field(default_factory=dict[str, str])
    new: dict[str, str] = field(default_factory=dict[str, str])
    regions: dict[str, tuple[str, Span]] = field(default_factory=dict[str, tuple[str, Span]])
    places: dict[str, int] = field(default_factory=dict[str, int])
    edits: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    renames: dict[str, str] = field(default_factory=dict[str, str])
    expected: str = ""


def read(path: Path) -> Case:
    """Return the case on a page."""
    case = Case(path)
    symbols: list[tuple[str, str]] = []
    for fence in _FENCE.finditer(path.read_text(encoding="utf-8")):
        words, body = fence["info"].split(), fence["body"]
        what = {key: value for key, _, value in (word.partition("=") for word in words)}
        if "expect" in what:
            case.expected = body
        elif "renames" in what:
            case.renames |= {old: new for old, _, new in (line.partition(" -> ") for line in body.splitlines())}
        elif "symbols" in what:
            symbols += [(what["symbols"], line) for line in body.splitlines()]
        elif "edits" in what:
            case.edits[what["edits"]] = body.splitlines()
        elif "old" in what:
            case.old[what["old"]] = _marked(case, what["old"], _dressed(body, what))
        elif "new" in what:
            case.new[what["new"]] = _dressed(body, what)
    for file, line in symbols:
        name, _, symbol = line.partition(" = ")
        source = _source(file, case.old[file])
        found = find(plain(source), symbol).exact
        assert found is not None, f"{path.name}: no symbol {symbol}"
        case.regions[name] = (file, from_plain(source, found.span))
    assert case.regions, f"{path.name}: nothing is anchored"
    return case


def outcome(case: Case) -> str:
    """Return what becomes of each anchor, a line each, in the order of the page."""
    lines: list[str] = []
    for name, (file, region) in sorted(case.regions.items()):
        old = _source(file, case.old[file])
        anchor = anchored(old, file, to_plain(old, region))
        if file in case.edits:
            lines += _edited(case, name, file, region, anchor)
            continue
        whole, alone = _looked_for(case, anchor, old), _looked_for(case, anchor, None)
        lines.append(f"{name}: {_told(case, file, whole)}")
        if _told(case, file, alone) != _told(case, file, whole):
            lines.append(f"{name} by the mark alone: {_told(case, file, alone)}")
    return "\n".join(lines) + "\n"


def rewritten(page: str, expected: str) -> str:
    """Return a page with another expectation."""
    fences = [fence for fence in _FENCE.finditer(page) if fence["info"].strip() == "expect"]
    if not fences:
        return page.rstrip("\n") + f"\n\n```expect\n{expected}```\n"
    return page[: fences[0].start("body")] + expected + page[fences[0].end("body") :]


def _looked_for(case: Case, anchor: Anchor, old: Source | None) -> Resolution:
    """Return where a region is: in its file, else in the others."""
    path = anchor.path
    if path in case.new:
        now = _source(path, case.new[path])
        found = resolve(anchor, Comparison(old, now) if old is not None else now)
        if found.span is not None:
            return found
    else:
        found = Resolution(verdict="missing", similarity=0.0, how="file gone")
    others = [
        OtherFile(
            path=other,
            now=_source(other, text),
            before=_source(other, case.old[other]) if other in case.old else None,
            is_renamed=case.renames.get(path) == other,
        )
        for other, text in case.new.items()
        if other != path
    ]
    elsewhere = resolve_across(anchor, old, others) if others else found
    return elsewhere if elsewhere.span is not None or elsewhere.candidates else found


def _edited(case: Case, name: str, file: str, region: Span, anchor: Anchor) -> list[str]:
    """Return where tracking has a region after each step of an edit script, and what it is then."""
    text, spans = case.old[file], (tracked(region.start, region.end),)
    done: list[TextEdit] = []
    places = dict(case.places)
    lines: list[str] = []
    for line in case.edits[file]:
        if line == "undo":
            edit = done.pop()
        else:
            edit = _edit(line, places)
            done.append(TextEdit(edit.start, edit.start + len(edit.text), text[edit.start : edit.end]))
        moved = track(text, [*spans, *(tracked(at, at) for at in places.values())], [edit])
        spans = moved[:1]
        places = {key: item.span.start for key, item in zip(places, moved[1:], strict=True)}
        text = apply(text, [edit])
        found = resolve(anchor, Comparison(_source(file, case.old[file]), _source(file, text)))
        source = _source(file, text)
        lines.append(f"{name} after {line}: {_tracked(source, spans[0])}; {_told_in(source, found)}")
    assert apply(case.old[file], edits_between(_source(file, case.old[file]), _source(file, text))) == text
    return lines


def _edit(line: str, places: dict[str, int]) -> TextEdit:
    where, _, quoted = line.partition(" = ")
    at = [places[word.removeprefix("$")] for word in where.split()]
    return TextEdit(at[0], at[-1], str(json.loads(quoted)))


def _tracked(source: Source, item: Tracked) -> str:
    if item.span.start == item.span.end:
        return "deleted"
    return f"at {_place(source, item.span)}{' (touched)' if item.dirty else ''}"


def _told(case: Case, file: str, found: Resolution) -> str:
    path = found.path or file
    return _told_in(_source(path, case.new.get(path, "")), found)


def _told_in(source: Source, found: Resolution) -> str:
    if found.span is None:
        if not found.candidates:
            return f"{found.verdict}"
        first = found.candidates[0]
        return f"{found.verdict}, maybe in {first.path}" if first.path else f"{found.verdict}, with guesses"
    where = f"{found.path} " if found.path else ""
    certainty = "" if found.certainty == "sure" else ", probably"
    return f"{found.verdict} at {where}{_place(source, found.span)}{certainty}"


def _place(source: Source, span: Span) -> str:
    lines, columns = lines_of(source, span)
    return _range(lines, columns)


def _range(lines: Lines, columns: Columns | None) -> str:
    if columns is None:
        return f"{lines.first}-{lines.last}"
    return f"{lines.first}:{columns.start}-{lines.last}:{columns.end}"


def _dressed(body: str, what: dict[str, str]) -> str:
    text = body.removesuffix("\n") if "open" in what else body
    if "crlf" in what:
        text = text.replace("\n", "\r\n")
    return "\ufeff" + text if "bom" in what else text


def _marked(case: Case, file: str, text: str) -> str:
    """Return the text without marks, and put what they mark into the case."""
    plain_text: list[str] = []
    length = at = 0
    open_: list[tuple[str, int]] = []
    for mark in _MARK.finditer(text):
        plain_text.append(text[at : mark.start()])
        length += mark.start() - at
        at = mark.end()
        if mark["id"]:
            open_.append((mark["id"], length))
        elif mark["place"]:
            case.places[mark["place"]] = length
        else:
            name, start = open_.pop()
            case.regions[name] = (file, Span(start, length))
    plain_text.append(text[at:])
    assert not open_, f"{case.path.name}: {open_} is not closed"
    return "".join(plain_text)


def _source(path: str, text: str) -> Source:
    return Source(text, language_of(path))
