"""`memofs lsp`: an editor's standard input and output, passed to the daemon and back, byte for byte.

Invariant: it knows nothing of LSP and changes nothing. It ends when the editor closes its side (exit code 0), when the
daemon says that the session has ended (with the code that it names), and when the daemon goes without a word (1), so
that the editor starts it again and finds the next daemon.
"""

import contextlib
import os
import select
import selectors
import socket
from collections.abc import Callable

from memofs.wire.notify import FAREWELLS

__all__ = ["pump"]

DAEMON_GONE = 1
CHUNK_BYTES = 1 << 16
MOST_WAITING_BYTES = 1 << 20
"""Beyond this much that the other side has not taken yet, a side is not read from."""


def pump(sock: socket.socket, *, first: bytes = b"", source: int = 0, sink: int = 1) -> tuple[int, bool]:
    """The exit code once either side has ended, and whether the session was ended by the editor.

    `first` was read from the editor already.
    """
    return _Pump(sock, first, source, sink).run()


class _Pump:
    def __init__(self, sock: socket.socket, first: bytes, source: int, sink: int) -> None:
        self._socket = sock
        self._source = source
        self._sink = sink
        self._to_daemon = bytearray(first)
        self._to_editor = bytearray()
        self._editor_done = False
        self._daemon_done = False
        self._last = b""

    def run(self) -> tuple[int, bool]:
        self._socket.setblocking(False)
        # The editor's ends stay as they are: they may be shared with a shell, which O_NONBLOCK would disturb.
        with selectors.SelectSelector() as selector:
            while True:
                if self._daemon_done and not self._to_editor:
                    return self._code()
                if not self._step(selector):
                    return self._code()

    def _code(self) -> tuple[int, bool]:
        if self._last in FAREWELLS:
            return FAREWELLS.index(self._last), True
        return (DAEMON_GONE, False) if self._daemon_done and not self._editor_done else (0, True)

    def _step(self, selector: selectors.BaseSelector) -> bool:
        """Wait for whoever is ready and move some bytes; False once the editor takes nothing any more."""
        wanted: list[tuple[int, int, Callable[[int], None]]] = []
        if not self._editor_done and len(self._to_daemon) < MOST_WAITING_BYTES:
            wanted.append((self._source, selectors.EVENT_READ, self._from_editor))
        events = 0 if self._daemon_done or len(self._to_editor) >= MOST_WAITING_BYTES else selectors.EVENT_READ
        if self._to_daemon and not self._daemon_done:
            events |= selectors.EVENT_WRITE
        if events:
            wanted.append((self._socket.fileno(), events, self._exchange))
        if self._to_editor:
            wanted.append((self._sink, selectors.EVENT_WRITE, self._into_editor))
        for descriptor, mask, work in wanted:
            selector.register(descriptor, mask, work)
        ready = selector.select()
        for descriptor, _, _ in wanted:
            selector.unregister(descriptor)
        try:
            for key, mask in ready:
                key.data(mask)
        except BrokenPipeError:
            return False
        return True

    def _from_editor(self, _: int) -> None:
        data = os.read(self._source, CHUNK_BYTES)
        self._to_daemon += data
        if not data:
            self._editor_done = True
            self._end_sending()

    def _into_editor(self, _: int) -> None:
        # select says that a pipe takes PIPE_BUF bytes at least; more could block, and with it the other direction.
        written = os.write(self._sink, self._to_editor[: select.PIPE_BUF])
        del self._to_editor[:written]

    def _exchange(self, mask: int) -> None:
        try:
            if mask & selectors.EVENT_WRITE and self._to_daemon:
                sent = self._socket.send(self._to_daemon)
                del self._to_daemon[:sent]
                self._end_sending()
            if mask & selectors.EVENT_READ:
                data = self._socket.recv(CHUNK_BYTES)
                self._to_editor += data
                self._last = (self._last + data)[-len(FAREWELLS[0]) :]
                self._daemon_done |= not data
        except BlockingIOError:
            return
        except OSError:
            self._daemon_done = True

    def _end_sending(self) -> None:
        """Tell the daemon that the editor is gone, once it has everything."""
        if self._editor_done and not self._to_daemon:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_WR)
