"""Briefings: how much of what is relevant they hold at 2, 4 and 8 KB, and how long they take.

`python tests/bench/briefing.py [--sets adr_ctx] [--sizes 10000]`. The first table asks the open sets by words alone and
packs the same hits, shown the same way, by our rule and by the original's (shares by weight that do not flow on, items
in order until one does not fit, at most eight); what counts is the part of the relevant memories that is shown at
all. The second times the parts of a briefing over made-up memories, with cosines drawn at random. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeVar

import msgspec
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.corpus import NOW_MS as CORPUS_NOW_MS
from bench.corpus import memories, queries
from bench.quality_cases import NOW_MS, Store, right, stores
from bench.shared_data import SETS, Asked, DataSet, load, open_data
from memofs.briefing.cursor import handle
from memofs.briefing.sections import directive_section
from memofs.model.briefing import Offer
from memofs.model.config import Config
from memofs.model.query import Query, Recall
from memofs.recall.arrays import Floats
from memofs.recall.rewrite import rewrite
from memofs.world.assemble import assemble
from memofs.world.briefing import CANDIDATES, Wanted, offers
from memofs.world.left_out import LeftOut, items_of, today
from memofs.world.recall import recall
from memofs.world.state import World, build

__all__ = ["held", "main", "original_shows"]

BUDGETS: Final = (2_048, 4_096, 8_192)
ORIGINAL_WEIGHTS: Final[Mapping[str, int]] = {"entities": 2, "recall": 3, "recent": 1}
ORIGINAL_CAPS: Final[Mapping[str, int]] = {"recall": 8, "recent": 3}
QUESTIONS: Final = 100
_T = TypeVar("_T")

CORE: Final = "# Project\n\nWhat everybody who works here should know, in a few lines.\n" * 20


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables; 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(SETS), help="comma-separated (default: all)")
    parser.add_argument("--sizes", default="10000", help="numbers of memories to time, comma-separated; 0 for none")
    chosen = parser.parse_args(argv)
    folder = open_data()
    if folder is None:
        sys.stderr.write("the measuring data is absent: set MEMOFS_SHARED\n")
    else:
        _print_held([load(folder, name) for name in str(chosen.sets).split(",") if name])
    for size in (int(each) for each in str(chosen.sizes).split(",")):
        if size:
            _print_times(size)
    return 0


def original_shows(made: Sequence[Offer], max_bytes: int) -> set[str]:
    """The keys that the original's rule shows of these offers."""
    left = max_bytes - directive_section(max_bytes).bytes
    shown: set[str] = set()
    for offer in made:
        room = left * ORIGINAL_WEIGHTS.get(offer.name, 0) // sum(ORIGINAL_WEIGHTS.values())
        for item in offer.items[: ORIGINAL_CAPS.get(offer.name)]:
            room -= len(item.text.encode()) + 1
            if room < 0:
                break
            shown.add(item.key)
    return shown


def held(store: Store, asked: Asked, grades: Mapping[str, float], max_bytes: int) -> tuple[float, float]:
    """The parts of the relevant memories that our briefing and the original's show, in [0, 1]."""
    wanted = Wanted(text=asked.text, max_bytes=max_bytes)
    found = _found(store.world, asked.text, exclude=asked.exclude)
    made = offers(store.world, wanted, found=found, now_ms=NOW_MS)
    ours = assemble(store.world, wanted, made, handle_of=_handle, hits=found.hits, now_ms=NOW_MS).briefing
    keys = (
        {key for each in ours.sections for key in (*each.shown, *each.cut, *each.folded)},
        original_shows(made, max_bytes),
    )
    wanted_ids = {id_ for id_, grade in grades.items() if grade > 0.0}
    ours_part, original_part = (
        len(wanted_ids & {store.copies.get(key, key) for key in each}) / len(wanted_ids) for each in keys
    )
    return ours_part, original_part


def _found(world: World, text: str, *, exclude: Sequence[str] = (), cosines: Floats | None = None) -> Recall:
    """The answer without the memories that the question was taken from."""
    query = Query(text=text, limit=CANDIDATES["compact"] + len(exclude))
    found = recall(world, query, now_ms=NOW_MS, cosines=cosines)
    kept = tuple(hit for hit in found.hits if hit.id not in exclude)
    return msgspec.structs.replace(found, hits=kept[: CANDIDATES["compact"]])


