"""Handles: short names that lead to what was left out of a briefing.

A handle names a list that its maker keeps; it holds a tag of the workspace, the name itself and a check, so that one
that was mistyped or belongs elsewhere is told from one that is no longer kept. Invariant: every handle is
`HANDLE_BYTES` characters of base64url that begin with a letter, so that no command line takes it for an option, and
`read(handle(w, seed), w)` gives it back.
"""

import base64
import hashlib
import re
from typing import Final, Literal

__all__ = ["HANDLE_BYTES", "Fault", "handle", "read"]

HANDLE_BYTES: Final = 16
Fault = Literal["garbled", "elsewhere"]


def handle(workspace: str, seed: bytes) -> str:
    """The handle for this seed in this workspace; the same for the same.

    `workspace` is whatever tells workspaces apart. 64 bits of the seed's hash go in: two of a few thousand handles are
    the same once in some trillion workspaces.
    """
    name = _tag(workspace) + _hashed(seed, _NAME_BYTES)
    return base64.urlsafe_b64encode(name + _hashed(name, _CHECK_BYTES)).decode("ascii")


def read(text: str, workspace: str) -> tuple[str, Fault | None]:
    """The handle in a text that a person or an agent has passed on, and what is wrong with it.

    White space and quotation marks around it are no fault.
    """
    found = text.strip(" \t\r\n\"'`")
    if _HANDLE.fullmatch(found) is None:
        return found, "garbled"
    data = base64.urlsafe_b64decode(found)
    name, check = data[:-_CHECK_BYTES], data[-_CHECK_BYTES:]
    if _hashed(name, _CHECK_BYTES) != check:
        return found, "garbled"
    return found, None if name.startswith(_tag(workspace)) else "elsewhere"


_TAG_BYTES: Final = 2
_NAME_BYTES: Final = 8
_CHECK_BYTES: Final = 2
_HANDLE = re.compile(f"[A-Za-z0-9_-]{{{HANDLE_BYTES}}}")


def _tag(workspace: str) -> bytes:
    first, *rest = _hashed(workspace.encode("utf-8", "surrogatepass"), _TAG_BYTES)
    return bytes((first & 0x7F, *rest))


def _hashed(data: bytes, size: int) -> bytes:
    return hashlib.blake2b(data, digest_size=size).digest()
