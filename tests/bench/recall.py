"""How fast recall is, over a made-up store: `python tests/bench/recall.py [--meaning] [--sizes 1000,10000] [--json]`.

Prints for every size: building with and without stored index bytes, p50 and p95 of recall as a whole, by stage and by
sort of question, of one write (apply), and the memory taken. With `--meaning` every memory and every question has a
vector, drawn with a fixed seed so that no model is needed; embedding the question comes on top (embed.py). Nothing is
asserted; machines differ. The numbers to reach are in the column `target`.
"""

from __future__ import annotations

import argparse
import gc
import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.corpus import NOW_MS, Asked, memories, queries
from memofs.model.change import Change
from memofs.model.config import Config
from memofs.model.memory import Memory
from memofs.model.query import Query
from memofs.recall.arrays import Floats, frozen
from memofs.recall.candidates import candidates
from memofs.recall.decay import floors
from memofs.recall.decide import decide, limits
from memofs.recall.eligible import Filters, eligible
from memofs.recall.lookup import Lookup
from memofs.recall.named import named
from memofs.recall.pool import pool_of
from memofs.recall.question import ask
from memofs.recall.rank import rank
from memofs.recall.rewrite import rewrite
from memofs.recall.signals import word_signals
from memofs.recall.vectors import Matrix, OwnVectors
from memofs.world.meaning import cosines, with_vectors
from memofs.world.recall import recall
from memofs.world.state import World, apply, build, index_bytes

__all__ = ["Posed", "main", "with_random_vectors"]

_T = TypeVar("_T")

QUERIES: Final = 200
WRITES: Final = 300

DIMENSION: Final = 384
LIKENESS: Final = 0.5
"""The cosine of a question to the memory it was made from, about."""

TARGETS: Final[Mapping[int, Mapping[str, str]]] = {
    10_000: {"recall": "p50 5, p95 10", "hybrid": "p50 15, p95 30", "apply": "1 to 2", "memory": "150 MB"},
    100_000: {"recall": "p50 25", "hybrid": "p50 60"},
}


class Posed(NamedTuple):
    """A question and its vector, if meaning takes part."""

    asked: Asked
    vector: Matrix | None


class Row(msgspec.Struct, frozen=True):
    """One measured thing: milliseconds at the median and the 95th percentile, and how often it was done."""

    name: str
    p50_ms: float
    p95_ms: float
    times: int
    target: str = ""


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000", help="comma-separated (default: 1000,10000)")
    parser.add_argument("--meaning", action="store_true", help="with vectors drawn at random")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    report: dict[str, dict[str, object]] = {}
    for size in [int(text) for text in str(options.sizes).split(",")]:
        sys.stderr.write(f"{size} memories\n")
        rows, facts = _measure(size, meaning=bool(options.meaning))
        report[str(size)] = {"rows": rows, **facts}
        if not options.json:
            _print(size, rows, facts)
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(report), indent=2).decode())
    return 0


def _measure(size: int, *, meaning: bool) -> tuple[list[Row], dict[str, float]]:
    store = memories(size)
    before = _rss_bytes()
    started = time.perf_counter()
    world = build(store, config=Config())
    cold = time.perf_counter() - started
    saved = index_bytes(world)
    del world
    gc.collect()
    started = time.perf_counter()
    world = build(store, config=Config(), index_bytes=saved)
    warm = time.perf_counter() - started
    asked = [Posed(one, None) for one in queries(QUERIES, size=size)]
    if meaning:
        world, asked = with_random_vectors(world, store, asked)
    targets = TARGETS.get(size, {})
    rows = [
        *_recalls(world, asked, targets.get("hybrid" if meaning else "recall", "")),
        *_stages(world, asked),
        _writes(world, targets.get("apply", "")),
    ]
    facts = {
        "build_s": cold,
        "build_with_index_s": warm,
        "ratio": cold / warm,
        "index_MB": len(saved) / 1e6,
        "terms": float(world.terms),
        "rss_of_store_MB": before / 1e6,
        "rss_MB": _rss_bytes() / 1e6,
    }
    return rows, facts


