"""What a script can do to a region and away from it.

Invariant: an operation returns whether it could be done, and has changed nothing if not. It marks no line as done with:
that is for whoever draws it.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from bench.anchor_cases import alike, words
from bench.anchor_draft import shifted
from bench.anchor_script import EDITABLE, KEYWORDS, MARKS, NAME, Script
from bench.anchor_targets import Target
from bench.anchor_units import indent_of
from memofs.model.place import Span

__all__ = ["OPERATIONS", "Operation", "elsewhere"]

CLEAR_SIGNS: Final = 80
LONGEST_INSERT: Final = 12
UNRELATED: Final = 0.3

Operation = Callable[[Script, int, Target], bool]
_PARTS: Final = frozenset({"expression", "value", "phrase"})


def elsewhere(script: Script) -> None:
    """Do something that touches no region, near one or anywhere."""
    near = script.random.choice(script.targets)
    chosen = [
        unit
        for unit in script.units
        if script.protected.isdisjoint(unit.lines) and script.draft.free(unit.lines) and unit.last - unit.first < 30
    ]
    if script.random.random() < 0.5:
        close = [unit for unit in chosen if abs(unit.first - near.first) < 12]
        chosen = close or chosen
    if not chosen:
        return
    unit = script.random.choice(chosen)
    done = script.random.choice(("insert", "insert", "delete", "token", "token", "move", "rename", "copy"))
    if done == "token":
        if script.edit_token(Span(script.starts[unit.first], script.starts[unit.last + 1] - 1)):
            script.draft.keep(unit.lines)
    elif done == "rename":
        if not script.draft.names and script.language not in {"markdown", "json", "yaml"}:
            script.rename_one(script.random.sample(script.names, min(5, len(script.names))))
    elif done == "insert":
        lines = script.borrowed(indent_of(script.lines[unit.first]), longest=LONGEST_INSERT, kind=unit.kind)
        if lines:
            script.draft.insert(unit.first, _apart(script, unit.kind, lines))
    elif script.siblings(unit) > 1:
        lines = [script.lines[number] for number in unit.lines]
        target = Target(
            subject="",
            span=Span(0, 0),
            first=unit.first,
            last=unit.last,
            whole=True,
            kind=unit.kind,
            block=unit.block,
        )
        place = script.destination(target) if done in {"move", "copy"} else None
        if place is not None:
            script.draft.insert(place, _apart(script, unit.kind, shifted(lines, indent_of(script.lines[place]))))
        if done != "copy" and (place is not None or done == "delete") and script.ends_alike(unit):
            script.draft.remove(unit.lines)
            script.draft.keep(unit.lines)


def _token(script: Script, _: int, target: Target) -> bool:
    return script.edit_token(target.span, strictly_inside=True)


def _edge(script: Script, _: int, target: Target) -> bool:
    every = EDITABLE.finditer(script.masked, target.span.start, target.span.end)
    found = [match for match in every if match.group() not in KEYWORDS]
    if not found:
        return False
    match = script.random.choice((found[0], found[-1]))
    at_edge = match.start() == target.span.start or match.end() == target.span.end
    return at_edge and script.replace(match)


def _around(script: Script, _: int, target: Target) -> bool:
    start, end = script.starts[target.first], script.starts[target.first + 1] - 1
    sides = [Span(start, target.span.start), Span(target.span.end, end)]
    script.random.shuffle(sides)
    return target.first == target.last and any(script.edit_token(side) for side in sides)


def _line_added(script: Script, _: int, target: Target) -> bool:
    place = script.boundary_inside(target)
    kind = target.kind if script.language == "markdown" else ""
    lines = script.borrowed(indent_of(script.lines[place]) if place else "", longest=2, kind=kind)
    if place is None or not lines or script.is_silent("\n".join(lines)):
        return False
    script.draft.insert(place, lines)
    return True


def _line_removed(script: Script, _: int, target: Target) -> bool:
    inside = range(target.first + 1, target.last)
    chosen = [unit for unit in script.units if unit.first == unit.last and unit.first in inside]
    if target.subject in {"paragraph", "code fence", "list item"}:
        lines = list(inside)
    else:
        lines = [unit.first for unit in chosen if script.siblings(unit) > 1]
    lines = [line for line in lines if not script.is_silent(script.lines[line])]
    if not lines:
        return False
    script.draft.remove([script.random.choice(lines)])
    return True


def _comment(script: Script, number: int, target: Target) -> bool:
    sign = "#" if script.language in {"python", "bash", "ruby", "yaml"} else "//"
    if script.language in {"markdown", "json"} or target.subject in {"expression", "value", "comment"}:
        return False
    text = "\n".join(script.lines[target.first : target.last + 1])
    if script.is_silent(text) or script.in_string(target.first):
        return False
    words_ = f"{sign} {' '.join(script.random.sample(script.names, min(4, len(script.names))))}"
    place = script.boundary_inside(target)
    if place is not None and not script.in_string(place) and script.random.random() < 0.5:
        script.draft.insert(place, [indent_of(script.lines[place]) + words_])
        return True
    line = script.random.choice(target.lines)
    masked_line = script.masked[script.starts[line] : script.starts[line + 1] - 1]
    if masked_line != script.lines[line] or not masked_line.strip() or masked_line.rstrip().endswith("\\"):
        return False
    marked = script.draft.lines[line]
    end = marked[len(marked.rstrip(MARKS)) :]
    script.draft.lines[line] = f"{marked.rstrip(MARKS)}  {words_}{end}"
    if line == target.last:
        script.commented.add(number)
    return True


def _moved(script: Script, _: int, target: Target) -> bool:
    place = script.destination(target)
    if place is None:
        return False
    lines = script.draft.remove(target.lines)
    made = shifted(lines, indent_of(script.lines[place]), marked=True)
    script.draft.insert(place, _apart(script, target.kind, made))
    return True


def _moved_and_edited(script: Script, number: int, target: Target) -> bool:
    return script.destination(target) is not None and _token(script, number, target) and _moved(script, number, target)


def _copied(script: Script, _: int, target: Target) -> bool:
    place = script.destination(target)
    if place is None:
        return False
    lines = [script.draft.lines[number] for number in target.lines]
    made = shifted(lines, indent_of(script.lines[place]))
    script.draft.insert(place, _apart(script, target.kind, made))
    return True


def _wrapped(script: Script, _: int, target: Target) -> bool:
    marks = _WRAPS.get(script.language)
    text = "\n".join(script.lines[target.first : target.last + 1])
    if marks is None or not target.whole or '"""' in text or "'''" in text or "`" in text or not script.names:
        return False
    if target.kind == "member" and script.language not in {"yaml", "json"}:
        return False
    if script.file.outline is None and script.language not in {"yaml", "json"} and text[:1] not in {" ", "\t"}:
        return False
    if script.language == "json" and not text.endswith(","):
        return False
    indent = indent_of(script.lines[target.first])
    name = script.random.choice(script.names)
    script.draft.insert(target.first, [indent + marks[0].format(name)])
    for line in target.lines:
        if script.draft.lines[line].strip():
            script.draft.lines[line] = script.step + script.draft.lines[line]
    if script.language == "json":
        line = script.draft.lines[target.last]
        script.draft.lines[target.last] = "".join(line.rsplit(",", 1))
    if marks[1]:
        script.draft.insert(target.last + 1, [indent + marks[1]])
    return True


def _renamed(script: Script, _: int, target: Target) -> bool:
    if script.language in {"markdown", "json", "yaml"}:
        return False
    found = sorted(set(NAME.findall(script.masked, target.span.start, target.span.end)) - KEYWORDS)
    return script.rename_one(found)


def _grown(script: Script, _: int, target: Target) -> bool:
    first, last = script.lines[target.first].strip(), script.lines[target.last]
    text = "\n".join(script.lines[target.first : target.last + 1])
    indent = indent_of(script.lines[target.first])
    lines = script.borrowed(indent + script.step, longest=2)
    if target.subject != "block" or not first.startswith("if ") or "else" in text or not lines:
        return False
    marked = script.draft.lines[target.last]
    bare = marked.rstrip(MARKS)
    if script.language == "python":
        script.draft.lines[target.last] = bare
        lines = [f"{indent}else:", *lines]
        lines[-1] += marked[len(bare) :]
    elif last == f"{indent}}}":
        script.draft.lines[target.last] = f"{indent}}} else {{"
        lines = [*lines, indent + "}" + marked[len(bare) :]]
    else:
        return False
    script.draft.insert(target.last + 1, lines)
    return True


def _reflowed(script: Script, number: int, target: Target) -> bool:
    lines = script.lines[target.first : target.last + 1]
    text = " ".join(" ".join(lines).split())
    if target.subject != "paragraph" or len(text) < CLEAR_SIGNS or any(line.endswith("  ") for line in lines):
        return False
    made = textwrap.wrap(text, script.random.choice((50, 66, 90)), break_long_words=False, break_on_hyphens=False)
    if any(re.match(r"[#>|+*-]|\d+[.)]", line) for line in made):
        return False
    start, end = (chr(0xE000 + 2 * number + side) for side in (0, 1))
    script.draft.remove(target.lines)
    script.draft.insert(
        target.first, [start + made[0], *made[1:-1], made[-1] + end] if len(made) > 1 else [start + made[0] + end]
    )
    return True


def _gone(script: Script, _: int, target: Target) -> bool:
    around = [
        unit
        for unit in script.units
        if unit.first <= target.first
        and target.last <= unit.last
        and unit.last - unit.first < 40
        and script.protected.intersection(unit.lines) == set(target.lines)
        and script.draft.free(unit.lines)
        and script.siblings(unit) > 1
    ]
    if target.whole and target.subject not in {"expression", "value", "phrase"}:
        if not around and target.subject != "lines":
            return False
        if script.random.random() < 0.6 or not around:
            script.draft.remove(target.lines)
            return True
    if not around:
        return False
    unit = script.random.choice(around)
    script.draft.remove(unit.lines)
    script.draft.keep(unit.lines)
    return True


def _replaced(script: Script, _: int, target: Target) -> bool:
    if not target.whole or target.subject in {"expression", "value", "phrase"}:
        return False
    indent = indent_of(script.lines[target.first])
    lines = script.borrowed(indent, longest=max(2, 2 * len(target.lines)))
    text = "\n".join(script.lines[target.first : target.last + 1])
    if not lines or alike(_bag(text), _bag("\n".join(lines))) > UNRELATED:
        return False
    script.draft.remove(target.lines)
    script.draft.insert(target.first, lines)
    return True


def _apart(script: Script, kind: str, lines: list[str]) -> list[str]:
    """Return lines with a blank one behind them where they would run into what follows: in prose."""
    return [*lines, ""] if script.language == "markdown" and kind != "row" else lines


def _bag(text: str) -> Counter[str]:
    return Counter(words(text))


_WRAPS: Final = {
    "python": ("if {}:", ""),
    "yaml": ("{}:", ""),
    "json": ('"{}": {{', "},"),
    "bash": ("if {}; then", "fi"),
    "php": ("if ( ${} ) {{", "}"),
    "ruby": ("if {}", "end"),
    **dict.fromkeys(("go", "rust"), ("if {} {{", "}")),
    **dict.fromkeys(("typescript", "javascript", "java", "c", "c++", "c#"), ("if ({}) {{", "}")),
}
OPERATIONS: Final[Mapping[str, Operation]] = {
    "word": _token,
    "edge": _edge,
    "around": _around,
    "line added": _line_added,
    "line removed": _line_removed,
    "comment": _comment,
    "moved": _moved,
    "moved and edited": _moved_and_edited,
    "copied": _copied,
    "wrapped": _wrapped,
    "renamed": _renamed,
    "grown": _grown,
    "reflowed": _reflowed,
    "gone": _gone,
    "replaced": _replaced,
}
