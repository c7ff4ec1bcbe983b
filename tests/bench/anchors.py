"""How well anchors find code again, and know whether it still says the same: `python tests/bench/anchors.py`.

Downloads pairs of releases of well-known packages with pip and npm (the first time) into .cache/anchors. Three kinds
of data: every function, method and class of the old release looked for in the new one, with regions inside them
(truth: Python's `ast`, TypeScript's printer); random edit scripts over real files, READMEs and configuration included
(truth: by construction); and the same files put through Black, Ruff, Prettier, and other comments. Measured: our
anchors by the old text and by the mark alone, with the symbol recorded and withheld, and a plain line diff.

exact, partial, wrong and abstain add up to 100 % and count a probable place as applied; `exact!`, `wrong!` and
`f.stale!` count it as offered only (anchors.probable = missing). `f.stale` is of regions that say the same, `missed`
of those that changed or went. A short region that was moved is in the tables, not in the summary: nobody could say
where it went. Times are of one answer, what a file's regions share counted with the first; `cold` shares nothing.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Final

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.anchor_cases import Case, FilePair, Found, language_group
from bench.anchor_drawing import SCRIPTS, drawn
from bench.anchor_formatters import formatted
from bench.anchor_goals import goals, told
from bench.anchor_histories import Sides, histories
from bench.anchor_packages import CACHE, EXTRA, PAIRS, Pair, read_folder
from bench.anchor_scores import Answer, Shares, judged, percentile, shares, table
from bench.anchor_sides import outlines, side
from bench.anchor_ways import DECLARED, WAYS, Prepared, cold_ms

__all__ = ["main"]

QUICK: Final = ("flask", "click", "starlette", "zod", "express", "fastify")
COLD_EVERY: Final = 40
MOST_LINES: Final = 2000
"""Of files with more lines no time is taken that a goal is set for."""
Reports = dict[str, dict[str, Shares]]


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="six packages and fewer edits: a minute or two")
    parser.add_argument("--packages", help="comma-separated names (default: all)")
    parser.add_argument("--ways", default=",".join(WAYS), help="comma-separated (default: all)")
    parser.add_argument("--folder", type=Path, help="only edit scripts, over the files of this folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scripts", type=int, help=f"edit scripts of each package and language (default: {SCRIPTS})")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where releases are kept (default: .cache/anchors)")
    parser.add_argument("--wrong", type=Path, help="write every answer that is not exact, or says stale wrongly, here")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    names = str(options.packages).split(",") if options.packages else QUICK if options.quick else None
    started = time.monotonic()
    left_out: Counter[str] = Counter()
    scripts = int(options.scripts or (SCRIPTS // 2 if options.quick else SCRIPTS))
    if options.folder:
        pairs = drawn(options.folder.name, _folder(options.folder, options.cache), options.seed, scripts)
    else:
        pairs = _pairs(names, scripts, options.seed, options.cache, left_out, extra=not names)
    answers, cold = _measured(pairs, str(options.ways).split(","), options.wrong)
    reports = _reports(answers)
    cold.sort()
    _say(f"{time.monotonic() - started:.0f} s; left out: {dict(left_out)}")
    times = {"cold p50 ms": percentile(cold, 50), "cold p95 ms": percentile(cold, 95), "cold n": float(len(cold))}
    reached = goals(answers, cold)
    if options.json:
        report = {"goals": reached, "tables": reports, "times": times, "left_out": dict(left_out)}
        print(msgspec.json.format(msgspec.json.encode(report), indent=2).decode())
        return 0
    for title, rows in reports.items():
        print(f"\n{table(title, rows)}")
    print(f"\none region, both files diffed and parsed for it: {times}\n")
    print(told(reached))
    return 0


def _measured(
    pairs: Iterable[FilePair], ways: Sequence[str], failures_path: Path | None
) -> tuple[list[Answer], list[float]]:
    """Return every answer of every way, and what some took with nothing known before, in milliseconds."""
    answers: list[Answer] = []
    cold: list[float] = []
    with failures_path.open("w", encoding="utf-8") if failures_path else nullcontext() as failures:
        for pair in pairs:
            prepared = Prepared(pair)
            for way in ways:
                for case, found in WAYS[way](prepared):
                    answer = _answer(pair, way, case, found)
                    answers.append(answer)
                    if failures is not None and _fails(answer):
                        failures.write(_failure(answer, pair))
            if pair.new is not None and pair.old.count("\n") <= MOST_LINES:
                cold += [cold_ms(pair, case) for number, case in enumerate(pair.cases) if number % COLD_EVERY == 0]
    return answers, cold


def _answer(pair: FilePair, way: str, case: Case, found: Found) -> Answer:
    applied, offered = judged(case, found)
    return Answer(
        group=pair.group,
        package=pair.package,
        language=pair.language,
        way=way,
        file=pair.path,
        case=case,
        found=found,
        applied=applied,
        offered=offered,
    )


def _pairs(
    names: Sequence[str] | None, scripts: int, seed: int, cache: Path, left_out: Counter[str], *, extra: bool
) -> Iterator[FilePair]:
    """Yield every file pair of the packages, one package after the other."""
    chosen: list[Pair] = [pair for pair in PAIRS if names is None or pair.name in names]
    for number, pair in enumerate(chosen, 1):
        _say(f"{number}/{len(chosen)} {pair.name} {pair.old.version} → {pair.new.version}")
        old, new = side(pair.old, cache), side(pair.new, cache)
        found = histories(pair.name, old, new, seed)
        left_out.update(found.left_out)
        yield from found.pairs
        yield from drawn(pair.name, old, seed, scripts)
        yield from formatted(pair.name, old, cache, seed)
    for release in EXTRA if extra else ():
        _say(f"edits of {release.name} {release.version}")
        yield from drawn(release.name, side(release, cache), seed, scripts)


def _folder(folder: Path, cache: Path) -> Sides:
    texts = {path: text for path, text in read_folder(folder).items() if language_group(path)}
    return Sides(texts=texts, outlines=outlines(texts, cache))


def _reports(answers: Sequence[Answer]) -> Reports:
    """Return the tables: a summary by way, then by language, kind of region and kind of change."""
    clear = [each for each in answers if not each.case.change.endswith(("short", "text elsewhere"))]
    here = [each for each in clear if each.case.places]
    declared = [each for each in clear if each.group == "history" and each.case.subject in DECLARED]
    stays = [each for each in declared if each.case.places and "other file" not in each.case.change]
    inner = [each for each in clear if each.case.subject not in DECLARED]
    reports: Reports = {
        "declarations that are still in their file": _by(stays, lambda each: each.way),
        "… in another file": _by(
            [each for each in declared if "other file" in each.case.change], lambda each: each.way
        ),
        "… gone": _by([each for each in declared if not each.case.places], lambda each: each.way),
        "inner regions, real histories": _by(
            [each for each in inner if each.group == "history"], lambda each: each.way
        ),
        "inner regions, edit scripts": _by([each for each in inner if each.group == "edits"], lambda each: each.way),
        "formatters and comments": _by([each for each in here if each.group == "formatters"], lambda each: each.way),
    }
    for way in dict.fromkeys(each.way for each in answers):
        of_way = [each for each in answers if each.way == way]
        reports |= {
            f"{way}: declarations": _by(
                [each for each in of_way if each.group == "history" and each.case.subject in DECLARED],
                lambda each: f"{each.language}: {each.case.change}",
            ),
            f"{way}: inner, histories": _by(
                [each for each in of_way if each.group == "history" and each.case.subject not in DECLARED],
                lambda each: f"{each.case.subject}: {each.case.change}",
            ),
            f"{way}: edits by change": _by(
                [each for each in of_way if each.group == "edits"], lambda each: each.case.change
            ),
            f"{way}: edits by region": _by(
                [each for each in of_way if each.group == "edits"], lambda each: f"{each.language}: {each.case.subject}"
            ),
            f"{way}: formatters": _by(
                [each for each in of_way if each.group == "formatters"],
                lambda each: f"{each.case.change}: {'declaration' if each.case.subject in DECLARED else 'inner'}",
            ),
        }
    return {title: rows for title, rows in reports.items() if rows}


def _by(answers: Iterable[Answer], key: Callable[[Answer], str]) -> dict[str, Shares]:
    rows: dict[str, list[Answer]] = {}
    for each in answers:
        rows.setdefault(key(each), []).append(each)
    return {name: shares(found) for name, found in (rows.items() if "symbol" in rows else sorted(rows.items()))}


def _fails(answer: Answer) -> bool:
    return answer.applied != "exact" or bool(answer.found.stale) != answer.case.stale


def _failure(answer: Answer, pair: FilePair) -> str:
    """Return a failure as a line of JSON, with what was looked for, what was right, and what was found."""
    case, found = answer.case, answer.found
    values = {
        "group": answer.group,
        "way": answer.way,
        "package": answer.package,
        "file": answer.file,
        "language": answer.language,
        "subject": case.subject,
        "change": case.change,
        "symbol": case.symbol,
        "outcome": answer.applied,
        "sure": found.sure,
        "verdict": found.verdict,
        "stale": case.stale,
        "how": found.how,
        "region": (case.region.start, case.region.end),
        "places": [(place.start, place.end) for place in case.places],
        "found_at": None if found.span is None else (found.span.start, found.span.end),
        "old": pair.old[case.region.start : case.region.end],
        "right": [_text(pair, case.path)[place.start : place.end] for place in case.places],
        "found": None if found.span is None else _text(pair, found.path)[found.span.start : found.span.end],
    }
    return msgspec.json.encode(values).decode() + "\n"


def _text(pair: FilePair, path: str) -> str:
    return (pair.new or "") if path == pair.path else pair.others[path].now


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


if __name__ == "__main__":
    raise SystemExit(main())
