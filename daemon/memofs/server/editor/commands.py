"""Commands that lenses and quick fixes name: `workspace/executeCommand`.

Each does what the memofs/* request of the same meaning does, with the session's own text; a client with views of its
own may take their place.
"""

from typing import Final

__all__ = ["COMMANDS", "INIT", "REANCHOR", "RETIRE", "SHOW_CHANGES", "SHOW_MEMORIES", "VERIFY"]

VERIFY: Final = "memofs.verify"
RETIRE: Final = "memofs.retire"
REANCHOR: Final = "memofs.reanchor"
SHOW_MEMORIES: Final = "memofs.showMemories"
SHOW_CHANGES: Final = "memofs.showChanges"
INIT: Final = "memofs.init"
COMMANDS: tuple[str, ...] = (VERIFY, RETIRE, REANCHOR, SHOW_MEMORIES, SHOW_CHANGES, INIT)
