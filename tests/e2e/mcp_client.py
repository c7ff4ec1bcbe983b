"""Agents for tests: the official SDK's client on `memofs mcp`, over stdio and HTTP, and one of raw lines."""

import asyncio
import contextlib
import json
import os
import subprocess
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from pathlib import Path
from typing import Any, Literal

from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, Implementation, TextContent

from e2e.daemon_program import PATIENCE_S, Daemons
from e2e.memofs_program import PROGRAM

__all__ = ["ERAS", "TOKEN", "Era", "RawAgent", "agent", "http_agent", "http_server", "raw_agent", "run", "text_of"]

Era = Literal["legacy", "auto"]
ERAS: tuple[Era, ...] = ("legacy", "auto")
"""The protocols with a handshake, and what the SDK agrees on by itself: the one without."""
TOKEN = "a-token-for-tests-0123456789"


def run(test: Coroutine[Any, Any, None]) -> None:
    """Run one test's coroutine, within a deadline."""
    asyncio.run(asyncio.wait_for(test, 2 * PATIENCE_S))


@contextlib.asynccontextmanager
async def agent(
    user: Daemons,
    *args: str,
    name: str = "claude-code",
    era: Era = "legacy",
    on_message: Callable[[Any], None] | None = None,
) -> AsyncGenerator[Client]:
    """An agent on stdio."""
    parameters = StdioServerParameters(
        command=PROGRAM[0],
        args=[*PROGRAM[1:], "mcp", *args],
        cwd=user.root,
        env=user.workspace.environment(user.env),
    )

    async def told(message: Any) -> None:
        if on_message is not None:
            on_message(message)

    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:  # noqa: ASYNC230 - opening the null device
        async with Client(
            stdio_client(parameters, errlog=nowhere),
            mode=era,
            client_info=Implementation(name=name, version="1.0"),
            message_handler=told,
        ) as client:
            yield client


@contextlib.contextmanager
def http_server(user: Daemons, *args: str) -> Generator[str]:
    """The address of `memofs mcp --http`."""
    process = subprocess.Popen(
        [*PROGRAM, "mcp", "--http", *args],
        cwd=user.root,
        env=user.workspace.environment({**user.env, "MEMOFS_MCP_TOKEN": TOKEN}),
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        yield process.stderr.readline().strip().removeprefix("memofs mcp: ")
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


@contextlib.asynccontextmanager
async def http_agent(
    url: str, *, name: str = "cursor", era: Era = "legacy", on_message: Callable[[Any], None] | None = None
) -> AsyncGenerator[Client]:
    """An agent over HTTP."""
    import httpx2

    async def told(message: Any) -> None:
        if on_message is not None:
            on_message(message)

    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=PATIENCE_S) as web,
        Client(
            streamable_http_client(url, http_client=web),
            mode=era,
            client_info=Implementation(name=name, version="1.0"),
            message_handler=told,
        ) as client,
    ):
        yield client


def text_of(result: CallToolResult) -> str:
    """The text form of a tool's answer."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


class RawAgent:
    """A client of raw lines, which can say anything and leave at any time."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self._last = 0

    def send(self, message: object) -> None:
        """One line."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def begin(self, method: str, params: object) -> int:
        """Send a request and go on; its id."""
        self._last += 1
        self.send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        return self._last

    def answer(self, request: int) -> dict[str, Any]:
        """The answer to a request; what else comes is passed over."""
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            message: dict[str, Any] = json.loads(line)
            if message.get("id") == request:
                return message
        raise EOFError

    def initialize(self) -> dict[str, Any]:
        """The handshake."""
        asked = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "raw", "version": "1"},
        }
        answer = self.answer(self.begin("initialize", asked))
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer["result"]

    def call(self, tool: str, arguments: object) -> dict[str, Any]:
        """The result of a tool."""
        return self.answer(self.begin("tools/call", {"name": tool, "arguments": arguments}))["result"]

    def resident_kb(self) -> int:
        """What the process holds."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


@contextlib.contextmanager
def raw_agent(user: Daemons, *args: str) -> Generator[RawAgent]:
    """A raw client that ends with the context."""
    process = user.spawn("mcp", *args)
    try:
        yield RawAgent(process)
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
