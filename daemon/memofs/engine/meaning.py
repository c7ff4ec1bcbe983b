"""The model lane: a question's vector first, and between questions the vectors of what was written.

Invariants: a failure of the embedder never fails a request, it is kept as the reason that `degraded` answers carry and
is logged once; a memory that the embedder refuses does not keep others from being embedded; of several processes one
embeds at a time, and the others take over what it made. Safe to call from several threads. Which memories have vectors
is kept in `books`.
"""

import contextlib
import logging
import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

import msgspec

from memofs.embed.protocol import Embedder, EmbedderError, Matrix, Reason
from memofs.engine.books import Books, Due, Publish
from memofs.model.cancel import NEVER, CancelToken
from memofs.model.errors import NotFound
from memofs.model.memory import Memory
from memofs.model.problem import Problem
from memofs.recall.arrays import Floats
from memofs.recall.calibration import Calibration, calibration, is_due
from memofs.store.calibrations import load_calibration, save_calibration
from memofs.store.layout import Layout
from memofs.store.lock import index_lock
from memofs.world.calibrate import near_title, titled
from memofs.world.meaning import cosines
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

OF_THE_TEXT: Final[frozenset[Reason]] = frozenset({"badAnswer", "notFinite", "refused"})
"""Failures that may lie in a text, so that others can still be embedded."""

