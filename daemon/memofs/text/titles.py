"""A title for a text that was not given one. Pure."""

import posixpath
import re

__all__ = ["file_title", "first_heading"]

_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]+|$)(.*)")
_CLOSING_HASHES = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*")
_NO_PARAGRAPH = re.compile(r" {4}|\t| {0,3}(?:[-*+>]|\d+[.)])(?:\s|$)")


def first_heading(body: str) -> str | None:
    """The text of the first heading outside code, `#` or underlined; None if there is none with a text."""
    fence = ""
    above = ""  # a paragraph of one line, which an underline makes a heading
    blank = True
    for line in body.split("\n"):
        if fence:
            closing = line.strip()
            if closing.startswith(fence) and not closing.strip(fence[0]):
                fence = ""
            continue
        if (opened := _FENCE.match(line)) is not None:
            fence, above = opened[1], ""
        elif (heading := _HEADING.fullmatch(line)) is not None:
            text = _CLOSING_HASHES.sub("", heading[1]).strip()
            if text:
                return text
            above = ""
        elif above and _UNDERLINE.fullmatch(line):
            return above
        else:
            above = line.strip() if blank and not _NO_PARAGRAPH.match(line) else ""
        blank = not line.strip()
    return None


def file_title(path: str) -> str:
    """The file's name without its ending."""
    name = posixpath.basename(path)
    return posixpath.splitext(name)[0] or name or "Untitled"
