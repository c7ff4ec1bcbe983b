"""The workspace's daemon as an asyncio program asks it: many requests at once over one connection.

Invariant: every request ends, with its answer or with a RemoteError, also where the daemon hangs. A connection that
breaks is made anew by the next request; a request that was under way then is asked once more if it only reads. One that
is cancelled is cancelled in the daemon too. What is loaded is the wire and the link, and nothing of the engine.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import msgspec

from memofs.link.client import Client, RemoteError
from memofs.link.find import Reach, find, find_running
from memofs.wire.framing import FrameBuffer, FramingError, frame
from memofs.wire.jsonrpc import CANCELLED, Incoming, ResponseError
from memofs.wire.methods import METHODS
from memofs.wire.notify import DidChangeMemories
from memofs.wire.values import Params, Progress, Result

__all__ = ["Daemon", "OnProgress"]

R = TypeVar("R", bound=Result)
T = TypeVar("T")
OnProgress = Callable[[Progress], None]

SILENT_S: Final = 10.0
"""After so long without a word from the daemon it is asked whether it is there, and has as long to say so."""
IS_THERE: Final = "memofs/isThere"
"""No method of the daemon's: that there is none, it says at once, whatever else it does."""
AGAIN_S: Final = 2.0
LONGEST_S: Final = 30.0
"""How often a daemon that is gone is looked for, at first and in the end: only found, never started."""


class _ProgressParams(msgspec.Struct, frozen=True):
    token: int | str
    value: Progress


_decode_incoming = msgspec.json.Decoder(Incoming).decode
_encode = msgspec.json.Encoder().encode


class Daemon:
    """The daemon of the workspace at `root`. Use on one event loop; `close` it in the end.

    `on_change`, if it is set, is told what the daemon tells of memories, and None where something may have been missed.
    """

    def __init__(self, root: Path, *, build: str) -> None:
        self.root = root
        self.on_change: Callable[[DidChangeMemories | None], None] | None = None
        self._build = build
        self._reach = Reach(root, role="mcp", build=build)
        self._under_way = 0
        self._connection: _Connection | None = None
        self._connecting: asyncio.Task[_Connection] | None = None
        self._looking: asyncio.Task[None] | None = None
        self._was_connected = False

    @property
    def is_busy(self) -> bool:
        """Whether a request is under way."""
        return self._under_way > 0

    def another(self) -> "Daemon":
        """One more connection to the same daemon, made when it is used; nobody is told what changes."""
        return Daemon(self.root, build=self._build)

    async def ask(self, method: str, params: Params, result: type[R], *, on_progress: OnProgress | None = None) -> R:
        """The answer to one request. Raises RemoteError."""
        self._under_way += 1
        try:
            answer = await self._ask_again(method, params, on_progress)
        finally:
            self._under_way -= 1
        if not isinstance(answer, result):
            raise TypeError(f"{method} answered {type(answer).__name__}, not {result.__name__}")
        return answer

    async def connect(self) -> None:
        """Be connected, so that the next request need not wait for it, and what changes is told. Raises RemoteError."""
        await self._connected()

    async def close(self) -> None:
        """End the connection."""
        for task in (self._looking, self._connecting):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, RemoteError, OSError):
                    await task
        if self._connection is not None:
            self._connection.close()

    async def _ask_again(self, method: str, params: Params, on_progress: OnProgress | None) -> Result:
        try:
            return await self._ask(method, params, on_progress)
        except RemoteError as error:
            again = error.code == "draining" or (error.code == "disconnected" and METHODS[method].lane == "read")
            if not again:
                raise
        return await self._ask(method, params, on_progress)

    async def _ask(self, method: str, params: Params, on_progress: OnProgress | None) -> Result:
        connection = await self._connected()
        return await connection.ask(method, params, on_progress)

    async def _connected(self) -> "_Connection":
        if self._connection is not None and not self._connection.is_lost:
            return self._connection
        if not (self.root / ".memofs").is_dir():
            raise RemoteError(
                f"there is no memory in {self.root} or above it",
                family="NotFound",
                code="workspace",
                hint="run `memofs init` there, then ask again",
            )
        if self._connecting is None or self._connecting.done():
            self._connecting = asyncio.create_task(self._find())
        return await asyncio.shield(self._connecting)

    async def _find(self) -> "_Connection":
        client = await _in_thread(lambda: find(self._reach))
        return await self._take(client.release())

    async def _take(self, released: "tuple[Any, FrameBuffer, list[bytes]]") -> "_Connection":
        sock, frames, waiting = released
        connection = _Connection(frames, on_change=self._tell, on_lost=self._lost)
        await asyncio.get_running_loop().create_connection(lambda: connection, sock=sock)
        for body in waiting:
            connection.take(body)
        self._connection = connection
        if self._was_connected:
            self._tell(None)
        self._was_connected = True
        return connection

    def _tell(self, change: DidChangeMemories | None) -> None:
        if self.on_change is not None:
            self.on_change(change)

    def _lost(self) -> None:
        if self.on_change is not None and (self._looking is None or self._looking.done()):
            self._looking = asyncio.create_task(self._look())

    async def _look(self) -> None:
        """Find the daemon that comes after the one that is gone: another client starts it, or a request of ours."""
        wait_s = AGAIN_S
        while True:
            await asyncio.sleep(wait_s)
            if self._connection is not None and not self._connection.is_lost:
                return
            if self._connecting is None or self._connecting.done():
                with contextlib.suppress(RemoteError, OSError):
                    client = await _in_thread(lambda: find_running(self._reach))
                    if client is not None:
                        self._connecting = asyncio.create_task(self._take(client.release()))
                        await asyncio.shield(self._connecting)
                        return
            wait_s = min(2 * wait_s, LONGEST_S)


