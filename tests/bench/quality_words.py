"""How well words alone find and decide, over the measuring data: `python tests/bench/quality_words.py`.

Three tables. Ranking: nDCG@10, R@5, R@10, MRR@10 of `precision=all`. Deciding: what balanced and strict cost in R@10,
how many hits they return, and how often they answer a question of a neighbouring project or of another domain, which
no memory can answer. Small stores: the same with 5 and 30 memories drawn around the right one. Seeds are fixed.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.measures import Measures, measures
from bench.quality_cases import NOW_MS, SMALL, Store, far, first_of_like, near, right, small, stores
from bench.shared_data import SETS, Asked, DataSet, load, open_data
from memofs.model.config import Config, Precision
from memofs.model.query import TASK_TYPES, Query, TaskType
from memofs.world.recall import recall
from memofs.world.state import build

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables; 0, or 1 where the data is absent."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(SETS), help="comma-separated (default: all)")
    parser.add_argument("--ranking", choices=("adaptive", "classic"), default="adaptive")
    parser.add_argument("--task", choices=TASK_TYPES, default=None, help="ask every question with this task type")
    parser.add_argument("--only-ranking", action="store_true", help="the first table only")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    folder = open_data()
    if folder is None:
        sys.stderr.write("the measuring data is absent: set MEMOFS_SHARED\n")
        return 1
    sets = [load(folder, name) for name in str(options.sets).split(",")]
    config = Config(ranking=options.ranking)
    made = {data.name: stores(data, config) for data in sets}
    report: dict[str, dict[str, dict[str, float]]] = {"ranking": _ranking(sets, made, options.task)}
    if not options.only_ranking:
        report["balanced"] = _deciding(sets, made, "balanced")
        report["strict"] = _deciding(sets, made, "strict")
        report["small"] = _small(sets, config)
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(report), indent=2).decode())
        return 0
    for title, rows in report.items():
        _print(title, rows)
    return 0


_Stores = Mapping[str, Mapping[str, Store]]
"""By set and group."""


def _answer(store: Store, asked: Asked, precision: Precision, task: TaskType | None = None) -> list[str]:
    query = Query(text=asked.text, limit=10 + len(asked.exclude), precision=precision, task_type=task)
    found = recall(store.world, query, now_ms=NOW_MS)
    return first_of_like(store, [hit.id for hit in found.hits], asked)


def _ranking(sets: Sequence[DataSet], made: _Stores, task: TaskType | None) -> dict[str, dict[str, float]]:
    rows: dict[str, dict[str, float]] = {}
    for data in sets:
        sys.stderr.write(f"ranking {data.name}: {len(data.queries)} questions\n")
        found = _measured(data, made, "all", task)
        rows[data.name] = {"nDCG@10": found.ndcg10, "R@5": found.r5, "R@10": found.r10, "MRR@10": found.mrr10}
    return _with_mean(rows)


def _deciding(sets: Sequence[DataSet], made: _Stores, precision: Precision) -> dict[str, dict[str, float]]:
    rows: dict[str, dict[str, float]] = {}
    for data in sets:
        sys.stderr.write(f"deciding {precision} {data.name}\n")
        found = _measured(data, made, precision, None)
        rows[data.name] = {
            "nDCG@10": found.ndcg10,
            "R@10": found.r10,
            "hits": found.hits,
            "answered": found.answered,
            **_foreign(data, sets, made[data.name], precision),
        }
    return _with_mean(rows)


def _measured(data: DataSet, made: _Stores, precision: Precision, task: TaskType | None) -> Measures:
    def pairs() -> Iterator[tuple[list[str], dict[str, float]]]:
        for asked in data.queries:
            store = made[data.name][asked.group]
            yield _answer(store, asked, precision, task), right(store, asked, data)

    return measures(pairs())


def _foreign(
    data: DataSet, sets: Sequence[DataSet], stores_of: Mapping[str, Store], precision: Precision
) -> dict[str, float]:
    """How often questions are answered that belong to another group of the set, or to a set of another domain."""

    def answered(foreign: Sequence[tuple[Asked, str]]) -> float:
        said = [bool(_answer(stores_of[group], asked, precision)) for asked, group in foreign]
        return sum(said) / len(said) if said else math.nan

    return {"neighbour": answered(near(data)), "elsewhere": answered(far(data, sets))}


def _small(sets: Sequence[DataSet], config: Config) -> dict[str, dict[str, float]]:
    """Stores of a few memories: is the right one among the first three, and is anything said without it."""
    rows: dict[str, dict[str, float]] = {}
    for data in sets:
        row: dict[str, float] = {}
        for size in SMALL:
            cases = list(small(data, size))
            found = said = 0
            for case in cases:
                with_it = Store(build(case.with_it, config=config))
                without = Store(build(case.without, config=config))
                found += case.target in _answer(with_it, case.asked, "balanced")[:3]
                said += bool(_answer(without, case.asked, "balanced"))
            row[f"R@3 of {size}"] = found / len(cases)
            row[f"said without, {size}"] = said / len(cases)
        rows[data.name] = row
    return _with_mean(rows)


def _with_mean(rows: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    columns = list(next(iter(rows.values())))
    mean: dict[str, float] = {}
    for column in columns:
        values = [row[column] for row in rows.values() if not math.isnan(row[column])]
        mean[column] = sum(values) / len(values) if values else math.nan
    return {**rows, "mean": mean}


def _print(title: str, rows: Mapping[str, Mapping[str, float]]) -> None:
    columns = list(next(iter(rows.values())))
    print(f"\n{title}")
    print(f"{'':12}" + "".join(f"{column:>18}" for column in columns))
    for name, row in rows.items():
        print(f"{name:12}" + "".join(f"{row[column]:18.3f}" for column in columns))


if __name__ == "__main__":
    raise SystemExit(main())
