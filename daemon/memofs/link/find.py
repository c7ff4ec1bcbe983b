"""Finding the daemon of a workspace, and starting one where there is none.

Invariant: nothing here writes to the workspace; of several processes that start a daemon at once one wins, and all
are connected to it. A daemon that answers and is older than its client is asked to retire first.
"""

import contextlib
import os
import socket
import sys
import time
from pathlib import Path

from memofs.link.client import Client, RemoteError
from memofs.link.endpoint import connect, unavailable
from memofs.link.notice import Notice, notices
from memofs.wire.admin import DrainParams, DrainResult
from memofs.wire.values import WIRE_VERSION, PositionEncoding

__all__ = ["Reach", "daemon_command", "find", "find_running", "retire"]

PATIENCE_S = 20.0
"""How long a daemon may take from its start to its first answer; on a busy machine Python alone takes seconds."""
_FIRST_WAIT_S = 0.005
_LONGEST_WAIT_S = 0.1


class Reach:
    """What it takes to reach the daemon of one workspace as a client of some role.

    `serves_editors` means that the connection's further bytes are LSP, once it was greeted.
    """

    def __init__(self, root: Path, *, role: str, build: str, position_encoding: PositionEncoding = "utf-32") -> None:
        self.root = root
        self.role = role
        self.build = build
        self.position_encoding: PositionEncoding = position_encoding

    def greet(self, sock: socket.socket, notice: Notice | None) -> Client:
        """The connection, greeted. Raises RemoteError."""
        return Client(
            sock,
            role=self.role,
            build=self.build,
            position_encoding=self.position_encoding,
            token=notice.token if notice is not None else None,
        )


def find(reach: Reach) -> Client:
    """A greeted connection to the workspace's daemon, started if there is none.

    Raises RemoteError: Unavailable where no daemon can be started or it is another user's, InvalidRequest where it
    speaks a newer protocol than this program.
    """
    end_s = time.monotonic() + PATIENCE_S
    started: _Starting | None = None
    retired: int | None = None
    wait_s = _FIRST_WAIT_S
    while True:
        client = find_running(reach)
        if client is not None:
            if retired is not None or not _is_older(client.hello.build, reach.build):
                return client
            retired = retire(client)
            client.close()
        elif started is None:
            started = _Starting(reach.root)
        if started is not None:
            started.check()
        if time.monotonic() > end_s:
            raise unavailable(
                f"the daemon did not answer within {PATIENCE_S:.0f} seconds",
                "memofs daemon --foreground shows what keeps it; --no-daemon does the work in this process",
            )
        if started is not None and started.waits:
            started.wait(wait_s)
        else:
            time.sleep(wait_s)
        wait_s = min(2 * wait_s, _LONGEST_WAIT_S)


def find_running(reach: Reach) -> Client | None:
    """A greeted connection to a daemon that runs, None where none answers. Raises RemoteError."""
    for notice in notices(reach.root):
        if _major(notice.wire_version) != _major(WIRE_VERSION) and not _is_older(notice.wire_version, WIRE_VERSION):
            raise RemoteError(
                f"the workspace's daemon speaks version {notice.wire_version} of the protocol, this program "
                f"{WIRE_VERSION}",
                family="InvalidRequest",
                code="wireVersion",
                hint="update this program, or run: memofs daemon stop, with the newer one",
            )
        try:
            sock = connect(notice.endpoint)
        except OSError:
            continue
        try:
            return reach.greet(sock, notice)
        except RemoteError as error:
            sock.close()
            if error.code == "wireVersion" and _is_older(notice.wire_version, WIRE_VERSION):
                _retire_unknown(notice)
                continue
            if error.code in ("disconnected", "draining"):  # it is just leaving
                continue
            raise
    return None


def retire(client: Client) -> int:
    """Ask the daemon to end after what it is doing; its process id, 0 where it did not answer."""
    with contextlib.suppress(RemoteError):
        answer = client.call("memofs/drain", DrainParams())
        if isinstance(answer, DrainResult):
            return answer.pid
    return 0


def daemon_command(root: Path, *further: str) -> list[str]:
    """The command line of a daemon for this workspace."""
    return [sys.executable, "-m", "memofs.server", *further, "--", str(root)]


class _Starting:
    """A daemon that was started and has not said yet whether it stands."""

    def __init__(self, root: Path) -> None:
        import subprocess

        ours, theirs = os.pipe()
        self._pipe: int | None = ours
        self._said = b""
        try:
            os.set_inheritable(theirs, True)
            subprocess.Popen(  # noqa: S603 - this program's own server
                daemon_command(root, "--ready-fd", str(theirs)),
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                pass_fds=(theirs,),
            )
        except OSError as error:
            os.close(ours)
            raise unavailable(f"no daemon can be started: {error}", "add --no-daemon") from error
        finally:
            os.close(theirs)

    @property
    def waits(self) -> bool:
        """Whether it has not said anything yet."""
        return self._pipe is not None

    def wait(self, seconds: float) -> None:
        """Return when it said something, or after `seconds`."""
        import select

        assert self._pipe is not None  # noqa: S101 - `waits` was looked at
        readable, _, _ = select.select([self._pipe], [], [], seconds)
        if readable:
            data = os.read(self._pipe, 4096)
            self._said += data
            if not data:
                os.close(self._pipe)
                self._pipe = None

    def check(self) -> None:
        """Raise what it could not start for; return otherwise."""
        if self._pipe is None and self._said:
            import msgspec

            said = msgspec.json.decode(self._said, type=dict[str, str])
            if "error" in said:
                raise unavailable(said["error"], said.get("hint", "add --no-daemon"), code=said.get("code", "noDaemon"))
            self._said = b""


def _retire_unknown(notice: Notice) -> None:
    """Ask a daemon of an older protocol to end: drain is the one request that every version knows ungreeted."""
    with contextlib.suppress(OSError, RemoteError):
        sock = connect(notice.endpoint)
        with sock:
            import msgspec

            from memofs.wire.framing import frame

            sock.settimeout(5)
            body = {"jsonrpc": "2.0", "id": 1, "method": "memofs/drain", "params": {"token": notice.token}}
            sock.sendall(frame(msgspec.json.encode(body)))
            while sock.recv(1 << 16):
                pass


def _major(version: str) -> str:
    return version.partition(".")[0]


def _is_older(one: str, other: str) -> bool:
    """Whether a version is before another, number by number; what is no number counts as zero."""
    return _numbers(one) < _numbers(other)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) if part.isdecimal() else 0 for part in version.split("+")[0].split("."))
