"""The model lane: a question's vector first, and between questions the vectors of what was written.

Invariants: every memory of the World either has the vectors of its text as it is now, or is pending; a failure of the
embedder never fails a request, it is kept as the reason that `degraded` answers carry and is logged once. Safe to
call from several threads: one lock guards the books, another the embedding of what is pending.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

import msgspec
import numpy as np

from memofs.embed.protocol import Embedder, EmbedderError, Matrix
from memofs.engine.clock import now_ms
from memofs.engine.places import embeddings_file, forget_vectors
from memofs.model.cancel import NEVER, CancelToken
from memofs.model.errors import Unavailable
from memofs.model.memory import Memory
from memofs.recall.arrays import Floats, frozen
from memofs.recall.calibration import Calibration, calibration, is_due
from memofs.recall.passages import Passage, passages
from memofs.recall.vectors import OwnVectors
from memofs.store.calibrations import load_calibration, save_calibration
from memofs.store.embeddings import Vectors
from memofs.store.layout import Layout
from memofs.world.calibrate import near_title, titled
from memofs.world.meaning import cosines, windowed
from memofs.world.state import World

__all__ = ["Asked", "Meaning", "Progress"]

log = logging.getLogger("memofs.meaning")

TYPING_DEADLINE_S: Final = 0.05
"""For search as you type, which would rather have words now."""
COLD_DEADLINE_S: Final = 5.0
"""For everybody else. A local model that has to be started first takes a third of a second, on a busy machine several;
a provider has the network between."""
CATCH_UP_MOST: Final = 100
"""Memories. With more to do a second changes little and every question would pay for it; `memofs index` does it."""
CATCH_UP_S: Final = 1.0
"""How long a question waits for what was written since the last one to be embedded."""
BATCH_DEADLINE_S: Final = 60.0
BATCH_PASSAGES: Final = 16
SMALL_BATCH: Final = 4
"""Passages at a time while somebody waits: a batch that was begun is finished, so it must be short."""
SMALL_BATCH_DEADLINE_S: Final = 5.0
"""For such a batch on a very busy machine, or at a provider, which a deadline like this tells that somebody waits."""

Publish = Callable[[Sequence[OwnVectors], str], World]
"""Puts vectors of a model into the World and answers the new one."""
Report = Callable[[int, int], None]
"""Called with the memories done and all there are to do."""


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far embedding is. `problem` says why it failed."""

    name: str
    state: Literal["cold", "warm", "failed"]
    embedded: int
    pending: int
    problem: str | None = None
    hint: str | None = None
    calibration: Calibration | None = None


