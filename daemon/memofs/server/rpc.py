"""CLI and MCP connections: JSON-RPC with LSP framing on an asyncio stream, handlers off the loop.

Invariant: every request gets exactly one answer, whatever its handler does; an unexpected exception becomes -32603
with an id that the log repeats, never a traceback.
"""

import asyncio
import functools
import logging
import os
import time
from collections.abc import Callable
from typing import Any

import msgspec

from memofs.engine.engine import Engine
from memofs.model.errors import InvalidRequest, MemoError
from memofs.server.call import Flag, Session
from memofs.server.host import Client, Host
from memofs.server.requests import answer, as_response_error, decode_params
from memofs.wire.admin import DrainParams, DrainResult, HelloParams, HelloResult
from memofs.wire.framing import FrameBuffer, FramingError, frame
from memofs.wire.jsonrpc import (
    INVALID_REQUEST,
    PARSE_ERROR,
    Incoming,
    ResponseError,
)
from memofs.wire.methods import METHODS
from memofs.wire.values import Progress, Result

__all__ = ["serve_connection"]

RECEIVE_BYTES = 1 << 16
log = logging.getLogger("memofs.rpc")

_encode = msgspec.json.Encoder().encode
_decode_incoming = msgspec.json.Decoder(Incoming).decode


async def serve_connection(
    engine: Engine,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    *,
    host: Host,
    first: bytes | None = None,
) -> None:
    """Answer one client until it leaves; then let what it started end, and close.

    `first` is the body of a message that was taken from the stream already.
    """
    await _Connection(engine, reader, writer, host=host).run(first)


class _Connection:
    def __init__(
        self, engine: Engine, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, host: Host
    ) -> None:
        self._engine = engine
        self._reader = reader
        self._writer = writer
        self._host = host
        self._client: Client | None = None
        self._session = Session(host=host)
        self._catching_up: asyncio.Future[None] | None = None
        self._running: dict[int | str, Flag] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()

    async def run(self, first: bytes | None) -> None:
        frames = FrameBuffer()
        if first is not None:
            self._receive(first)
        try:
            while data := await self._reader.read(RECEIVE_BYTES):
                for body in frames.feed(data):
                    self._receive(body)
        except (FramingError, ConnectionError) as error:
            log.warning("connection ended: %s", error)
        for flag in self._running.values():
            flag.set()
        if self._tasks:
            await asyncio.wait(self._tasks)
        if self._client is not None:
            self._host.leave(self._client)
        self._writer.close()

    def _receive(self, body: bytes) -> None:
        if self._host.trace is not None:
            self._host.trace(self._number, "in", body)
        try:
            message = _decode_incoming(body)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            self._fail(None, ResponseError(code=PARSE_ERROR, message=f"not a JSON-RPC message: {error}"))
            return
        if message.method == "$/cancelRequest":
            self._cancel(message)
        elif message.method is None or message.id is None:
            return
        elif message.id in self._running:
            self._fail(
                message.id,
                ResponseError(code=INVALID_REQUEST, message=f"the id {message.id} is still being answered"),
            )
        else:
            flag = Flag()
            self._running[message.id] = flag
            task = self._loop.create_task(self._answer(message.id, message.method, message.params, flag))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _cancel(self, message: Incoming) -> None:
        try:
            wanted = msgspec.json.decode(message.params, type=dict[str, int | str])["id"]
        except (msgspec.DecodeError, KeyError):
            return
        if flag := self._running.get(wanted):
            flag.set()

    async def _answer(self, request_id: int | str, method: str, raw: msgspec.Raw, flag: Flag) -> None:
        started_s = time.perf_counter()
        outcome, revision = "ok", 0
        try:
            result = await self._handle(method, raw, flag)
            revision = result.revision
            self._send({"jsonrpc": "2.0", "id": request_id, "result": result})
        except BaseException as error:  # noqa: BLE001 - the boundary: whatever happened, the client gets an answer
            failure = as_response_error(method, error)
            outcome = failure.data.family if failure.data is not None else str(failure.code)
            self._fail(request_id, failure)
        finally:
            del self._running[request_id]
            ms = round((time.perf_counter() - started_s) * 1000, 2)
            fields = {"session": self._number, "revision": revision, "ms": ms, "outcome": outcome}
            log.info("%s", method if method in METHODS else "(unknown method)", extra={"fields": fields})

    async def _handle(self, method: str, raw: msgspec.Raw, flag: Flag) -> Result:
        params = decode_params(method, raw)
        if isinstance(params, HelloParams):
            return self._hello(params)
        if isinstance(params, DrainParams):
            return self._drain(params)
        if not self._session.greeted:
            raise InvalidRequest("helloFirst", "the first message of a connection is memofs/hello")
        self._host.check_open()
        if self._catching_up is not None:
            await self._catching_up
        token = getattr(params, "work_done_token", None)
        with self._host.answering():
            return await answer(self._engine, self._session, method, params, flag, self._reporter(token))

    def _hello(self, params: HelloParams) -> HelloResult:
        answer = self._host.greet(params)
        self._session.role = params.role
        self._session.encoding = params.position_encoding
        self._session.greeted = True
        if self._client is None:
            self._client = self._host.enter(params.role)
            self._client.tell = self._tell
        if params.role == "cli" and self._engine.is_open:
            # A script that has just written a memory file asks sooner than the watch tells of it.
            self._catching_up = asyncio.ensure_future(self._catch_up())
        return answer

    async def _catch_up(self) -> None:
        try:
            await self._engine.lanes.write(self._engine.catch_up)
        except MemoError as error:
            log.warning("a change on disk could not be taken in: %s", error.message)

    def _drain(self, params: DrainParams) -> DrainResult:
        """Before a hello only with the token, if there is one; so that a daemon of any version can be asked."""
        if not self._session.greeted:
            self._host.check_token(params.token)
        self._loop.call_soon(self._host.drain)
        return DrainResult(pid=os.getpid())

    @property
    def _number(self) -> int:
        return self._client.number if self._client is not None else 0

    def _tell(self, method: str, params: msgspec.Struct) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def _reporter(self, token: str | None) -> Callable[[Progress], None]:
        if token is None:
            return _nowhere
        send = functools.partial(self._send_progress, token)
        return lambda value: _from_any_thread(self._loop, send, value)

    def _send_progress(self, token: str, value: Progress) -> None:
        self._send({"jsonrpc": "2.0", "method": "$/progress", "params": {"token": token, "value": value}})

    def _fail(self, request_id: int | str | None, error: ResponseError) -> None:
        self._send({"jsonrpc": "2.0", "id": request_id, "error": error})

    def _send(self, message: dict[str, Any]) -> None:
        if not self._writer.is_closing():
            body = _encode(message)
            if self._host.trace is not None:
                self._host.trace(self._number, "out", body)
            self._writer.write(frame(body))


def _nowhere(_: Progress) -> None:
    return


def _from_any_thread(loop: asyncio.AbstractEventLoop, send: Callable[[Progress], None], value: Progress) -> None:
    loop.call_soon_threadsafe(send, value)
