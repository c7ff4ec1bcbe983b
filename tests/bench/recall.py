"""How fast recall is, over a made-up store: `python tests/bench/recall.py [--sizes 1000,10000,100000] [--json]`.

Prints for every size: building with and without stored index bytes, p50 and p95 of recall as a whole, by stage and by
sort of question, of one write (apply), and the memory taken. Nothing is asserted; machines differ. The numbers to
reach are in the column `target`.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeVar

import msgspec
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.corpus import NOW_MS, Asked, memories, queries
from memofs.model.change import Change
from memofs.model.config import Config
from memofs.model.query import Query
from memofs.recall.decay import floors
from memofs.recall.eligible import Filters, eligible
from memofs.recall.lookup import Lookup
from memofs.recall.named import named
from memofs.recall.pool import pool_of
from memofs.recall.question import ask
from memofs.recall.rank import rank
from memofs.recall.rewrite import rewrite
from memofs.recall.signals import word_signals
from memofs.world.recall import recall
from memofs.world.state import World, apply, build, index_bytes

__all__ = ["main"]

_T = TypeVar("_T")

QUERIES: Final = 200
WRITES: Final = 300

TARGETS: Final[Mapping[int, Mapping[str, str]]] = {
    10_000: {"recall": "p50 5, p95 10", "apply": "1 to 2", "memory": "150 MB"},
    100_000: {"recall": "p50 25"},
}


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
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    report: dict[str, dict[str, object]] = {}
    for size in [int(text) for text in str(options.sizes).split(",")]:
        sys.stderr.write(f"{size} memories\n")
        rows, facts = _measure(size)
        report[str(size)] = {"rows": rows, **facts}
        if not options.json:
            _print(size, rows, facts)
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(report), indent=2).decode())
    return 0


def _measure(size: int) -> tuple[list[Row], dict[str, float]]:
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
    asked = queries(QUERIES, size=size)
    targets = TARGETS.get(size, {})
    rows = [
        *_recalls(world, asked, targets.get("recall", "")),
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


def _recalls(world: World, asked: Sequence[Asked], target: str) -> list[Row]:
    def run(one: Asked) -> Callable[[], object]:
        return lambda: recall(world, Query(text=one.text), now_ms=NOW_MS)

    for one in asked[:20]:
        run(one)()
    times = {one: _ms(run(one)) for one in asked}
    rows = [_row("recall", list(times.values()), target)]
    for sort in dict.fromkeys(one.sort for one in asked):
        rows.append(_row(f"recall, {sort}", [ms for one, ms in times.items() if one.sort == sort]))
    explained = [
        _ms(lambda one=one: recall(world, Query(text=one.text, explain=True), now_ms=NOW_MS)) for one in asked[:50]
    ]
    steered = [
        _ms(lambda one=one: recall(world, Query(text=one.text, task_type="debug"), now_ms=NOW_MS)) for one in asked[:50]
    ]
    loose = [
        _ms(lambda one=one: recall(world, Query(text=one.text, precision="all"), now_ms=NOW_MS)) for one in asked[:50]
    ]
    return [*rows, _row("recall, explained", explained), _row("recall, task", steered), _row("recall, all", loose)]


def _stages(world: World, asked: Sequence[Asked]) -> list[Row]:
    filters = Filters(floors_days=floors({}))
    times: dict[str, list[float]] = {}

    def stage(name: str, work: Callable[[], _T]) -> _T:
        started = time.perf_counter()
        done = work()
        times.setdefault(name, []).append((time.perf_counter() - started) * 1e3)
        return done

    for one in asked:
        expansion = stage("· rewrite", lambda one=one: rewrite(one.text))
        mask = stage("· eligible", lambda: eligible(world.index, filters, now_ms=NOW_MS))
        lookup = stage("· lookup", lambda mask=mask: Lookup(world.index, mask))
        question = stage("· question", lambda lookup=lookup, expansion=expansion: ask(lookup, expansion))
        pool = stage("· pool", lambda lookup=lookup, question=question: pool_of(lookup, question))
        signals = stage(
            "· signals", lambda lookup=lookup, pool=pool, question=question: word_signals(lookup, pool, question)
        )
        stage(
            "· rank", lambda signals=signals, pool=pool, lookup=lookup: rank(signals, pool, documents=lookup.documents)
        )
        stage("· named", lambda lookup=lookup, one=one, question=question: named(lookup, one.text, question.guesses))
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
