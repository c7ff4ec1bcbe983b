r"""Anchors that a memory's text itself says: `@anchor(file=src/db.py, symbol=Store.open)`. Pure.

Keys: `file` (or `path`), `symbol`, `lines` (`12` or `12-40`); values bare or in quotes. As with every mention in
markdown, what stands in code is talk about it and not meant.
"""

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from memofs.model.memory import Anchor, Lines

__all__ = ["SaidAnchors", "said_anchors"]

MOST: Final = 100
"""So many are read; a body with more is a list of something else."""

_SAID: Final = re.compile(r"@anchor\(([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)")
_PAIR: Final = re.compile(r"\s*([a-z]+)\s*=\s*(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^,\"'\n]*))\s*(?:,|$)")
_CODE: Final = re.compile(r"^(`{3,}|~{3,})[^\n]*\n.*?(?:^\1[`~]*[ \t]*$|\Z)|(`+)(?!`)[^\n]+?(?<!`)\2(?!`)", re.M | re.S)
_LINES: Final = re.compile(r"(\d{1,8})(?:-(\d{1,8}))?")
_OUTSIDE: Final = re.compile(r"^(?:[/\\]|[A-Za-z]:)|(?:^|[/\\])\.\.(?:[/\\]|$)|\0")


class SaidAnchors(msgspec.Struct, frozen=True, kw_only=True):
    """The anchors in the order of the text, each once, and what is wrong with others: (line of the body, message)."""

    anchors: tuple[Anchor, ...] = ()
    faults: tuple[tuple[int, str], ...] = ()


def said_anchors(body: str, *, known: Iterable[Anchor] = ()) -> SaidAnchors:
    """What the body says, without what is among the `known` anchors already. Never raises."""
    if "@anchor(" not in body:
        return SaidAnchors()
    there = {(anchor.path, anchor.symbol, None if anchor.symbol else anchor.lines) for anchor in known}
    bare = _CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), body)
    anchors: dict[Anchor, None] = {}
    faults: list[tuple[int, str]] = []
    for found in _SAID.finditer(bare):
        made = _anchor(found[1])
        if not isinstance(made, Anchor):
            faults.append((body.count("\n", 0, found.start()), f"@anchor({found[1]}): {made}"))
        elif (made.path, made.symbol, None if made.symbol else made.lines) not in there:
            anchors[made] = None
        if len(anchors) + len(faults) == MOST:
            break
    return SaidAnchors(anchors=tuple(anchors), faults=tuple(faults))


def _anchor(text: str) -> Anchor | str:
    """The anchor, or what is wrong with it."""
    values: dict[str, str] = {}
    at = 0
    while at < len(text):
        pair = _PAIR.match(text, at)
        if pair is None:
            return "is not written as key=value, key=value"
        values[pair[1]] = next(value for value in pair.groups()[1:] if value is not None).strip()
        at = pair.end()
    path = values.get("file") or values.get("path") or ""
    if not path:
        return "names no file"
    if _OUTSIDE.search(path):
        return "leads out of the workspace"
    lines = _lines(values.get("lines", ""))
    if isinstance(lines, str):
        return lines
    return Anchor(path=path.replace("\\", "/").removeprefix("./"), symbol=values.get("symbol") or None, lines=lines)


def _lines(text: str) -> Lines | str | None:
    if not text:
        return None
    match = _LINES.fullmatch(text)
    if match is None or not 1 <= int(match[1]) <= int(match[2] or match[1]):
        return f"{text!r} is not a range of lines"
    return Lines(first=int(match[1]), last=int(match[2] or match[1]))
