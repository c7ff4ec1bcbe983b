"""A real HTTP server on the loopback that answers as a test says and remembers what it was asked."""

import json
import socket
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast


@dataclass(frozen=True)
class Asked:
    """One request as it arrived."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, object]


@dataclass(frozen=True)
class Answer:
    """What to answer: JSON, or bytes as they are. `hold` is waited for first, so that a client can give up."""

    body: object = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    hold: threading.Event | None = None


@dataclass(frozen=True)
class Server:
    """Where it listens, and every request so far."""

    url: str
    asked: list[Asked]


@contextmanager
def serving(answer: Callable[[Asked], Answer]) -> Generator[Server]:
    """A server for the length of a test."""
    asked: list[Asked] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", "0"))
            body = cast("dict[str, object]", json.loads(self.rfile.read(length)))
            request = Asked(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            asked.append(request)
            reply = answer(request)
            if reply.hold is not None:
                reply.hold.wait(30)
            content = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            try:
                self.send_response(reply.status)
                for name, value in {"content-length": str(len(content)), **reply.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)
            except ConnectionError:
                self.close_connection = True  # the client gave up

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield Server(f"http://127.0.0.1:{server.server_address[1]}", asked)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def dripping(begin: bytes, drop: bytes) -> Generator[str]:
    """The URL of a server that sends the beginning at once and then drop after drop without end, a hundred a second.

    An empty drop is silence. Requests are not read, so that a client may begin with a handshake.
    """
    listening = socket.create_server(("127.0.0.1", 0))
    ended = threading.Event()

    def drip(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.sendall(begin)
            while not ended.wait(0.01):
                connection.sendall(drop)

    def accept() -> None:
        with suppress(OSError):
            while True:
                drops.append(threading.Thread(target=drip, args=(listening.accept()[0],)))
                drops[-1].start()

    drops: list[threading.Thread] = []
    accepting = threading.Thread(target=accept)
    accepting.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        ended.set()
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        for thread in (accepting, *drops):
            thread.join()
