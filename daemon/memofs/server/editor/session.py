"""One editor: its messages, its open documents, and the features it asks for.

Invariant: messages are taken in the order in which they come, so that a request sees every edit before it; what takes
long runs off the loop on values of that moment. memofs/* requests go the way that every client's go.
"""

import asyncio
import logging
import os
import time
from typing import Any

import msgspec

from memofs.engine.engine import Engine
from memofs.server.call import Flag, Session
from memofs.server.editor.documents import Documents
from memofs.server.editor.features import Features
from memofs.server.editor.pygls_fence import EditorServer, Sink, quiet_pygls
from memofs.server.host import Client, Host
from memofs.server.opening import Opened
from memofs.server.requests import answer, as_response_error, decode_params
from memofs.wire.admin import DrainParams, DrainResult, HelloParams
from memofs.wire.framing import FrameBuffer, FramingError, frame
from memofs.wire.jsonrpc import INVALID_REQUEST, PARSE_ERROR, Incoming, ResponseError
from memofs.wire.notify import FAREWELLS, ServerStatus
from memofs.wire.values import Progress, Result

__all__ = ["Editor", "serve_editor"]

log = logging.getLogger("memofs.editor")

RECEIVE_BYTES = 1 << 16
_OURS = "memofs/"
_encode = msgspec.json.Encoder().encode
_decode_message = msgspec.json.Decoder(dict[str, Any]).decode
_decode_envelope = msgspec.json.Decoder(Incoming).decode


async def serve_editor(
    engine: Engine, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, host: Host, hello: Opened
) -> None:
    """Answer one editor until it leaves. `hello` is the pump's first message; LSP follows it."""
    message = _decode_envelope(hello.body)
    try:
        params = decode_params("memofs/hello", message.params)
        assert isinstance(params, HelloParams)  # noqa: S101 - the table says so
        greeting = host.greet(params)
    except Exception as error:  # noqa: BLE001 - the boundary
        writer.write(frame(_encode({"jsonrpc": "2.0", "id": message.id, "error": as_response_error("hello", error)})))
        return
    writer.write(frame(_encode({"jsonrpc": "2.0", "id": message.id, "result": greeting})))
    client = host.enter("editor")
    try:
        await Editor(engine, reader, writer, host=host, client=client).run()
    finally:
        host.leave(client)


