"""The outline of TypeScript and JavaScript files, by the `typescript` package in node.

Invariant: two declarations have the same `code` exactly if TypeScript's printer prints the same for both, comments
removed and spelling made one (see anchor_typescript.mjs); two statements or expressions if their tokens are the same.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from bench.anchor_outline import Declared, Expression, Outline, Statement, digest

__all__ = ["typescript_outlines"]

_SCRIPT: Final = Path(__file__).with_name("anchor_typescript.mjs")
_DEADLINE_S: Final = 600.0


class _Declared(msgspec.Struct):
    name: str
    kind: str
    role: str
    start: int
    end: int
    documented: int
    code: str
    parameters: str


class _Outline(msgspec.Struct):
    declared: list[_Declared]
    statements: list[Statement]
    expressions: list[Expression]


class _Answer(msgspec.Struct):
    path: str
    outline: _Outline | None


def typescript_outlines(texts: Mapping[str, str], tools: Path) -> dict[str, Outline]:
    """Return the outlines of the files, by path, without those that do not parse.

    `tools` is the folder in whose node_modules the `typescript` package is.
    """
    if not texts:
        return {}
    asked = b"\n".join(msgspec.json.encode({"path": path, "text": text}) for path, text in texts.items())
    done = subprocess.run(
        ["node", str(_SCRIPT), str(tools)], input=asked, capture_output=True, check=True, timeout=_DEADLINE_S
    )
    sys.stderr.write(done.stderr.decode())
    answers = [msgspec.json.decode(line, type=_Answer) for line in done.stdout.splitlines()]
    return {each.path: _outline(each.outline, texts[each.path]) for each in answers if each.outline}


def _outline(found: _Outline, text: str) -> Outline:
    at = _code_points(text)
    counts = Counter((each.name, each.kind == "class", each.role) for each in found.declared)
    declared = [
        Declared(
            name=each.name,
            kind=each.kind,
            start=at(each.start),
            end=at(each.end),
            documented=at(each.documented),
            code=digest([each.code]),
            role=digest([each.role, each.parameters])
            if counts[each.name, each.kind == "class", each.role] > 1
            else each.role,
        )
        for each in found.declared
    ]
    statements = [
        msgspec.structs.replace(
            each,
            start=at(each.start),
            end=at(each.end),
            code=digest([each.code]),
            head=digest([each.head]) if each.head else "",
        )
        for each in found.statements
    ]
    expressions = [
        msgspec.structs.replace(each, start=at(each.start), end=at(each.end), code=digest([each.code]))
        for each in found.expressions
    ]
    return Outline(declared=tuple(declared), statements=tuple(statements), expressions=tuple(expressions))


class _CodePoints:
    """Turns offsets in UTF-16 code units, which JavaScript counts in, into code points."""

    def __init__(self, text: str) -> None:
        self.wide = [place for place, sign in enumerate(text) if ord(sign) > 0xFFFF]

    def __call__(self, offset: int) -> int:
        before = 0
        while before < len(self.wide) and self.wide[before] + before < offset:
            before += 1
        return offset - before


def _code_points(text: str) -> _CodePoints:
    return _CodePoints(text)
