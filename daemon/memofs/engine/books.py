"""The books of the model lane: which memories have the vectors of their text as it is, and which are due.

Invariants: every memory of the World either has its vectors there or is due; what other processes embedded is taken
over, not made again; the vectors' file is mended and rewritten only under the lock that all processes share. Safe to
call from several threads. What makes vectors, and when, is left to `meaning`.
"""

import logging
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import msgspec
import numpy as np

from memofs.embed.protocol import Matrix
from memofs.engine.clock import now_ms
from memofs.engine.places import FORGET_WAIT_S, embeddings_file, forget_vectors
from memofs.model.errors import NotFound, Unavailable
from memofs.model.memory import Memory
from memofs.model.problem import Problem
from memofs.recall.arrays import frozen
from memofs.recall.passages import Passage, passages
from memofs.recall.vectors import OwnVectors
from memofs.store.embeddings import Vectors
from memofs.store.layout import Layout
from memofs.store.lock import index_lock
from memofs.world.meaning import windowed
from memofs.world.state import World

__all__ = ["Books", "Due", "Publish"]

log = logging.getLogger("memofs.meaning")

Publish = Callable[[Sequence[OwnVectors], str], World]
"""Puts vectors of a model into the World and answers the new one."""
Due: TypeAlias = tuple[Memory, tuple[Passage, ...]]
"""A memory with the passages that are to be embedded."""


