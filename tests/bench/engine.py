"""Opening a workspace and remembering in it, through the engine: `python tests/bench/engine.py [--sizes 1000,10000]`.

Prints percentiles in milliseconds; what the disk takes for the two flushes of a write is measured apart, by flushing a
file and its folder the same way without anything else. A daemon's memory is that of a new process that has loaded all
of the server and answered questions by meaning, with random vectors for all memories. Targets: the first issue's.
Nothing is asserted.
"""

import argparse
import asyncio
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from bench.corpus import memories
from memofs.embed.model_files import identity
from memofs.embed.models import built_in
from memofs.engine.asking import ask
from memofs.engine.draft import Draft
from memofs.engine.engine import Engine
from memofs.engine.places import embeddings_file
from memofs.engine.process import rss_bytes
from memofs.engine.remember import remember
from memofs.model.query import Query
from memofs.recall.passages import passages
from memofs.store.embeddings import Vectors
from memofs.store.layout import initialize
from memofs.text.memory_file import print_memory

WRITES = 60
QUESTIONS = 50


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000", help="numbers of memories, comma-separated")
    parser.add_argument("--opened", metavar="DIR", help=argparse.SUPPRESS)
    parser.add_argument("--asked", metavar="DIR", help=argparse.SUPPRESS)
    chosen = parser.parse_args(argv)
    if chosen.opened or chosen.asked:
        print(json.dumps(_opened(Path(chosen.opened)) if chosen.opened else _asked(Path(chosen.asked))))
        return 0
    load = os.getloadavg()[0]
    print(f"load {load:.1f} on {os.cpu_count()} cores; milliseconds\n")
    for size in (int(each) for each in chosen.sizes.split(",")):
        _measure(size)
    return 0


def _measure(size: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        initialize(root)
        (root / ".memofs" / "config.json").write_text('{"format": 1, "embedding": {"provider": "none"}}')
        for memory in memories(size):
            path = root / ".memofs" / "memory" / f"{memory.id}.md"
            path.write_text(print_memory(memory), encoding="utf-8")
        print(f"{size:,} memories{'':<32}{'p50':>9}{'p95':>9}   target at 10,000")
        cold = _in_new_process(root)
        engine = Engine(root)
        _ = engine.world
        engine.save()
        asyncio.run(engine.close())
        _row("opening without a cache (new process)", [cold["open_ms"]], "8,000")
        warm = [_in_new_process(root) for _ in range(5)]
        _row("opening with the cache (new process)", [each["open_ms"] for each in warm], "1,000")
        print(f"  {'resident memory with the cache, MB':<44}{warm[-1]['rss_bytes'] / 1e6:>9.0f}{'':>9}   150")
        _writes(root)
        _resident(root)
        print()


def _writes(root: Path) -> None:
    engine = Engine(root)
    _ = engine.world
    whole = [_timed(lambda number=number: _remember(engine, number)) for number in range(WRITES)][5:]
    flushes = [_timed(lambda: _flush(root)) for _ in range(WRITES)][5:]
    beyond = sorted(whole)[len(whole) // 2] - sorted(flushes)[len(flushes) // 2]
    _row("remember, flushes included", whole, "")
    _row("  two flushes alone", flushes, "")
    print(f"  {'remember beyond its flushes (medians)':<44}{beyond:>9.2f}{'':>9}   10")
    asyncio.run(engine.close())


def _remember(engine: Engine, number: int) -> None:
    text = (
        f"Bench fact {number}: the gateway at port {20_000 + number} answers within {number} ms since release {number}"
    )
    done = remember(engine, Draft(body=text, kind="note", tags=("bench",)), actor="bench")
    assert done.memory is not None, "every write is another memory"


def _flush(root: Path) -> None:
    path = root / ".memofs" / "memory" / ".flush.tmp"
    with path.open("wb") as file:
        file.write(b"x" * 500)
        file.flush()
        os.fsync(file.fileno())
    path.replace(path.with_name(".flushed.tmp"))
    folder = os.open(path.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def _timed(work: Callable[[], None]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def _resident(root: Path) -> None:
    """What a daemon holds with the vectors of all memories."""
    (root / ".memofs" / "config.json").write_text('{"format": 1}')
    engine = Engine(root)
    _vectors(engine)
    engine.save()
    asyncio.run(engine.close())
    asked = _in_new_process(root, "--asked")
    print(f"  {'resident memory with vectors, asked, MB':<44}{asked['rss_bytes'] / 1e6:>9.0f}{'':>9}   150")
    print(f"  {'  of the worker beside it, MB':<44}{asked['worker_bytes'] / 1e6:>9.0f}{'':>9}   300")


def _in_new_process(root: Path, what: str = "--opened") -> dict[str, float]:
    done = subprocess.run([sys.executable, __file__, what, str(root)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def _opened(root: Path) -> dict[str, float]:
    started = time.perf_counter()
    engine = Engine(root)
    _ = engine.world
    open_ms = (time.perf_counter() - started) * 1000
    asyncio.run(engine.close())
    return {"open_ms": open_ms, "rss_bytes": rss_bytes()}


def _asked(root: Path) -> dict[str, float]:
    importlib.import_module("memofs.server.daemon")  # for what it takes
    engine = Engine(root)
    titles = [memory.title for memory in engine.world.memories.values()]
    for title in titles[:: max(1, len(titles) // QUESTIONS)]:
        answer = ask(engine.view(), Query(text=title))
        assert not {"embedder", "indexing"}.intersection(answer.degraded), answer.degraded
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split()
    pages = [int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) for pid in children]
    told: dict[str, float] = {"rss_bytes": rss_bytes(), "worker_bytes": max(pages) * os.sysconf("SC_PAGE_SIZE")}
    asyncio.run(engine.close())
    return told


def _vectors(engine: Engine) -> None:
    """Put random unit vectors of every memory on the disk, as those of the built-in model."""
    made = [(memory.id, passage) for memory in engine.world.memories.values() for passage in passages(memory)]
    rows = np.random.default_rng(7).standard_normal((len(made), 384), dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vectors = Vectors(
        memories=tuple(id_ for id_, _ in made),
        chunks=tuple(passage.chunk for _, passage in made),
        text_hashes=tuple(passage.hash for _, passage in made),
        matrix=rows,
    )
    embeddings_file(engine.store.layout, model=identity(built_in())).append(vectors, now_ms=0)


def _row(name: str, values: Sequence[float], target: str) -> None:
    ordered = sorted(values)
    p50, p95 = ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    print(f"  {name:<44}{p50:>9.1f}{p95:>9.1f}   {target}")


if __name__ == "__main__":
    sys.exit(main())
