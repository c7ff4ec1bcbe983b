"""A person's programs for the benches of the daemon: a workspace with a home of its own, and a language client.

The client stamps what arrives as it arrives, in a thread, so that waiting for one message does not hide another.
"""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any, Literal

from bench.corpus import memories
from memofs.engine.engine import Engine
from memofs.store.layout import initialize
from memofs.text.memory_file import print_memory
from memofs.wire.framing import FrameBuffer, frame

__all__ = [
    "PROGRAM",
    "Connection",
    "LanguageClient",
    "User",
    "message",
    "processor_s",
    "resident_mb",
    "row",
    "timed",
    "user_with",
]

PROGRAM = [str(Path(sys.executable).with_name("memofs"))]
PATIENCE_S = 120.0


class User:
    """A workspace, and the environment in which its programs run."""

    def __init__(self, root: Path, home: Path, runtime: Path, more: dict[str, str]) -> None:
        self.root = root
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "XDG_RUNTIME_DIR": str(runtime),
            "LANG": "C.UTF-8",
            **more,
        }

    def run(self, *args: str) -> str:
        """Standard output of one command."""
        ran = subprocess.run(
            [*PROGRAM, *args], cwd=self.root, env=self.env, capture_output=True, text=True, check=True, timeout=300
        )
        return ran.stdout

    def notice(self) -> dict[str, Any]:
        """What the daemon tells of itself."""
        return json.loads((self.root / ".memofs" / "tmp" / "daemon.json").read_text(encoding="utf-8"))

    def stop(self) -> None:
        """End the daemon."""
        self.run("daemon", "stop")

    def connection(self) -> "Connection":
        """A connection of a command line."""
        return Connection(self.notice()["endpoint"])


@contextlib.contextmanager
def user_with(
    count: int, *, vectors: Literal["none", "local"] = "none", more: dict[str, str] | None = None
) -> Generator[User]:
    """A workspace with so many memories, indexed by words; its daemon ends with the context."""
    folder, runtime = Path(tempfile.mkdtemp()), Path(tempfile.mkdtemp(prefix="mf"))
    root = folder / "project"
    root.mkdir()
    user = User(root, folder, runtime, more or {})
    initialize(root)
    settings = {"format": 1, "embedding": {"provider": vectors}}
    (root / ".memofs" / "config.json").write_text(json.dumps(settings))
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


class Connection:
    """The small JSON-RPC connection of command line and agents."""

    def __init__(self, endpoint: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(endpoint.removeprefix("unix:"))
        self._frames = FrameBuffer()
        self._last = 0
        self.ask("memofs/hello", {"role": "cli"})

    def ask(self, method: str, params: object) -> dict[str, Any]:
        """The whole answer."""
        self._last += 1
        self._socket.sendall(message(self._last, method, params))
        while True:
            for body in self._frames.feed(self._socket.recv(1 << 16)):
                found = json.loads(body)
                if found.get("id") == self._last:
                    return found

    def close(self) -> None:
        """Hang up."""
        self._socket.close()


class LanguageClient:
    """One `memofs lsp` with open documents. `arrived` holds (seconds, message) in order of arrival."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.process = subprocess.Popen(
            [*PROGRAM, "lsp"], cwd=user.root, env=user.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.arrived: list[tuple[float, dict[str, Any]]] = []
        self.texts: dict[str, list[str]] = {}
        self._versions: dict[str, int] = {}
        self._news = threading.Condition()
        self._last = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        params: dict[str, object] = {"processId": None, "rootUri": user.root.as_uri(), "capabilities": {}}
        self.ask("initialize", params)
        self.notify("initialized", {})

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        self._write(frame(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode()))

    def ask(self, method: str, params: object) -> Any:
        """The result of a request. Raises RuntimeError for an error."""
        self._last += 1
        wanted = self._last
        self._write(message(wanted, method, params))
        _, found = self.wait(lambda each: each.get("id") == wanted and "method" not in each)
        if "error" in found:
            raise RuntimeError(str(found["error"]))
        return found["result"]

    def wait(self, holds: Callable[[dict[str, Any]], bool], *, since: int = 0) -> tuple[float, dict[str, Any]]:
        """The first message from place `since` of `arrived` on that `holds` accepts, and when it came."""
        end_s = time.monotonic() + PATIENCE_S
        place = since
        with self._news:
            while True:
                while place < len(self.arrived):
                    if holds(self.arrived[place][1]):
                        return self.arrived[place]
                    place += 1
                left_s = end_s - time.monotonic()
                if left_s <= 0:
                    raise TimeoutError("the daemon says nothing")
                self._news.wait(left_s)

    def forget(self) -> None:
        """Drop what arrived so far, for runs that last."""
        with self._news:
            self.arrived.clear()

    def open(self, path: str) -> None:
        """Open a file of the workspace as it is."""
        text = (self.user.root / path).read_text(encoding="utf-8")
        self.texts[path] = text.split("\n")
        self._versions[path] = self._versions.get(path, 0) + 1
        item = {"uri": self.uri(path), "languageId": "python", "version": self._versions[path], "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def close(self, path: str) -> None:
        """Close it without saving."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(path)}})

    def replace(self, path: str, line: int, start: int, end: int, text: str) -> int:
        """Replace a part of a line; the version after it."""
        lines = self.texts[path]
        lines[line : line + 1] = (lines[line][:start] + text + lines[line][end:]).split("\n")
        self._versions[path] += 1
        place = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
        params = {
            "textDocument": {"uri": self.uri(path), "version": self._versions[path]},
            "contentChanges": [{"range": place, "text": text}],
        }
        self.notify("textDocument/didChange", params)
        return self._versions[path]

    def text(self, path: str) -> str:
        """What the client has."""
        return "\n".join(self.texts[path])

    def uri(self, path: str) -> str:
        """The URI of a path."""
        return (self.user.root / path).as_uri()

    def leave(self) -> None:
        """Shut down and exit."""
        self.ask("shutdown", None)
        self.notify("exit", None)
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(30)
        self._reader.join(30)

    def _write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def _read(self) -> None:
        assert self.process.stdout is not None
        frames = FrameBuffer()
        while data := os.read(self.process.stdout.fileno(), 1 << 18):
            now_s = time.perf_counter()
            bodies = [(now_s, json.loads(body)) for body in frames.feed(data)]
            with self._news:
                self.arrived += bodies
                self._news.notify_all()


def message(id_: int, method: str, params: object) -> bytes:
    """A request in its frame."""
    return frame(json.dumps({"jsonrpc": "2.0", "id": id_, "method": method, "params": params}).encode())


def resident_mb(pid: int) -> float:
    """Resident memory of a process."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1000


def processor_s(pid: int) -> float:
    """Processor time that a process has used, in all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def timed(work: Callable[[], object]) -> float:
    """Milliseconds that it takes."""
    started_s = time.perf_counter()
    work()
    return (time.perf_counter() - started_s) * 1000


def row(name: str, values: Sequence[float], target: str) -> None:
    """Print one line of the table: median and 95th percentile."""
    ordered = sorted(values)
    p50, p95 = ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    print(f"{name:<62}{p50:>9.2f}{p95:>9.2f}   {target}", flush=True)
