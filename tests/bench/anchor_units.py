"""What an edit takes as a whole in a file: statements, members, paragraphs, rows, items. And where its code is.

Invariant: a unit is a range of whole lines; units of one `block` do not overlap and stand in order. In Python,
TypeScript and JavaScript they come from the outline, elsewhere from indentation, brackets and blank lines.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

import msgspec

from bench.anchor_cases import lines_of
from bench.anchor_outline import Outline

__all__ = ["Unit", "indent_of", "masked", "units"]


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """Lines `first` to `last`, 0-based and both included. `block` numbers the list it stands in.

    `kind` is statement, comment, heading, paragraph, row, item, fence, or member: of a class, a mapping, a switch.
    """

    first: int
    last: int
    block: int
    kind: str

    @property
    def lines(self) -> range:
        """The numbers of its lines."""
        return range(self.first, self.last + 1)


def units(text: str, language: str, outline: Outline | None) -> list[Unit]:
    """Return the units of a file, in order, outer before inner."""
    lines = text.split("\n")
    if outline is not None:
        found = _of_outline(text, outline)
    elif language == "markdown":
        found = _of_markdown(lines)
    else:
        found = _of_indentation(lines, "member" if language in {"yaml", "json"} else "statement")
    return sorted(found, key=lambda unit: (unit.first, -unit.last))


def indent_of(line: str) -> str:
    """Return the blanks that a line begins with."""
    return line[: len(line) - len(line.lstrip())]


def masked(text: str, language: str) -> str:
    """Return the text with blanks, one for one, in the place of comments and strings; prose and data as they are."""
    pattern = _SILENT.get(language)
    return pattern.sub(lambda match: re.sub(r"\S", " ", match.group()), text) if pattern else text


_STRINGS: Final = r'"(?:\\.|[^"\\\n])*"|' + r"'(?:\\.|[^'\\\n])*'"
_C: Final = re.compile(r"//[^\n]*|/\*.*?\*/|`(?:\\.|[^`\\])*`|" + _STRINGS, re.DOTALL)
_SILENT: Final = {
    "python": re.compile(r'"""(?:\\.|.)*?"""|' + r"'''(?:\\.|.)*?'''|#[^\n]*|" + _STRINGS, re.DOTALL),
    **dict.fromkeys(("bash", "ruby"), re.compile(r"(?<![\w$])#[^\n]*|" + _STRINGS)),
    "php": re.compile(r"#[^\n]*|" + _C.pattern, re.DOTALL),
    **dict.fromkeys(("typescript", "javascript", "java", "c", "c++", "c#", "go", "rust"), _C),
}
_HOLDERS: Final = frozenset({"ClassDeclaration", "ClassExpression", "InterfaceDeclaration", "EnumDeclaration"})
_FIXED: Final = frozenset({"CaseClause", "DefaultClause", "ImportDeclaration", "ExportDeclaration", "ImportFrom"})
_CLOSER: Final = re.compile(r"[})\]]|(?:else|elif|catch|except|finally|fi|done|esac|end)\b|\{$")
_COMMENT: Final = re.compile(r"(?:#(?![!\[])|//|/\*|\*)")
_ROW: Final = re.compile(r"\s*\|")
_ITEM: Final = re.compile(r"\s*(?:[-*+]|\d+[.)])\s")


def _of_outline(text: str, outline: Outline) -> list[Unit]:
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    found: list[Unit] = []
    for each in outline.statements:
        lines = lines_of(text, each.start, each.end)
        before, after = text[lines.start : each.start], text[each.end : lines.end].lstrip(" \t;,")
        if not before.strip() and (not after or after.startswith(("#", "//", "/*"))):
            first, last = (bisect_right(starts, place) - 1 for place in (lines.start, max(lines.start, lines.end - 1)))
            around = outline.statements[each.parent].type if each.parent >= 0 else ""
            fixed = around in _HOLDERS or each.type in _FIXED
            found.append(Unit(first=first, last=last, block=each.block, kind="member" if fixed else "statement"))
    return found


def _of_indentation(lines: Sequence[str], kind: str) -> list[Unit]:
    """Return each line with the deeper ones below it, and the closing ones that follow."""
    found: list[Unit] = []
    blocks: dict[tuple[int, int], int] = {}
    open_at: list[tuple[int, int]] = []
    depths = [_depth(line) for line in lines]
    for first, line in enumerate(lines):
        if not line.strip() or _CLOSER.match(line.strip()):
            continue
        depth = depths[first]
        while open_at and open_at[-1][0] >= depth:
            open_at.pop()
        block = blocks.setdefault((open_at[-1][1] if open_at else -1, depth), len(blocks))
        open_at.append((depth, first))
        last = first
        for number in range(first + 1, len(lines)):
            bare = lines[number].strip()
            if bare and not (depths[number] > depth or (depths[number] == depth and _CLOSER.match(bare))):
                break
            if bare:
                last = number
        found.append(
            Unit(first=first, last=last, block=block, kind="comment" if _COMMENT.match(line.strip()) else kind)
        )
    return found


def _depth(line: str) -> int:
    """Return how deep a line is; an item of a list is deeper than the key above it that is indented alike."""
    bare = line.lstrip()
    return 2 * len(indent_of(line).expandtabs(4)) + bare.startswith("- ")


def _of_markdown(lines: Sequence[str]) -> list[Unit]:
    found: list[Unit] = []
    number, block, kind_before = 0, 0, ""
    while number < len(lines):
        line = lines[number]
        if not line.strip():
            number += 1
            continue
        last = number
        if line.lstrip().startswith("```"):
            kind = "fence"
            while last + 1 < len(lines) and not lines[last + 1].lstrip().startswith("```"):
                last += 1
            last = min(last + 1, len(lines) - 1)
        elif line.startswith("#"):
            kind = "heading"
        elif _ROW.match(line):
            kind = "row"
        else:
            kind = "item" if _ITEM.match(line) else "paragraph"
            while last + 1 < len(lines) and _continues(lines[last + 1]):
                last += 1
        # Rows of different tables do not change places; paragraphs, items and fences may.
        block += kind == "row" and kind_before != "row"
        found.append(Unit(first=number, last=last, block=block if kind == "row" else -_PROSE[kind], kind=kind))
        kind_before, number = kind, last + 1
    return found


_PROSE: Final = {"heading": 1, "paragraph": 2, "item": 3, "fence": 4}


def _continues(line: str) -> bool:
    return bool(line.strip()) and not (_ROW.match(line) or _ITEM.match(line) or line.startswith(("#", "```")))
