"""What a tool has at hand while it answers: the daemon, who asks, and whom to tell how far it is."""

from pathlib import Path

import msgspec

from memofs.mcp.daemon import Daemon, OnProgress

__all__ = ["Asking"]


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """One call. `client` is the agent's name, as it introduced itself."""

    daemon: Daemon
    client: str
    on_progress: OnProgress | None = None

    @property
    def root(self) -> Path:
        """The workspace."""
        return self.daemon.root
