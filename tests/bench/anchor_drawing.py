"""The edit scripts of one release: which files are edited, and what of other files is put into them."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from bench.anchor_cases import FilePair, language_group
from bench.anchor_edits import edited_file
from bench.anchor_histories import Sides
from bench.anchor_script import Donors, File
from bench.anchor_units import units

__all__ = ["drawn"]

SCRIPTS: Final = 16
SCRIPTS_A_FILE: Final = 4
DONOR_FILES: Final = 30
LONGEST_DONOR: Final = 12
FEWEST_LINES: Final = 15
MOST_LINES: Final = 2000


def drawn(package: str, side: Sides, seed: int, scripts: int = SCRIPTS) -> Iterator[FilePair]:
    """Yield so many edited files of each language in a release, fewer if it has few files."""
    random_ = random.Random(f"{seed} {package} edits")
    paths: dict[str, list[str]] = defaultdict(list)
    for path, text in side.texts.items():
        parsed = path in side.outlines or language_group(path) not in {"python", "typescript", "javascript"}
        if parsed and FEWEST_LINES <= text.count("\n") <= MOST_LINES:
            paths[language_group(path)].append(path)
    for language, found in sorted(paths.items()):
        donors = _donors(side, random_.sample(found, min(DONOR_FILES, len(found))), language)
        for number in range(min(scripts, SCRIPTS_A_FILE * len(found))):
            path = random_.choice(found)
            file = File(
                package=package,
                path=path,
                language=language,
                text=side.texts[path],
                outline=side.outlines.get(path),
            )
            pair = edited_file(file, donors, f"{seed} {number}")
            if pair is not None:
                yield pair


def _donors(side: Sides, paths: Sequence[str], language: str) -> Donors:
    found: list[tuple[str, tuple[str, ...]]] = []
    for path in paths:
        lines = side.texts[path].split("\n")
        for unit in units(side.texts[path], language, side.outlines.get(path)):
            if unit.last - unit.first < LONGEST_DONOR:
                found.append((unit.kind, tuple(lines[unit.first : unit.last + 1])))
    return found
