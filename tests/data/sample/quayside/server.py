"""`api.handle` on a socket: the standard library's threading HTTP server and nothing else.

One thread a connection is enough here: a harbour's busiest minute has seen 340 requests. Bodies are bounded, and an
exception that reaches this file is a bug: it is logged with a number that the caller is given too.
"""

from __future__ import annotations

import json
import logging
import secrets
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from quayside.api import App, Request, Response, handle

MAX_BODY_BYTES = 16 * 1024
"""The largest form has 9 fields; the rest of this is patience."""

log = logging.getLogger("quayside.server")


def make_server(app: App, host: str, port: int) -> ThreadingHTTPServer:
    """A server that is bound but not serving yet; port 0 takes a free one (`server_address` tells which)."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 30  # an idle keep-alive connection must not hold its thread for ever

        def answer(self) -> None:
            self._send(self._response())

        # The names are http.server's.
        do_GET = do_POST = do_DELETE = answer

        def log_message(self, format: str, *args: object) -> None:
            log.debug(format, *args)

        def _response(self) -> Response:
            size = self.headers.get("content-length", "0")
            known = size.isascii() and size.isdecimal() and "transfer-encoding" not in self.headers
            if not known or int(size) > MAX_BODY_BYTES:
                # The body stays unread, so the connection cannot carry another request.
                self.close_connection = True
                return _error(413, "bodyTooLarge", f"A body needs a Content-Length of at most {MAX_BODY_BYTES}.")
            url = urlsplit(self.path)
            request = Request(
                method=self.command,
                path=url.path,
                query=dict(parse_qsl(url.query)),
                headers={name.lower(): value for name, value in self.headers.items()},
                body=self.rfile.read(int(size)),
            )
            try:
                return handle(app, request)
            except Exception:
                number = secrets.token_hex(4)
                log.exception("bug %s at %s %s", number, self.command, url.path)
                return _error(500, "internal", f"Something went wrong. Please tell us this number: {number}")

        def _send(self, response: Response) -> None:
            body = json.dumps(response.body).encode()
            self.send_response(response.status)
            for name, value in response.headers.items():
                self.send_header(name, value)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer((host, port), Handler)
    server.daemon_threads = True
    return server


def _error(status: int, code: str, message: str) -> Response:
    return Response(status, {"error": {"code": code, "message": message}}, {})
