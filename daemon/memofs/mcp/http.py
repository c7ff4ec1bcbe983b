"""MCP over streamable HTTP: on loopback only, and only for who has the token.

Invariant: nothing is answered without the token, whatever is asked; Host and Origin have to be this machine's own, so
that a web page cannot reach it by a name of its choosing. The token is never logged.
"""

import hmac
import os
import re
import secrets
import socket
import stat
import sys
from pathlib import Path
from typing import Any, Final

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["TOKEN_VARIABLE", "serve"]

TOKEN_VARIABLE: Final = "MEMOFS_MCP_TOKEN"  # noqa: S105 - the name of a variable
LOOPBACK: Final = "127.0.0.1"
PATH: Final = "/mcp"
LEAST_TOKEN: Final = 16
ENDING_S: Final = 3
WAITING: Final = 128
_TOKEN = re.compile(r"[\x21-\x7e]+")


async def serve(server: Server[Any], *, port: int, token_file: Path | None) -> int:
    """The exit code, once the process is told to end; 1 where it cannot listen or has no token that will do."""
    token = _given_token(token_file)
    if isinstance(token, _Problem):
        sys.stderr.write(f"error: {token.message}\nhint: {token.hint}\n")
        return 1
    try:
        listening = _listen(port)
    except OSError as error:
        sys.stderr.write(
            f"error: port {port} of {LOOPBACK} cannot be had: {error.strerror}\nhint: give another --port\n"
        )
        return 1
    port = listening.getsockname()[1]
    hosts = [f"{name}:{port}" for name in (LOOPBACK, "localhost")]
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=TransportSecuritySettings(
            allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
        ),
    )
    made = secrets.token_urlsafe(32)
    config = uvicorn.Config(
        _WithToken(app, token or made),
        log_level="error",
        access_log=False,
        timeout_graceful_shutdown=ENDING_S,
        lifespan="on",
        ws="none",
    )
    sys.stderr.write(f"memofs mcp: http://{LOOPBACK}:{port}{PATH}\n")
    if not token:
        sys.stderr.write(f"token: {made}\n")
    sys.stderr.flush()
    with listening:
        await uvicorn.Server(config).serve(sockets=[listening])
    return 0


class _WithToken:
    """The application, for requests that carry the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._has_token(scope):
            said = {"error": "unauthorized", "hint": "send Authorization: Bearer TOKEN, as memofs mcp --http was given"}
            refusal = JSONResponse(said, status_code=401, headers={"WWW-Authenticate": "Bearer"})
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _has_token(self, scope: Scope) -> bool:
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        if len(given) != 1:
            return False
        scheme, _, token = given[0].partition(b" ")
        return scheme.lower() == b"bearer" and hmac.compare_digest(token, self._token)


class _Problem:
    def __init__(self, message: str, hint: str) -> None:
        self.message = message
        self.hint = hint


def _given_token(file: Path | None) -> str | _Problem:
    """The token of the file or of the environment; empty where one has to be made."""
    if file is None:
        token, where = os.environ.get(TOKEN_VARIABLE, ""), TOKEN_VARIABLE
        if not token:
            return ""
    else:
        where = str(file)
        try:
            mode = file.stat().st_mode
            if not stat.S_ISREG(mode):
                return _Problem(f"{file} is no file", "put the token into one, on one line")
            if stat.S_IMODE(mode) & 0o077:
                return _Problem(f"others can read {file}", f"chmod 600 {file}")
            token = file.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError) as error:
            return _Problem(f"the token cannot be read from {file}: {error}", "put it there, on one line")
    if len(token) < LEAST_TOKEN or not _TOKEN.fullmatch(token):
        return _Problem(
            f"the token of {where} will not do: it needs {LEAST_TOKEN} characters of ASCII at least, without spaces",
            "python3 -c 'import secrets; print(secrets.token_urlsafe(32))' makes one",
        )
    return token


def _listen(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((LOOPBACK, port))
        listening.listen(WAITING)  # from here on a client that has read the address is not refused
    except BaseException:
        listening.close()
        raise
    return listening
