"""The sections of a markdown text: a heading and what follows it, up to the next heading of any level.

Invariant: sections partition the text; joining `text[start:end]` of all gives it back. What precedes the first
heading is a section of level 0 without a heading. Only ATX headings (`## Why`) open sections, and none within a
code fence. Nesting is for others: levels say it.
"""

import re

import msgspec

from memofs.text.lines import line_index

__all__ = ["Section", "sections"]


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """`heading` is the heading's text without its marks; `line` 0-based.

    `start`, `body` and `end` are offsets: of the section, of what follows its heading line, and of its end.
    """

    heading: str
    level: int
    line: int
    start: int
    body: int
    end: int


def sections(text: str) -> tuple[Section, ...]:
    """Return the sections of `text` in order; none for an empty text."""
    if not text:
        return ()
    index = line_index(text)
    opened: list[tuple[str, int, int, int, int]] = [("", 0, 0, 0, 0)]
    fence = ""
    for line, (start, end) in enumerate(zip(index.starts, index.ends, strict=True)):
        content = text[start:end]
        mark = _FENCE.match(content)
        if fence:
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence = ""
        elif mark and not (mark[1][0] == "`" and "`" in mark[2]):
            fence = mark[1]
        elif heading := _HEADING.match(content):
            after = index.starts[line + 1] if line + 1 < len(index.starts) else len(text)
            opened.append((_without_closing(content[heading.end() :]), len(heading[1]), line, start, after))
    if len(opened) > 1 and opened[1][3] == 0:
        del opened[0]
    ends = [*(start for _, _, _, start, _ in opened[1:]), len(text)]
    return tuple(
        Section(heading=heading, level=level, line=line, start=start, body=body, end=end)
        for (heading, level, line, start, body), end in zip(opened, ends, strict=True)
    )


_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")


def _without_closing(heading: str) -> str:
    """Return the text of a heading line without white space around it and the optional hashes behind it."""
    said = heading.strip(" \t")
    bare = said.rstrip("#")
    return bare.rstrip(" \t") if not bare or bare[-1] in " \t" else said
