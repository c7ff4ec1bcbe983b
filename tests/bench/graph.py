"""What entities cost: `python tests/bench/graph.py [--sizes 1000,10000]`.

Prints for every size: reading a memory for what it says, building the graph, building a World with and without stored
bytes beside what of that is the graph's, one write, finding entities by a word, a way between two, an export. Then,
where the measuring data is present, how much the rules find in other people's decision records. Nothing is asserted;
the numbers to reach are in the column `target`.
"""

import argparse
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.corpus import NOW_MS, memories, queries
from bench.shared_data import load, open_data
from memofs.graph.export import export
from memofs.graph.extract import extract
from memofs.graph.fact import SELF
from memofs.graph.graph_bytes import from_bytes, to_bytes
from memofs.graph.path import shortest_path
from memofs.graph.resolve import matches
from memofs.model.change import Change
from memofs.model.config import Config
from memofs.model.graph import NOT_CURATED
from memofs.model.memory import Memory
from memofs.world.asked import asked
from memofs.world.entities import entities_of
from memofs.world.state import World, apply, build, index_bytes

__all__ = ["main", "speaking"]

T = TypeVar("T")

WRITES = 200
QUESTIONS = 200
_TOOLS = ("Redis", "Kafka", "PostgreSQL", "RabbitMQ", "nginx", "GitHub Actions", "Docker", "SQLite", "OAuth", "gRPC")


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000", help="comma-separated (default: 1000,10000)")
    options = parser.parse_args(argv)
    print(f"{os.cpu_count()} processors, load average {os.getloadavg()[0]:.1f}; milliseconds of processor time")
    for size in [int(text) for text in str(options.sizes).split(",")]:
        print(f"\n{size:,} memories{'':<34}{'p50':>10}{'p95':>10}   target")
        _measure(list(speaking(memories(size))), size)
    _records()
    return 0


def speaking(made: Iterable[Memory], *, seed: int = 7) -> Iterator[Memory]:
    """The memories of the corpus, every third with a sentence that states something and every fifth with an alias.

    There are as many services as a fiftieth of the memories, and what they use is a tool or another service.
    """
    rng = random.Random(seed)
    for number, memory in enumerate(made):
        if number % 3 == 0:
            used = rng.choice((*_TOOLS, f"`svc{rng.randrange(1 + number // 50)}`"))
            said = f"The `svc{rng.randrange(1 + number // 50)}` service {rng.choice(('uses', 'depends on'))} {used}."
            memory = msgspec.structs.replace(memory, body=f"{memory.body}\n{said}\n")
        if number % 5 == 0:
            memory = msgspec.structs.replace(memory, aliases=(" ".join(memory.title.split()[:2]),))
        yield memory


def _measure(made: list[Memory], size: int) -> None:
    some = made[:2_000]
    spent = [_ms(lambda memory=memory: extract(memory))[0] for memory in some]
    _row("reading one memory", spent, digits=3)
    reading = statistics.mean(spent) * size
    whole, entities = _ms(lambda: entities_of(made, frozenset(), curated=NOT_CURATED))
    _row("entities of all memories", [whole], target="1,000 at 10,000", note=f"reading {reading:,.0f}")
    graph = entities.graph
    edges = sum(map(len, graph.outgoing.values()))
    print(f"    {len(graph.nodes):,} nodes, {edges:,} edges, {len(graph.names):,} names")
    built, world = _ms(lambda: build(made, config=Config()))
    _row("a World without stored bytes", [built], note=f"of it entities {whole / built:.0%}")
    data = index_bytes(world)
    _row("a World with them", [_ms(lambda: build(made, config=Config(), index_bytes=data))[0] for _ in range(5)])
    stored = to_bytes(graph)
    _row("  the graph of it", [_ms(lambda: from_bytes(stored))[0] for _ in range(5)], note=f"{len(stored):,} bytes")
    _row("the graph as bytes", [_ms(lambda: to_bytes(graph))[0] for _ in range(5)])
    world = _writes(world, made)
    _questions(world, size)


def _writes(world: World, made: list[Memory]) -> World:
    spent: list[float] = []
    for number in range(WRITES):
        before = made[number * 37 % len(made)]
        body = f"{before.body}\nThe `svc{number % 9}` service uses Redis.\n"
        after = msgspec.structs.replace(before, body=body, digest=f"{number:064}")
        ms, world = _ms(lambda world=world, after=after: apply(world, Change(put=(after,))))
        spent.append(ms)
    _row("one write into the World", spent, digits=2)
    return world


def _questions(world: World, size: int) -> None:
    texts = [each.text for each in queries(QUESTIONS, size=size)]
    graph = world.graph
    matches(graph, ["warm"], limit=1, now_ms=NOW_MS)
    spent = [_ms(lambda text=text: matches(graph, text.split(), limit=8, now_ms=NOW_MS))[0] for text in texts]
    _row("entities that words speak of", spent, digits=2)
    spent = [_ms(lambda text=text: asked(world, text, now_ms=NOW_MS))[0] for text in texts]
    _row("entities that a question names", spent, digits=2)
    ids = sorted(graph.outgoing)
    pairs = [(ids[place % len(ids)], ids[place * 31 % len(ids)]) for place in range(20)] if ids else []
    spent = [_ms(lambda a=a, b=b: shortest_path(graph, a, b, now_ms=NOW_MS))[0] for a, b in pairs]
    if spent:
        _row("the way between two entities", spent, digits=2)
    for format_ in ("dot", "mermaid", "json"):
        ms, text = _ms(lambda format_=format_: export(graph, format_, now_ms=NOW_MS))
        _row(f"all of it as {format_}", [ms], note=f"{len(text):,} characters")


def _records() -> None:
    """How much is found in decision records and proposals; what it is worth has to be judged by reading it."""
    folder = open_data()
    if folder is None:
        print("\nthe measuring data is absent: set MEMOFS_SHARED")
        return
    print(f"\n{'records of others':<20}{'records':>10}{'statements':>12}{'by us':>8}{'over':>8}{'aliases':>10}")
    for name in ("adr_ctx", "pep_ctx", "commits", "locomo"):
        found = [extract(memory) for group in load(folder, name).memories.values() for memory in group]
        statements = [
            each for facts in found for each in facts.statements if "known" not in (each.source_end, each.target_end)
        ]
        ours = sum(each.source == SELF for each in statements)
        over = sum(each.ended for each in statements)
        aliases = sum(len(facts.aliases) for facts in found)
        print(f"{name:<20}{len(found):>10,}{len(statements):>12,}{ours:>8,}{over:>8,}{aliases:>10,}")


def _ms(work: Callable[[], T]) -> tuple[float, T]:
    started = time.process_time()
    answer = work()
    return (time.process_time() - started) * 1000, answer


def _row(name: str, spent: Sequence[float], *, digits: int = 1, target: str = "", note: str = "") -> None:
    ordered = sorted(spent)
    p50, p95 = statistics.median(ordered), ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    print(f"{name:<50}{p50:>10,.{digits}f}{p95:>10,.{digits}f}   {target:<18}{note}".rstrip())


if __name__ == "__main__":
    raise SystemExit(main())
