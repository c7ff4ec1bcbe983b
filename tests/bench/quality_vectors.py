"""The vectors of the measuring data, made by the real worker once and kept by the hash of their text.

Invariant: a vector in the cache is what this model makes of that text; another model's are never returned. The cache
is a file of the product's own format in `.cache/`, which git ignores. Losing it costs time only.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, Literal

import numpy as np

from memofs.embed.client import WorkerClient
from memofs.embed.local import LocalEmbedder
from memofs.embed.models import built_in
from memofs.embed.protocol import Embedder
from memofs.model.memory import Memory
from memofs.recall.arrays import frozen
from memofs.recall.passages import passages
from memofs.recall.vectors import Matrix, OwnVectors
from memofs.store.embeddings import EmbeddingsFile, Vectors
from memofs.world.meaning import windowed, with_vectors
from memofs.world.state import World

__all__ = ["CACHE", "VectorCache", "with_meaning"]

CACHE: Final = Path(__file__).resolve().parents[2] / ".cache" / "quality" / "vectors.jsonl"

BATCH_TEXTS: Final = 64
DEADLINE_S: Final = 600.0
REPORT_EVERY_S: Final = 5.0

Kind = Literal["query", "passage"]


class VectorCache:
    """Vectors by kind and text. `ensure` makes those that are missing; the worker is started for these alone."""

    def __init__(self, path: Path = CACHE, *, embedder: Embedder | None = None) -> None:
        self._embedder = embedder if embedder is not None else LocalEmbedder(built_in(), WorkerClient())
        self._file = EmbeddingsFile(path, model=self._embedder.identity)
        stored = self._file.load().vectors
        self._rows: dict[str, Matrix] = dict(zip(stored.memories, stored.matrix, strict=True))

    @property
    def model(self) -> str:
        """The model that makes the vectors, and everything that changes them."""
        return self._embedder.identity

    def ensure(self, texts: Iterable[str], *, kind: Kind) -> int:
        """How many of the texts had to be embedded; long runs say on standard error how far they are."""
        missing = [text for text in dict.fromkeys(texts) if _key(text, kind) not in self._rows]
        missing.sort(key=len)
        started = reported = time.monotonic()
        for at in range(0, len(missing), BATCH_TEXTS):
            self._embed(missing[at : at + BATCH_TEXTS], kind)
            now = time.monotonic()
            if now - reported >= REPORT_EVERY_S:
                reported = now
                done = min(len(missing), at + BATCH_TEXTS)
                rate = done / (now - started)
                sys.stderr.write(f"embedded {done:,} of {len(missing):,} texts, {rate:.0f}/s\n")
        return len(missing)

    def query(self, text: str) -> Matrix:
        """The vector of a question, (dimension,)."""
        self.ensure([text], kind="query")
        return self._rows[_key(text, "query")]

    def own(self, memory: Memory) -> OwnVectors:
        """The vectors of a memory's passages, which `ensure` has made before."""
        texts = passages(memory)
        rows = [self._rows[_key(passage.text, "passage")] for passage in texts]
        return OwnVectors(
            id=memory.id, hashes=tuple(passage.hash for passage in texts), matrix=frozen(np.stack(rows).astype("f4"))
        )

    def close(self) -> None:
        """End the worker, if there is one."""
        self._embedder.close()

    def _embed(self, texts: Sequence[str], kind: Kind) -> None:
        rows = self._embedder.embed(texts, kind=kind, deadline_s=DEADLINE_S)
        keys = tuple(_key(text, kind) for text in texts)
        made = Vectors(memories=keys, chunks=(0,) * len(keys), text_hashes=keys, matrix=rows)
        self._file.append(made, now_ms=0)
        self._rows.update(zip(keys, rows, strict=True))


def with_meaning(world: World, memories: Sequence[Memory], cache: VectorCache) -> World:
    """The World with the vectors of its memories, those of log entries averaged with their neighbours', as in use."""
    cache.ensure((passage.text for memory in memories for passage in passages(memory)), kind="passage")
    entries = [memory for memory in memories if memory.origin == "log"]
    own = [cache.own(memory) for memory in memories if memory.origin != "log"]
    own += windowed(entries, {memory.id: cache.own(memory) for memory in entries})
    return with_vectors(world, own, model=cache.model)


def _key(text: str, kind: Kind) -> str:
    return f"{kind}-{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:32]}"
