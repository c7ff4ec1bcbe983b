"""Hashes that say whether a text is the same: of a region with its layout set aside, of a file as git names it.

Invariant: a region's digest does not change with line ends, a byte order mark, trailing blanks, blanks and blank lines
at its ends, nor when the whole of it is indented further or less. What a formatter changes besides is for shape.py.
"""

import hashlib
from typing import Final

from memofs.anchors.source import Source, line_at, stripped
from memofs.model.place import Span

__all__ = ["DIGEST_BYTES", "blob_id", "blob_id_of_text", "normalised", "short_digest", "text_digest"]

DIGEST_BYTES: Final = 16


def blob_id(data: bytes) -> str:
    """Return the id (40 hex digits) under which git keeps a file of these bytes, its line ends turned to LF.

    Source: `git hash-object`, the SHA-1 object format.
    """
    content = data.replace(b"\r\n", b"\n") if b"\r" in data else data
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def blob_id_of_text(text: str) -> str:
    """Return the blob id of a text in UTF-8."""
    return blob_id(text.encode("utf-8", "surrogatepass"))


def text_digest(source: Source, region: Span) -> bytes:
    """Return the first 16 bytes of the SHA-256 of the normalised text of `region`."""
    return short_digest(normalised(source, region))


def short_digest(text: str) -> bytes:
    """Return the first 16 bytes of a text's SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:DIGEST_BYTES]


def normalised(source: Source, region: Span) -> str:
    """Return the text of `region` without byte order mark, outer blanks, trailing blanks and common indentation.

    A first line that begins behind nothing but blanks counts as indented by them; one that begins behind other text
    has no say in what is common.
    """
    bare = stripped(source.text, region)
    if bare.start == 0 and source.text.startswith("\ufeff") and bare.end:
        bare = stripped(source.text, Span(1, bare.end))
    first = line_at(source, bare.start)
    head = source.text[source.starts[first] : bare.start].removeprefix("\ufeff")
    text = source.text[bare.start : bare.end].replace("\r\n", "\n").replace("\r", "\n")
    opening, *rest = (line.rstrip() for line in text.split("\n"))
    indents = [line[: len(line) - len(line.lstrip())] for line in rest if line]
    if head.strip():
        common = _common_prefix(indents)
    else:
        common = _common_prefix([head, *indents])
        opening = head[len(common) :] + opening
    return "\n".join([opening, *(line.removeprefix(common) for line in rest)])


def _common_prefix(indents: list[str]) -> str:
    if not indents:
        return ""
    shortest, longest = min(indents), max(indents)
    count = 0
    while count < len(shortest) and shortest[count] == longest[count]:
        count += 1
    return shortest[:count]
