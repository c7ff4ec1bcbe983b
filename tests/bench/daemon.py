"""The daemon as its clients meet it: `python tests/bench/daemon.py [--memories 1000] [--rounds 10] [--hours 8]`.

Real processes in a home and run-time folder of their own: how long `memofs lsp` takes to answer `initialize`, with and
without a daemon; what the socket adds to a recall; what a command costs; how soon a warning follows a keystroke, in a
file of 2,000 lines with 200 anchors and while others ask; what an edit of a file of 1 MB costs; 200 edits a second, and
20 clients at once; what the idle daemon holds, and what hours of editing add. Prints percentiles in milliseconds beside
the targets; nothing is asserted. `--only` takes parts: starting, asking, typing, large, load, rest, hours.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.corpus import queries
from bench.daemon_editing import hours, large, load, typing
from bench.daemon_user import PROGRAM, User, message, resident_mb, row, timed, user_with
from memofs.wire.framing import FrameBuffer

PARTS = ("starting", "asking", "typing", "large", "load", "rest", "hours")


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables; 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--hours", type=float, default=8.0, help="of editing, as fast as it goes (8)")
    parser.add_argument("--only", default=",".join(PARTS))
    chosen = parser.parse_args(argv)
    parts = set(chosen.only.split(","))
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; {chosen.memories:,} memories; milliseconds\n")
    print(f"{'':<62}{'p50':>9}{'p95':>9}   target")
    editing: dict[str, Callable[[User], None]] = {
        "typing": typing,
        "large": large,
        "load": load,
        "hours": lambda user: hours(user, chosen.hours),
    }
    if parts & {"starting", "asking"}:
        with user_with(chosen.memories) as user:
            if "starting" in parts:
                _starting(user, chosen.rounds)
            _commands(user, chosen.rounds)
            _recalls(user, chosen.memories)
    for name, work in editing.items():
        if name in parts:
            with user_with(chosen.memories) as user:
                user.run("daemon")
                work(user)
    if "rest" in parts:
        _rest(chosen.memories)
    return 0


def _starting(user: User, rounds: int) -> None:
    cold: list[float] = []
    for _ in range(rounds):
        cold.append(_initialize(user))
        user.stop()
    row("initialize, from spawning `memofs lsp`, no daemon", cold, "1,000")
    user.run("daemon")
    first = _initialize(user)
    warm = [_initialize(user) for _ in range(rounds)]
    row("initialize, a daemon runs: its first editor", [first], "250")
    row("initialize, a daemon runs: the next ones", warm, "250")


def _initialize(user: User) -> float:
    started_s = time.perf_counter()
    pump = subprocess.Popen(
        [*PROGRAM, "lsp"], cwd=user.root, env=user.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert pump.stdin is not None
    assert pump.stdout is not None
    params: dict[str, object] = {"processId": None, "rootUri": user.root.as_uri(), "capabilities": {}}
    pump.stdin.write(message(1, "initialize", params))
    pump.stdin.flush()
    frames = FrameBuffer()
    bodies: list[bytes] = []
    while not bodies:
        bodies = frames.feed(os.read(pump.stdout.fileno(), 1 << 16))
    took_ms = (time.perf_counter() - started_s) * 1000
    assert "capabilities" in json.loads(bodies[0])["result"]
    pump.stdin.close()
    pump.wait(30)
    pump.stdout.close()
    return took_ms


def _commands(user: User, rounds: int) -> None:
    user.run("recall", "retry timeout")
    told = [timed(lambda: user.run("recall", "retry timeout")) for _ in range(rounds)]
    alone = [timed(lambda: user.run("--no-daemon", "recall", "retry timeout")) for _ in range(rounds)]
    row("`memofs recall`, whole process, with a daemon", told, "150")
    row("`memofs recall --no-daemon`", alone, "")


def _recalls(user: User, count: int) -> None:
    client = user.connection()
    asked = [query.text for query in queries(200, size=count)]
    for text in asked[:20]:
        client.ask("memofs/recall", {"query": text})
    whole = [timed(lambda text=text: client.ask("memofs/recall", {"query": text})) for text in asked]
    answered = _handled_ms(user)[-len(asked) :]
    row("memofs/recall, through the socket", whole, "")
    row("  of which the daemon's own work (its log)", answered, "")
    row("  what the socket adds", [one - other for one, other in zip(whole, answered, strict=True)], "2")
    client.close()


def _handled_ms(user: User) -> list[float]:
    log = (user.root / ".memofs" / "logs" / "daemon.log").read_text(encoding="utf-8").splitlines()
    lines = [json.loads(line) for line in log]
    return [line["ms"] for line in lines if line["message"] == "memofs/recall"]


def _rest(count: int) -> None:
    """Memory of a daemon that has answered by meaning, once the process that embeds has ended."""
    with user_with(count, vectors="local", more={"MEMOFS_MODEL_REST_S": "1"}) as user:
        user.run("index")
        client = user.connection()
        for query in queries(20, size=count):
            client.ask("memofs/recall", {"query": query.text})
        pid = user.notice()["pid"]
        while _children(pid):
            time.sleep(0.1)
        print(f"{'resident memory at rest, vectors, no model in memory, MB':<62}{resident_mb(pid):>9.0f}{'':>9}   150")
        _initialize(user)
        print(f"{'  after an editor has been there':<62}{resident_mb(pid):>9.0f}{'':>9}   150")
        client.close()


def _children(pid: int) -> list[str]:
    return [
        child
        for task in Path(f"/proc/{pid}/task").iterdir()
        for child in (task / "children").read_text(encoding="utf-8").split()
    ]


if __name__ == "__main__":
    sys.exit(main())
