"""LSP's base protocol: a header with Content-Length, a blank line, a body. Pure: bytes in, bodies out."""

__all__ = ["MAX_BODY_BYTES", "MAX_HEADER_BYTES", "SEPARATOR", "FrameBuffer", "FramingError", "frame"]

MAX_BODY_BYTES = 64 * 1024 * 1024
MAX_HEADER_BYTES = 8 * 1024
SEPARATOR = b"\r\n\r\n"


class FramingError(ValueError):
    """The stream is not what it should be; nothing after this point can be trusted."""


def frame(body: bytes) -> bytes:
    """One message as it goes over the stream."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class FrameBuffer:
    """Takes bytes as they come and gives whole bodies.

    Invariant: what is buffered is at most one incomplete message, and never above the limits.
    """

    def __init__(self) -> None:
        self._data = bytearray()
        self._need: int | None = None

    @property
    def missing_bytes(self) -> int:
        """How much of the body that was begun is still to come; 0 between messages."""
        return 0 if self._need is None else self._need - len(self._data)

    def feed(self, data: bytes) -> list[bytes]:
        """Bodies completed by `data`, in order. Raises FramingError on a bad header or a huge message."""
        self._data += data
        bodies: list[bytes] = []
        while (body := self._take()) is not None:
            bodies.append(body)
        return bodies

    def _take(self) -> bytes | None:
        if self._need is None:
            end = self._data.find(SEPARATOR)
            if end < 0:
                if len(self._data) > MAX_HEADER_BYTES:
                    raise FramingError("the header has no end")
                return None
            self._need = _content_length(bytes(self._data[:end]))
            del self._data[: end + len(SEPARATOR)]
        if len(self._data) < self._need:
            return None
        body = bytes(self._data[: self._need])
        del self._data[: self._need]
        self._need = None
        return body


def _content_length(header: bytes) -> int:
    for line in header.split(b"\r\n"):
        name, colon, value = line.partition(b":")
        if colon and name.strip().lower() == b"content-length":
            digits = value.strip()
            if not digits.isdigit():
                raise FramingError("Content-Length is not a number")
            length = int(digits)
            if length > MAX_BODY_BYTES:
                raise FramingError(f"a message of {length} bytes is over the limit of {MAX_BODY_BYTES}")
            return length
    raise FramingError("the header has no Content-Length")