Report = Callable[[int, int, int], None]
"""Called with the memories done, all there are to do, and how many of those done another process has embedded."""


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
        self._world = world
        self._books = Books(layout, model=embedder.identity, world=world, publish=publish)
        self._indexing = threading.Lock()
        self._failure = self._never = failure
        self._refused: dict[str, EmbedderError] = {}
        self._calibrates = calibrates
        self._calibration = load_calibration(layout, model=embedder.identity) if calibrates else None
        self._told = False

    @property
    def damage(self) -> Problem | None:
        """What was wrong with the vectors on disk when they were read, and what became of it."""
        return self._books.damage

    def rehydrate(self) -> None:
        """Take the vectors that are on disk into the World. Done once.

        Not for an embedder that can never answer: nobody knows whose vectors it would want.
        """
        if self._never is None:
            self._books.open()

    def follow(self, put: Sequence[Memory], removed: Sequence[str], before: Mapping[str, Memory]) -> None:
        """Note what was written: `before` are the memories as they were. Vectors of reworded ones are due again."""
        for memory in put:
            self._refused.pop(memory.id, None)
        self._books.follow(put, removed, before)

    def forget(self, ids: Sequence[str]) -> None:
        """Take the vectors of forgotten memories off the disk. Raises Unavailable."""
        self._books.forget(ids)

    def ask(self, text: str, *, wait: bool, cancel: CancelToken = NEVER) -> Asked:
        """What to answer a question from. Raises Cancelled.

        With `wait`, a starting embedder is waited for, and a little for what was written just now.
        """
        if self._never is not None:
            return Asked(world=self._world(), degraded=self._missing())
        if not wait and not self._embedder.warm:
            self._warm_up()
            return Asked(world=self._world(), degraded=("embedder",))
        self.rehydrate()
        query = self._query_vector(text, COLD_DEADLINE_S if wait else TYPING_DEADLINE_S)
        if query is None:
            return Asked(world=self._world(), degraded=(*self._missing(), *self.tell()))
        if wait and 0 < self._books.due <= CATCH_UP_MOST:
            with contextlib.suppress(NotFound):  # removed just now: what is in memory still answers
                self.index_pending(budget_s=CATCH_UP_S, cancel=cancel)
        world = self._world()
        found = cosines(world, query)
        indexing = ("indexing",) if self._books.due else ()
        return Asked(
            world=world,
            cosines=found,
            degraded=(*indexing, *self.tell()),
            calibrated=self._calibration,
        )

    def tell(self) -> tuple[str, ...]:
        """What an answer says once: `vectors`, if those on disk were damaged."""
        if self._told or self._books.damage is None:
            return ()
        self._told = True
        return ("vectors",)

    def index_pending(
        self, *, budget_s: float | None = None, cancel: CancelToken = NEVER, report: Report | None = None
    ) -> int:
        """Embed what is due, until it is done or the time is over; how many memories are left. Raises Cancelled.

        Where another thread is at it already and a budget is given, its work is waited for as long; where another
        process is, this returns at once.
        Raises NotFound if `.memofs/` was removed meanwhile.
        """
        if self._never is not None:
            return 0
        if not self._indexing.acquire(timeout=-1 if budget_s is None else budget_s):
            return self._books.due
        try:
            left = self._index(budget_s, cancel, report)
            if budget_s is None and left == 0:
                self._calibrate(cancel)
            return left
        finally:
            self._indexing.release()

    def probe(self) -> None:
        """Have the embedder answer once, so that what is wrong with it is known even where nothing is to be done.

        What it refused has another chance from now on.
        """
        if self._never is None:
            self._refused.clear()
            self._query_vector("probe", BATCH_DEADLINE_S)

    def pending(self) -> int:
        """How many memories have no vectors yet, those on disk taken in."""
        self.rehydrate()
        return self._books.due

    def progress(self) -> Progress:
        """How far embedding is."""
        state = "failed" if self._failure is not None else "warm" if self._embedder.warm else "cold"
        failure = self._failure or _refusals(list(self._refused.values()))
        total, due = self._books.counts()
        return Progress(
            name=self._embedder.identity,
            state=state,
            embedded=total - due if self._books.is_open else 0,
            pending=due,
            problem=failure.message if failure else self._books.unkept,
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

    def _missing(self) -> tuple[str, ...]:
        """What an answer without vectors lacks."""
        return ("notAllowed" if self._never is not None and self._never.reason == "notAllowed" else "embedder",)

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
        books, patient = self._books, budget_s is None
        books.open()
        end_s = None if budget_s is None else time.monotonic() + budget_s
        total, shared = books.due, 0

        def tell() -> None:
            if report is not None:
                report(total - books.due, total, shared)

        def meanwhile() -> None:
            nonlocal shared
            cancel.check()
            shared += books.take_over(settled=False)
            tell()

        failed = False
        while books.due and (end_s is None or time.monotonic() < end_s):
            cancel.check()
            with index_lock(self._layout, wait_s=math.inf if patient else 0.0, meanwhile=meanwhile) as held:
                shared += books.take_over(settled=held)
                batch = books.next_batch(BATCH_PASSAGES if patient else SMALL_BATCH, without=self._refused)
                if not held or not batch:
                    tell()
                    break
                try:
                    self._embed(batch, deadline_s=BATCH_DEADLINE_S if patient else SMALL_BATCH_DEADLINE_S)
                except EmbedderError as error:
                    self._fail(error)
                    if error.lasting or failed or not patient:
                        break
                    failed = True
                else:
                    failed = False
            tell()
        return books.due

    def _embed(self, batch: Sequence[Due], *, deadline_s: float) -> None:
        """Embed and keep the batch; what of it is refused is set aside. Raises EmbedderError if all of it is."""
        try:
            self._make(batch, deadline_s=deadline_s)
        except EmbedderError as error:
            if error.reason not in OF_THE_TEXT:
                raise
            if len(batch) == 1:
                self._refused[batch[0][0].id] = error
                raise
            refused = 0
            for due in batch:
                try:
                    self._embed([due], deadline_s=deadline_s)
                except EmbedderError as refusal:
                    if refusal.reason not in OF_THE_TEXT:
                        raise
                    refused += 1
            if refused == len(batch):
                raise

    def _make(self, batch: Sequence[Due], *, deadline_s: float) -> None:
        wanted = [passage.text for _, texts in batch for passage in texts]
        self._books.keep(batch, self._embedder.embed(wanted, kind="passage", deadline_s=deadline_s))
        self._failure = None

    def _calibrate(self, cancel: CancelToken) -> None:
        """Set the limits of a model that is not the built-in one from the store, if they are due. Raises Cancelled."""
        world = self._world()
        if not self._calibrates:
            return
        if is_due(self._calibration, memories=len(world.memories)):  # unless another process has done it
            self._calibration = load_calibration(self._layout, model=self._embedder.identity)
        if not is_due(self._calibration, memories=len(world.memories)):
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

    def _fail(self, error: EmbedderError) -> None:
        if self._failure is None or self._failure.reason != error.reason:
            log.warning("no vectors: %s (%s)", error.message, error.reason)
        self._failure = error


def _refusals(errors: Sequence[EmbedderError]) -> EmbedderError | None:
    """One failure for all the memories that the embedder refused; None if it refused none."""
    if not errors:
        return None
    last = errors[-1]
    some = "one memory" if len(errors) == 1 else f"{len(errors)} memories"
    return EmbedderError(last.reason, f"{some} could not be embedded and are found by words: {last.message}", last.hint)
