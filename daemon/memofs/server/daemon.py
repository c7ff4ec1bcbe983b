"""The daemon of one workspace: elected, listening, following the files, and gone when nobody needs it.

Invariant: it answers hellos from its first moment and loads the engine meanwhile; it ends by itself when nobody was
connected for a while, when its socket's folder or its workspace is gone, and when it is asked to; what runs is answered
first. Whoever loses the election is no failure: there is a daemon.
"""

import asyncio
import contextlib
import json
import logging
import os
import signal
import socket
import struct
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import msgspec

from memofs import __version__
from memofs.link.notice import Notice, remove_notice, write_notice
from memofs.server.election import Election, elect
from memofs.server.heap import Heap
from memofs.server.host import Host
from memofs.server.listener import Listener, listen
from memofs.server.log import log_to
from memofs.server.opening import Opened, open_stream, role_of
from memofs.wire.framing import FramingError
from memofs.wire.values import WIRE_VERSION

if TYPE_CHECKING:
    from memofs.engine.engine import Engine
    from memofs.server.trace import Trace

__all__ = ["Options", "run"]

log = logging.getLogger("memofs.daemon")

IDLE_EXIT_S = 600.0
MODEL_REST_S = 300.0
"""How long the worker that embeds is kept without a question; ending it gives its memory back."""
TICK_S = 1.0
DRAIN_S = 10.0
FIRST_MESSAGE_S = 30.0
STREAM_LIMIT_BYTES = 1 << 20
_EDITOR = "memofs.server.editor.session"
"""Imported once the engine stands: pygls takes a third of a second that the first editor would wait for."""
SWITCH_INTERVAL_S = 0.0005
"""Python's own 5 ms between threads equal a keystroke's whole budget."""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """How to run. `ready` is told once the daemon stands, or why it does not."""

    root: Path
    ready: Callable[[dict[str, str]], None]
    foreground: bool = False
    trace: Path | None = None
    idle_exit_s: float = IDLE_EXIT_S
    model_rest_s: float = MODEL_REST_S


def run(options: Options) -> int:
    """The exit code, once the daemon has ended: 0, or 1 if it could not begin."""
    try:
        election = elect(options.root)
    except OSError as error:
        options.ready(
            {
                "error": f"no daemon can be started here: {error}",
                "code": "noLock",
                "hint": "add --no-daemon to do the work in this process",
            }
        )
        return 1
    if election is None:
        options.ready({"ready": "another"})
        return 0
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    logs = options.root / ".memofs" / "logs"
    if logs.parent.is_dir() and not election.read_only:
        with contextlib.suppress(OSError):
            logs.mkdir(exist_ok=True)
    with log_to(logs / "daemon.log", level=logging.INFO, echo=options.foreground):
        try:
            return asyncio.run(_Daemon(options, election).run())
        except OSError as error:
            log.error("the daemon could not begin: %s", error)
            options.ready(
                {
                    "error": f"no daemon can be started here: {error}",
                    "code": "noEndpoint",
                    "hint": "set XDG_RUNTIME_DIR to a folder of yours, or add --no-daemon",
                }
            )
            return 1
        finally:
            election.release()