class Books:
    """The vectors of one workspace, of one model. `world` gives the newest World, `publish` moves it on."""

    def __init__(self, layout: Layout, *, model: str, world: Callable[[], World], publish: Publish) -> None:
        self._layout = layout
        self._model = model
        self._file = embeddings_file(layout, model=model)
        self._world = world
        self._publish = publish
        self._lock = threading.RLock()
        self._due: dict[str, Memory] = {}
        self._logs: dict[str, OwnVectors] = {}
        self._open = False
        self.damage: Problem | None = None
        self.unkept: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether what is on disk was taken into the World."""
        return self._open

    def counts(self) -> tuple[int, int]:
        """How many memories there are, and how many of them are due."""
        with self._lock:
            return len(self._world().memories), len(self._due)

    @property
    def due(self) -> int:
        """How many memories are due."""
        return len(self._due)

    def open(self) -> None:
        """Take the vectors that are on disk into the World; what has none is due. Done once."""
        with self._lock:
            if self._open:
                return
            self._open = True
            try:
                with index_lock(self._layout, wait_s=0.0) as held:
                    stored = self._file.load(mend=held)
            except NotFound:  # removed just now
                stored = self._file.load(mend=False)
            if stored.problem is not None:
                path = self._layout.relative(Path(stored.problem.path))
                self.damage = msgspec.structs.replace(stored.problem, path=path)
                log.warning("%s: %s", stored.problem.path, stored.problem.message)
            world = self._world()
            found = _fitting(stored.vectors, world.memories.values())
            self._due = {id_: memory for id_, memory in world.memories.items() if id_ not in found}
            self._take(list(found.values()), world)

    def follow(self, put: Sequence[Memory], removed: Sequence[str], before: Mapping[str, Memory]) -> None:
        """Note what was written: `before` are the memories as they were. Vectors of reworded ones are due again."""
        with self._lock:
            if not self._open:
                return
            for id_ in removed:
                self._due.pop(id_, None)
                self._logs.pop(id_, None)
            for memory in put:
                old = before.get(memory.id)
                if old is None or (old.title, old.body) != (memory.title, memory.body) or memory.id in self._due:
                    self._due[memory.id] = memory

    def forget(self, ids: Sequence[str]) -> None:
        """Take the vectors of forgotten memories off the disk, those being made too. Raises Unavailable."""
        if not self._open:
            forget_vectors(self._layout, ids)
            return
        # The shared lock first, as whoever embeds takes them: else each would wait for the other.
        with index_lock(self._layout, wait_s=FORGET_WAIT_S), self._lock:
            for id_ in ids:
                self._due.pop(id_, None)
                self._logs.pop(id_, None)
            self._file.forget(ids)

    def take_over(self, *, settled: bool) -> int:
        """How many memories are no longer due, because another process has embedded them.

        `settled` says that the lock is held, so that nobody is writing.
        """
        with self._lock:
            found = _fitting(self._file.news(settled=settled), self._due.values())
            for id_ in found:
                self._due.pop(id_)
            world = self._world()
            self._take([each for id_, each in found.items() if id_ in world.memories], world)
            return len(found)

    def next_batch(self, most: int, *, without: Collection[str] = ()) -> list[Due]:
        """The next memories that are due, of at most so many passages together, or a single one of more."""
        with self._lock:
            waiting = [memory for id_, memory in self._due.items() if id_ not in without][:most]
        batch: list[Due] = []
        count = 0
        for memory in waiting:
            texts = passages(memory)
            if batch and count + len(texts) > most:
                break
            batch.append((memory, texts))
            count += len(texts)
        return batch

    def keep(self, batch: Sequence[Due], rows: Matrix) -> None:
        """Write the vectors of a batch down and publish them; `rows` are those of its passages, in their order."""
        flat = [(memory, passage) for memory, texts in batch for passage in texts]
        with self._lock:
            self._append(
                Vectors(
                    memories=tuple(memory.id for memory, _ in flat),
                    chunks=tuple(passage.chunk for _, passage in flat),
                    text_hashes=tuple(passage.hash for _, passage in flat),
                    matrix=rows,
                )
            )
            world = self._world()
            own: list[OwnVectors] = []
            at = 0
            for memory, texts in batch:
                matrix = frozen(rows[at : at + len(texts)])
                at += len(texts)
                current = world.memories.get(memory.id)
                if current is None or (current.title, current.body) == (memory.title, memory.body):
                    self._due.pop(memory.id, None)
                if current is not None:
                    own.append(OwnVectors(id=memory.id, hashes=tuple(passage.hash for passage in texts), matrix=matrix))
            self._take(own, world)

    def _take(self, own: Sequence[OwnVectors], world: World) -> None:
        """Publish the vectors; entries of a log bring their neighbours along, whose windows they are part of."""
        entries = [each for each in own if world.memories[each.id].origin == "log"]
        plain = [each for each in own if world.memories[each.id].origin != "log"]
        if entries:
            self._logs.update({each.id: each for each in entries})
            paths = {world.memories[each.id].path for each in entries}
            logs = [m for m in world.memories.values() if m.origin == "log" and m.path in paths]
            plain += windowed(logs, self._logs)
        if plain:
            self._publish(plain, self._model)

    def _append(self, made: Vectors) -> None:
        """Write the vectors down; where that cannot be done they serve this process and are made again by the next."""
        try:
            self._file.append(made, now_ms=now_ms())
        except Unavailable as error:
            if self.unkept is None:
                log.warning("%s", error.message)
            self.unkept = f"the vectors could not be kept: {error.message}"


def _fitting(stored: Vectors, memories: Iterable[Memory]) -> dict[str, OwnVectors]:
    """The stored vectors of those memories whose text is still the one that was embedded."""
    rows: dict[str, dict[int, int]] = {}
    for row, (id_, chunk) in enumerate(zip(stored.memories, stored.chunks, strict=True)):
        rows.setdefault(id_, {})[chunk] = row
    found: dict[str, OwnVectors] = {}
    for memory in memories:
        held = rows.get(memory.id)
        if held is None:
            continue
        texts = passages(memory)
        places = [held.get(passage.chunk, -1) for passage in texts]
        hashes = tuple(passage.hash for passage in texts)
        if all(
            place >= 0 and stored.text_hashes[place] == wanted for place, wanted in zip(places, hashes, strict=True)
        ):
            found[memory.id] = OwnVectors(
                id=memory.id, hashes=hashes, matrix=frozen(stored.matrix[np.array(places, np.intp)])
            )
    return found
