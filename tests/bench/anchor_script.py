"""A script over one file while it is being drawn: the file's units, words and draft, and how lines and words change.

Invariant: nothing here decides what is done (anchor_operations.py) or what it means for a region (anchor_edits.py);
whatever is drawn comes from the script's own random numbers.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Final

import msgspec

from bench.anchor_draft import Draft, shifted
from bench.anchor_outline import Outline
from bench.anchor_targets import Target, targets
from bench.anchor_units import Unit, masked, units
from memofs.model.place import Span

__all__ = ["EDITABLE", "KEYWORDS", "MARKS", "MOST_TARGETS", "NAME", "Donors", "File", "Script"]

MOST_TARGETS: Final = 5
FAR_LINES: Final = 3
MOST_RENAMED: Final = 40

Donors = Sequence[tuple[str, tuple[str, ...]]]
"""Units of other files: their kind and their lines."""


class File(msgspec.Struct, frozen=True, kw_only=True):
    """A file to edit."""

    package: str
    path: str
    language: str
    text: str
    outline: Outline | None


class Script:
    """One script over one file. What changes something returns whether it could."""

    def __init__(self, file: File, donors: Donors, random_: random.Random) -> None:
        self.file, self.donors, self.random = file, donors, random_
        self.text, self.language = file.text, file.language
        self.lines = file.text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.units = units(file.text, file.language, file.outline)
        self.masked = masked(file.text, file.language)
        self.names = sorted(set(NAME.findall(self.masked)) - KEYWORDS)
        self.targets = targets(file.text, file.language, file.outline, self.units, MOST_TARGETS, random_)
        self.draft = Draft(file.text, [target.span for target in self.targets])
        self.step = "    " if self.language in {"python", "php", "java", "c#"} else "  "
        self.protected = {line for target in self.targets for line in target.lines}
        self.commented: set[int] = set()
        """Targets with a comment behind their last line, which may be counted in or not."""

    def edit_token(self, span: Span, *, strictly_inside: bool = False) -> bool:
        """Replace a word or sign of code in a span whose lines are free; if wanted, neither its first nor its last."""
        found = [
            match
            for match in EDITABLE.finditer(self.masked, span.start, span.end)
            if match.group() not in KEYWORDS
            and not (strictly_inside and (match.start() == span.start or match.end() == span.end))
        ]
        return bool(found) and self.replace(self.random.choice(found))

    def replace(self, match: re.Match[str]) -> bool:
        """Put something else in the place of a word or sign."""
        old = match.group()
        if old in _SWAPS:
            new = _SWAPS[old]
        elif old.isdigit():
            new = str(int(old) + self.random.choice((1, 2, 10)))
        elif self.names and self.random.random() < 0.5:
            new = self.random.choice(self.names)
        else:
            new = old + self.random.choice(("_new", "2", "Value"))
        if new == old:
            new = old + "2"
        line = self.line_of(match.start())
        marked = self.draft.lines[line]
        start = _index(marked, match.start() - self.starts[line])
        if marked[start : start + len(old)] != old:
            return False
        self.draft.lines[line] = marked[:start] + new + marked[start + len(old) :]
        return True

    def rename_one(self, found: Sequence[str]) -> bool:
        """Rename one of these words, if the file has it in code only and not too often."""
        fit = [
            name
            for name in found
            if len(name) >= 4 and self.text.count(name) == self.masked.count(name) <= MOST_RENAMED
        ]
        if not fit or self.draft.names:
            return False
        name = self.random.choice(fit)
        self.draft.rename(name, name + "_renamed" if "_" in name or name.islower() else "renamed" + name.capitalize())
        return True

    def borrowed(self, indent: str, *, longest: int, kind: str = "") -> list[str]:
        """Return lines of another file."""
        fit = [lines for of, lines in self.donors if len(lines) <= longest and (not kind or of == kind)]
        return shifted(self.random.choice(fit), indent) if fit else []

    def boundary_inside(self, target: Target) -> int | None:
        """Return a line inside a region, not its first, before which a line can be put."""
        inside = range(target.first + 1, target.last + 1)
        if target.subject in {"paragraph", "code fence"}:
            lines = list(inside)[:-1] if target.subject == "code fence" else list(inside)
        else:
            lines = [unit.first for unit in self.units if unit.first in inside]
        return self.random.choice(lines) if lines else None

    def destination(self, target: Target) -> int | None:
        """Return the line before which whole units of a kind can be put, some way off."""
        if (
            not target.whole
            or target.subject in {"any lines"}
            or (self.language == "json" and not self.ends_alike(target))
        ):
            return None
        same_block = target.kind in {"member", "row"}
        fit = [
            unit.first
            for unit in self.units
            if unit.kind == target.kind
            and (not same_block or unit.block == target.block)
            and not target.first - FAR_LINES <= unit.first <= target.last + FAR_LINES
            and not any(other.first < unit.first <= other.last for other in self.targets)
        ]
        return self.random.choice(fit) if fit else None

    def is_silent(self, text: str) -> bool:
        """Say whether there is no code in a piece of code, but comments and strings at most."""
        return not masked(text, self.language).strip()

    def in_string(self, line: int) -> bool:
        """Say whether a line begins inside a string that goes over several."""
        start, content = self.starts[line], self.lines[line]
        first = start + len(content) - len(content.lstrip())
        bare = self.language not in {"markdown", "yaml"}
        return bare and (self.masked[first : first + 1].isspace() or self.masked.count('"', 0, start) % 2 == 1)

    def ends_alike(self, unit: Unit | Target) -> bool:
        """Say whether taking lines out leaves no comma behind that JSON refuses."""
        return self.language != "json" or self.lines[unit.last].rstrip().endswith(",")

    def siblings(self, unit: Unit) -> int:
        """Return how many units of its block are still there."""
        return sum(other.block == unit.block and self.draft.removed.isdisjoint(other.lines) for other in self.units)

    def line_of(self, offset: int) -> int:
        """Return the number of the line an offset is in."""
        return self.text.count("\n", 0, offset)


MARKS: Final = "".join(map(chr, range(0xE000, 0xE000 + 2 * MOST_TARGETS)))
NAME: Final = re.compile(r"(?<![\w.$@-])[A-Za-z_]\w{3,}(?!\w)")
EDITABLE: Final = re.compile(r"[A-Za-z_]\w*|\b\d+\b|[=!]==?|<=|>=")
_SWAPS: Final = {
    **{"==": "!=", "!=": "==", "===": "!==", "!==": "===", "<=": "<", ">=": ">"},
    **{"True": "False", "False": "True", "true": "false", "false": "true", "and": "or", "or": "and"},
}


def _split(text: str) -> frozenset[str]:
    return frozenset(text.split())


KEYWORDS: Final = _split(
    "False True None true false null undefined and or not in is if elif else for while do try except finally raise "
    "return yield def class import from as with pass break continue global nonlocal lambda async await del assert "
    "function const let var new this super typeof instanceof void switch case default throw catch extends implements "
    "interface type enum export public private protected static readonly abstract declare namespace module of keyof "
    "infer never any unknown string number boolean object self print then fi done esac local echo elseif endif foreach "
    "int char bool double float long short unsigned signed auto struct union template typename using virtual override "
    "final package throws goto sizeof delete operator friend inline extern volatile get set value where out ref match "
    "string echo array fn use include require func map chan range defer go select fallthrough nil pub crate mod impl "
    "trait mut loop unsafe dyn move end begin rescue ensure unless until exit sudo test derive cfg"
)


def _index(marked: str, column: int) -> int:
    """Return where a column of the bare line is in a line with marks, behind the marks that stand there."""
    at = -1
    for place, sign in enumerate(marked):
        if sign not in MARKS:
            at += 1
            if at == column:
                return place
    return len(marked)
