"""Picks an entry point and imports only what it needs."""

import socket
import sys
from collections.abc import Callable
from pathlib import Path

from memofs import __version__
from memofs.link.client import Client

__all__ = ["main"]


def main() -> int:
    """The command line's exit code."""
    from memofs.cli.app import run

    return run(sys.argv[1:], _connect)


def _connect(root: Path) -> Client:
    ours, wait = _in_process(root)
    return Client(ours, role="cli", build=__version__, position_encoding="utf-32", on_close=wait)


def _in_process(root: Path) -> tuple[socket.socket, Callable[[], None]]:
    """A socket to the daemon's own loop in this process: the only place where both columns meet."""
    from memofs.server.in_process import start

    return start(root)


if __name__ == "__main__":
    sys.exit(main())
