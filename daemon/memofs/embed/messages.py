"""What the daemon and the embedding worker say to each other, and how it is framed on a pipe.

A frame is four bytes of length, big-endian, then a msgpack map. Every request carries the whole model, so that the
worker keeps no state that a new one would lack, and an id that its one reply repeats.
"""

from typing import BinaryIO

import msgspec

from memofs.embed.model_files import ModelFiles
from memofs.embed.protocol import Kind, Reason

__all__ = [
    "Embed",
    "Failed",
    "Reply",
    "Request",
    "Rerank",
    "Rows",
    "decode_reply",
    "decode_request",
    "encode",
    "read_frame",
    "write_frame",
]

MAX_FRAME_BYTES = 256 << 20


class Embed(msgspec.Struct, frozen=True, kw_only=True, tag="embed"):
    """Vectors for texts. No texts: load the model and say its dimension if the settings do."""

    id: int
    model: ModelFiles
    texts: tuple[str, ...]
    kind: Kind


class Rerank(msgspec.Struct, frozen=True, kw_only=True, tag="rerank"):
    """Scores of texts for a query."""

    id: int
    model: ModelFiles
    query: str
    texts: tuple[str, ...]


class Rows(msgspec.Struct, frozen=True, kw_only=True, tag="rows"):
    """`count` rows of `dimension` little-endian float32 numbers; scores are rows of one."""

    id: int
    count: int
    dimension: int
    data: bytes


class Failed(msgspec.Struct, frozen=True, kw_only=True, tag="failed"):
    """Why there is no answer."""

    id: int
    reason: Reason
    message: str
    hint: str | None = None


Request = Embed | Rerank
Reply = Rows | Failed

_encoder = msgspec.msgpack.Encoder()
_requests = msgspec.msgpack.Decoder(Request)
_replies = msgspec.msgpack.Decoder(Reply)


def encode(message: Request | Reply) -> bytes:
    """The message as msgpack."""
    return _encoder.encode(message)


def decode_request(frame: bytes) -> Request:
    """The request in a frame. Raises msgspec.DecodeError."""
    return _requests.decode(frame)


def decode_reply(frame: bytes) -> Reply:
    """The reply in a frame. Raises msgspec.DecodeError."""
    return _replies.decode(frame)


def write_frame(pipe: BinaryIO, frame: bytes) -> None:
    """Return when the frame is handed to the kernel. Raises OSError when nobody reads any more."""
    pipe.write(len(frame).to_bytes(4, "big") + frame)
    pipe.flush()


def read_frame(pipe: BinaryIO) -> bytes | None:
    """The next frame, or None at the end of the stream, be it torn. Raises ValueError for an absurd length."""
    head = pipe.read(4)
    if len(head) < 4:
        return None
    length = int.from_bytes(head, "big")
    if length > MAX_FRAME_BYTES:
        raise ValueError(f"a frame of {length} bytes")
    frame = pipe.read(length)
    return frame if len(frame) == length else None
