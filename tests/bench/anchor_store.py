"""Recall over a large store whose memories are anchored: `python tests/bench/anchor_store.py [--memories 10000]`.

Makes a workspace with that many memories, a fifth of them anchored to functions of made-up code files, verifies them
once, and prints in milliseconds what following the anchors adds: to opening, to a recall of a warm daemon, to one-shot
recalls, and to the first recall after many files changed. Nothing is asserted.
"""

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.corpus import memories
from memofs.engine.anchor_edit import verify
from memofs.engine.asking import ask
from memofs.engine.engine import Engine
from memofs.model.memory import Anchor
from memofs.model.query import Query
from memofs.store.layout import initialize
from memofs.text.memory_file import print_memory

FUNCTIONS = 12
ROUNDS = 30
QUESTIONS = ("retry timeout of the gateway", "cache invalidation", "schema migration lock", "session token expiry")


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--anchors", type=int, default=2_000)
    parser.add_argument("--files", type=int, default=1_500)
    parser.add_argument("--once", metavar="DIR", help=argparse.SUPPRESS)
    chosen = parser.parse_args(argv)
    if chosen.once:
        sys.stdout.write(" ".join(f"{each:.1f}" for each in _once(Path(chosen.once))))
        return 0
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; milliseconds\n")
    with tempfile.TemporaryDirectory() as folder:
        _measure(Path(folder), chosen.memories, chosen.anchors, chosen.files)
    return 0


def _measure(root: Path, number: int, anchors: int, files: int) -> None:
    initialize(root)
    (root / ".memofs" / "config.json").write_text('{"format": 1, "embedding": {"provider": "none"}}')
    for at in range(files):
        _write(root, at, "")
    for at, memory in enumerate(memories(number)):
        tied = (Anchor(path=f"src/m{at % files}.py", symbol=f"step_{at % FUNCTIONS}"),) if at < anchors else ()
        plain = msgspec.structs.replace(memory, anchors=tied, supersedes=())
        (root / ".memofs" / "memory" / f"{memory.id}.md").write_text(print_memory(plain), encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    identity = ("-c", "user.name=Bench", "-c", "user.email=bench@example.invalid")
    subprocess.run(["git", *identity, "commit", "-q", "-m", "all"], cwd=root, check=True)
    print(f"{number:,} memories, {anchors:,} anchors in {files:,} files")
    engine = Engine(root)
    world = engine.world
    tied_ids = [memory for memory in world.memories.values() if memory.anchors]
    _row("first look at all (unmarked)", [_timed(lambda: engine.anchoring.follow())])
    _row("verify all", [_timed(lambda: verify(engine, tied_ids, actor="bench"))])
    _row("look at all again (marked)", [_timed(lambda: engine.anchoring.follow())])
    engine.save()
    asyncio.run(engine.close())
    _one_shot(root, "one-shot, nothing changed")
    engine = Engine(root)
    engine.anchoring.follow()
    asked = [_timed(lambda at=at: ask(engine.view(), Query(text=QUESTIONS[at % 4]))) for at in range(ROUNDS)]
    swept = [_timed(lambda: engine.anchoring.follow(patience_s=0.5)) for _ in range(ROUNDS)]
    _row("recall, warm, anchors followed", asked)
    _row("  of it following the anchors", swept)
    _write(root, 3, "# above\n")
    _row("recall after one file changed", [_timed(lambda: ask(engine.view(), Query(text=QUESTIONS[0])))])
    asyncio.run(engine.close())
    for at in range(0, files, 3):
        _write(root, at, "# a line above\n")
    _one_shot(root, f"one-shot, {files // 3:,} files changed", rounds=1)
    engine = Engine(root)
    _row("the rest of them", [_timed(lambda: engine.anchoring.follow())])
    asyncio.run(engine.close())
    _one_shot(root, "one-shot, after that")
    size = (root / ".memofs" / "indexes" / "anchors.msgpack").stat().st_size
    print(f"  {'size of the cache, kB':<44}{size / 1000:>9.0f}")


def _write(root: Path, at: int, above: str) -> None:
    functions = [
        f"def step_{number}(value: int) -> int:\n"
        f'    """Step {number} of module {at}."""\n'
        f"    limit = {at * 7 + number}\n"
        "    for attempt in range(limit):\n"
        f"        value = value * {number + 3} + attempt % {at + 5}\n"
        "        if value > limit * 1000:\n"
        "            break\n"
        "    return value\n"
        for number in range(FUNCTIONS)
    ]
    path = root / "src" / f"m{at}.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(above + "\n\n".join(functions), encoding="utf-8")


def _one_shot(root: Path, name: str, rounds: int = 5) -> None:
    times: list[list[float]] = []
    for _ in range(rounds):
        done = subprocess.run(
            [sys.executable, __file__, "--once", str(root)], capture_output=True, text=True, check=True
        )
        times.append([float(each) for each in done.stdout.split()])
    opened, followed, left, closed = zip(*times, strict=True)
    _row(f"{name}: opening", opened)
    _row("  following within a recall's patience", followed)
    _row("  closing (writes the cache if it differs)", closed)
    if any(left):
        print(f"  {'  memories left for later':<44}{statistics.median(left):>9.0f}")


def _once(root: Path) -> tuple[float, float, float, float]:
    started = time.perf_counter()
    engine = Engine(root)
    _ = engine.world
    opened = time.perf_counter()
    followed = engine.view().following()
    looked = time.perf_counter()
    left = engine.anchoring.follow(patience_s=0.0).left if followed.degraded else 0
    ended = time.perf_counter()
    asyncio.run(engine.close())
    closed = time.perf_counter()
    return (opened - started) * 1000, (looked - opened) * 1000, float(left), (closed - ended) * 1000


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def _row(name: str, values: Sequence[float]) -> None:
    ordered = sorted(values)
    p50, p95 = ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    print(f"  {name:<44}{p50:>9.1f}{p95:>9.1f}")


if __name__ == "__main__":
    sys.exit(main())
