"""The daemon as its clients meet it: `python tests/bench/daemon.py [--memories 1000] [--rounds 10]`.

Real processes in a home and run-time folder of their own: how long `memofs lsp` takes to answer `initialize`, with and
without a daemon; what the socket adds to a recall; what a command costs; what the idle daemon holds. Prints
percentiles in milliseconds beside the targets; nothing is asserted.
"""

import argparse
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.corpus import memories, queries
from memofs.engine.engine import Engine
from memofs.store.layout import initialize
from memofs.text.memory_file import print_memory
from memofs.wire.framing import FrameBuffer, frame

PROGRAM = [str(Path(sys.executable).with_name("memofs"))]


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables; 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=10)
    chosen = parser.parse_args(argv)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; {chosen.memories:,} memories; milliseconds\n")
    print(f"{'':<58}{'p50':>9}{'p95':>9}   target")
    with user_with(chosen.memories) as user:
        _starting(user, chosen.rounds)
        _commands(user, chosen.rounds)
        _recalls(user, chosen.memories)
        _resting(user)
    return 0


class User:
    """A workspace, and the environment in which its programs run."""

    def __init__(self, root: Path, home: Path, runtime: Path) -> None:
        self.root = root
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "XDG_RUNTIME_DIR": str(runtime),
            "LANG": "C.UTF-8",
        }

    def run(self, *args: str) -> str:
        """Standard output of one command."""
        ran = subprocess.run(
            [*PROGRAM, *args], cwd=self.root, env=self.env, capture_output=True, text=True, check=True, timeout=120
        )
        return ran.stdout

    def notice(self) -> dict[str, Any]:
        """What the daemon tells of itself."""
        return json.loads((self.root / ".memofs" / "tmp" / "daemon.json").read_text(encoding="utf-8"))

    def stop(self) -> None:
        """End the daemon."""
        self.run("daemon", "stop")


@contextlib.contextmanager
def user_with(count: int) -> Generator[User]:
    folder, runtime = Path(tempfile.mkdtemp()), Path(tempfile.mkdtemp(prefix="mf"))
    root = folder / "project"
    root.mkdir()
    user = User(root, folder, runtime)
    initialize(root)
    (root / ".memofs" / "config.json").write_text('{"format": 1, "embedding": {"provider": "none"}}')
    for memory in memories(count):
        path = root / ".memofs" / "memory" / f"{memory.id}.md"
        path.write_text(print_memory(memory), encoding="utf-8")
    engine = Engine(root)
    _ = engine.world
    engine.save()
    try:
        yield user
    finally:
        with contextlib.suppress(OSError, KeyError, json.JSONDecodeError):
            os.kill(user.notice()["pid"], signal.SIGKILL)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(runtime, ignore_errors=True)


def _starting(user: User, rounds: int) -> None:
    cold: list[float] = []
    for _ in range(rounds):
        cold.append(_initialize(user))
        user.stop()
    _row("initialize, from spawning `memofs lsp`, no daemon", cold, "1,000")
    user.run("daemon")
    first = _initialize(user)
    warm = [_initialize(user) for _ in range(rounds)]
    _row("initialize, a daemon runs: its first editor", [first], "250")
    _row("initialize, a daemon runs: the next ones", warm, "250")


def _initialize(user: User) -> float:
    started_s = time.perf_counter()
    pump = subprocess.Popen(
        [*PROGRAM, "lsp"], cwd=user.root, env=user.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert pump.stdin is not None
    assert pump.stdout is not None
    params: dict[str, object] = {"processId": None, "rootUri": user.root.as_uri(), "capabilities": {}}
    pump.stdin.write(_frame(1, "initialize", params))
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
    told = [_timed(lambda: user.run("recall", "retry timeout")) for _ in range(rounds)]
    alone = [_timed(lambda: user.run("--no-daemon", "recall", "retry timeout")) for _ in range(rounds)]
    _row("`memofs recall`, whole process, with a daemon", told, "150")
    _row("`memofs recall --no-daemon`", alone, "")


def _recalls(user: User, count: int) -> None:
    client = _Client(user.notice()["endpoint"])
    asked = [query.text for query in queries(200, size=count)]
    for text in asked[:20]:
        client.ask("memofs/recall", {"query": text})
    whole = [_timed(lambda text=text: client.ask("memofs/recall", {"query": text})) for text in asked]
    answered = _handled_ms(user)
    _row("memofs/recall, through the socket", whole, "")
    _row("  of which the daemon's own work (its log)", answered[-len(asked) :], "")
    added = sorted(one - other for one, other in zip(whole, answered[-len(asked) :], strict=True))
    _row("  what the socket adds", added, "2")
    client.close()


def _handled_ms(user: User) -> list[float]:
    log = (user.root / ".memofs" / "logs" / "daemon.log").read_text(encoding="utf-8").splitlines()
    lines = [json.loads(line) for line in log]
    return [line["ms"] for line in lines if line["message"] == "memofs/recall"]


def _resting(user: User) -> None:
    pid = user.notice()["pid"]
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    resident = int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1000
    print(f"{'resident memory of the idle daemon, MB':<58}{resident:>9.0f}{'':>9}   150")


class _Client:
    def __init__(self, endpoint: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(endpoint.removeprefix("unix:"))
        self._frames = FrameBuffer()
        self._last = 0
        self.ask("memofs/hello", {"role": "cli"})

    def ask(self, method: str, params: object) -> dict[str, Any]:
        self._last += 1
        self._socket.sendall(_frame(self._last, method, params))
        while True:
            for body in self._frames.feed(self._socket.recv(1 << 16)):
                message = json.loads(body)
                if message.get("id") == self._last:
                    return message

    def close(self) -> None:
        self._socket.close()


def _frame(id_: int, method: str, params: object) -> bytes:
    return frame(json.dumps({"jsonrpc": "2.0", "id": id_, "method": method, "params": params}).encode())


def _timed(work: Callable[[], object]) -> float:
    started_s = time.perf_counter()
    work()
    return (time.perf_counter() - started_s) * 1000


def _row(name: str, values: Sequence[float], target: str) -> None:
    ordered = sorted(values)
    p50, p95 = ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    print(f"{name:<58}{p50:>9.2f}{p95:>9.2f}   {target}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
