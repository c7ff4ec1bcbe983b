"""What a connection knows of the process that serves it: who it is, whether it is ending, and who else listens."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable, Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from memofs.model.errors import InvalidRequest, Refused, Unavailable
from memofs.wire.admin import Capabilities, HelloParams, HelloResult
from memofs.wire.methods import METHODS
from memofs.wire.notify import ServerStatus
from memofs.wire.values import WIRE_VERSION

__all__ = ["Client", "Direction", "Host"]

Role = Literal["editor", "cli", "mcp"]
Direction = Literal["in", "out"]


class Client(msgspec.Struct, kw_only=True, eq=False):
    """One connection, as `status` shows it. `tell` sends it a notification; it may be called on the loop only."""

    number: int
    role: Role
    name: str = ""
    since_s: float = 0.0
    tell: Callable[[str, msgspec.Struct], None] | None = None


class Host:
    """One serving process. For its event loop's thread, but for `tell`, which any thread may call.

    Invariant: once `draining` is true it stays so, and `on_drain` was called exactly once.
    """

    def __init__(
        self,
        root: Path,
        *,
        build: str,
        token: str | None = None,
        on_drain: Callable[[], None] | None = None,
        trace: Callable[[int, Direction, bytes], None] | None = None,
        is_daemon: bool = False,
    ) -> None:
        self.root = root
        self.build = build
        self.is_daemon = is_daemon
        self.draining = False
        self.started = datetime.now(UTC)
        self.trace = trace
        self.clients: dict[int, Client] = {}
        self.active = 0
        self.status = ServerStatus()
        self.watching = "no"
        self._quiet = asyncio.Event()
        self._token = token
        self._on_drain = on_drain
        self._last_number = 0
        self._started_s = time.monotonic()
        self._left_s = self._started_s

    def set_token(self, token: str | None) -> None:
        """Ask every hello for this token from now on."""
        self._token = token

    def watched(self, way: str) -> None:
        """Note how the memory's files are watched: notified or polled; "no" until then."""
        self.watching = way

    @property
    def uptime_s(self) -> float:
        """Seconds since the process began to serve."""
        return time.monotonic() - self._started_s

    @property
    def idle_s(self) -> float:
        """Seconds since the last client left; 0 while there is one."""
        return 0.0 if self.clients else time.monotonic() - self._left_s

    def check_token(self, token: str | None) -> None:
        """Return if the token is the right one, or none is asked for. Raises Refused."""
        if self._token is not None and not secrets.compare_digest(self._token.encode(), (token or "").encode()):
            raise Refused(
                "token",
                "the token is missing or not this daemon's",
                "clients of the same user read it from .memofs/tmp/daemon.json",
            )

    def greet(self, params: HelloParams) -> HelloResult:
        """The answer to a hello.

        Raises Refused for a wrong token, InvalidRequest for another version of the protocol, Unavailable while
        draining.
        """
        self.check_token(params.token)
        if params.wire_version.split(".")[0] != WIRE_VERSION.split(".", maxsplit=1)[0]:
            raise InvalidRequest(
                "wireVersion",
                f"this daemon speaks version {WIRE_VERSION} of the protocol, the client {params.wire_version}",
                "update the older of the two",
            )
        self.check_open()
        return HelloResult(
            wire_version=WIRE_VERSION,
            build=self.build,
            root=str(self.root),
            initialized=(self.root / ".memofs").is_dir(),
            capabilities=Capabilities(methods=tuple(METHODS), position_encoding=params.position_encoding),
        )

    def check_open(self) -> None:
        """Return while requests are taken. Raises Unavailable while draining."""
        if self.draining:
            raise Unavailable("draining", "this daemon is ending", "ask again: another one is started")

    def enter(self, role: Role) -> Client:
        """The new connection, registered."""
        self._last_number += 1
        client = Client(number=self._last_number, role=role, since_s=time.monotonic())
        self.clients[client.number] = client
        return client

    def leave(self, client: Client) -> None:
        """Strike the connection off."""
        if self.clients.pop(client.number, None) is not None and not self.clients:
            self._left_s = time.monotonic()

    @contextlib.contextmanager
    def answering(self) -> Generator[None]:
        """Count a request while it is answered, so that draining can wait for it."""
        self.active += 1
        try:
            yield
        finally:
            self.active -= 1
            if not self.active:
                self._quiet.set()

    async def quiet(self, seconds: float) -> None:
        """Return when no request is being answered, or after `seconds`."""
        end_s = time.monotonic() + seconds
        while self.active and (left_s := end_s - time.monotonic()) > 0:
            self._quiet.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._quiet.wait(), left_s)

    def drain(self) -> None:
        """Take no further requests; the process ends once what runs is answered."""
        if not self.draining:
            self.draining = True
            if self._on_drain is not None:
                self._on_drain()

    def tell(self, method: str, params: msgspec.Struct) -> None:
        """Send a notification to every client that takes them. On the loop only."""
        for client in tuple(self.clients.values()):
            if client.tell is not None:
                client.tell(method, params)
