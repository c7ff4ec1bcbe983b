"""`python -m memofs.mcp`: what `memofs mcp` becomes. On standard input and output, or with --http on loopback.

The search for the daemon begins before the SDK is imported: both take their time, in different processes.
"""

import argparse
import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from memofs import __version__
from memofs.agents.names import Names
from memofs.agents.sessions import Event, ancestors, now, record
from memofs.link.client import RemoteError
from memofs.mcp.daemon import Daemon

__all__ = ["main"]


class _Options(argparse.Namespace):
    root: Path
    names: Names
    http: bool
    port: int
    token_file: Path | None


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code, once the client has left."""
    parser = argparse.ArgumentParser(prog="python -m memofs.mcp")
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--names", choices=["dotted", "underscore"], default="dotted")
    parser.add_argument("--http", action="store_true")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--token-file", type=Path)
    options = parser.parse_args(argv, namespace=_Options())
    logging.basicConfig(level=logging.ERROR, stream=sys.stderr, format="memofs mcp: %(message)s")
    with contextlib.suppress(KeyboardInterrupt):
        return asyncio.run(_serve(options))
    return 130


async def _serve(options: _Options) -> int:
    pid = os.getpid()
    record(options.root, Event(at=now(), what="serve", pid=pid, under=ancestors(pid)))
    daemon = Daemon(options.root, build=__version__)
    connecting = asyncio.create_task(_connect(daemon))
    await asyncio.sleep(0)  # the thread that looks for the daemon runs from here on
    from memofs.mcp.running import serve_http, serve_stdio

    try:
        if options.http:
            return await serve_http(
                daemon, names=options.names, version=__version__, port=options.port, token_file=options.token_file
            )
        return await serve_stdio(daemon, names=options.names, version=__version__)
    finally:
        connecting.cancel()
        await daemon.close()


async def _connect(daemon: Daemon) -> None:
    """What fails here fails again, and is told, when a tool is called."""
    with contextlib.suppress(RemoteError, OSError):
        await daemon.connect()


if __name__ == "__main__":
    sys.exit(main())
