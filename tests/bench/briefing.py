"""Briefings: how much of what is relevant they hold at 2, 4 and 8 KB, how much room they use, how long they take.

`python tests/bench/briefing.py [--sets adr_ctx] [--limit 50] [--meaning] [--sizes 10000]`. The first table asks the
open sets, by words alone or with `--meaning` by vectors too (those of `make quality`, made where they are missing),
and packs the same hits, shown the same way, by our rule and by the original's; what counts is the part of the
relevant memories that is shown at all, and shown whole. The second says which share of the room that directive and
core memory leave is used where there is at least twice as much to show, item caps off. The third times the parts of a
briefing over made-up memories, with vectors drawn at random as in `recall.py --meaning`, by the clock and by the
processor: on a busy machine the second is what it costs. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import msgspec
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.corpus import NOW_MS as CORPUS_NOW_MS
from bench.corpus import memories, queries
from bench.original_packing import OriginalSection, original_pack
from bench.quality_cases import NOW_MS, Store, limited, right, stores
from bench.quality_vectors import VectorCache, with_meaning
from bench.recall import Posed, with_random_vectors
from bench.shared_data import SETS, Asked, DataSet, load, open_data
from memofs.briefing.cursor import handle
from memofs.briefing.pack import pack
from memofs.briefing.sections import directive_section
from memofs.model.briefing import Detail, Offer, SectionName
from memofs.model.config import Config
from memofs.model.query import Query, Recall
from memofs.recall.arrays import Floats
from memofs.recall.vectors import Matrix
from memofs.world.assemble import assemble
from memofs.world.briefing import CANDIDATES, Wanted, offers
from memofs.world.left_out import LeftOut, items_of, today
from memofs.world.meaning import cosines
from memofs.world.recall import recall
from memofs.world.state import World, build

__all__ = ["Held", "held", "main", "original_shows", "used"]

BUDGETS: Final = (2_048, 4_096, 8_192)
ORIGINAL_WEIGHTS: Final[Mapping[str, int]] = {"entities": 2, "recall": 3, "recent": 1}
ORIGINAL_CAPS: Final[Mapping[str, int]] = {"recall": 8, "recent": 3}
DETAILS: Final[tuple[Detail, ...]] = ("compact", "full")
QUESTIONS: Final = 100
_T = TypeVar("_T")

CORE: Final = "# Project\n\nWhat everybody who works here should know, in a few lines.\n" * 20


class Held(NamedTuple):
    """The parts of the relevant memories that are shown, in [0, 1]: by us, by us and whole, by the original's rule."""

    ours: float
    whole: float
    original: float


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables; 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(SETS), help="comma-separated (default: all)")
    parser.add_argument("--limit", type=int, help="so many questions of each set, drawn at random")
    parser.add_argument("--meaning", action="store_true", help="ask with the vectors of make quality")
    parser.add_argument("--sizes", default="10000", help="numbers of memories to time, comma-separated; 0 for none")
    chosen = parser.parse_args(argv)
    folder = open_data()
    if folder is None:
        sys.stderr.write("the measuring data is absent: set MEMOFS_SHARED\n")
    else:
        sets = [limited(load(folder, name), chosen.limit) for name in str(chosen.sets).split(",") if name]
        cache = VectorCache() if chosen.meaning else None
        try:
            _print_held(sets, cache)
        finally:
            if cache is not None:
                cache.close()
    for size in (int(each) for each in str(chosen.sizes).split(",")):
        if size:
            _print_times(size)
    return 0


def original_shows(made: Sequence[Offer], max_bytes: int) -> set[str]:
    """The keys that the original's rule shows of these offers: of the sections that it has, with their caps."""
    known = [each for each in made if each.name in ORIGINAL_WEIGHTS]
    items = {each.name: each.items[: ORIGINAL_CAPS.get(each.name)] for each in known}
    sections = [
        OriginalSection(
            name=each.name,
            heading=each.heading,
            weight=ORIGINAL_WEIGHTS[each.name],
            items=[item.text for item in items[each.name]],
        )
        for each in known
    ]
    packed = original_pack(sections, max_bytes - directive_section(max_bytes).bytes) if sections else {}
    return {item.key for name, found in packed.items() for item in items[name][: found.shown]}


