"""What the daemon tells its clients unasked."""

from typing import Literal

import msgspec

from memofs.wire.framing import frame

__all__ = ["FAREWELLS", "NOTIFICATIONS", "DidChangeAnchors", "DidChangeMemories", "ServerStatus"]


class DidChangeMemories(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The memory moved on to `revision`: ids of memories that came, changed and went."""

    revision: int
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class DidChangeAnchors(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Anchors in a document are judged anew; `version` is the document's, null where it is the disk's."""

    uri: str
    version: int | None = None


class ServerStatus(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """How the daemon is. `quiescent` is false while it has work of its own to do, such as making vectors.

    `done` of `total` memories have theirs, where that is the work.
    """

    health: Literal["ok", "warning", "error"] = "ok"
    quiescent: bool = True
    message: str | None = None
    done: int | None = None
    total: int | None = None


FAREWELLS: tuple[bytes, bytes] = (
    frame(b'{"jsonrpc":"2.0","method":"$/memofs/ended","params":{"exitCode":0}}'),
    frame(b'{"jsonrpc":"2.0","method":"$/memofs/ended","params":{"exitCode":1}}'),
)
"""The last message to an editor that sends `exit`: by it the pump knows that the session was ended, and its exit code.

Without `shutdown` before, the code is 1, as LSP asks.
"""


NOTIFICATIONS: dict[str, tuple[type[msgspec.Struct], str]] = {
    "memofs/didChangeMemories": (DidChangeMemories, "Memories came, changed or went, whoever wrote them."),
    "memofs/didChangeAnchors": (DidChangeAnchors, "Where anchors of a document are, or what they say, changed."),
    "memofs/serverStatus": (ServerStatus, "The daemon's health, and whether it is at work."),
}
