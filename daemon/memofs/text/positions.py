"""Code points and the code units of UTF-8, UTF-16 and UTF-32, in one line or any other string.

Invariant: converting there and back gives the offset one began with. An offset beyond the end means the end; one
within a character means the start of that character.
"""

from collections.abc import Iterable
from typing import Literal, TypeAlias

__all__ = ["Encoding", "from_units", "spans_to_units", "to_units", "units"]

Encoding: TypeAlias = Literal["utf-8", "utf-16", "utf-32"]


def units(text: str, encoding: Encoding) -> int:
    """Return the length of `text` in code units."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-16":
        return len(text.encode("utf-16-le", "surrogatepass")) // 2
    return len(text.encode("utf-8", "surrogatepass"))


def to_units(text: str, offset: int, encoding: Encoding) -> int:
    """Return the code unit offset of the code point offset `offset`."""
    return units(text[: max(0, offset)], encoding)


def from_units(text: str, offset_units: int, encoding: Encoding) -> int:
    """Return the code point offset of the code unit offset `offset_units`."""
    if offset_units <= 0:
        return 0
    if encoding == "utf-32" or text.isascii():
        return min(offset_units, len(text))
    if encoding == "utf-16":
        data = text.encode("utf-16-le", "surrogatepass")
        end = 2 * offset_units
        if end < len(data) and _is_low_surrogate(data, end) and _is_high_surrogate(data, end - 2):
            end -= 2
        return len(data[:end].decode("utf-16-le", "surrogatepass"))
    data = text.encode("utf-8", "surrogatepass")
    end = offset_units
    while end < len(data) and data[end] & 0xC0 == 0x80:
        end -= 1
    return len(data[:end].decode("utf-8", "surrogatepass"))


def spans_to_units(text: str, spans: Iterable[tuple[int, int]], encoding: Encoding) -> tuple[tuple[int, int], ...]:
    """Return (start, end) code point spans as code unit spans."""
    if encoding == "utf-32" or text.isascii():
        return tuple(spans)
    return tuple((to_units(text, start, encoding), to_units(text, end, encoding)) for start, end in spans)


def _is_high_surrogate(data: bytes, at: int) -> bool:
    return 0xD8 <= data[at + 1] <= 0xDB


def _is_low_surrogate(data: bytes, at: int) -> bool:
    return 0xDC <= data[at + 1] <= 0xDF