def _handle(left: LeftOut) -> str:
    return handle("bench", msgspec.json.encode(left))


def _print_held(sets: Sequence[DataSet]) -> None:
    print(f"relevant memories in the briefing{'':9}" + "".join(f"{f'{size:,} bytes':>20}" for size in BUDGETS))
    print(f"{'':42}" + f"{'ours':>10}{'original':>10}" * len(BUDGETS))
    means: list[list[float]] = []
    for data in sets:
        made = stores(data, Config())
        row: list[float] = []
        for max_bytes in BUDGETS:
            parts = [
                held(made[asked.group], asked, right(made[asked.group], asked, data), max_bytes)
                for asked in data.queries
            ]
            row += np.array(parts).mean(axis=0).tolist()
        means.append(row)
        print(f"{f'{data.name}, {len(data.queries):,} questions':42}" + "".join(f"{each:10.3f}" for each in row))
    if means:
        print(f"{'mean':42}" + "".join(f"{each:10.3f}" for each in np.array(means).mean(axis=0)))


def _print_times(size: int) -> None:
    world = build(memories(size), config=Config())
    asked = [each.text for each in queries(QUESTIONS, size=size)]
    rng = np.random.default_rng(7)
    cosines = rng.normal(0.1, 0.1, world.index.size)
    rows = {
        "compact, by words": [_parts_ms(world, Wanted(text=text)) for text in asked],
        "compact, by words and meaning": [_parts_ms(world, Wanted(text=text), cosines=cosines) for text in asked],
        "compact, debug": [_parts_ms(world, Wanted(text=text, task_type="debug")) for text in asked],
        "full, 64 KB": [_parts_ms(world, Wanted(text=text, max_bytes=65_536, detail="full")) for text in asked[:20]],
        "a new session": [_parts_ms(world, Wanted()) for _ in range(10)],
    }
    print(f"\n{size:,} memories; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; milliseconds, p50 and p95")
    columns = ("all", "recall", "offers", "packing", "expanding")
    print(f"{'':32}" + "".join(f"{column:>16}" for column in columns))
    for name, times in rows.items():
        table = np.array(times)
        every = np.column_stack([table[:, :3].sum(axis=1), table])
        low, high = np.percentile(every, (50, 95), axis=0)
        print(f"{name:32}" + "".join(f"{a:8.1f}{b:8.1f}" for a, b in zip(low, high, strict=True)))
    print("target: compact p50 30, p95 60, and the question's vector is not in it")


def _parts_ms(world: World, wanted: Wanted, *, cosines: Floats | None = None) -> tuple[float, float, float, float]:
    """How long recall, offers and packing take, and then expanding the first thing left out."""
    clock = _Clock()
    found: Recall | None = None
    if wanted.text:
        query = Query(text=wanted.text, limit=CANDIDATES[wanted.detail], task_type=wanted.task_type)
        found = clock.of(lambda: recall(world, query, now_ms=CORPUS_NOW_MS, cosines=cosines))
    else:
        clock.of(lambda: rewrite(""))
    made = clock.of(lambda: offers(world, wanted, found=found, now_ms=CORPUS_NOW_MS))
    hits = () if found is None else found.hits
    done = clock.of(
        lambda: assemble(world, wanted, made, handle_of=_handle, hits=hits, core=CORE, now_ms=CORPUS_NOW_MS)
    )
    clock.of(lambda: [_expanded(world, left) for left in list(done.lists.values())[:1]])
    first, second, third, fourth = clock.spent_ms
    return first, second, third, fourth


def _expanded(world: World, left: LeftOut) -> int:
    keys = today(world, left, now_ms=CORPUS_NOW_MS).keys
    return sum(len(item.text) for item in items_of(world, keys, now_ms=CORPUS_NOW_MS))


class _Clock:
    def __init__(self) -> None:
        self.spent_ms: list[float] = []

    def of(self, work: Callable[[], _T]) -> _T:
        started_s = time.perf_counter()
        done = work()
        self.spent_ms.append((time.perf_counter() - started_s) * 1e3)
        return done


if __name__ == "__main__":
    raise SystemExit(main())