def with_random_vectors(world: World, store: Sequence[Memory], asked: Sequence[Posed]) -> tuple[World, list[Posed]]:
    """One unit vector a memory; a question's leans towards that of the memory it was made from."""
    rng = np.random.default_rng(7)
    rows = rng.standard_normal((len(store), DIMENSION), dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    own = [OwnVectors(id=memory.id, hashes=("",), matrix=frozen(rows[at : at + 1])) for at, memory in enumerate(store)]
    places = {memory.id: at for at, memory in enumerate(store)}
    posed: list[Posed] = []
    for one, _ in asked:
        noise = rng.standard_normal(DIMENSION, dtype=np.float32)
        noise /= np.linalg.norm(noise)
        vector = LIKENESS * rows[places[one.id]] + math.sqrt(1.0 - LIKENESS**2) * noise
        posed.append(Posed(one, (vector / np.linalg.norm(vector)).astype(np.float32)))
    return with_vectors(world, own, model="made up"), posed


def _recalls(world: World, asked: Sequence[Posed], target: str) -> list[Row]:
    def run(one: Posed, query: Query) -> Callable[[], object]:
        return lambda: recall(world, query, now_ms=NOW_MS, cosines=_cosines(world, one))

    def times(some: Sequence[Posed], **how: Any) -> list[float]:
        return [_ms(run(one, Query(text=one.asked.text, **how))) for one in some]

    times(asked[:20])
    spent = times(asked)
    rows = [_row("recall", spent, target)]
    for sort in dict.fromkeys(one.asked.sort for one in asked):
        chosen = [ms for one, ms in zip(asked, spent, strict=True) if one.asked.sort == sort]
        rows.append(_row(f"recall, {sort}", chosen))
    return [
        *rows,
        _row("recall, explained", times(asked[:50], explain=True)),
        _row("recall, task", times(asked[:50], task_type="debug")),
        _row("recall, all", times(asked[:50], precision="all")),
    ]


def _cosines(world: World, one: Posed) -> Floats | None:
    return None if one.vector is None else cosines(world, one.vector)


def _stages(world: World, asked: Sequence[Posed]) -> list[Row]:
    filters = Filters(floors_days=floors({}))
    times: dict[str, list[float]] = {}

    def stage(name: str, work: Callable[[], _T]) -> _T:
        started = time.perf_counter()
        done = work()
        times.setdefault(name, []).append((time.perf_counter() - started) * 1e3)
        return done

    for one in asked:
        text = one.asked.text
        by_meaning = stage("· cosines", lambda one=one: _cosines(world, one))
        expansion = stage("· rewrite", lambda text=text: rewrite(text))
        mask = stage("· eligible", lambda: eligible(world.index, filters, now_ms=NOW_MS))
        lookup = stage("· lookup", lambda mask=mask: Lookup(world.index, mask))
        question = stage("· question", lambda lookup=lookup, expansion=expansion: ask(lookup, expansion))
        names = stage("· named", partial(named, lookup, text, question.guesses))
        pool = stage("· pool", partial(pool_of, lookup, question, also=names, everything=by_meaning is not None))
        signals = stage("· signals", partial(word_signals, lookup, pool, question))
        meaning = None if by_meaning is None else by_meaning[pool.slots]
        ranked = stage("· rank", partial(rank, signals, pool, documents=lookup.documents, meaning=meaning))
        among = stage("· candidates", partial(candidates, pool, signals, ranked, named=names, meaning=meaning))
        limit = limits("balanced", documents=lookup.documents, words_only=meaning is None)
        stage("· decide", partial(decide, among, limit, information=signals.information))
    return [_row(name, found) for name, found in times.items()]


def _writes(world: World, target: str) -> Row:
    fresh = memories(len(world.memories) + WRITES)[-WRITES:]
    times: list[float] = []
    for memory in fresh:
        started = time.perf_counter()
        world = apply(world, Change(put=(memory,), paths=(memory.path,)))
        times.append((time.perf_counter() - started) * 1e3)
    return _row("apply", times, target)


def _ms(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1e3


def _row(name: str, times: Sequence[float], target: str = "") -> Row:
    low, high = np.percentile(np.array(times), (50, 95)).tolist()
    return Row(name=name, p50_ms=low, p95_ms=high, times=len(times), target=target)


def _rss_bytes() -> int:
    status = Path("/proc/self/statm")
    if not status.exists():
        return 0
    return int(status.read_text("ascii").split()[1]) * 4096


def _print(size: int, rows: Sequence[Row], facts: Mapping[str, float]) -> None:
    print(f"\n{size} memories")
    print(f"  {'ms':28}{'p50':>9}{'p95':>9}{'times':>7}  target")
    for row in rows:
        print(f"  {row.name:28}{row.p50_ms:9.2f}{row.p95_ms:9.2f}{row.times:7}  {row.target}")
    print("  " + ", ".join(f"{name} {value:,.2f}" for name, value in facts.items()))


if __name__ == "__main__":
    raise SystemExit(main())