class Asked(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """What a question is to be answered from: the World, the cosines to it (None: words alone), what is missing.

    `calibrated` are the limits for these cosines, None for the usual ones.
    """

    world: World
    cosines: Floats | None = None
    degraded: tuple[str, ...] = ()
    calibrated: Calibration | None = None


class Meaning:
    """The vectors of one workspace.

    `world` gives the newest World, `publish` moves it on. `failure` is why the embedder can never answer, if it is
    known from the start. `calibrates` says that the model is not the one the usual limits were measured with.
    """

    def __init__(
        self,
        embedder: Embedder,
        layout: Layout,
        *,
        world: Callable[[], World],
        publish: Publish,
        failure: EmbedderError | None = None,
        calibrates: bool = False,
    ) -> None:
        self._embedder = embedder
        self._layout = layout
        self._file = embeddings_file(layout, model=embedder.identity)
        self._world = world
        self._publish = publish
        self._books = threading.RLock()
        self._indexing = threading.Lock()
        self._pending: dict[str, Memory] = {}
        self._logs: dict[str, OwnVectors] = {}
        self._failure = failure
        self._rehydrated = False
        self._calibrates = calibrates
        self._calibration = load_calibration(layout, model=embedder.identity) if calibrates else None
        self._unkept: str | None = None

    def rehydrate(self) -> None:
        """Take the vectors that are on disk into the World; what has none is pending. Done once."""
        with self._books:
            if self._rehydrated:
                return
            self._rehydrated = True
            stored = self._file.load()
            if stored.problem is not None:
                log.warning("%s: %s", stored.problem.path, stored.problem.message)
            world = self._world()
            found = _fitting(stored.vectors, world)
            self._pending = {id_: memory for id_, memory in world.memories.items() if id_ not in found}
            self._take(list(found.values()), world)

    def follow(self, put: Sequence[Memory], removed: Sequence[str], before: Mapping[str, Memory]) -> None:
        """Note what was written: `before` are the memories as they were. Vectors of reworded ones are due again."""
        with self._books:
            if not self._rehydrated:
                return
            for id_ in removed:
                self._pending.pop(id_, None)
                self._logs.pop(id_, None)
            for memory in put:
                old = before.get(memory.id)
                if old is None or (old.title, old.body) != (memory.title, memory.body) or memory.id in self._pending:
                    self._pending[memory.id] = memory

    def forget(self, ids: Sequence[str]) -> None:
        """Take the vectors of forgotten memories off the disk."""
        with self._books:
            if self._rehydrated:
                self._file.forget(ids)
            else:
                forget_vectors(self._layout, ids)

    def ask(self, text: str, *, wait: bool, cancel: CancelToken = NEVER) -> Asked:
        """What to answer a question from. Raises Cancelled.

        With `wait`, a starting embedder is waited for, and a little for what was written just now.
        """
        if not wait and not self._embedder.warm:
            self._warm_up()
            return Asked(world=self._world(), degraded=("embedder",))
        self.rehydrate()
        query = self._query_vector(text, COLD_DEADLINE_S if wait else TYPING_DEADLINE_S)
        if query is None:
            return Asked(world=self._world(), degraded=("embedder",))
        if wait and 0 < len(self._pending) <= CATCH_UP_MOST:
            self.index_pending(budget_s=CATCH_UP_S, cancel=cancel)
        world = self._world()
        found = cosines(world, query)
        return Asked(
            world=world,
            cosines=found,
            degraded=("indexing",) if self._pending else (),
            calibrated=self._calibration,
        )

    def index_pending(
        self, *, budget_s: float | None = None, cancel: CancelToken = NEVER, report: Report | None = None
    ) -> int:
        """Embed what is pending, until it is done or the time is over; how many memories are left. Raises Cancelled.

        Where another thread is at it already and a budget is given, this returns at once.
        """
        if not self._indexing.acquire(blocking=budget_s is None):
            return len(self._pending)
        try:
            left = self._index(budget_s, cancel, report)
            if budget_s is None and left == 0:
                self._calibrate(cancel)
            return left
        finally:
            self._indexing.release()

    def probe(self) -> None:
        """Have the embedder answer once, so that what is wrong with it is known even where nothing is to be done."""
        self._query_vector("probe", BATCH_DEADLINE_S)

    def progress(self) -> Progress:
        """How far embedding is."""
        failure = self._failure
        state = "failed" if failure is not None else "warm" if self._embedder.warm else "cold"
        with self._books:
            pending = len(self._pending)
            world = self._world()
            total = len(world.memories)
        return Progress(
            name=self._embedder.identity,
            state=state,
            embedded=total - pending if self._rehydrated else 0,
            pending=pending,
            problem=failure.message if failure else self._unkept,
            hint=failure.hint if failure else None,
            calibration=self._calibration,
        )

    def end_if_idle(self, idle_s: float) -> bool:
        """Whether the embedder gave back what it held, because nobody asked for so many seconds."""
        return self._embedder.end_if_idle(idle_s)

    def close(self) -> None:
        """End the embedder. What is pending stays so until the next time."""
        self._embedder.close()

    # --- one question, one batch ----------------------------------------------------------------------------------

    def _warm_up(self) -> None:
        try:
            self._embedder.warm_up()
        except EmbedderError as error:
            self._fail(error)

    def _query_vector(self, text: str, deadline_s: float) -> Matrix | None:
        try:
            row = self._embedder.embed([text], kind="query", deadline_s=deadline_s)[0]
        except EmbedderError as error:
            self._fail(error)
            return None
        self._failure = None
        return row

    def _index(self, budget_s: float | None, cancel: CancelToken, report: Report | None) -> int:
        self.rehydrate()
        end_s = None if budget_s is None else time.monotonic() + budget_s
        total = len(self._pending)
        failed: str | None = None
        while self._pending and (end_s is None or time.monotonic() < end_s):
            cancel.check()
            batch = self._next_batch(BATCH_PASSAGES if end_s is None else SMALL_BATCH)
            try:
                self._embed(batch, deadline_s=BATCH_DEADLINE_S if end_s is None else SMALL_BATCH_DEADLINE_S)
            except EmbedderError as error:
                first = batch[0][0].id
                self._fail(error)
                if error.lasting or failed == first or end_s is not None:
                    break
                failed = first
            else:
                failed = None
            if report is not None:
                report(total - len(self._pending), total)
        return len(self._pending)

    def _calibrate(self, cancel: CancelToken) -> None:
        """Set the limits of a model that is not the built-in one from the store, if they are due. Raises Cancelled."""
        world = self._world()
        if not self._calibrates or not is_due(self._calibration, memories=len(world.memories)):
            return
        asked = titled(world)
        near: list[float] = []
        for at in range(0, len(asked), BATCH_PASSAGES):
            cancel.check()
            batch = asked[at : at + BATCH_PASSAGES]
            try:
                rows = self._embedder.embed(
                    [memory.title for memory in batch], kind="query", deadline_s=BATCH_DEADLINE_S
                )
            except EmbedderError as error:
                self._fail(error)
                return
            found = (near_title(world, memory, row) for memory, row in zip(batch, rows, strict=True))
            near += [each for each in found if each is not None]
        limits = calibration(near, memories=len(world.memories))
        if limits is not None:
            self._calibration = limits
            if not save_calibration(self._layout, limits, model=self._embedder.identity):
                log.warning(
                    "the limits for %s cannot be kept and are set again at the next start", self._embedder.identity
                )

    def _next_batch(self, most: int) -> list[tuple[Memory, tuple[Passage, ...]]]:
        with self._books:
            waiting = list(self._pending.values())[:most]
        batch: list[tuple[Memory, tuple[Passage, ...]]] = []
        count = 0
        for memory in waiting:
            texts = passages(memory)
            if batch and count + len(texts) > most:
                break
            batch.append((memory, texts))
            count += len(texts)
        return batch

    def _embed(self, batch: Sequence[tuple[Memory, tuple[Passage, ...]]], *, deadline_s: float) -> None:
        flat = [(memory, passage) for memory, texts in batch for passage in texts]
        wanted = [passage.text for _, passage in flat]
        rows = self._embedder.embed(wanted, kind="passage", deadline_s=deadline_s)
        with self._books:
            self._keep(
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
                    self._pending.pop(memory.id, None)
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
            self._publish(plain, self._embedder.identity)

    def _keep(self, made: Vectors) -> None:
        """Write the vectors down; where that cannot be done they serve this process and are made again by the next."""
        try:
            self._file.append(made, now_ms=now_ms())
        except Unavailable as error:
            if self._unkept is None:
                log.warning("%s", error.message)
            self._unkept = f"the vectors could not be kept: {error.message}"

    def _fail(self, error: EmbedderError) -> None:
        if self._failure is None or self._failure.reason != error.reason:
            log.warning("no vectors: %s (%s)", error.message, error.reason)
        self._failure = error


def _fitting(stored: Vectors, world: World) -> dict[str, OwnVectors]:
    """The stored vectors of memories whose text is still the one that was embedded."""
    rows: dict[str, dict[int, int]] = {}
    for row, (id_, chunk) in enumerate(zip(stored.memories, stored.chunks, strict=True)):
        rows.setdefault(id_, {})[chunk] = row
    found: dict[str, OwnVectors] = {}
    for id_, memory in world.memories.items():
        held = rows.get(id_)
        if held is None:
            continue
        texts = passages(memory)
        places = [held.get(passage.chunk, -1) for passage in texts]
        hashes = tuple(passage.hash for passage in texts)
        if all(
            place >= 0 and stored.text_hashes[place] == wanted for place, wanted in zip(places, hashes, strict=True)
        ):
            found[id_] = OwnVectors(id=id_, hashes=hashes, matrix=frozen(stored.matrix[np.array(places)]))
    return found
