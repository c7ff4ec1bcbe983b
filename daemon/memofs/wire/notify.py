"""What the daemon tells its clients unasked."""

from typing import Literal

import msgspec

__all__ = ["NOTIFICATIONS", "DidChangeAnchors", "DidChangeMemories", "ServerStatus"]


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
    """How the daemon is. `quiescent` is false while it has work of its own to do, such as making vectors."""

    health: Literal["ok", "warning", "error"]
    quiescent: bool
    message: str | None = None


NOTIFICATIONS: dict[str, tuple[type[msgspec.Struct], str]] = {
    "memofs/didChangeMemories": (DidChangeMemories, "Memories came, changed or went, whoever wrote them."),
    "memofs/didChangeAnchors": (DidChangeAnchors, "Where anchors of a document are, or what they say, changed."),
    "memofs/serverStatus": (ServerStatus, "The daemon's health, and whether it is at work."),
}
