"""The first message of a connection, which says what the rest of it will be.

Invariant: nothing beyond the first message is taken from the stream, so that whoever goes on finds it whole.
"""

import asyncio

import msgspec

from memofs.wire.framing import MAX_BODY_BYTES, MAX_HEADER_BYTES, SEPARATOR, FrameBuffer, FramingError
from memofs.wire.jsonrpc import Incoming

__all__ = ["Opened", "open_stream", "role_of"]

_decode = msgspec.json.Decoder(Incoming).decode


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    """The body of the first message."""

    body: bytes


async def open_stream(reader: asyncio.StreamReader) -> Opened:
    """The first message. Raises FramingError, IncompleteReadError."""
    try:
        header = await reader.readuntil(SEPARATOR)
    except asyncio.LimitOverrunError as error:
        raise FramingError("the header has no end") from error
    if len(header) > MAX_HEADER_BYTES:
        raise FramingError("the header is too long")
    frames = FrameBuffer()
    bodies = frames.feed(header)
    while not bodies:
        bodies = frames.feed(await reader.readexactly(min(frames.missing_bytes, MAX_BODY_BYTES)))
    return Opened(body=bodies[0])


def role_of(opened: Opened) -> str | None:
    """The role that a hello names, None for any other message."""
    try:
        message = _decode(opened.body)
        return msgspec.json.decode(message.params, type=_Role).role if message.method == "memofs/hello" else None
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


class _Role(msgspec.Struct, frozen=True):
    role: str | None = None
