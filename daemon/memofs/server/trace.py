"""Every frame of every connection, as JSON lines in a file: to see, and to play again, what was said.

The file holds memory text: it is the user's alone (0600), and made only when asked for.
"""

import json
import os
import time
from pathlib import Path

from memofs.server.host import Direction

__all__ = ["Trace"]


class Trace:
    """An open file; lines are written as they come."""

    def __init__(self, path: Path) -> None:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._file = os.fdopen(descriptor, "a", encoding="utf-8", buffering=1)
        self._started_s = time.monotonic()

    def record(self, client: int, direction: Direction, body: bytes) -> None:
        """Write one frame down; a full disk loses it and nothing else."""
        at_ms = round((time.monotonic() - self._started_s) * 1000, 3)
        line = {"ms": at_ms, "client": client, "direction": direction, "body": body.decode("utf-8", "replace")}
        try:
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        except OSError:
            return

    def close(self) -> None:
        """Close the file."""
        self._file.close()
