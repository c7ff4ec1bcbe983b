"""What was found out about local models by trying them, so that each is tried once.

Invariant: what is kept holds for files with these very hashes; failures that may pass are not kept. Safe to call from
several threads, one of which tries a model at a time.
"""

import threading

from memofs.embed.check import fault
from memofs.embed.model_files import ModelFiles
from memofs.embed.protocol import EmbedderError

__all__ = ["ModelChecks"]


class ModelChecks:
    """Faults of models by what they are made of."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[ModelFiles, EmbedderError | None] = {}

    def fault(self, model: ModelFiles) -> EmbedderError | None:
        """Why the model cannot be used, None if it can."""
        with self._lock:
            if model in self._known:
                return self._known[model]
            found = fault(model)
            if found is None or found.lasting:
                self._known[model] = found
            return found
