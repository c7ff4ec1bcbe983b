"""Text in overlapping pieces of a size an embedding model can take.

Invariant: the pieces cover the text, each but the first begins `overlap` code points before the one in front ends,
and none is longer than `size`.
"""

from typing import Final

__all__ = ["OVERLAP", "SIZE", "chunks"]

SIZE: Final = 1_200
"""Code points of a chunk at the most."""

OVERLAP: Final = 120
"""Code points two neighbours share."""


def chunks(text: str, *, size: int = SIZE, overlap: int = OVERLAP) -> list[tuple[int, int]]:
    """Return (start, end) of every chunk, in code points; none for an empty text.

    A chunk ends after a paragraph, else a line, a sentence or a word that ends in its second half, else anywhere.
    ValueError if the overlap leaves no room to go on.

    Source: the original system's chunks (golden case `chunk`).
    """
    if not 0 <= 2 * overlap < size:
        msg = f"an overlap of {overlap} does not fit chunks of {size}"
        raise ValueError(msg)
    found: list[tuple[int, int]] = []
    start = 0
    while start < len(text):
        end = _end(text, start, start + size)
        found.append((start, end))
        if end == len(text):
            break
        start = end - overlap
    return found


_BOUNDARIES = ("\n\n", "\n", ". ", " ")


def _end(text: str, start: int, limit: int) -> int:
    if limit >= len(text):
        return len(text)
    half = (start + limit + 1) // 2
    for boundary in _BOUNDARIES:
        at = text.rfind(boundary, half, limit)
        if at >= 0:
            return at + len(boundary)
    return limit
