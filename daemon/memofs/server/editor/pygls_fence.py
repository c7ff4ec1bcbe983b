"""pygls as a shared daemon can live with: one protocol object a connection, every request answered, nobody exits.

Invariant: a request gets exactly one answer, whatever it holds: also one that cannot be decoded, comes before
`initialize` or after `shutdown`, or whose handler fails; a traceback never reaches the client; `exit` ends the
connection and not the process; documents are the session's, not pygls'.
"""

import logging
from collections.abc import Callable
from typing import Any, cast

import msgspec
from cattrs import transform_error
from cattrs.errors import BaseValidationError
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter
from pygls.protocol.language_server import lsp_method

from memofs.server.requests import as_response_error
from memofs.wire.jsonrpc import INVALID_REQUEST, ResponseError

__all__ = ["EditorServer", "FencedProtocol", "Sink", "quiet_pygls"]

log = logging.getLogger("memofs.editor")

INVALID_PARAMS = -32602
NOT_INITIALIZED = -32002
MOST_DETAIL = 300


class Sink:
    """What pygls writes to: a frame at a time, handed on."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send

    def write(self, data: bytes) -> None:
        """Hand on one body; pygls makes no headers."""
        self._send(data)

    def close(self) -> None:
        """Nothing: the connection is closed by whoever opened it."""


class FencedProtocol(LanguageServerProtocol):
    """One connection's protocol. `on_exit` is called for `exit`; the document handlers belong to the session."""

    on_exit: Callable[[], None]
    on_open: Callable[[lsp.DidOpenTextDocumentParams], None]
    on_change: Callable[[lsp.DidChangeTextDocumentParams], None]
    on_close: Callable[[lsp.DidCloseTextDocumentParams], None]

    @property
    def is_initialized(self) -> bool:
        """Whether `initialize` was answered."""
        return self._workspace is not None

    @property
    def is_shut_down(self) -> bool:
        """Whether `shutdown` was answered."""
        return self._shutdown

    def dispatch(self, message: dict[str, Any]) -> None:
        """Take one message that is JSON-RPC 2.0, and answer it if it is a request."""
        request_id, method = message.get("id"), message.get("method")
        is_request = isinstance(method, str) and request_id is not None
        if is_request and self._shutdown:
            self.fail(request_id, ResponseError(code=INVALID_REQUEST, message="the session was shut down"))
            return
        if is_request and not self.is_initialized and method != lsp.INITIALIZE:
            self.fail(request_id, ResponseError(code=NOT_INITIALIZED, message="initialize comes first"))
            return
        if is_request and self.is_initialized and method == lsp.INITIALIZE:
            self.fail(request_id, ResponseError(code=INVALID_REQUEST, message="initialized already"))
            return
        if method is not None and not self.is_initialized and not is_request and method != lsp.EXIT:
            return  # a notification before initialize is dropped, as the protocol asks
        try:
            structured = self.structure_message({"params": None, **message} if method is not None else message)
        except JsonRpcException as error:
            if is_request:
                self.fail(request_id, ResponseError(code=INVALID_PARAMS, message=_bad_params(str(method), error)))
            elif method is None:
                self._refuse_answer(request_id, error)
            else:
                log.warning("a notification that cannot be read: %s", method)
            return
        self.handle_message(cast("Any", structured))

    def _refuse_answer(self, request_id: Any, error: JsonRpcException) -> None:
        """Let whoever waits for the client's answer know that it cannot be read."""
        waiting = self._request_futures.pop(request_id, None)
        if waiting is not None and not waiting.done():
            waiting.set_exception(error)

    def fail(self, request_id: Any, error: ResponseError) -> None:
        """Send an error of ours."""
        data = msgspec.to_builtins(error.data) if error.data is not None else None
        answer = lsp.ResponseError(code=error.code, message=error.message, data=data)
        super()._send_response(request_id, error=answer)

    def _send_response(self, msg_id: Any, result: Any = None, error: lsp.ResponseError | None = None) -> None:
        """Answer, without what pygls tells of its insides."""
        told: Any = None if error is None else error.data
        if error is not None and isinstance(told, dict) and "traceback" in told:
            error = lsp.ResponseError(code=error.code, message=error.message)
        super()._send_response(msg_id, result, error)

    def _send_handler_result(self, future: Any, *, msg_id: Any) -> None:
        """Answer with what the handler returned, or with our error for what it raised."""
        failure = None if future.cancelled() else future.exception()
        if failure is None or (isinstance(failure, JsonRpcException) and not isinstance(failure, JsonRpcInternalError)):
            super()._send_handler_result(future, msg_id=msg_id)
            return
        self._request_futures.pop(msg_id, None)
        self.fail(msg_id, as_response_error("a request of the editor", failure))

    @lsp_method(lsp.SHUTDOWN)
    def lsp_shutdown(self, *_: Any) -> Any:
        """End what runs and what is waited for; pygls goes through its requests while they leave the list."""
        current = self.msg_id
        for request_id, future in tuple(self._request_futures.items()):
            if request_id != current and not future.done():
                future.cancel()
        self._shutdown = True

    @lsp_method(lsp.EXIT)
    def lsp_exit(self, *_: Any) -> Any:
        """End this connection; the daemon serves others."""
        self.on_exit()

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> Any:
        """A document is the session's from now on."""
        self.on_open(params)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> Any:
        """Edits of an open document."""
        self.on_change(params)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> Any:
        """The disk says again what the document is."""
        self.on_close(params)


class EditorServer(LanguageServer):
    """One connection's server object; what goes wrong outside of a request is logged, never shown."""

    protocol: FencedProtocol  # pyright: ignore[reportIncompatibleVariableOverride] - protocol_cls makes it one

    def __init__(self, version: str) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType] - pygls leaves *args untyped
            "memofs", version, protocol_cls=FencedProtocol, converter_factory=default_converter, max_workers=1
        )

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log it, unless it was answered: a person who types cannot do anything about it."""
        if not isinstance(error, JsonRpcException):
            log.error("%s in %s", type(error).__name__, source, exc_info=error)


def quiet_pygls() -> None:
    """Keep pygls from logging: at INFO it writes every body, and memories are private."""
    for name in ("pygls", "pygls.protocol", "pygls.feature_manager", "pygls.server"):
        logger = logging.getLogger(name)
        logger.setLevel(logging.CRITICAL)
        logger.propagate = False


def _bad_params(method: str, error: JsonRpcException) -> str:
    cause = error.__cause__
    detail = ""
    if isinstance(cause, BaseValidationError):
        detail = "; ".join(transform_error(cause, path="message"))
    elif isinstance(error, JsonRpcInvalidParams):
        detail = str(cause)
    return f"invalid params for {method}{f': {detail}' if detail else ''}"[:MOST_DETAIL]