def held(store: Store, asked: Asked, found: Recall, grades: Mapping[str, float], max_bytes: int) -> Held:
    """How much of what is relevant our briefing and the original's show of one answer."""
    wanted = Wanted(text=asked.text, max_bytes=max_bytes)
    made = offers(store.world, wanted, found=found, now_ms=NOW_MS)
    ours = assemble(store.world, wanted, made, handle_of=_handle, hits=found.hits, now_ms=NOW_MS).briefing
    whole = {key for each in ours.sections for key in (*each.shown, *each.folded)}
    relevant = {id_ for id_, grade in grades.items() if grade > 0.0}

    def part(keys: Iterable[str]) -> float:
        return len(relevant & {store.copies.get(key, key) for key in keys}) / len(relevant)

    return Held(
        ours=part(whole | {key for each in ours.sections for key in each.cut}),
        whole=part(whole),
        original=part(original_shows(made, max_bytes)),
    )


def used(made: Sequence[Offer], max_bytes: int, *, core: str = "") -> float | None:
    """The share used of the room that directive and core memory leave, caps off.

    None where there is less than twice as much to show.
    """
    free = [msgspec.structs.replace(each, most=None) for each in made]

    def cursor_for(section: SectionName, _keys: tuple[str, ...]) -> str:
        return handle("bench", section.encode())

    packed = pack(core=core, offers=free, max_bytes=max_bytes, cursor_for=cursor_for)
    fixed = sum(each.bytes + 1 for each in packed.sections if each.name in ("directive", "core"))
    folded = {key for each in packed.sections for key in each.folded}
    sizes = {item.key: len(item.text.encode()) for each in free for item in each.items if item.key not in folded}
    left = max_bytes - fixed
    return (packed.bytes - fixed) / left if sum(sizes.values()) >= 2 * left else None


def _found(world: World, asked: Asked, cache: VectorCache | None) -> Recall:
    """The answer without the memories that the question was taken from."""
    query = Query(text=asked.text, limit=CANDIDATES["compact"] + len(asked.exclude))
    by_meaning = None if cache is None else cosines(world, cache.query(asked.text))
    found = recall(world, query, now_ms=NOW_MS, cosines=by_meaning)
    kept = tuple(hit for hit in found.hits if hit.id not in asked.exclude)
    return msgspec.structs.replace(found, hits=kept[: CANDIDATES["compact"]])


def _handle(left: LeftOut) -> str:
    return handle("bench", msgspec.json.encode(left))


def _print_held(sets: Sequence[DataSet], cache: VectorCache | None) -> None:
    rows: list[Floats] = []
    shares: dict[tuple[Detail, int], list[float]] = {(detail, size): [] for detail in DETAILS for size in BUDGETS}
    how = "words alone" if cache is None else "words and meaning"
    print(f"{f'relevant memories shown, {how}':42}" + "".join(f"{f'{size:,} bytes':>24}" for size in BUDGETS))
    print(f"{'':42}" + f"{'ours':>8}{'whole':>8}{'origin.':>8}" * len(BUDGETS))
    for data in sets:
        made = stores(data, Config())
        if cache is not None:
            cache.ensure((asked.text for asked in data.queries), kind="query")
            made = {
                group: Store(with_meaning(store.world, data.memories[group], cache), store.copies)
                for group, store in made.items()
            }
        parts: list[list[float]] = []
        for asked in data.queries:
            store = made[asked.group]
            found = _found(store.world, asked, cache)
            grades = right(store, asked, data)
            parts.append([part for size in BUDGETS for part in held(store, asked, found, grades, size)])
            for (detail, size), known in shares.items():
                wanted = Wanted(text=asked.text, max_bytes=size, detail=detail)
                if (share := used(offers(store.world, wanted, found=found, now_ms=NOW_MS), size)) is not None:
                    known.append(share)
        rows.append(np.array(parts).mean(axis=0))
        print(f"{f'{data.name}, {len(data.queries):,} questions':42}" + "".join(f"{each:8.3f}" for each in rows[-1]))
    if rows:
        print(f"{'mean':42}" + "".join(f"{each:8.3f}" for each in np.array(rows).mean(axis=0)))
    print("\nshare of the room used, with twice as much to show, caps off: least, p5, p50; target 0.9")
    for (detail, size), known in shares.items():
        if known:
            least, low, middle = np.percentile(known, (0, 5, 50))
            print(f"{f'{detail}, {size:,} bytes, {len(known):,} briefings':42}{least:8.3f}{low:8.3f}{middle:8.3f}")


