"""The endpoint of a daemon: a Unix socket, or loopback TCP with a token where there are none.

Invariant: only whoever holds the election's lock makes or removes the workspace's socket, so a file that is in the way
is a dead daemon's.
"""

import asyncio
import contextlib
import os
import secrets
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from memofs.link.places import run_folder, workspace_key

__all__ = ["Listener", "listen"]

TRANSPORT = "MEMOFS_TRANSPORT"
"""`tcp` asks for the loopback form, which is the only one on Windows."""
BACKLOG = 128
_TOKEN_BYTES = 32

Accept = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Listener(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A server that listens. `path` is its socket, None for TCP; `token` is what a client has to show for TCP."""

    server: asyncio.Server
    endpoint: str
    path: Path | None = None
    token: str | None = None
    identity: tuple[int, int] | None = None

    @property
    def stands(self) -> bool:
        """Whether clients can still find the socket: cleaners of temporary files take them away."""
        return self.path is None or _identity(self.path) == self.identity

    def close(self) -> None:
        """Stop listening and take the socket away, if it is still this one."""
        self.server.close()
        if self.path is not None and self.stands:
            with contextlib.suppress(OSError):
                self.path.unlink()


async def listen(root: Path, accept: Accept, *, limit: int) -> Listener:
    """The endpoint of the workspace's daemon, open. Raises OSError."""
    if os.environ.get(TRANSPORT) == "tcp" or not hasattr(socket, "AF_UNIX"):
        server = await asyncio.start_server(accept, "127.0.0.1", 0, limit=limit, backlog=BACKLOG)
        port = server.sockets[0].getsockname()[1]
        return Listener(server=server, endpoint=f"tcp:127.0.0.1:{port}", token=secrets.token_hex(_TOKEN_BYTES))
    path = run_folder() / f"{workspace_key(root)}.sock"
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
    before = os.umask(0o177)
    try:
        server = await asyncio.start_unix_server(accept, path, limit=limit, backlog=BACKLOG)
    finally:
        os.umask(before)
    return Listener(server=server, endpoint=f"unix:{path}", path=path, identity=_identity(path))


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