class _Connection(asyncio.Protocol):
    def __init__(
        self,
        frames: FrameBuffer,
        *,
        on_change: Callable[[DidChangeMemories | None], None],
        on_lost: Callable[[], None],
    ) -> None:
        self._frames = frames
        self._on_change = on_change
        self._on_lost = on_lost
        self._transport: asyncio.WriteTransport | None = None
        self._answers: dict[int | str, asyncio.Future[Incoming]] = {}
        self._progress: dict[int | str, OnProgress] = {}
        self._last_id = 1
        self._heard_s = asyncio.get_running_loop().time()
        self.is_lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)  # noqa: S101 - a stream socket's transport
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._heard_s = asyncio.get_running_loop().time()
        try:
            for body in self._frames.feed(data):
                self.take(body)
        except (FramingError, msgspec.DecodeError):
            self.close()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        self.is_lost = True
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(_gone())
        self._answers.clear()
        self._on_lost()

    def close(self) -> None:
        self.is_lost = True
        if self._transport is not None:
            self._transport.close()

    async def ask(self, method: str, params: Params, on_progress: OnProgress | None) -> Result:
        self._last_id += 1
        request_id = self._last_id
        raw: dict[str, Any] = msgspec.to_builtins(params)
        if on_progress is not None and "workDoneToken" in raw:
            raw["workDoneToken"] = str(request_id)
            self._progress[str(request_id)] = on_progress
        answer: asyncio.Future[Incoming] = asyncio.get_running_loop().create_future()
        self._answers[request_id] = answer
        try:
            self._send({"jsonrpc": "2.0", "id": request_id, "method": method, "params": raw})
            message = await self._answered(answer)
        except asyncio.CancelledError:
            with contextlib.suppress(RemoteError):
                self._send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": request_id}})
            raise
        finally:
            self._answers.pop(request_id, None)
            self._progress.pop(str(request_id), None)
        if message.error is not None:
            raise _remote(message.error)
        return msgspec.json.decode(message.result, type=METHODS[method].result)

    async def _answered(self, answer: asyncio.Future[Incoming]) -> Incoming:
        """The answer, however long it takes, as long as the daemon says anything. Raises RemoteError."""
        loop = asyncio.get_running_loop()
        while not answer.done():
            await asyncio.wait((answer,), timeout=SILENT_S)
            if not answer.done() and loop.time() - self._heard_s >= SILENT_S:
                asked_s = loop.time()
                self._last_id += 1
                self._send({"jsonrpc": "2.0", "id": self._last_id, "method": IS_THERE})
                await asyncio.wait((answer,), timeout=SILENT_S)
                if not answer.done() and self._heard_s < asked_s:
                    raise _silent()
        return answer.result()

    def take(self, body: bytes) -> None:
        """One message of the daemon's. Raises msgspec.DecodeError."""
        message = _decode_incoming(body)
        if message.method is None:
            answer = None if message.id is None else self._answers.get(message.id)
            if answer is not None and not answer.done():
                answer.set_result(message)
        elif message.method == "memofs/didChangeMemories":
            self._on_change(msgspec.json.decode(message.params, type=DidChangeMemories))
        elif message.method == "$/progress":
            progress = msgspec.json.decode(message.params, type=_ProgressParams)
            if (told := self._progress.get(progress.token)) is not None:
                told(progress.value)

    def _send(self, message: dict[str, Any]) -> None:
        if self._transport is None or self.is_lost or self._transport.is_closing():
            raise _gone()
        self._transport.write(frame(_encode(message)))


async def _in_thread(work: Callable[[], T]) -> T:
    """What the work returns, done in a thread that the end of this process does not wait for."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if done.done():
            if isinstance(result, Client):
                result.close()
        elif error is not None:
            done.set_exception(error)
        else:
            done.set_result(cast("T", result))

    def run() -> None:
        result: T | None = None
        failure: BaseException | None = None
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - it is raised again where it is waited for
            failure = error
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, result, failure)

    threading.Thread(target=run, daemon=True).start()
    return await done


def _remote(error: ResponseError) -> RemoteError:
    data = error.data
    if error.code == CANCELLED:
        return RemoteError("the request was cancelled", family="Cancelled", code="cancelled")
    return RemoteError(
        error.message,
        family=data.family if data else "Internal",
        code=data.code if data else "",
        hint=data.hint if data else None,
    )


def _gone() -> RemoteError:
    return RemoteError(
        "the connection to the daemon broke off",
        family="Unavailable",
        code="disconnected",
        hint="ask again: what was acknowledged is on disk, and a memory that is remembered twice is kept once",
    )


def _silent() -> RemoteError:
    return RemoteError(
        "the daemon does not answer",
        family="Unavailable",
        code="silent",
        hint="tell the person you work for, if it goes on: `memofs daemon stop` ends it, and the next call starts one",
    )
