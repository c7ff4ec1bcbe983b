"""The daemon's loop inside a client's own process: one thread, one end of a socket pair (`--no-daemon`)."""

import asyncio
import socket
import threading
from collections.abc import Callable
from pathlib import Path

from memofs import __version__
from memofs.engine.engine import Engine
from memofs.server.host import Host
from memofs.server.log import log_to
from memofs.server.rpc import serve_connection

__all__ = ["start"]


def start(root: Path) -> tuple[socket.socket, Callable[[], None]]:
    """A connected socket to a loop serving `root`, and what to call after closing it: waits for the loop to end."""
    ours, theirs = socket.socketpair()
    thread = threading.Thread(target=lambda: asyncio.run(_serve(root, theirs)), name="memofs-loop", daemon=True)
    thread.start()
    return ours, thread.join


async def _serve(root: Path, theirs: socket.socket) -> None:
    engine = Engine(root)
    with log_to(root / ".memofs" / "logs" / "daemon.log"):
        try:
            reader, writer = await asyncio.open_connection(sock=theirs)
            await serve_connection(engine, reader, writer, host=Host(root, build=__version__))
        finally:
            await engine.close()
