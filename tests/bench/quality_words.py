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
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.measures import Measures, measures
from bench.shared_data import SETS, Asked, DataSet, load, open_data
from memofs.model.config import Config, Precision
from memofs.model.memory import Memory
from memofs.model.query import TASK_TYPES, Query, TaskType
from memofs.recall.similarity import DUPLICATE, jaccard
from memofs.text.analyzer import document_terms
from memofs.world.recall import recall
from memofs.world.state import World, build

__all__ = ["main"]

NOW_MS: Final = 1_800_000_000_000
FOREIGN: Final = 200
SMALL: Final = (5, 30)
SMALL_QUERIES: Final = 150


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
    stores = {data.name: _stores(data, config) for data in sets}
    report: dict[str, dict[str, dict[str, float]]] = {"ranking": _ranking(sets, stores, options.task)}
    if not options.only_ranking:
        report["balanced"] = _deciding(sets, stores, "balanced")
        report["strict"] = _deciding(sets, stores, "strict")
        report["small"] = _small(sets, config)
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(report), indent=2).decode())
        return 0
    for title, rows in report.items():
        _print(title, rows)
    return 0


class _Store(msgspec.Struct, frozen=True):
    """A World, and for every memory in it that nearly repeats an earlier one, that one."""

    world: World
    copies: Mapping[str, str]


_Stores = Mapping[str, Mapping[str, _Store]]
"""By set and group."""


def _stores(data: DataSet, config: Config) -> dict[str, _Store]:
    sys.stderr.write(f"building {data.name}: {sum(map(len, data.memories.values()))} memories\n")
    return {
        group: _Store(build(memories, config=config), _copies(memories)) for group, memories in data.memories.items()
    }


def _answer(store: _Store, asked: Asked, precision: Precision, task: TaskType | None = None) -> list[str]:
    """The ids found, a copy as the first of its like: recall shows one of them, and either is right."""
    query = Query(text=asked.text, limit=10 + len(asked.exclude), precision=precision, task_type=task)
    found = recall(store.world, query, now_ms=NOW_MS)
    kept = (store.copies.get(hit.id, hit.id) for hit in found.hits if hit.id not in asked.exclude)
    return list(dict.fromkeys(kept))[:10]


def _right(store: _Store, asked: Asked, data: DataSet) -> dict[str, float]:
    grades: dict[str, float] = {}
    for id_, grade in data.relevant[asked.id].items():
        first = store.copies.get(id_, id_)
        grades[first] = max(grade, grades.get(first, 0.0))
    return grades


def _copies(memories: Sequence[Memory]) -> dict[str, str]:
    """For every memory that nearly repeats an earlier one, that one."""
    terms = [frozenset(term for term, _ in document_terms(f"{each.title}\n{each.body}")) for each in memories]
    first: dict[str, str] = {}
    by_size = sorted(range(len(memories)), key=lambda place: (len(terms[place]), place))
    for at, place in enumerate(by_size):
        for other in by_size[at + 1 :]:
            if len(terms[place]) < DUPLICATE * len(terms[other]):
                break
            if jaccard(terms[place], terms[other]) >= DUPLICATE:
                a, b = (memories[each].id for each in sorted((place, other)))
                first[b] = first.get(a, a)
    return first


def _ranking(sets: Sequence[DataSet], stores: _Stores, task: TaskType | None) -> dict[str, dict[str, float]]:
    rows: dict[str, dict[str, float]] = {}
    for data in sets:
        sys.stderr.write(f"ranking {data.name}: {len(data.queries)} questions\n")
        found = _measured(data, stores, "all", task)
        rows[data.name] = {"nDCG@10": found.ndcg10, "R@5": found.r5, "R@10": found.r10, "MRR@10": found.mrr10}
    return _with_mean(rows)


def _deciding(sets: Sequence[DataSet], stores: _Stores, precision: Precision) -> dict[str, dict[str, float]]:
    rows: dict[str, dict[str, float]] = {}
    for data in sets:
        sys.stderr.write(f"deciding {precision} {data.name}\n")
        found = _measured(data, stores, precision, None)
        rows[data.name] = {
            "nDCG@10": found.ndcg10,
            "R@10": found.r10,
            "hits": found.hits,
            "answered": found.answered,
            **_foreign(data, sets, stores[data.name], precision),
        }
    return _with_mean(rows)


def _measured(data: DataSet, stores: _Stores, precision: Precision, task: TaskType | None) -> Measures:
    def pairs() -> Iterator[tuple[list[str], dict[str, float]]]:
        for asked in data.queries:
            store = stores[data.name][asked.group]
            yield _answer(store, asked, precision, task), _right(store, asked, data)

    return measures(pairs())


def _foreign(
    data: DataSet, sets: Sequence[DataSet], stores: Mapping[str, _Store], precision: Precision
) -> dict[str, float]:
    """How often questions are answered that belong to another group of the set, or to a set of another domain."""
    rng = random.Random(f"{data.name} foreign")
    groups = sorted(stores)

    def answered(questions: Sequence[Asked], store_for: Callable[[Asked], str]) -> float:
        if not questions:
            return math.nan
        picked = rng.sample(questions, min(FOREIGN, len(questions)))
        return sum(bool(_answer(stores[store_for(asked)], asked, precision)) for asked in picked) / len(picked)

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
                with_it = _Store(build([target, *rest[: size - 1]], config=config), {})
                without = _Store(build(rest, config=config), {})
                right += target.id in _answer(with_it, asked, "balanced")[:3]
                said += bool(_answer(without, asked, "balanced"))
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
