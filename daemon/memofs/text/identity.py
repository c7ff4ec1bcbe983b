"""Ids and digests as text: what an id looks like, and ids that follow from what they name. Pure.

New ids need a clock and chance, so they are made in store/identity.py.
"""

import hashlib
import re

__all__ = ["ID_PREFIX", "base32", "derived_id", "digest", "is_id"]

ID_PREFIX = "mem_"

_ID = re.compile(r"mem_[0-9a-z]{6,32}")
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_DERIVED_LENGTH = 12


def is_id(text: str) -> bool:
    """Whether a reader accepts the text as the id of a memory."""
    return _ID.fullmatch(text) is not None


def digest(data: bytes) -> str:
    """SHA-256 of the bytes, in hex: what compare-and-swap compares."""
    return hashlib.sha256(data).hexdigest()


def derived_id(name: str) -> str:
    """An id that is the same for the same name, for what has none of its own: `mem_` and 60 bits of its hash."""
    value = int.from_bytes(hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()[:8], "big")
    return ID_PREFIX + base32(value >> 4, length=_DERIVED_LENGTH)


def base32(value: int, *, length: int) -> str:
    """`length` characters of Crockford's base32 in lower case, the most significant first, so that order is kept.

    Bits beyond `length` characters are dropped. Source: https://www.crockford.com/base32.html
    """
    characters = [""] * length
    for place in range(length - 1, -1, -1):
        characters[place] = _ALPHABET[value & 31]
        value >>= 5
    return "".join(characters)
