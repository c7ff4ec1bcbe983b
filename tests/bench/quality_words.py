"""How well words alone find and decide, over the measuring data: `python tests/bench/quality_words.py`.

Three tables. Ranking: nDCG@10, R@5, R@10, MRR@10 of `precision=all`. Deciding: what balanced and strict cost in R@10,
how many hits they return, and how often they answer a question of a neighbouring project or of another domain, which
no memory can answer. Small stores: the same with 5 and 30 memories drawn around the right one. Seeds are fixed.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.shared_data import SETS, Asked, DataSet, load, open_data
from memofs.model.config import Config, Precision
from memofs.model.query import Query
from memofs.world.recall import recall
from memofs.world.state import World, build

__all__ = ["Measures", "main", "measures", "ndcg"]

NOW_MS: Final = 1_800_000_000_000
FOREIGN: Final = 200
SMALL: Final = (5, 30)
SMALL_QUERIES: Final = 150

Ranking = Literal["adaptive", "classic"]


class Measures(msgspec.Struct, frozen=True):
    """Means over the questions of a set."""

    ndcg10: float
    r5: float
    r10: float
    mrr10: float
    hits: float
    answered: float


def ndcg(ranked: Sequence[str], relevant: Mapping[str, float], k: int) -> float:
    """The normalised discounted cumulative gain at k, with gains 2^grade - 1."""
    gains = [2.0 ** relevant.get(id_, 0.0) - 1.0 for id_ in ranked[:k]]
    ideal = sorted((2.0**grade - 1.0 for grade in relevant.values()), reverse=True)[:k]
    best = sum(gain / math.log2(place + 2) for place, gain in enumerate(ideal))
    return sum(gain / math.log2(place + 2) for place, gain in enumerate(gains)) / best if best else 0.0


def measures(answers: Iterable[tuple[Sequence[str], Mapping[str, float]]]) -> Measures:
    """The means over (ids in order, relevance) pairs."""
    rows: list[tuple[float, ...]] = []
    for ranked, relevant in answers:
        right = {id_ for id_, grade in relevant.items() if grade > 0.0}
        first = next((place for place, id_ in enumerate(ranked[:10], 1) if id_ in right), None)
        rows.append(
            (
                ndcg(ranked, relevant, 10),
                len(right.intersection(ranked[:5])) / len(right),
                len(right.intersection(ranked[:10])) / len(right),
                1.0 / first if first else 0.0,
                float(len(ranked)),
                float(bool(ranked)),
            )
        )
    return Measures(*(sum(column) / len(rows) for column in zip(*rows, strict=True)))


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables; 0, or 1 where the data is absent."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(SETS), help="comma-separated (default: all)")
    parser.add_argument("--ranking", choices=("adaptive", "classic"), default="adaptive")
    parser.add_argument("--task", default=None, help="ask every question with this task type")
    parser.add_argument("--only-ranking", action="store_true", help="the first table only")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    folder = open_data()
    if folder is None:
        sys.stderr.write("the measuring data is absent: set MEMOFS_SHARED\n")
        return 1
    sets = [load(folder, name) for name in str(options.sets).split(",")]
    config = Config(ranking=options.ranking)
    worlds = {data.name: _worlds(data, config) for data in sets}
    report: dict[str, dict[str, dict[str, float]]] = {"ranking": _ranking(sets, worlds, options.task)}
    if not options.only_ranking:
        report["balanced"] = _deciding(sets, worlds, "balanced")
        report["strict"] = _deciding(sets, worlds, "strict")
        report["small"] = _small(sets, config)
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(report), indent=2).decode())
        return 0
    for title, rows in report.items():
        _print(title, rows)
    return 0


def _worlds(data: DataSet, config: Config) -> dict[str, World]:
    sys.stderr.write(f"building {data.name}: {sum(map(len, data.memories.values()))} memories\n")
    return {group: build(memories, config=config) for group, memories in data.memories.items()}


def _ids(world: World, asked: Asked, precision: Precision, task: str | None = None) -> list[str]:
    query = Query(
        text=asked.text,
        limit=10 + len(asked.exclude),
        precision=precision,
        task_type=task,  # pyright: ignore[reportArgumentType]
    )
    found = recall(world, query, now_ms=NOW_MS)
    return [hit.id for hit in found.hits if hit.id not in asked.exclude][:10]


def _ranking(
    sets: Sequence[DataSet], worlds: Mapping[str, Mapping[str, World]], task: str | None
) -> dict[str, dict[str, float]]:
    rows: dict[str, dict[str, float]] = {}
    for data in sets:
        sys.stderr.write(f"ranking {data.name}: {len(data.queries)} questions\n")
        found = measures(
            (_ids(worlds[data.name][asked.group], asked, "all", task), data.relevant[asked.id])
            for asked in data.queries
        )
        rows[data.name] = {"nDCG@10": found.ndcg10, "R@5": found.r5, "R@10": found.r10, "MRR@10": found.mrr10}
    return _with_mean(rows)


def _deciding(
    sets: Sequence[DataSet], worlds: Mapping[str, Mapping[str, World]], precision: Precision
) -> dict[str, dict[str, float]]:
    rows: dict[str, dict[str, float]] = {}
    for data in sets:
        sys.stderr.write(f"deciding {precision} {data.name}\n")
        found = measures(
            (_ids(worlds[data.name][asked.group], asked, precision), data.relevant[asked.id]) for asked in data.queries
        )
        rows[data.name] = {
            "nDCG@10": found.ndcg10,
            "R@10": found.r10,
            "hits": found.hits,
            "answered": found.answered,
            **_foreign(data, sets, worlds[data.name], precision),
        }
    return _with_mean(rows)


def _foreign(
    data: DataSet, sets: Sequence[DataSet], worlds: Mapping[str, World], precision: Precision
) -> dict[str, float]:
    """How often questions are answered that belong to another group of the set, or to a set of another domain."""
    rng = random.Random(f"{data.name} foreign")
    groups = sorted(worlds)

    def answered(questions: Sequence[Asked], store_for: Callable[[Asked], str]) -> float:
        if not questions:
            return math.nan
        picked = rng.sample(questions, min(FOREIGN, len(questions)))
        return sum(bool(_ids(worlds[store_for(asked)], asked, precision)) for asked in picked) / len(picked)

    near = data.queries if len(groups) > 1 else ()
    far = [asked for other in sets if (other.name == "locomo") != (data.name == "locomo") for asked in other.queries]
    return {
        "neighbour": answered(near, lambda asked: rng.choice([group for group in groups if group != asked.group])),
        "elsewhere": answered(far, lambda _asked: rng.choice(groups)),
    }


def _small(sets: Sequence[DataSet], config: Config) -> dict[str, dict[str, float]]:
    """Stores of a few memories: is the right one among the first three, and is anything said without it."""
    rows: dict[str, dict[str, float]] = {}
    for data in sets:
        rng = random.Random(f"{data.name} small")
        row: dict[str, float] = {}
        for size in SMALL:
            right = said = 0
            asked_of = rng.sample(data.queries, min(SMALL_QUERIES, len(data.queries)))
            for asked in asked_of:
                grades = data.relevant[asked.id]
                everything = data.memories[asked.group]
                others = [m for m in everything if not grades.get(m.id) and m.id not in asked.exclude]
                target = rng.choice([m for m in everything if grades.get(m.id)])
                rest = rng.sample(others, min(size, len(others)))
                with_it = build([target, *rest[: size - 1]], config=config)
                without = build(rest, config=config)
                right += target.id in _ids(with_it, asked, "balanced")[:3]
                said += bool(_ids(without, asked, "balanced"))
            row[f"R@3 of {size}"] = right / len(asked_of)
            row[f"said without, {size}"] = said / len(asked_of)
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
