"""An editor that can say anything: LSP through the real `memofs lsp`."""

import contextlib
import json
import os
import select
import subprocess
import time
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any

from e2e.daemon_program import PATIENCE_S, Daemons
from memofs.wire.framing import FrameBuffer, frame

__all__ = ["EditorClient", "editor"]

PLAIN: Mapping[str, Any] = {}


class EditorClient:
    """One `memofs lsp` process and what it said. Requests of the server are kept, and answered as `answers` says."""

    def __init__(self, process: "subprocess.Popen[bytes]", root: Path) -> None:
        self.process = process
        self.root = root
        self.requests: list[dict[str, Any]] = []
        self.notifications: list[dict[str, Any]] = []
        self.answers: dict[str, Any] = {}
        """By method; null for the others."""
        self._frames = FrameBuffer()
        self._waiting: list[dict[str, Any]] = []
        self._last = 0
        self._versions: dict[str, int] = {}

    def raw(self, data: bytes) -> None:
        """Bytes as they are."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: Mapping[str, Any]) -> None:
        """One message."""
        self.raw(frame(json.dumps({"jsonrpc": "2.0", **message}).encode()))

    def receive(self) -> dict[str, Any]:
        """The next message. Raises EOFError once the server is gone."""
        assert self.process.stdout is not None
        descriptor = self.process.stdout.fileno()
        end_s = time.monotonic() + PATIENCE_S
        while not self._waiting:
            ready, _, _ = select.select([descriptor], [], [], max(0.0, end_s - time.monotonic()))
            assert ready, "the server says nothing"
            data = os.read(descriptor, 1 << 16)
            if not data:
                raise EOFError
            self._waiting += [json.loads(body) for body in self._frames.feed(data)]
        message = self._waiting.pop(0)
        if "method" in message and "id" in message:
            self.requests.append(message)
            self.send({"id": message["id"], "result": self.answers.get(message["method"])})
        elif "method" in message:
            self.notifications.append(message)
        return message

    def ask(self, method: str, params: object = None, *, id_: int | str | None = None) -> dict[str, Any]:
        """The whole answer to a request."""
        self._last += 1
        wanted = self._last if id_ is None else id_
        self.send({"id": wanted, "method": method, "params": params})
        while True:
            message = self.receive()
            if "method" not in message and message.get("id") == wanted:
                return message

    def result(self, method: str, params: object = None) -> Any:
        """The result of a request that has to succeed."""
        answer = self.ask(method, params)
        assert "error" not in answer, answer
        return answer["result"]

    def notify(self, method: str, params: object = None) -> None:
        """A notification."""
        self.send({"method": method, "params": params})

    def initialize(self, capabilities: Mapping[str, Any] = PLAIN, **more: object) -> dict[str, Any]:
        """The result of initialize, followed by initialized. `more` are further params, or others."""
        params = {"processId": os.getpid(), "rootUri": self.root.as_uri(), "capabilities": capabilities, **more}
        result = self.result("initialize", params)
        self.notify("initialized", {})
        return result

    def uri(self, path: str) -> str:
        """The URI of a path of the workspace."""
        return (self.root / path).as_uri()

    def open(self, path: str, text: str | None = None) -> None:
        """Open a file, with other text than it has if one is given."""
        text = (self.root / path).read_text(encoding="utf-8") if text is None else text
        self._versions[path] = 1
        document = {"uri": self.uri(path), "languageId": "python", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def edit(self, path: str, start: tuple[int, int], end: tuple[int, int], text: str) -> int:
        """Replace a range; the version after it."""
        self._versions[path] += 1
        version = self._versions[path]
        places = {
            "start": {"line": start[0], "character": start[1]},
            "end": {"line": end[0], "character": end[1]},
        }
        change = {"range": places, "text": text}
        document = {"uri": self.uri(path), "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        return version

    def close(self, path: str) -> None:
        """Close a file without saving it."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(path)}})

    def diagnostics(self, path: str, holds: Callable[[list[dict[str, Any]]], bool]) -> list[dict[str, Any]]:
        """The first published list for the file that `holds` accepts."""
        while True:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                params = message["params"]
                if params["uri"] == self.uri(path) and holds(params["diagnostics"]):
                    return params["diagnostics"]

    def until_told(self, method: str, holds: Callable[[Any], bool] = lambda _: True) -> Any:
        """The params of the first notification or request of this method, told already or not, that `holds` accepts."""
        seen = 0
        while True:
            told = [each for each in (*self.notifications, *self.requests) if each["method"] == method]
            for each in told[seen:]:
                if holds(each.get("params")):
                    return each.get("params")
            seen = len(told)
            self.receive()

    def at(self, path: str, line: int, character: int) -> dict[str, Any]:
        """Text document position params."""
        return {"textDocument": {"uri": self.uri(path)}, "position": {"line": line, "character": character}}

    def leave(self) -> int:
        """Shut down properly; the exit code."""
        self.result("shutdown")
        self.notify("exit")
        return self.process.wait(PATIENCE_S)


@contextlib.contextmanager
def editor(user: Daemons, *args: str, cwd: Path | None = None) -> Generator[EditorClient]:
    """An editor that ends with the context."""
    process = user.spawn("lsp", *args, cwd=cwd)
    try:
        yield EditorClient(process, user.root)
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
