"""The MCP server as agents meet it: `python tests/bench/mcp.py [--memories 1000] [--rounds 10] [--calls 300]`.

Real processes in a home and run-time folder of their own, raw JSON over pipes: how long `memofs mcp` takes from its
start to the answer to `initialize`, what a tool call takes beyond the daemon's own work (as its log has it), what the
process holds, and whether it grows over many calls. Prints percentiles beside the targets; nothing is asserted.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.corpus import queries
from bench.daemon import PROGRAM, User, user_with


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--calls", type=int, default=300)
    chosen = parser.parse_args(argv)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; {chosen.memories:,} memories; milliseconds\n")
    print(f"{'':<58}{'p50':>9}{'p95':>9}   target")
    with user_with(chosen.memories) as user:
        _starting(user, chosen.rounds)
        _calls(user, chosen.memories, chosen.calls)
    return 0


class Agent:
    """A client of `memofs mcp` that says no more than it must."""

    def __init__(self, user: User) -> None:
        self.started_s = time.perf_counter()
        self._process = subprocess.Popen(
            [*PROGRAM, "mcp"], cwd=user.root, env=user.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._last = 0
        asked = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        }
        assert "result" in self.ask("initialize", asked)
        self.initialized_ms = (time.perf_counter() - self.started_s) * 1000
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, params: object) -> dict[str, Any]:
        """The answer to one request."""
        self._last += 1
        self._send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        assert self._process.stdout is not None
        while line := self._process.stdout.readline():
            message = json.loads(line)
            if message.get("id") == self._last:
                return message
        raise EOFError

    def call(self, tool: str, arguments: object) -> dict[str, Any]:
        """The result of a tool."""
        return self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]

    def resident_mb(self) -> float:
        """What the process holds."""
        status = Path(f"/proc/{self._process.pid}/status").read_text(encoding="utf-8")
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1000

    def leave(self) -> None:
        """Close our side and wait."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)

    def _send(self, message: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()


def _starting(user: User, rounds: int) -> None:
    cold: list[float] = []
    for _ in range(rounds):
        agent = Agent(user)
        cold.append(agent.initialized_ms)
        agent.call("memofs.recall", {"query": "retry"})  # so that a daemon stands that can be stopped
        agent.leave()
        user.stop()
    _row("initialize, from spawning `memofs mcp`, no daemon", cold, "1,500")
    user.run("daemon")
    warm: list[float] = []
    for _ in range(rounds):
        agent = Agent(user)
        warm.append(agent.initialized_ms)
        agent.leave()
    _row("initialize, a daemon runs", warm, "1,500")


def _calls(user: User, size: int, calls: int) -> None:
    agent = Agent(user)
    asked = [query.text for query in queries(calls, size=size)]
    for text in asked[:20]:
        agent.call("memofs.recall", {"query": text})
    before = agent.resident_mb()
    whole: list[float] = []
    for text in asked:
        started_s = time.perf_counter()
        answer = agent.call("memofs.recall", {"query": text})
        whole.append((time.perf_counter() - started_s) * 1000)
        assert not answer.get("isError"), answer
    answered = _handled_ms(user)[-len(asked) :]
    _row("memofs.recall, through the pipe", whole, "")
    _row("  of which the daemon's own work (its log)", answered, "")
    _row("  overhead of the tool call", [one - other for one, other in zip(whole, answered, strict=True)], "5")
    print(f"{'resident memory, MB':<58}{before:>9.0f}{'':>9}   110")
    for _ in range(10_000 // len(asked)):
        for text in asked:
            agent.call("memofs.here", {"path": f"{text[:10]}.py"})
    print(f"{'  after 10,000 more calls':<58}{agent.resident_mb():>9.0f}{'':>9}   110")
    agent.leave()


def _handled_ms(user: User) -> list[float]:
    log = (user.root / ".memofs" / "logs" / "daemon.log").read_text(encoding="utf-8").splitlines()
    lines = [json.loads(line) for line in log]
    return [line["ms"] for line in lines if line["message"] == "memofs/recall"]


def _row(name: str, values: Sequence[float], target: str) -> None:
    ordered = sorted(values)
    p50, p95 = ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    print(f"{name:<58}{p50:>9.2f}{p95:>9.2f}   {target}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
