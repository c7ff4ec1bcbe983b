"""Where in a memory file a position is: under which key of the front matter, in which anchor, or in the body. Pure.

Invariant: total and tolerant: a file that is being written is seldom right, so lines are looked at one by one and
nothing has to parse. Lines and columns are 0-based, columns in code points.
"""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

__all__ = ["FrontPlace", "Mention", "front_end", "mentions", "place_in"]

_KEY: Final = re.compile(r"(?P<indent>\s*)(?P<dash>-\s+)?(?P<key>[A-Za-z]+):(?P<gap>\s*)(?P<value>.*)")
_ITEM: Final = re.compile(r"\s*-\s+(?P<value>.*)")
_ID: Final = re.compile(r"\bmem_[0-9a-z]{6,32}\b")


class FrontPlace(msgspec.Struct, frozen=True, kw_only=True):
    """`key` is the nearest key above or on the line, `value` what stands of it before the position.

    `anchor` counts the anchors from 0, None outside of one; `path` is that anchor's, as far as it is written. `start`
    is the column where the value that is being written begins.
    """

    key: str
    value: str
    start: int
    anchor: int | None = None
    path: str = ""


class Mention(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a line that names something: a memory's id, or an anchor's path or symbol."""

    line: int
    start: int
    end: int
    text: str
    anchor: int | None = None


def front_end(lines: Sequence[str]) -> int | None:
    """The line of the closing `---`, the number of lines while it is not there yet, None without front matter."""
    if not lines or lines[0].strip("\ufeff \t\r\n") != "---":
        return None
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() in ("---", "..."):
            return number
    return len(lines)


def place_in(lines: Sequence[str], line: int, column: int) -> FrontPlace | None:
    """What is being written at a position of the front matter, None in the body and at its fences."""
    end = front_end(lines)
    if end is None or not 0 < line < end:
        return None
    key, anchor, path = _around(lines, line)
    before = lines[line][:column]
    own = _KEY.match(before)
    item = _ITEM.match(before)
    if own is not None:
        value, start = own["value"], own.start("value")
    elif item is not None:
        value, start = item["value"], item.start("value")
    else:
        value = before.lstrip()
        start = len(before) - len(value)
    if value.startswith("[") or (own is not None and "[" in value):
        piece = re.split(r"[\[,]\s*", value)[-1]
        start += len(value) - len(piece)
        value = piece
    return FrontPlace(key=key, value=value, start=start, anchor=anchor, path=path)


def mentions(lines: Sequence[str]) -> tuple[Mention, ...]:
    """Every id anywhere, and every anchor's path and symbol, in order."""
    end = front_end(lines) or 0
    found: list[Mention] = []
    anchor = -1
    inside = False
    for number, line in enumerate(lines):
        if number < end and (match := _KEY.match(line)) is not None:
            if not match["indent"] and not match["dash"]:
                inside = match["key"] == "anchors"
            elif inside and match["dash"]:
                anchor += 1
            if inside and match["key"] in ("path", "symbol"):
                value = match["value"].strip()
                start = match.start("value") + (len(match["value"]) - len(match["value"].lstrip()))
                bare = value.strip("\"'")
                start += value.find(bare) if bare else 0
                found.append(Mention(line=number, start=start, end=start + len(bare), text=bare, anchor=max(0, anchor)))
        found += [
            Mention(line=number, start=match.start(), end=match.end(), text=match.group())
            for match in _ID.finditer(line)
            if not line.startswith("id:")
        ]
    return tuple(found)


def _around(lines: Sequence[str], line: int) -> tuple[str, int | None, str]:
    """The key that governs a line, and the anchor and its path if it is in one."""
    key, top, anchor = "", "", -1
    paths: dict[int, str] = {}
    for number in range(1, line + 1):
        match = _KEY.match(lines[number])
        if match is None:
            continue
        if not match["indent"] and not match["dash"]:
            key = top = match["key"]
            continue
        if top == "anchors":
            anchor += bool(match["dash"])
            key = match["key"]
            if key == "path":
                paths[anchor] = match["value"].strip().strip("\"'")
    if top != "anchors":
        return top, None, ""
    for number in range(line + 1, len(lines)):  # the path may stand below what is being written
        match = _KEY.match(lines[number])
        if match is None or match["dash"] or not match["indent"]:
            break
        if match["key"] == "path":
            paths.setdefault(anchor, match["value"].strip().strip("\"'"))
    return key, max(0, anchor), paths.get(anchor, "")
