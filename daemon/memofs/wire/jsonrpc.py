"""JSON-RPC 2.0 envelopes and error codes."""

import msgspec

__all__ = [
    "CANCELLED",
    "ERROR_CODES",
    "INTERNAL",
    "INVALID_REQUEST",
    "METHOD_NOT_FOUND",
    "PARSE_ERROR",
    "ErrorData",
    "Incoming",
    "ResponseError",
]

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INTERNAL = -32603
CANCELLED = -32800
ERROR_CODES = {
    "InvalidRequest": -32602,
    "NotFound": -31001,
    "Conflict": -31002,
    "Unavailable": -31003,
    "Refused": -31004,
}
"""Family of an expected failure to its code; -32001 and -32002 belong to LSP itself."""


class ErrorData(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What comes with an error: its family, its stable name, what to do about it, and an id to find it in the log."""

    family: str
    code: str = ""
    hint: str | None = None
    correlation_id: str = ""


class ResponseError(msgspec.Struct, frozen=True, kw_only=True):
    """The `error` of a response."""

    code: int
    message: str
    data: ErrorData | None = None


class Incoming(msgspec.Struct, frozen=True, kw_only=True):
    """Any message, decoded as far as its envelope; `params` and `result` stay raw until their type is known."""

    jsonrpc: str = "2.0"
    id: int | str | None = None
    method: str | None = None
    params: msgspec.Raw = msgspec.Raw(b"")
    result: msgspec.Raw = msgspec.Raw(b"")
    error: ResponseError | None = None
