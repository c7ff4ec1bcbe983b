"""One memofs/* request, whoever sent it: its params decoded, its handler run in its lane, its failure told.

Invariant: what a handler raises becomes an error with a family and a hint, or -32603 with an id that the log repeats;
a traceback never reaches a client.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable

import msgspec

from memofs.engine.buffers import NO_BUFFERS
from memofs.engine.engine import Engine
from memofs.model.errors import Cancelled, MemoError
from memofs.server.agents import admit
from memofs.server.call import Call, Flag, Session
from memofs.server.methods import READS, WAITS, WRITES
from memofs.server.params import params_of
from memofs.wire.jsonrpc import (
    CANCELLED,
    ERROR_CODES,
    INTERNAL,
    METHOD_NOT_FOUND,
    ErrorData,
    ResponseError,
)
from memofs.wire.methods import METHODS
from memofs.wire.values import Params, Progress, Result

__all__ = ["answer", "as_response_error", "decode_params"]

log = logging.getLogger("memofs.requests")


async def answer(
    engine: Engine, session: Session, method: str, params: Params, flag: Flag, report: Callable[[Progress], None]
) -> Result:
    """What the method's handler returns, run in the method's lane. Raises what it raises."""
    buffers = session.unsaved() if session.unsaved is not None else NO_BUFFERS
    call = Call(session=session, cancel=flag, report=report, buffers=buffers)
    if method in READS:
        handler = READS[method]
        return await engine.lanes.read(lambda: handler(engine.view().seeing(buffers), params, call))
    if method in WAITS:
        waiting = WAITS[method]
        return await engine.lanes.wait(lambda: waiting(engine, params, call))
    write = WRITES[method]

    def admitted() -> Result:
        admit(engine, method, params, call)
        return write(engine, params, call)

    return await engine.lanes.write(admitted)


def decode_params(method: str, raw: msgspec.Raw) -> Params:
    """The params of a method, strictly. Raises InvalidRequest that names the field, UnknownMethodError."""
    row = METHODS.get(method)
    if row is None:
        raise _UnknownMethodError(method)
    return params_of(row.params, raw)


def as_response_error(method: str, error: BaseException) -> ResponseError:
    """The error that a client sees for whatever was raised; what nobody expected is logged under an id."""
    correlation_id = secrets.token_hex(4)
    if isinstance(error, MemoError):
        return ResponseError(
            code=ERROR_CODES[error.family],
            message=error.message,
            data=ErrorData(family=error.family, code=error.code, hint=error.hint, correlation_id=correlation_id),
        )
    if isinstance(error, Cancelled | asyncio.CancelledError):
        return ResponseError(code=CANCELLED, message="cancelled")
    if isinstance(error, _UnknownMethodError):
        return ResponseError(code=METHOD_NOT_FOUND, message=f"there is no method {method}")
    log.error("%s failed [%s]", method, correlation_id, exc_info=error)
    return ResponseError(
        code=INTERNAL,
        message=f"an unexpected fault in {method} ({type(error).__name__})",
        data=ErrorData(
            family="Internal",
            code="bug",
            hint=f"please report it with the lines of .memofs/logs/daemon.log that name {correlation_id}",
            correlation_id=correlation_id,
        ),
    )


class _UnknownMethodError(Exception):
    pass
