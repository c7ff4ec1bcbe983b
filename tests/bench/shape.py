"""What formatters do to shapes: `python tests/bench/shape.py [--files 200] [--root DIR …] [--only NAME …] [--show 3]`.

Runs every formatter of this machine over up to `--files` files (of Python's library and packages, of the packages in
tests/tools, of Go's library, and of each `--root`) and prints, per formatter and language: elements (declarations,
statements and other nodes), those whose text changed, alarms (the shape changed too: there should be none), and how
long one shape takes. Then, per language, mutants of real functions whose shape did not change: those differ from
the original in nothing that is said, such as two empty statements in another order, or are faults. Nothing is
asserted; the tests do that over fewer files.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from formatters import FORMATTERS, UNFORMATTED, formatter, node_files, python_files, sample
from memofs.anchors.language import LANGUAGES, LanguageName, language_of
from memofs.anchors.shape import shape_of
from memofs.anchors.source import Source
from memofs.anchors.symbols import declarations
from mutants import mutants
from reformatting import Outcome, compare, reformatted

__all__ = ["main"]

LARGEST_BYTES: Final = 150_000
MUTANTS_A_FUNCTION: Final = 30
FUNCTIONS_A_FILE: Final = 3


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=200, help="the most files for each formatter and language")
    parser.add_argument("--root", type=Path, action="append", default=[], help="a folder with more files")
    parser.add_argument("--only", action="append", choices=FORMATTERS, help="only this formatter")
    parser.add_argument("--show", type=int, default=3, help="how many alarms and missed mutants to print of each")
    chosen = parser.parse_args(arguments)
    files = [*UNFORMATTED.iterdir(), *python_files(), *node_files(), *_go_files()]
    files += [path for root in chosen.root for path in root.rglob("*.*") if path.is_file()]
    _formatters(files, chosen.only or FORMATTERS, chosen.files, chosen.show)
    _mutants(files, chosen.files, chosen.show)


def _formatters(files: Sequence[Path], names: Iterable[str], most: int, shown: int) -> None:
    columns = ("files", "elements", "changed", "alarms", "p50 ms", "p95 ms")
    print(f"{'formatter':20}{'language':12}" + "".join(f"{column:>9}" for column in columns))
    for name in names:
        used = formatter(name)
        if isinstance(used, str):
            print(f"{name:20}{used}")
            continue
        outcomes: defaultdict[str, Outcome] = defaultdict(Outcome)
        with tempfile.TemporaryDirectory() as scratch:
            chosen = sample(files, used.endings, most=most, largest_bytes=LARGEST_BYTES)
            for path, before, after in reformatted(used, chosen, Path(scratch)):
                compare(path, before, after, outcomes[language_of(path) or ""])
        for language, outcome in sorted(outcomes.items()):
            seconds = sorted(outcome.seconds) or [0.0]
            p50, p95 = (1e3 * seconds[int(len(seconds) * share)] for share in (0.5, 0.95))
            print(
                f"{name:20}{language:12}{outcome.files:9}{outcome.elements:9}{outcome.changed:9}"
                f"{len(outcome.alarms):9}{p50:9.3f}{p95:9.3f}"
            )
            for alarm in outcome.alarms[:shown]:
                print(f"    {str(alarm)[:300]}")


def _mutants(files: Sequence[Path], most: int, shown: int) -> None:
    print(f"\n{'mutants of':20}{'files':>7}{'tried':>10}{'missed':>9}")
    for language in LANGUAGES:
        ours = [path for path in files if language_of(path.name) == language]
        chosen = sample(ours, [""], most=most, largest_bytes=LARGEST_BYTES)
        tried, missed = 0, list[str]()
        for path in chosen:
            count, found = _of_file(path, language)
            tried += count
            missed += found
        if tried:
            print(f"{language:20}{len(chosen):7}{tried:10}{len(missed):9}")
        for one in missed[:shown]:
            print(f"    {one}")


def _of_file(path: Path, language: LanguageName) -> tuple[int, list[str]]:
    """Return how many mutants of a file's functions were tried, and those whose shape is the same."""
    source = Source(path.read_bytes().decode("utf-8", "replace"), language)
    drawn = random.Random(path.name)
    found = [one for one in declarations(source) if one.body and 60 < one.core.end - one.core.start < 4_000]
    tried, missed = 0, list[str]()
    for one in drawn.sample(found, min(FUNCTIONS_A_FILE, len(found))):
        before = shape_of(source, one.core).digest
        made = list(mutants(source, one.core))
        for mutant in drawn.sample(made, min(MUTANTS_A_FUNCTION, len(made))):
            tried += 1
            after = Source(mutant.text, language, previous=source)
            if shape_of(after, mutant.span).digest == before:
                missed.append(f"{path} {one.label}: {mutant.kind}")
    return tried, missed


def _go_files() -> list[Path]:
    """Return the files of Go's own library, where Go is installed."""
    program = shutil.which("go")
    if program is None:
        return []
    root = subprocess.run([program, "env", "GOROOT"], capture_output=True, check=False, text=True).stdout.strip()
    found = (Path(root) / "src").resolve().rglob("*.go") if root else ()
    return [path for path in found if "testdata" not in path.parts]


if __name__ == "__main__":
    main()
