"""A model's second look at the likeliest memories, where the settings ask for one.

Invariant: a failure costs the second look and nothing else: the deterministic reranker serves, `degraded` says so, and
the log names the reason once.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Final

from memofs.embed.protocol import EmbedderError, Reranker
from memofs.model.memory import Memory

__all__ = ["MOST_RERANKED", "Reranking"]

log = logging.getLogger("memofs.reranking")

MOST_RERANKED: Final = 30
"""So many memories are looked at again: what a local model reads in about a second."""
DEADLINE_S: Final = 5.0
MOST_CHARACTERS: Final = 2_000


class Reranking:
    """One workspace's reranker. Safe to call from several threads."""

    def __init__(self, reranker: Reranker, failure: EmbedderError | None = None) -> None:
        self._reranker = reranker
        self.failure = None if failure is None else failure.message
        self.missing = "notAllowed" if failure is not None and failure.reason == "notAllowed" else "reranker"
        self._named: set[str] = set()

    def scores(self, query: str, memories: Sequence[Memory]) -> Mapping[str, float] | None:
        """The scores in [0, 1] by id, None if the reranker failed."""
        texts = [f"{memory.title}\n{memory.body}"[:MOST_CHARACTERS] for memory in memories]
        if not texts:
            return {}
        try:
            found = self._reranker.rerank(query, texts, deadline_s=DEADLINE_S)
        except EmbedderError as error:
            if error.reason not in self._named:
                log.warning("no second look: %s (%s)", error.message, error.reason)
                self._named.add(error.reason)
            self.failure = error.message
            return None
        return {memory.id: float(score) for memory, score in zip(memories, found, strict=True)}

    def close(self) -> None:
        """End the reranker."""
        self._reranker.close()
