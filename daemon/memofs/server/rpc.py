"""CLI and MCP connections: JSON-RPC with LSP framing on an asyncio stream, handlers off the loop.

Invariant: every request gets exactly one answer, whatever its handler does; an unexpected exception becomes -32603
with an id that the log repeats, never a traceback.
"""

import asyncio
import functools
import logging
import secrets
from collections.abc import Callable
from typing import Any

import msgspec

from memofs.engine.engine import Engine
from memofs.model.errors import Cancelled, InvalidRequest, MemoError
from memofs.server.call import Call, Flag, Session
from memofs.server.methods import READS, WAITS, WRITES
from memofs.wire.admin import Capabilities, HelloParams, HelloResult
from memofs.wire.framing import FrameBuffer, FramingError, frame
from memofs.wire.jsonrpc import (
    CANCELLED,
    ERROR_CODES,
    INTERNAL,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    ErrorData,
    Incoming,
    ResponseError,
)
from memofs.wire.methods import METHODS
from memofs.wire.values import WIRE_VERSION, Params, Progress, Result

__all__ = ["serve_connection"]

RECEIVE_BYTES = 1 << 16
log = logging.getLogger("memofs.rpc")

_encode = msgspec.json.Encoder().encode
_decode_incoming = msgspec.json.Decoder(Incoming).decode


async def serve_connection(
    engine: Engine, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, build: str
) -> None:
    """Answer one client until it leaves; then let what it started end, and close."""
    await _Connection(engine, reader, writer, build=build).run()


class _Connection:
    def __init__(
        self, engine: Engine, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, build: str
    ) -> None:
        self._engine = engine
        self._reader = reader
        self._writer = writer
        self._build = build
        self._session = Session()
        self._running: dict[int | str, Flag] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()

    async def run(self) -> None:
        frames = FrameBuffer()
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
        self._writer.close()

    def _receive(self, body: bytes) -> None:
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
        try:
            result = await self._handle(method, raw, flag)
        except BaseException as error:  # noqa: BLE001 - the boundary: whatever happened, the client gets an answer
            self._fail(request_id, _as_response_error(method, error))
        else:
            self._send({"jsonrpc": "2.0", "id": request_id, "result": result})
        finally:
            del self._running[request_id]

    async def _handle(self, method: str, raw: msgspec.Raw, flag: Flag) -> Result:
        row = METHODS.get(method)
        if row is None:
            raise _UnknownMethodError(method)
        params = _decode_params(row.params, raw)
        if isinstance(params, HelloParams):
            return self._hello(params)
        if not self._session.greeted:
            raise InvalidRequest("helloFirst", "the first message of a connection is memofs/hello")
        token = getattr(params, "work_done_token", None)
        call = Call(session=self._session, cancel=flag, report=self._reporter(token))
        if method in READS:
            handler = READS[method]
            return await self._engine.lanes.read(lambda: handler(self._engine.view(), params, call))
        handler = WAITS.get(method) or WRITES[method]
        lane = self._engine.lanes.read if method in WAITS else self._engine.lanes.write
        return await lane(lambda: handler(self._engine, params, call))

    def _hello(self, params: HelloParams) -> HelloResult:
        if params.wire_version.split(".")[0] != WIRE_VERSION.split(".", maxsplit=1)[0]:
            raise InvalidRequest(
                "wireVersion",
                f"this daemon speaks version {WIRE_VERSION} of the protocol, the client {params.wire_version}",
                "update the older of the two",
            )
        self._session.role = params.role
        self._session.encoding = params.position_encoding
        self._session.greeted = True
        return HelloResult(
            wire_version=WIRE_VERSION,
            build=self._build,
            root=str(self._engine.root),
            initialized=self._engine.initialized,
            capabilities=Capabilities(methods=tuple(METHODS), position_encoding=params.position_encoding),
        )

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
            self._writer.write(frame(_encode(message)))


class _UnknownMethodError(Exception):
    pass


def _decode_params(kind: type[Params], raw: msgspec.Raw) -> Params:
    try:
        return msgspec.json.decode(raw or b"{}", type=kind)
    except msgspec.ValidationError as error:
        raise InvalidRequest("params", str(error)) from error


def _as_response_error(method: str, error: BaseException) -> ResponseError:
    correlation_id = secrets.token_hex(4)
    if isinstance(error, MemoError):
        return ResponseError(
            code=ERROR_CODES[error.family],
            message=error.message,
            data=ErrorData(family=error.family, code=error.code, hint=error.hint, correlation_id=correlation_id),
        )
    if isinstance(error, Cancelled | asyncio.CancelledError):
        return ResponseError(code=CANCELLED, message="cancelled")
    if isinstance(error, _UnknownMethodError):
        return ResponseError(code=METHOD_NOT_FOUND, message=f"there is no method {method}")
    log.error("%s failed [%s]", method, correlation_id, exc_info=error)
    return ResponseError(
        code=INTERNAL,
        message=f"an unexpected fault in {method} ({type(error).__name__})",
        data=ErrorData(
            family="Internal",
            code="bug",
            hint=f"please report it with the lines of .memofs/logs/daemon.log that name {correlation_id}",
            correlation_id=correlation_id,
        ),
    )


def _nowhere(_: Progress) -> None:
    return


def _from_any_thread(loop: asyncio.AbstractEventLoop, send: Callable[[Progress], None], value: Progress) -> None:
    loop.call_soon_threadsafe(send, value)