def _print_times(size: int) -> None:
    store = memories(size)
    posed = [Posed(one, None) for one in queries(QUESTIONS, size=size)]
    world, posed = with_random_vectors(build(store, config=Config()), store, posed)
    asked = [(Wanted(text=one.asked.text), one.vector) for one in posed]
    rows = {
        "compact, by words and meaning": asked,
        "compact, by words": [(wanted, None) for wanted, _ in asked],
        "compact, debug": [(Wanted(text=wanted.text, task_type="debug"), vector) for wanted, vector in asked],
        "full, 64 KB": [
            (Wanted(text=wanted.text, max_bytes=65_536, detail="full"), vector) for wanted, vector in asked[:20]
        ],
        "a new session": [(Wanted(), None)] * 10,
    }
    for wanted, vector in asked[:10]:
        _parts_ms(world, wanted, vector)
    print(f"\n{size:,} memories; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; milliseconds, p50 and p95")
    columns = ("all", "of the CPU", "recall", "offers", "packing", "expanding")
    print(f"{'':32}" + "".join(f"{column:>16}" for column in columns))
    for name, some in rows.items():
        table = np.array([_parts_ms(world, wanted, vector) for wanted, vector in some])
        low, high = np.percentile(table, (50, 95), axis=0)
        print(f"{name:32}" + "".join(f"{a:8.1f}{b:8.1f}" for a, b in zip(low, high, strict=True)))
    print("target: compact p50 30, p95 60, and the question's vector is not in it")


class _Parts(NamedTuple):
    """Milliseconds: of the whole by the clock and by the processor, of its parts and of expanding by the clock."""

    all: float
    cpu: float
    recall: float
    offers: float
    packing: float
    expanding: float


def _parts_ms(world: World, wanted: Wanted, vector: Matrix | None) -> _Parts:
    """How long recall, offers and packing take, and then expanding the first thing left out."""
    clock = _Clock()
    started_s = time.process_time()
    found: Recall | None = None
    if wanted.text:
        query = Query(text=wanted.text, limit=CANDIDATES[wanted.detail], task_type=wanted.task_type)
        found = clock.of(lambda: _answer(world, query, vector))
    made = clock.of(lambda: offers(world, wanted, found=found, now_ms=CORPUS_NOW_MS))
    hits = () if found is None else found.hits
    done = clock.of(
        lambda: assemble(world, wanted, made, handle_of=_handle, hits=hits, core=CORE, now_ms=CORPUS_NOW_MS)
    )
    cpu_ms = (time.process_time() - started_s) * 1e3
    *asking, offering, packing = clock.spent_ms
    clock.of(lambda: [_expanded(world, left) for left in list(done.lists.values())[:1]])
    return _Parts(
        all=sum(asking) + offering + packing,
        cpu=cpu_ms,
        recall=sum(asking),
        offers=offering,
        packing=packing,
        expanding=clock.spent_ms[-1],
    )


def _answer(world: World, query: Query, vector: Matrix | None) -> Recall:
    by_meaning = None if vector is None else cosines(world, vector)
    return recall(world, query, now_ms=CORPUS_NOW_MS, cosines=by_meaning)


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
