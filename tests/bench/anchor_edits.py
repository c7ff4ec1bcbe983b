"""Random edit scripts over real files: what happens to a region and around it, where the true place is known.

Invariant: what is true of a region follows from what was done to it, never from comparing the texts afterwards. A
script is drawn by a seed; a Python file that parsed still parses after it. A region that was moved and is short, or
of which there is a copy, is counted by itself: nobody could say where it went.
"""

from __future__ import annotations

import ast
import random
import re
import warnings
from typing import Final

from bench.anchor_cases import Case, FilePair
from bench.anchor_operations import OPERATIONS, elsewhere
from bench.anchor_script import Donors, File, Script
from bench.anchor_targets import Target
from memofs.model.place import Span

__all__ = ["edited_file"]

TRIES: Final = 4
TRIES_OF_A_CHANGE: Final = 3
CLEAR_LINES: Final = 3
CLEAR_SIGNS: Final = 80


def edited_file(file: File, donors: Donors, seed: str) -> FilePair | None:
    """Return the file before and after a random script, with a case for each region; None if there is none to draw."""
    for attempt in range(TRIES):
        script = Script(file, donors, random.Random(f"{seed} {file.package} {file.path} {attempt}"))
        if not script.targets:
            return None
        pair = _run(script)
        if pair is not None:
            return pair
    return None


def _run(script: Script) -> FilePair | None:
    """Return what a script makes, None if it broke the file."""
    file = script.file
    changes = [_change(script, number, target) for number, target in enumerate(script.targets)]
    for _ in range(script.random.choice((0, 1, 1, 2, 3, 4, 6, 12))):
        elsewhere(script)
    new, places = script.draft.result()
    if file.language == "python" and _parses(file.text) and not _parses(new):
        return None
    cases = tuple(
        _case(script, number, target, change, new, place)
        for number, (target, change, place) in enumerate(zip(script.targets, changes, places, strict=True))
    )
    return FilePair(
        group="edits",
        package=file.package,
        language=file.language,
        path=file.path,
        old=file.text,
        new=new,
        cases=cases,
    )


def _change(script: Script, number: int, target: Target) -> str:
    """Do something to a region; return what was done, "elsewhere" if nothing."""
    done = "elsewhere"
    for _ in range(TRIES_OF_A_CHANGE if script.draft.free(target.lines) else 0):
        chosen = script.random.choice(_CHANGES)
        operation = OPERATIONS.get(chosen)
        if operation is None or operation(script, number, target):
            done = chosen
            break
    script.draft.keep(target.lines)
    return done


def _case(script: Script, number: int, target: Target, change: str, new: str, place: Span | None) -> Case:
    """Return what is true of a region after the script."""
    old_text = script.text[target.span.start : target.span.end]
    renamed = any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", old_text) for name, _ in script.draft.names)
    places = () if place is None else (place,)
    if place is None:
        change += ", its text elsewhere" if old_text in new else ""
    elif change.startswith("moved"):
        piece = new[place.start : place.end]
        clear = old_text.count("\n") + 1 >= CLEAR_LINES or len(old_text) >= CLEAR_SIGNS
        if not clear or script.text.count(old_text) > 1 or new.count(piece) > 1:
            change += ", short"
    elif change == "elsewhere" and renamed:
        change = "renamed"
    if place is not None and number in script.commented:
        comment = re.search(r"\s+(?:#|//) \S[^\n]*$", new[place.start : place.end])
        if comment:
            places = (place, Span(place.start, place.start + comment.start()))
    return Case(
        subject=target.subject,
        change=change,
        region=target.span,
        places=places,
        stale=place is None or renamed or change.removesuffix(", short") in _MEANT,
        path=script.file.path,
    )


def _parses(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


_CHANGES: Final = ("elsewhere", "elsewhere", "grown", "grown", "reflowed", "reflowed", *OPERATIONS)
_MEANT: Final = frozenset({"word", "edge", "line added", "line removed", "moved and edited", "renamed", "grown"})
"""The changes that alter what a region says."""
