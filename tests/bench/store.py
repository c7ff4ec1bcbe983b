"""What the disk side costs: `python tests/bench/store.py [--sizes 1000,10000] [--folder DIR]`.

Prints for every size: writing a store as one batch, opening it with and without the cache, looking for changes, one
write with and without what the disk takes for it, a storm of changes, finding secrets. Nothing is asserted; machines
and disks differ. The numbers to reach are in the column `target`.
"""

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.corpus import NOW_MS, memories
from memofs.model.memory import Memory
from memofs.store.edit import Edit
from memofs.store.layout import initialize
from memofs.store.records import RACY_NS
from memofs.store.secrets import find_secret
from memofs.store.store import Store
from memofs.text.memory_file import known_kinds, parse_memory_file, print_memory, splice

__all__ = ["main"]

T = TypeVar("T")

TIMES = 7
WRITES = 200
STORM = 200


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000", help="comma-separated (default: 1000,10000)")
    parser.add_argument("--folder", help="where to put the workspaces (default: the folder for temporary files)")
    options = parser.parse_args(argv)
    print(f"{os.cpu_count()} processors, load average {os.getloadavg()[0]:.1f}, fsync of one small file {_disk()}")
    for size in [int(text) for text in str(options.sizes).split(",")]:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            print(f"\n{size:,} memories{'':<34}{'p50':>10}{'p95':>10}   target")
            _measure(Path(folder), memories(size))
    return 0


def _measure(root: Path, made: list[Memory]) -> None:
    printed = [print_memory(memory).encode() for memory in made]
    some = printed[:1_000]
    kinds = known_kinds()
    spent = [_ms(lambda data=data: parse_memory_file("a", data, now_ms=NOW_MS, kinds=kinds))[0] for data in some]
    _row("parsing one file", spent, digits=3)
    _row("splicing two fields", [_ms(lambda data=data: _spliced(data))[0] for data in some], digits=3)
    first, _ = _ms(lambda: find_secret("nothing"))
    _row("finding no secret, first (loads the rules)", [first])
    _row("finding no secret", [_ms(lambda memory=memory: find_secret(memory.body))[0] for memory in made[:300]])

    initialize(root)
    store = Store(root)
    edits = [
        Edit(path=memory.path, before_digest=None, after=data, memory_id=memory.id, summary=memory.title)
        for memory, data in zip(made, printed, strict=True)
    ]
    with _flushing() as flushed:
        whole, _ = _ms(lambda: _commit(store, *edits))
    _row(f"one batch of {len(edits):,} new files", [whole], note=f"flushing in 8 threads {sum(flushed):,.0f} ms")

    _row("opening without a cache", [_opened(root, drop=True)[0] for _ in range(3)], target="8,000 at 10,000")
    store.load(now_ms=NOW_MS)
    _row("writing the cache", [_saved(store) for _ in range(3)])
    newest_ns = max(path.stat().st_ctime_ns for path in store.layout.memory.iterdir())
    time.sleep(max(0.0, (newest_ns + RACY_NS - time.time_ns()) / 1e9))
    store.load(now_ms=NOW_MS)
    _saved(store)
    opened = [_opened(root) for _ in range(TIMES)]
    _row("opening with the cache", [ms for ms, _ in opened], target="500 at 10,000", note=opened[-1][1])
    _row("looking for changes everywhere", [_ms(lambda: store.refresh(None, now_ms=NOW_MS))[0] for _ in range(TIMES)])

    _writes(store)
    names = [memory.path for memory in made[:STORM]]
    for memory, data in zip(made[:STORM], printed, strict=False):
        (root / memory.path).write_bytes(data + b"\nOne more line.\n")
    ms, change = _ms(lambda: store.refresh(names, now_ms=NOW_MS))
    _row(f"following a storm of {len(change.put)} changed files", [ms])


def _writes(store: Store) -> None:
    rest: list[float] = []
    disk: list[float] = []
    looks: list[float] = []
    for number in range(WRITES):
        data = f"---\nid: mem_zz{number:06}\ntitle: Write {number}\n---\nBody\n".encode()
        edit = Edit(path=f".memofs/memory/write-{number}.md", before_digest=None, after=data, memory_id="mem_zzzzzz")
        with _flushing() as flushed:
            ms, _ = _ms(lambda edit=edit: _commit(store, edit))
        rest.append(ms - sum(flushed))
        disk.append(sum(flushed))
        looks.append(_ms(lambda edit=edit: store.refresh([edit.path], now_ms=NOW_MS))[0])
    _row("one write, without the disk", rest, digits=2)
    _row("  what its two flushes take", disk, digits=2)
    _row("  looking at it afterwards", looks, digits=2)
    _row("undo, flushes included", [_ms(lambda: store.undo(actor="bench", now_ms=NOW_MS))[0] for _ in range(20)])
    _row("history, newest 50", [_ms(lambda: store.history(limit=50))[0] for _ in range(20)], digits=2)


def _commit(store: Store, *edits: Edit) -> None:
    store.commit(edits, kind="remember", actor="bench", summary="bench", now_ms=NOW_MS)


def _spliced(data: bytes) -> bytes:
    return splice(data, {"status": "retired", "verified_ms": NOW_MS})


def _opened(root: Path, *, drop: bool = False) -> tuple[float, str]:
    """Milliseconds to open and load, and how the cache was used."""
    if drop:
        shutil.rmtree(root / ".memofs" / "indexes", ignore_errors=True)
    ms, loaded = _ms(lambda: Store(root).load(now_ms=NOW_MS))
    return ms, f"{loaded.cache_state}, {len(loaded.memories):,} memories"


def _saved(store: Store) -> float:
    store.refresh(None, now_ms=NOW_MS)
    return _ms(lambda: store.save(b""))[0]


@contextmanager
def _flushing() -> Generator[list[float]]:
    """The milliseconds of every fsync in the block."""
    spent: list[float] = []
    real = os.fsync

    def timed(handle: int) -> None:
        spent.append(_ms(lambda: real(handle))[0])

    os.fsync = timed
    try:
        yield spent
    finally:
        os.fsync = real


def _disk() -> str:
    with tempfile.NamedTemporaryFile() as file:
        spent: list[float] = []
        for _ in range(30):
            file.write(b"x" * 1_000)
            file.flush()
            spent.append(_ms(lambda: os.fsync(file.fileno()))[0])
    return f"{statistics.median(spent):.1f} ms"


def _ms(work: Callable[[], T]) -> tuple[float, T]:
    started = time.perf_counter()
    answer = work()
    return (time.perf_counter() - started) * 1000, answer


def _row(name: str, spent: Sequence[float], *, digits: int = 1, target: str = "", note: str = "") -> None:
    ordered = sorted(spent)
    p50, p95 = statistics.median(ordered), ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    print(f"{name:<50}{p50:>10,.{digits}f}{p95:>10,.{digits}f}   {target:<18}{note}".rstrip())


if __name__ == "__main__":
    raise SystemExit(main())
