"""Picks an entry point and imports only what it needs."""

import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

from memofs import __version__
from memofs.link.client import Client, RemoteError

__all__ = ["main"]

NO_DAEMON = "MEMOFS_NO_DAEMON"
"""Set to anything but a no, it is the same as --no-daemon in every command."""
_NOES = frozenset({"", "0", "false", "no", "off"})
CANNOT_START = ("noLock", "noEndpoint")


def main() -> int:
    """The command line's exit code."""
    from memofs.cli.app import run

    return run(sys.argv[1:], _connect)


def _connect(root: Path, *, no_daemon: bool, note: Callable[[str], None]) -> Client:
    """The workspace's daemon, started if need be; this process itself where none is wanted or none can be.

    A folder without a memory gets no daemon: there is nothing to share yet.
    """
    if not no_daemon and not _says_yes(os.environ.get(NO_DAEMON, "")) and (root / ".memofs").is_dir():
        from memofs.link.find import Reach, find

        try:
            return find(Reach(root, role="cli", build=__version__))
        except RemoteError as error:
            if error.code not in CANNOT_START:
                raise
            note(f"{error.message}; working without one")
    ours, wait = _in_process(root)
    return Client(ours, role="cli", build=__version__, position_encoding="utf-32", on_close=wait)


def _says_yes(value: str) -> bool:
    """Whether a setting of the environment is switched on."""
    return value.strip().lower() not in _NOES


def _in_process(root: Path) -> tuple[socket.socket, Callable[[], None]]:
    """A socket to the daemon's own loop in this process: the only place where both columns meet."""
    from memofs.server.in_process import start

    return start(root)


if __name__ == "__main__":
    sys.exit(main())