class Editor:
    """One connection of an editor. For the loop's thread only."""

    def __init__(
        self,
        engine: Engine,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        host: Host,
        client: Client,
    ) -> None:
        quiet_pygls()
        self.engine = engine
        self.host = host
        self.client = client
        self.session = Session(role="editor", greeted=True, host=host)
        self.documents = Documents()
        self.server = EditorServer(host.build)
        self._reader = reader
        self._writer = writer
        self._ended = asyncio.Event()
        self._running: dict[int | str, Flag] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._own: set[asyncio.Task[None]] = set()
        protocol = self.server.protocol
        protocol.set_writer(Sink(self._send_body), include_headers=False)
        protocol.on_exit = self._exit
        protocol.on_open, protocol.on_change, protocol.on_close = (
            self.documents.opened,
            self.documents.changed,
            self.documents.closed,
        )
        client.tell = self._tell
        self.features = Features(self)

    async def run(self) -> None:
        """Read until the editor exits or its connection ends."""
        frames = FrameBuffer()
        ended = asyncio.ensure_future(self._ended.wait())
        try:
            while not self._ended.is_set():
                reading = asyncio.ensure_future(self._reader.read(RECEIVE_BYTES))
                await asyncio.wait({reading, ended}, return_when=asyncio.FIRST_COMPLETED)
                if not reading.done():
                    reading.cancel()
                    break
                data = reading.result()
                if not data:
                    break
                for body in frames.feed(data):
                    self._receive(body)
                    if self._ended.is_set():
                        break
        except (FramingError, ConnectionError) as error:
            log.warning("an editor's connection ended: %s", error)
        finally:
            ended.cancel()
            for flag in self._running.values():
                flag.set()
            for task in self._own:
                task.cancel()  # some wait for the client, which may never answer
            if left := self._tasks | self._own:
                await asyncio.wait(left)
            self.features.close()
            self.documents.close()

    def greeted(self) -> None:
        """The editor is ready: tell it how the daemon is, and ask it for what it can tell."""
        self._tell("memofs/serverStatus", self.host.status)
        self.start(self.features.register())

    def _exit(self) -> None:
        """End the session, and tell the pump how."""
        if not self._writer.is_closing():
            self._writer.write(FAREWELLS[0 if self.server.protocol.is_shut_down else 1])
        self._ended.set()

    def start(self, work: Any) -> None:
        """Run a coroutine beside the reading; it ends with the connection."""
        self._begin(work, self._own)

    def _begin(self, work: Any, among: "set[asyncio.Task[None]]") -> None:
        task = asyncio.get_running_loop().create_task(work)
        among.add(task)
        task.add_done_callback(among.discard)

    def _receive(self, body: bytes) -> None:
        if self.host.trace is not None:
            self.host.trace(self.client.number, "in", body)
        try:
            message = _decode_message(body)
        except msgspec.ValidationError:
            self.server.protocol.fail(None, ResponseError(code=INVALID_REQUEST, message="not a JSON object"))
            return
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            self.server.protocol.fail(None, ResponseError(code=PARSE_ERROR, message=f"not JSON: {error}"))
            return
        if message.get("jsonrpc") != "2.0":
            refusal = ResponseError(code=INVALID_REQUEST, message="not JSON-RPC 2.0")
            self.server.protocol.fail(message.get("id"), refusal)
            return
        method, request_id = message.get("method"), message.get("id")
        if isinstance(method, str) and method.startswith(_OURS):
            if request_id is not None:
                self._ask(body, method, request_id)
            return
        if method == "$/cancelRequest" and self._cancelled(message):
            return
        self.server.protocol.dispatch(message)

    def _ask(self, body: bytes, method: str, request_id: Any) -> None:
        if not self.server.protocol.is_initialized or self.server.protocol.is_shut_down:
            self.server.protocol.dispatch({"jsonrpc": "2.0", "id": request_id, "method": method})
            return
        if not isinstance(request_id, int | str) or request_id in self._running:
            self.server.protocol.fail(
                request_id, ResponseError(code=INVALID_REQUEST, message="this id is still being answered, or is none")
            )
            return
        flag = self._running[request_id] = Flag()
        self._begin(self._answer(request_id, method, _decode_envelope(body).params, flag), self._tasks)

    async def _answer(self, request_id: int | str, method: str, raw: msgspec.Raw, flag: Flag) -> None:
        started_s = time.perf_counter()
        outcome, revision = "ok", 0
        try:
            params = decode_params(method, raw)
            if (own := self._of_the_connection(params)) is not None:
                self._send_body(_encode({"jsonrpc": "2.0", "id": request_id, "result": own}))
                return
            self.host.check_open()
            await self.features.settle()
            token = getattr(params, "work_done_token", None)
            with self.host.answering():
                result = await answer(self.engine, self.session, method, params, flag, self._reporter(token))
        except BaseException as error:  # noqa: BLE001 - the boundary: whatever happened, the editor gets an answer
            failure = as_response_error(method, error)
            outcome = failure.data.family if failure.data is not None else str(failure.code)
            self._send_body(_encode({"jsonrpc": "2.0", "id": request_id, "error": failure}))
        else:
            revision = result.revision
            self._send_body(_encode({"jsonrpc": "2.0", "id": request_id, "result": result}))
        finally:
            del self._running[request_id]
            ms = round((time.perf_counter() - started_s) * 1000, 2)
            fields = {"session": self.client.number, "revision": revision, "ms": ms, "outcome": outcome}
            log.info("%s", method, extra={"fields": fields})

    def _of_the_connection(self, params: object) -> Result | None:
        """The answer to what is about the daemon and not the memory, None for anything else."""
        if isinstance(params, HelloParams):
            return self.host.greet(params)
        if isinstance(params, DrainParams):
            asyncio.get_running_loop().call_soon(self.host.drain)
            return DrainResult(pid=os.getpid())
        return None

    def _cancelled(self, message: dict[str, Any]) -> bool:
        try:
            wanted = msgspec.convert(message.get("params"), dict[str, int | str])["id"]
        except (msgspec.ValidationError, KeyError):
            return False
        flag = self._running.get(wanted)
        if flag is not None:
            flag.set()
        return flag is not None

    def _reporter(self, token: str | None) -> Any:
        loop = asyncio.get_running_loop()

        def report(value: Progress) -> None:
            if token is not None:
                params = {"token": token, "value": value}
                loop.call_soon_threadsafe(
                    self._send_body, _encode({"jsonrpc": "2.0", "method": "$/progress", "params": params})
                )

        return report

    def _tell(self, method: str, params: msgspec.Struct) -> None:
        if self.server.protocol.is_initialized and not self.server.protocol.is_shut_down:
            if isinstance(params, ServerStatus):
                self.features.working.told(params)
            self._send_body(_encode({"jsonrpc": "2.0", "method": method, "params": params}))

    def _send_body(self, body: bytes) -> None:
        if not self._writer.is_closing():
            if self.host.trace is not None:
                self.host.trace(self.client.number, "out", body)
            self._writer.write(frame(body))
