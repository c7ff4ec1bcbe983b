"""A client that can send anything, on a connection of its own to a loop in this process."""

import json
import socket
from pathlib import Path
from typing import Any

from memofs.server.in_process import start
from memofs.wire.framing import FrameBuffer, frame

__all__ = ["Raw"]


class Raw:
    """One connection. `close` ends it and waits for what it started."""

    def __init__(self, root: Path) -> None:
        self.socket: socket.socket
        self.socket, self.wait = start(root)
        self.socket.settimeout(20)
        self.frames = FrameBuffer()
        self.waiting: list[dict[str, Any]] = []

    def send(self, message: object) -> None:
        self.socket.sendall(frame(json.dumps(message).encode()))

    def receive(self) -> dict[str, Any]:
        while not self.waiting:
            data = self.socket.recv(65536)
            if not data:
                raise EOFError
            self.waiting += [json.loads(body) for body in self.frames.feed(data)]
        return self.waiting.pop(0)

    def ask(self, method: str, params: object = None, *, id_: int | str = 1) -> dict[str, Any]:
        self.send({"jsonrpc": "2.0", "id": id_, "method": method, "params": {} if params is None else params})
        return self.receive()

    def hello(self, **more: object) -> dict[str, Any]:
        return self.ask("memofs/hello", {"role": "cli", **more}, id_="hello")

    def close(self) -> None:
        self.socket.close()
        self.wait()
