"""What formatters and comments make of real files: Black, Ruff and Prettier where they are there, and comments put in.

Invariant: nothing that is made here changes what the code says, so no region of it is stale. A region's place is told
by the outlines of both texts, as between two releases (anchor_histories.py).
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from bench.anchor_cases import FilePair, language_group
from bench.anchor_histories import Sides, histories
from bench.anchor_packages import tools
from bench.anchor_sides import outlines

__all__ = ["formatted"]

_DEADLINE_S: Final = 300.0
_FILES: Final = 5
_CASES: Final = 40
"""Of a file and a formatter."""
_PRETTIER: Final = (
    ("prettier", ()),
    (
        "prettier, other options",
        ("--no-semi", "--single-quote", "--tab-width=4", "--trailing-comma=none", "--print-width=110"),
    ),
)
_RUFF: Final = (
    ("ruff", ("--line-length=88",)),
    ("ruff, other options", ("--line-length=120", "--config=format.quote-style='single'", "--config=indent-width=2")),
)
_BLACK: Final = (("black", ()), ("black, other options", ("--line-length=110", "--skip-string-normalization")))

Texts = Mapping[str, str]


def formatted(package: str, old: Sides, cache: Path, seed: int) -> list[FilePair]:
    """Return files of a release before and after each formatter that is there, and with other comments."""
    random_ = random.Random(f"{seed} {package} formatters")
    chosen = random_.sample(sorted(old.outlines), min(_FILES, len(old.outlines)))
    texts = {path: old.texts[path] for path in chosen}
    scripts = {path: text for path, text in texts.items() if language_group(path) != "python"}
    python = {path: text for path, text in texts.items() if language_group(path) == "python"}
    made: list[tuple[str, Texts]] = [
        ("comments", {path: _commented(text, old, path, random_) for path, text in texts.items()})
    ]
    if python:
        made += [(name, _run([sys.executable, "-m", "black", "--quiet", *options], python)) for name, options in _BLACK]
        made += [
            (name, _run([sys.executable, "-m", "ruff", "format", "--quiet", "--isolated", *options], python))
            for name, options in _RUFF
        ]
    folder = tools(cache) if scripts else None
    if folder is not None:
        prettier = [
            "node",
            str(folder / "node_modules/prettier/bin/prettier.cjs"),
            "--write",
            "--log-level=silent",
            "--no-config",
        ]
        made += [(name, _run([*prettier, *options], scripts)) for name, options in _PRETTIER]
    return [pair for name, new in made for pair in _pairs(package, name, old, new, cache, seed)]


def _pairs(package: str, name: str, old: Sides, new: Texts, cache: Path, seed: int) -> list[FilePair]:
    changed = {path: text for path, text in new.items() if text != old.texts[path]}
    before = Sides(
        texts={path: old.texts[path] for path in changed}, outlines={path: old.outlines[path] for path in changed}
    )
    found = histories(package, before, Sides(texts=changed, outlines=outlines(changed, cache)), seed)
    random_ = random.Random(f"{seed} {package} {name}")
    pairs: list[FilePair] = []
    for pair in found.pairs:
        cases = [msgspec.structs.replace(case, change=name, stale=False) for case in pair.cases if case.places]
        cases = random_.sample(cases, min(_CASES, len(cases)))
        pairs.append(msgspec.structs.replace(pair, group="formatters", cases=tuple(cases), others={}))
    return pairs


def _run(command: Sequence[str], texts: Texts) -> Texts:
    """Return what a formatter makes of files; a file that it refuses stays as it is."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in texts.items():
            place = Path(folder, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, "utf-8")
        subprocess.run([*command, "."], cwd=folder, capture_output=True, check=False, timeout=_DEADLINE_S)
        return {path: Path(folder, path).read_text("utf-8") for path in texts}


def _commented(text: str, old: Sides, path: str, random_: random.Random) -> str:
    """Return a file with comments before some of its statements, and without some of those it had."""
    sign = "#" if language_group(path) == "python" else "//"
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    first_signs = {
        start + len(line) - len(line.lstrip()): number
        for number, (start, line) in enumerate(zip(starts, lines, strict=False))
    }
    begins = {first_signs[each.start] for each in old.outlines[path].statements if each.start in first_signs}
    made: list[str] = []
    for number, line in enumerate(lines):
        bare = line.strip()
        if number in begins and random_.random() < 0.2:
            indent = line[: len(line) - len(line.lstrip())]
            made.append(f"{indent}{sign} {' '.join(random_.sample(_WORDS, 5))}")
        # What a statement begins behind is a comment, not a string that looks like one.
        if (
            bare.startswith(sign)
            and number + 1 in begins
            and random_.random() < 0.5
            and not re.search(r"type:|@ts|eslint", bare)
        ):
            continue
        made.append(line)
    return "\n".join(made)


_WORDS: Final = ("keep", "in", "step", "with", "the", "other", "side", "or", "it", "breaks", "later", "see", "above")
