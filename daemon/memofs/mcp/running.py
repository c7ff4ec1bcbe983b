"""Serving MCP: on standard input and output for one client, or by streamable HTTP on loopback for several."""

from pathlib import Path

from mcp.server.stdio import stdio_server

from memofs.agents.names import Names
from memofs.mcp.daemon import Daemon
from memofs.mcp.notices import Notices
from memofs.mcp.server import MemoryServer

__all__ = ["serve_http", "serve_stdio"]


async def serve_stdio(daemon: Daemon, *, names: Names, version: str) -> int:
    """0, once the client has closed its side."""
    notices = Notices()
    daemon.on_change = notices.changed
    server = MemoryServer(daemon, notices, version=version, names=names).sdk
    try:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
    finally:
        await notices.close()
    return 0


async def serve_http(daemon: Daemon, *, names: Names, version: str, port: int, token_file: Path | None) -> int:
    """The exit code, once the process is told to end."""
    from memofs.mcp.http import serve

    notices = Notices()
    daemon.on_change = notices.changed
    server = MemoryServer(daemon, notices, version=version, names=names)
    try:
        return await serve(server.sdk, port=port, token_file=token_file)
    finally:
        await notices.close()
        await server.close()
