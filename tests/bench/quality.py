"""How well recall finds and decides with words and meaning, over the measuring data: `make quality`.

Ranking (`precision=all`): nDCG@10, R@5, R@10 and MRR@10 of each single signal, of their reciprocal rank fusion, of
the original's formula, of ours, and of ours without vectors; by set, and nDCG@10 by category. Deciding: what `balanced`
and `strict` cost in R@10, how much of what they show is right, and how often they answer what no memory can: a
question of a neighbouring project, or of another domain. Then identifiers, small stores, whether the superseding
memory comes first, what each layer is worth, and what task types cost. The first run embeds some 11,000 passages; they
are kept in `.cache/`.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.measures import Measures, measures
from bench.quality_cases import SMALL, Store, far, limited, near, right, small, stores
from bench.quality_layers import ablation, by_task
from bench.quality_vectors import CACHE, VectorCache, with_meaning
from bench.quality_ways import WAYS, Posed, answer, pose
from bench.shared_data import SETS, Asked, DataSet, load, open_data
from memofs.model.config import Config, Precision
from memofs.model.memory import Memory
from memofs.world.state import build

__all__ = ["main"]

RANKING: Final = ("locomo", "adr_ctx", "adr_ref", "pep_ctx", "commits")
"""The sets whose mean is compared; the other two are few questions about currency."""
TARGETS: Final[Mapping[str, float]] = {
    "locomo": 0.54,
    "adr_ctx": 0.81,
    "adr_ref": 0.65,
    "pep_ctx": 0.64,
    "commits": 0.38,
}
NAMES: Final = 100
"""Identifiers that are asked of a set."""
RAREST: Final = 3
"""Memories that may have an identifier which is asked."""

Table = dict[str, dict[str, float]]
_IDENTIFIER: Final = re.compile(r"\b(?:[A-Za-z][a-z0-9]*(?:[A-Z][a-z0-9]+)+|[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+)\b")


class Bench:
    """The sets with their stores and vectors, and the tables that are made of them."""

    def __init__(self, sets: Sequence[DataSet], cache: VectorCache, limit: int | None) -> None:
        self.sets = [limited(data, limit) for data in sets]
        self.cache = cache
        cache.ensure((asked.text for data in self.sets for asked in data.queries), kind="query")
        self.stores = {data.name: self._stores(data) for data in self.sets}

    def ranking(self) -> dict[str, Table]:
        """Every measure of every way, by set; and nDCG@10 by category."""
        columns = {"nDCG@10": "ndcg10", "R@5": "r5", "R@10": "r10", "MRR@10": "mrr10"}
        tables: dict[str, Table] = {title: {} for title in columns}
        categories: Table = {}
        for data in self.sets:
            _say(f"ranking {data.name}: {len(data.queries)} questions, {len(WAYS)} ways")
            answers = [{way: rank(posed) for way, rank in WAYS.items()} for posed in self._posed(data)]
            found = {way: self._measured(data, data.queries, [each[way] for each in answers]) for way in WAYS}
            for title, field in columns.items():
                tables[title][data.name] = {way: float(getattr(found[way], field)) for way in WAYS}
            places: dict[str, list[int]] = defaultdict(list)
            for at, asked in enumerate(data.queries):
                places[asked.category].append(at)
            for category, chosen in places.items():
                asked_of = [data.queries[at] for at in chosen]
                categories[f"{data.name}: {category} ({len(chosen)})"] = {
                    way: self._measured(data, asked_of, [answers[at][way] for at in chosen]).ndcg10 for way in WAYS
                }
        for title in columns:
            tables[title] = _with_mean(tables[title], RANKING)
        for name, row in tables["nDCG@10"].items():
            if name in TARGETS:
                row["target"] = TARGETS[name]
        return {**tables, "nDCG@10 by category": categories}

    def deciding(self, precision: Precision) -> Table:
        """What a precision costs and what it returns, by set."""
        rows: Table = {}
        for data in self.sets:
            _say(f"deciding, {precision}: {data.name}")
            everything = self._measured(data, data.queries, [answer(posed) for posed in self._posed(data)])
            found = self._measured(data, data.queries, [answer(posed, precision) for posed in self._posed(data)])
            rows[data.name] = {
                "R@10": found.r10,
                "cost": everything.r10 - found.r10,
                "answered": found.answered,
                "hits": found.hits,
                "precision": found.precision,
                "of all": everything.precision,
                "neighbour": self._answered(data, near(data), precision),
                "elsewhere": self._answered(data, far(data, self.sets), precision),
            }
        return _with_mean(rows, RANKING)

    def identifiers(self) -> Table:
        """nDCG@10 where a question has an identifier, and where it is one that few memories have."""
        rows: Table = {}
        for data in self.sets:
            having = [asked for asked in data.queries if _IDENTIFIER.search(asked.text)]
            if data.name in RANKING and having:
                posed = [self._pose(data, asked) for asked in having]
                rows[f"{data.name}: in a question ({len(having)})"] = {
                    way: self._measured(data, having, [rank(each) for each in posed]).ndcg10
                    for way, rank in WAYS.items()
                }
            names = _names(data)
            if data.name in RANKING and names.queries:
                _say(f"identifiers of {data.name}")
                self.cache.ensure((asked.text for asked in names.queries), kind="query")
                posed = [self._pose(data, asked) for asked in names.queries]
                rows[f"{data.name}: alone ({len(names.queries)})"] = {
                    way: self._measured(names, names.queries, [rank(each) for each in posed]).ndcg10
                    for way, rank in WAYS.items()
                }
        return rows

    def small(self) -> Table:
        """Stores of a few memories: the right one first, among the first three, and something said without it."""
        rows: Table = {}
        for data in self.sets:
            _say(f"small stores of {data.name}")
            row: dict[str, float] = {}
            for size in SMALL:
                first = among = said = strict = 0
                cases = list(small(data, size))
                for case in cases:
                    vector = self.cache.query(case.asked.text)
                    hits = answer(pose(self._store(case.with_it), case.asked, vector), "balanced")
                    first += hits[:1] == [case.target]
                    among += case.target in hits[:3]
                    without = pose(self._store(case.without), case.asked, vector)
                    said += bool(answer(without, "balanced"))
                    strict += bool(answer(without, "strict"))
                row |= {
                    f"R@1 of {size}": first / len(cases),
                    f"R@3 of {size}": among / len(cases),
                    f"said without, {size}": said / len(cases),
                    f"strict, {size}": strict / len(cases),
                }
            rows[data.name] = row
        return _with_mean(rows, RANKING)

    def currency(self) -> Table:
        """How often the superseding memory is shown before the superseded one, or without it.

        `linked` is ours where the corpus says of a memory what supersedes it.
        """
        rows: Table = {}
        for data in self.sets:
            if not data.pairs:
                continue
            _say(f"currency of {data.name}")
            asked_of = [asked for asked in data.queries if asked.id in data.pairs]
            posed = [self._pose(data, asked) for asked in asked_of]
            linked = self._stores(_linked(data))
            rows[f"{data.name} ({len(asked_of)})"] = {
                **{way: _current(data, asked_of, [rank(each) for each in posed]) for way, rank in WAYS.items()},
                "linked": _current(
                    data,
                    asked_of,
                    [answer(pose(linked[asked.group], asked, self.cache.query(asked.text))) for asked in asked_of],
                ),
            }
        return rows

    def questions(self) -> dict[str, tuple[DataSet, Sequence[Posed]]]:
        """The questions of the sets whose mean is compared, each with its signals, by set."""
        _say("posing all questions")
        return {data.name: (data, list(self._posed(data))) for data in self.sets if data.name in RANKING}

    def _stores(self, data: DataSet) -> dict[str, Store]:
        return {
            group: msgspec.structs.replace(store, world=with_meaning(store.world, data.memories[group], self.cache))
            for group, store in stores(data, Config()).items()
        }

    def _store(self, memories: Sequence[Memory]) -> Store:
        return Store(with_meaning(build(memories, config=Config()), memories, self.cache))

    def _pose(self, data: DataSet, asked: Asked, group: str | None = None) -> Posed:
        store = self.stores[data.name][asked.group if group is None else group]
        return pose(store, asked, self.cache.query(asked.text))

    def _posed(self, data: DataSet) -> Iterable[Posed]:
        return (self._pose(data, asked) for asked in data.queries)

    def _answered(self, data: DataSet, foreign: Sequence[tuple[Asked, str]], precision: Precision) -> float:
        if not foreign:
            return math.nan
        said = [bool(answer(self._pose(data, asked, group), precision)) for asked, group in foreign]
        return sum(said) / len(said)

    def _measured(self, data: DataSet, asked_of: Sequence[Asked], answers: Sequence[Sequence[str]]) -> Measures:
        return measures(
            (found, right(self.stores[data.name][asked.group], asked, data))
            for asked, found in zip(asked_of, answers, strict=True)
        )


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables; 0, or 1 where the data is absent."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(SETS), help="comma-separated (default: all)")
    parser.add_argument("--limit", type=int, help="so many questions of each set, drawn at random, for a quick look")
    parser.add_argument("--only", default=",".join(PARTS), help=f"comma-separated: {', '.join(PARTS)} (default: all)")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where vectors are kept (default: .cache/quality)")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    folder = open_data()
    if folder is None:
        sys.stderr.write("the measuring data is absent: set MEMOFS_SHARED\n")
        return 1
    sets = [load(folder, name) for name in str(options.sets).split(",")]
    started = time.monotonic()
    cache = VectorCache(options.cache)
    try:
        report = _report(Bench(sets, cache, options.limit), str(options.only).split(","))
    finally:
        cache.close()
    _say(f"{time.monotonic() - started:.0f} s")
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(report), indent=2).decode())
        return 0
    for title, rows in report.items():
        _print(title, rows)
    return 0


def _report(bench: Bench, parts: Sequence[str]) -> dict[str, Table]:
    report: dict[str, Table] = {}
    for part in parts:
        report |= PARTS[part](bench)
    return {title: rows for title, rows in report.items() if rows}


PARTS: Final[Mapping[str, Callable[[Bench], dict[str, Table]]]] = {
    "ranking": Bench.ranking,
    "deciding": lambda bench: {"balanced": bench.deciding("balanced"), "strict": bench.deciding("strict")},
    "identifiers": lambda bench: {"identifiers, nDCG@10": bench.identifiers()},
    "small": lambda bench: {"small stores, balanced": bench.small()},
    "currency": lambda bench: {"the superseding one first": bench.currency()},
    "layers": lambda bench: {"nDCG@10 without a layer": ablation(bench.questions())},
    "tasks": lambda bench: {"R@5 by task type": by_task(bench.questions())},
}
"""The tables by the part of the bench that makes them."""


def _names(data: DataSet) -> DataSet:
    """The set with other questions: identifiers that few of its memories have, which are those that answer."""
    having: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for group, memories in data.memories.items():
        for memory in memories:
            for name in _IDENTIFIER.findall(f"{memory.title}\n{memory.body}"):
                having[group, name][memory.id] = 1.0
    rare = sorted(key for key, found in having.items() if len(found) <= RAREST)
    picked = random.Random(f"{data.name} names").sample(rare, min(NAMES, len(rare)))
    asked = [Asked(id=f"name:{group}:{name}", text=name, group=group) for group, name in picked]
    relevant = {one.id: having[one.group, one.text] for one in asked}
    return msgspec.structs.replace(data, queries=tuple(asked), relevant=relevant)


def _linked(data: DataSet) -> DataSet:
    """The set with the links between its memories that the corpus states."""
    supersedes: dict[str, list[str]] = defaultdict(list)
    for old, newer in data.superseded_by.items():
        for new in newer:
            supersedes[new].append(old)
    memories = {
        group: tuple(msgspec.structs.replace(each, supersedes=tuple(supersedes.get(each.id, ()))) for each in found)
        for group, found in data.memories.items()
    }
    return msgspec.structs.replace(data, memories=memories)


def _current(data: DataSet, asked_of: Sequence[Asked], answers: Sequence[Sequence[str]]) -> float:
    first = 0
    for asked, found in zip(asked_of, answers, strict=True):
        old, new = data.pairs[asked.id]
        first += new in found and (old not in found or found.index(new) < found.index(old))
    return first / len(asked_of)


def _with_mean(rows: Table, names: Iterable[str]) -> Table:
    chosen = [rows[name] for name in names if name in rows]
    if len(chosen) < 2:
        return rows
    mean: dict[str, float] = {}
    for column in chosen[0]:
        values = [row[column] for row in chosen if not math.isnan(row[column])]
        mean[column] = sum(values) / len(values) if values else math.nan
    return {**rows, f"mean of {len(chosen)}": mean}


def _print(title: str, rows: Mapping[str, Mapping[str, float]]) -> None:
    columns = list(dict.fromkeys(column for row in rows.values() for column in row))
    left = max(map(len, rows)) + 2
    widths = {column: max(len(column), 6) + 2 for column in columns}
    print(f"\n{title}")
    print(" " * left + "".join(f"{column:>{widths[column]}}" for column in columns))
    for name, row in rows.items():
        cells = (f"{row[column]:.3f}" if not math.isnan(row.get(column, math.nan)) else "" for column in columns)
        print(
            f"{name:{left}}" + "".join(f"{cell:>{widths[column]}}" for column, cell in zip(columns, cells, strict=True))
        )


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


if __name__ == "__main__":
    raise SystemExit(main())
