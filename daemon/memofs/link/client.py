"""A blocking JSON-RPC client on one end of a socket: one request at a time, progress while it waits.

Invariant: a response is matched by id; a Ctrl-C while waiting asks the daemon to cancel and goes on waiting, so that
a write is either done or not done when the client leaves. A second Ctrl-C leaves at once.
"""

import contextlib
import socket
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

import msgspec

from memofs.wire.admin import HelloParams, HelloResult
from memofs.wire.framing import FrameBuffer, FramingError, frame
from memofs.wire.jsonrpc import CANCELLED, Incoming
from memofs.wire.methods import METHODS
from memofs.wire.values import Params, PositionEncoding, Progress, Result

__all__ = ["Client", "RemoteError"]

RECEIVE_BYTES = 1 << 16


class RemoteError(Exception):
    """The daemon's answer was an error: `family` and `code` tell which, `hint` what to do about it."""

    def __init__(self, message: str, *, family: str, code: str = "", hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.family = family
        self.code = code
        self.hint = hint


class _ProgressParams(msgspec.Struct, frozen=True):
    token: int | str
    value: Progress


_decode_incoming = msgspec.json.Decoder(Incoming).decode
_encode = msgspec.json.Encoder().encode


class Client:
    """One connection, greeted. Use as a context manager, or `close` it."""

    def __init__(
        self,
        sock: socket.socket,
        *,
        role: str,
        build: str,
        position_encoding: PositionEncoding = "utf-32",
        token: str | None = None,
        on_close: Callable[[], None] | None = None,
    ) -> None:
        self._socket = sock
        self._frames = FrameBuffer()
        self._waiting: list[bytes] = []
        self._last_id = 0
        self._on_close = on_close
        hello = HelloParams(
            role=msgspec.convert(role, HelloParams.__annotations__["role"]),
            build=build,
            position_encoding=position_encoding,
            token=token,
        )
        answer = self.call("memofs/hello", hello)
        assert isinstance(answer, HelloResult)  # noqa: S101 - narrows for the type checker; the decoder made it so
        self.hello: HelloResult = answer

    def call(
        self,
        method: str,
        params: Params,
        *,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Result:
        """The typed result of `method`. Raises RemoteError for an error answer or a broken connection."""
        self._last_id += 1
        request_id = self._last_id
        raw: dict[str, Any] = msgspec.to_builtins(params)
        if on_progress is not None and "workDoneToken" in raw:
            raw["workDoneToken"] = str(request_id)
        self._send({"jsonrpc": "2.0", "id": request_id, "method": method, "params": raw})
        message = self._await(request_id, on_progress)
        if message.error is not None:
            if message.error.code == CANCELLED:
                raise KeyboardInterrupt
            data = message.error.data
            raise RemoteError(
                message.error.message,
                family=data.family if data else "Internal",
                code=data.code if data else "",
                hint=data.hint if data else None,
            )
        return msgspec.json.decode(message.result, type=METHODS[method].result)

    def release(self) -> tuple[socket.socket, FrameBuffer, list[bytes]]:
        """The connection for whoever goes on in a way of their own: the socket and what was received of what follows.

        That is the buffer of an incomplete message, and messages that nobody waited for. This client is done.
        """
        self._on_close = None
        return self._socket, self._frames, self._waiting

    @property
    def socket(self) -> socket.socket:
        """The connection itself, for whoever goes on in another protocol."""
        return self._socket

    def wait_for_end(self, seconds: float) -> bool:
        """Whether the other side closed the connection within `seconds`."""
        self._socket.settimeout(seconds)
        try:
            while self._socket.recv(RECEIVE_BYTES):
                pass
        except TimeoutError:
            return False
        except OSError:
            return True
        return True

    def close(self) -> None:
        """End the connection; a daemon of our own process is waited for."""
        with contextlib.suppress(OSError):
            self._socket.close()
        if self._on_close is not None:
            self._on_close()
            self._on_close = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _await(self, request_id: int, on_progress: Callable[[Progress], None] | None) -> Incoming:
        interrupted = False
        while True:
            try:
                message = self._receive()
            except KeyboardInterrupt:
                if interrupted:
                    raise
                interrupted = True
                self._send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": request_id}})
                continue
            if message.method == "$/progress" and on_progress is not None:
                on_progress(msgspec.json.decode(message.params, type=_ProgressParams).value)
            elif message.method is None and message.id == request_id:
                return message

    def _receive(self) -> Incoming:
        while not self._waiting:
            try:
                data = self._socket.recv(RECEIVE_BYTES)
                if not data:
                    raise _gone()
                self._waiting += self._frames.feed(data)
            except (OSError, FramingError) as error:
                raise _gone() from error
        return _decode_incoming(self._waiting.pop(0))

    def _send(self, message: dict[str, Any]) -> None:
        try:
            self._socket.sendall(frame(_encode(message)))
        except OSError as error:
            raise _gone() from error


def _gone() -> RemoteError:
    return RemoteError(
        "the connection to the daemon broke off",
        family="Unavailable",
        code="disconnected",
        hint="run the command again; what was acknowledged is on disk",
    )