class _Daemon:
    def __init__(self, options: Options, election: Election) -> None:
        self._options = options
        self._election = election
        self._held = [election]
        self._stop = asyncio.Event()
        self._connections: set[asyncio.Task[None]] = set()
        self._loading: asyncio.Task[Engine] | None = None
        self._preparing: asyncio.Task[ModuleType] | None = None
        self._trace: Trace | None = None
        self._host = Host(options.root, build=__version__, on_drain=self._stop.set, is_daemon=True)
        self._listener: Listener | None = None
        self._notices: list[Path] = []
        self._heap = Heap()

    async def run(self) -> int:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._host.drain)
        if self._options.trace is not None:
            from memofs.server.trace import Trace

            self._trace = Trace(self._options.trace)
            self._host.trace = self._trace.record
        await self._listen()
        self._loading = loop.create_task(self._load())
        following = loop.create_task(self._follow())
        self._options.ready({"ready": "this"})
        log.info("listening", extra={"fields": {"endpoint": self._endpoint, "pid": os.getpid()}})
        try:
            while not self._stop.is_set():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._stop.wait(), TICK_S)
                await self._look_around()
        finally:
            await self._end(following)
        return 0

    @property
    def _endpoint(self) -> str:
        return self._listener.endpoint if self._listener is not None else ""

    async def _listen(self) -> None:
        self._listener = await listen(self._options.root, self._accept, limit=STREAM_LIMIT_BYTES)
        self._host.set_token(self._listener.token)
        self._announce()

    def _announce(self) -> None:
        assert self._listener is not None  # noqa: S101 - listening came first
        notice = Notice(
            pid=os.getpid(),
            root=str(self._options.root),
            endpoint=self._listener.endpoint,
            wire_version=WIRE_VERSION,
            build=__version__,
            started=self._host.started.isoformat(timespec="seconds"),
            token=self._listener.token,
        )
        places = [self._election.folder / "daemon.json"]
        if self._listener.path is not None:
            places.append(self._listener.path.with_suffix(".json"))
        for path in places:
            write_notice(path, notice)
        self._notices = places

    async def _look_around(self) -> None:
        """Mend what others took away, and end where there is no reason to stay."""
        if self._host.draining:
            return
        if not self._election.read_only and not self._election.stands:
            log.warning("the lock is gone: the workspace was removed or replaced")
            self._host.drain()
        elif self._listener is not None and not self._listener.stands:
            log.warning("the socket was taken away; listening anew")
            self._listener.close()
            await self._listen()
        elif self._host.idle_s >= self._options.idle_exit_s:
            log.info("idle: ending")
            self._host.drain()
        else:
            self._move_in()
            if self._loading is not None and self._loading.done():
                engine = self._loading.result()
                if engine.is_open and not self._host.active:
                    self._heap.settle()
                await asyncio.to_thread(lambda: engine.rest(idle_s=self._options.model_rest_s))

    def _move_in(self) -> None:
        """Take the workspace's own lock once a memory was set up there."""
        memofs = self._options.root / ".memofs"
        if self._election.read_only or self._election.folder.is_relative_to(memofs) or not memofs.is_dir():
            return
        election = elect(self._options.root)
        if election is None or election.folder == self._election.folder:
            self._host.drain()  # another daemon was faster
            return
        self._election = election
        self._held.append(election)
        self._announce()

    async def _load(self) -> "Engine":
        """The engine, imported and made off the loop."""
        engine = await asyncio.to_thread(_make_engine, self._options.root)
        self._preparing = asyncio.create_task(asyncio.to_thread(import_module, _EDITOR))
        return engine

    async def _engine(self) -> "Engine":
        assert self._loading is not None  # noqa: S101 - made before anybody could connect
        return await asyncio.shield(self._loading)

    async def _follow(self) -> None:
        engine = await self._engine()
        from memofs.server.background import Background
        from memofs.server.following import follow
        from memofs.server.following_code import follow_code

        background = Background(engine, self._host)
        background.begin()
        code = asyncio.create_task(follow_code(engine, self._host, stop=self._stop))
        try:
            await follow(engine, self._host, stop=self._stop)
        finally:
            code.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await code
            await background.end()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - asyncio runs every client in a task
        self._connections.add(task)
        try:
            await self._serve(reader, writer)
        except (ConnectionError, FramingError, asyncio.IncompleteReadError, TimeoutError) as error:
            log.info("a connection ended before its first message: %r", error)
        except Exception:
            log.exception("a connection ended by a fault")
        finally:
            self._connections.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not _same_user(writer):
            log.warning("refused a connection of another user")
            return
        opened: Opened = await asyncio.wait_for(open_stream(reader), FIRST_MESSAGE_S)
        if role_of(opened) == "editor":
            editing = asyncio.ensure_future(asyncio.to_thread(import_module, _EDITOR))
            engine = await self._engine()
            await editing
            from memofs.server.editor.session import serve_editor

            await serve_editor(engine, reader, writer, host=self._host, hello=opened)
            return
        engine = await self._engine()
        from memofs.server.rpc import serve_connection

        await serve_connection(engine, reader, writer, host=self._host, first=opened.body)

    async def _end(self, following: "asyncio.Task[None]") -> None:
        """Close the door, let what runs be answered, and save."""
        self._host.draining = True
        self._stop.set()
        for path in self._notices:
            remove_notice(path, pid=os.getpid())
        if self._listener is not None:
            self._listener.close()
        following.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await following
        await self._host.quiet(DRAIN_S)
        running = [task for task in self._connections if task is not asyncio.current_task()]
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running, timeout=1)
        if self._loading is not None:
            engine = await self._loading
            await engine.close()
        if self._trace is not None:
            self._trace.close()
        for election in self._held[1:]:
            election.release()
        log.info("ended")


def _make_engine(root: Path) -> "Engine":
    """The engine, with what the first request will need of modules loaded too."""
    import_module("memofs.server.rpc")
    from memofs.engine.engine import Engine

    return Engine(root)


def _same_user(writer: asyncio.StreamWriter) -> bool:
    """Whether a Unix socket's other end is this user or root; for TCP the token decides."""
    sock = writer.get_extra_info("socket")
    option = getattr(socket, "SO_PEERCRED", None)
    if sock is None or sock.family != socket.AF_UNIX or option is None:
        return True
    _, uid, _ = struct.unpack("3i", sock.getsockopt(socket.SOL_SOCKET, option, struct.calcsize("3i")))
    return uid in (os.getuid(), 0)


def ready_on(descriptor: int | None) -> Callable[[dict[str, str]], None]:
    """What tells a waiting parent, once; a parent that is gone does not matter."""

    def tell(said: dict[str, str]) -> None:
        nonlocal descriptor
        if descriptor is not None:
            with contextlib.suppress(OSError):
                os.write(descriptor, json.dumps(said).encode())
                os.close(descriptor)
            descriptor = None

    return tell
