"""Real daemons for tests: in run-time folders of their own, and ended by their process ids."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any

from e2e.memofs_program import PROGRAM, Ran, Workspace
from memofs.wire.framing import FrameBuffer, frame

__all__ = ["Daemons", "RawClient", "is_running", "until"]

PATIENCE_S = 30.0
LOOK_S = 0.01


def until(holds: Callable[[], bool], what: str) -> None:
    """Return once it holds; fail with `what` if it does not in good time."""
    end_s = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end_s, f"waited in vain: {what}"
        time.sleep(LOOK_S)


def is_running(pid: int) -> bool:
    """Whether the process is there and has not ended (a zombie has)."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


class RawClient:
    """A connection that can say anything."""

    def __init__(self, endpoint: str) -> None:
        scheme, _, place = endpoint.partition(":")
        if scheme == "unix":
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(place)
        else:
            host, _, port = place.rpartition(":")
            self.socket = socket.create_connection((host, int(port)))
        self.socket.settimeout(PATIENCE_S)
        self._frames = FrameBuffer()
        self._waiting: list[dict[str, Any]] = []
        self._last = 0

    def send(self, message: object) -> None:
        """One message in a frame."""
        self.socket.sendall(frame(json.dumps(message).encode()))

    def receive(self) -> dict[str, Any]:
        """The next message. Raises EOFError once the other side has closed."""
        while not self._waiting:
            data = self.socket.recv(1 << 16)
            if not data:
                raise EOFError
            self._waiting += [json.loads(body) for body in self._frames.feed(data)]
        return self._waiting.pop(0)

    def ask(self, method: str, params: object = None) -> dict[str, Any]:
        """The answer to a request; notifications that come meanwhile are passed over."""
        self._last += 1
        self.send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": {} if params is None else params})
        while (message := self.receive()).get("id") != self._last:
            pass
        return message

    def hello(self, **params: object) -> dict[str, Any]:
        """The answer to a hello, of a command line unless it says otherwise."""
        return self.ask("memofs/hello", {"role": "cli", **params})

    def notified(self, method: str) -> dict[str, Any]:
        """The params of the next notification of that name."""
        while (message := self.receive()).get("method") != method:
            pass
        return message["params"]

    def close(self) -> None:
        """Leave."""
        self.socket.close()


class Daemons:
    """One user with a home and a run-time folder: every daemon that is started for them ends with the test."""

    def __init__(self, workspace: Workspace, *, runtime: Path | None, more: Mapping[str, str] | None = None) -> None:
        self.workspace = workspace
        self.root = workspace.root
        self._clients: list[RawClient] = []
        self.env = {
            "MEMOFS_NO_DAEMON": "",
            **({"XDG_RUNTIME_DIR": str(runtime)} if runtime is not None else {}),
            **(more or {}),
        }

    def memofs(self, *args: str, cwd: str | Path = ".", env: Mapping[str, str] | None = None) -> Ran:
        """Run `memofs ARGS…` as that user."""
        return self.workspace.memofs(*args, cwd=cwd, env={**self.env, **(env or {})})

    def ok(self, *args: str, env: Mapping[str, str] | None = None) -> str:
        """Standard output of a run that has to succeed."""
        ran = self.memofs(*args, env=env)
        assert ran.code == 0, ran
        return ran.out

    def json(self, *args: str) -> Any:
        """What a run with `--json` prints."""
        return json.loads(self.ok(*args, "--json"))

    def spawn(
        self, *args: str, cwd: Path | None = None, env: Mapping[str, str] | None = None
    ) -> "subprocess.Popen[bytes]":
        """A run that goes on beside the test."""
        return subprocess.Popen(
            [*PROGRAM, *args],
            cwd=cwd or self.root,
            env=self.workspace.environment({**self.env, **(env or {})}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    @property
    def notice(self) -> dict[str, Any]:
        """What the workspace's daemon tells of itself."""
        return json.loads((self.root / ".memofs" / "tmp" / "daemon.json").read_text(encoding="utf-8"))

    def start(self) -> int:
        """The process id of the workspace's daemon, started if need be."""
        self.ok("daemon")
        return self.notice["pid"]

    def client(self, **hello: object) -> RawClient:
        """A greeted raw connection."""
        client = self.stranger()
        answer = client.hello(**hello)
        assert "result" in answer, answer
        return client

    def stranger(self) -> RawClient:
        """A raw connection that has not said hello."""
        client = RawClient(self.notice["endpoint"])
        self._clients.append(client)
        return client

    def pids(self) -> set[int]:
        """Every daemon that was ever started for this workspace and still runs."""
        wanted = {b"memofs.server", os.fsencode(self.root)}
        return _running(lambda entry: wanted <= set(_words(entry / "cmdline")))

    def every_pid(self) -> set[int]:
        """Every program of this user that still runs: daemons of whatever workspace, and who may yet start one."""
        return _running(lambda entry: b"HOME=" + os.fsencode(self.workspace.home) in _words(entry / "environ"))

    def log(self) -> list[dict[str, Any]]:
        """The daemon's log."""
        path = self.root / ".memofs" / "logs" / "daemon.log"
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []

    def end(self) -> None:
        """Kill what still runs."""
        for client in self._clients:
            client.close()
        while pids := self.every_pid():  # one that was just starting may have started another
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            until(lambda pids=pids: not any(is_running(pid) for pid in pids), f"processes {pids} killed")


def _running(holds: Callable[[Path], bool]) -> set[int]:
    """The processes that run and whose folder in /proc `holds` accepts."""
    found: set[int] = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):  # it has just ended, or is another user's
                if holds(entry) and is_running(int(entry.name)):
                    found.add(int(entry.name))
    return found


def _words(path: Path) -> list[bytes]:
    return path.read_bytes().split(b"\0")


@contextlib.contextmanager
def daemons(workspace: Workspace, *, runtime: Path | None, more: Mapping[str, str] | None = None) -> Generator[Daemons]:
    """Daemons that end with the context."""
    found = Daemons(workspace, runtime=runtime, more=more)
    try:
        yield found
    finally:
        found.end()
