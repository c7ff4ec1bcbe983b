"""What a reading handler sees: one World, the disk beside it, and the time, all of one moment."""

from collections.abc import Collection, Iterable

import msgspec

from memofs.engine.anchoring import RECALL_PATIENCE_S, Anchoring, Report
from memofs.engine.buffers import NO_BUFFERS, Buffers
from memofs.engine.draft import checked_kind
from memofs.engine.lookup import find_one
from memofs.engine.meaning import Meaning
from memofs.engine.opening import Opening
from memofs.engine.reranking import Reranking
from memofs.model.cancel import NEVER, CancelToken
from memofs.model.errors import NotFound
from memofs.model.memory import Memory
from memofs.store.mutes import Mutes
from memofs.store.store import Store
from memofs.world.state import World, flags, overlaid

__all__ = ["View"]


class View(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A snapshot to answer from. `degraded` names what is missing here: readOnly, cache.

    `buffers` is the text that only this session has.
    """

    root: str
    world: World
    store: Store
    opening: Opening
    now_ms: int
    degraded: tuple[str, ...] = ()
    meaning: Meaning | None = None
    reranking: Reranking | None = None
    anchoring: Anchoring | None = None
    buffers: Buffers = NO_BUFFERS
    mutes: Mutes

    @property
    def reranking_failure(self) -> str | None:
        """Why the reranker that the settings name cannot answer, as far as it is known."""
        return self.reranking.failure if self.reranking is not None else None

    def at(self, world: World) -> "View":
        """The same view of a World that came after."""
        return msgspec.structs.replace(self, world=overlaid(world, self.buffers.states_in(world)))

    def seeing(self, buffers: Buffers) -> "View":
        """The same view for a session with unsaved text."""
        return msgspec.structs.replace(self, world=overlaid(self.world, buffers.states_in(self.world)), buffers=buffers)

    def following(
        self,
        ids: Collection[str] | None = None,
        *,
        patience_s: float | None = RECALL_PATIENCE_S,
        again: bool = False,
        cancel: CancelToken = NEVER,
        report: Report | None = None,
    ) -> "View":
        """The same view with what is known of the anchors now, of these memories or of all; see `Anchoring.follow`."""
        if self.anchoring is None:
            return self
        followed = self.anchoring.follow(ids, patience_s=patience_s, again=again, cancel=cancel, report=report)
        world = overlaid(followed.world, self.buffers.states_in(followed.world))
        return msgspec.structs.replace(self, world=world, degraded=(*self.degraded, *followed.degraded))

    def find(self, text: str) -> Memory:
        """The memory that `text` names. Raises NotFound or InvalidRequest."""
        return find_one(self.world.memories, text, problems=self.world.problems)

    def kinds(self, names: Iterable[str]) -> tuple[str, ...]:
        """The kinds to filter by: known ones, and those that some memory has. Raises InvalidRequest for others."""
        used = {memory.kind for memory in self.world.memories.values()}
        custom = (*self.world.config.kinds, *used)
        return tuple(name if name in used else checked_kind(name, custom) for name in names)

    def history_id(self, text: str) -> str:
        """The id whose events are wanted: of a memory that is there, else the text itself, for one that is gone."""
        try:
            return self.find(text).id
        except NotFound:
            return text.strip().lower()

    def flags(self, memory: Memory) -> tuple[str, ...]:
        """The memory's flags today."""
        return flags(self.world, memory, self.now_ms)
