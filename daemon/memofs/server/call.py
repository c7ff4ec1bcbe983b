"""What a handler knows of the request it serves: who asks, whether they still wait, and how to report progress."""

import threading
from collections.abc import Callable
from typing import Literal

import msgspec

from memofs.engine.buffers import NO_BUFFERS, Buffers
from memofs.engine.kept import Kept
from memofs.model.errors import Cancelled
from memofs.server.bucket import Bucket
from memofs.server.host import Host
from memofs.wire.values import PositionEncoding, Progress
from memofs.world.left_out import LeftOut

__all__ = ["Call", "Flag", "Session"]


class Session(msgspec.Struct, kw_only=True):
    """One connection, as its hello introduced it; `briefings` are what its last briefings left out.

    `host` is the process that serves it; `unsaved` gives an editor's open documents. `writes` limits how
    fast an agent writes.
    """

    role: Literal["editor", "cli", "mcp"] = "cli"
    encoding: PositionEncoding = "utf-16"
    greeted: bool = False
    host: Host | None = None
    unsaved: Callable[[], Buffers] | None = None
    briefings: Kept[LeftOut] = msgspec.field(default_factory=Kept[LeftOut])
    writes: Bucket = msgspec.field(default_factory=Bucket)


class Flag:
    """A CancelToken that another thread sets."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        """Ask the work to end."""
        self._event.set()

    def check(self) -> None:
        """Return, or raise Cancelled once it was set."""
        if self._event.is_set():
            raise Cancelled


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One request under way. `report` may be called from any thread; without a token it goes nowhere.

    `buffers` are the session's open documents when the request came.
    """

    session: Session
    cancel: Flag
    report: Callable[[Progress], None]
    buffers: Buffers = NO_BUFFERS
