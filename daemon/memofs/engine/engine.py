"""The owner of one workspace's mutable state: the pointer to the World, the lanes, the store.

Invariant: only the write lane calls what moves the pointer, one change at a time; readers take a View and keep it
for the whole of their answer.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from memofs.embed.client import WorkerClient
from memofs.engine.anchoring import Anchoring, States
from memofs.engine.clock import now_ms
from memofs.engine.lanes import Lanes
from memofs.engine.meaning import Meaning
from memofs.engine.model_checks import ModelChecks
from memofs.engine.models import open_meaning, open_reranking
from memofs.engine.opening import Opening
from memofs.engine.places import forget_vectors, state_folder
from memofs.engine.reranking import Reranking
from memofs.engine.view import View
from memofs.model.change import Change
from memofs.model.errors import NotFound
from memofs.model.memory import Memory
from memofs.recall.vectors import OwnVectors
from memofs.store.consent import Consent
from memofs.store.edit import Committed, Edit, Progress, Undone
from memofs.store.layout import Layout, initialize
from memofs.store.mutes import Mutes
from memofs.store.store import Store
from memofs.world.meaning import with_vectors
from memofs.world.state import World, apply, build, configure, index_bytes, placed

__all__ = ["Changed", "Engine"]

CHANGES_WORTH_SAVING = 64
"""So many files newer than the cache cost the next opening about as much as writing the cache costs this time."""


class Changed(msgspec.Struct, frozen=True, kw_only=True):
    """The World moved on to `revision`: ids of memories that came, changed and went; none when it was first read."""

    revision: int
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class Engine:
    """One workspace. Nothing is read from disk until somebody asks."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.lanes = Lanes()
        self.model_checks = ModelChecks()
        self.consent = Consent(root, state_folder())
        self.mutes = Mutes(Layout.of(root))
        self._loading = threading.Lock()
        self._moving = threading.RLock()
        self._opened: tuple[Store, World, Opening] | None = None
        self._meaning: Meaning | None = None
        self._reranking: Reranking | None = None
        self._anchoring: Anchoring | None = None
        self._unsaved = 0
        self.watchers: list[Callable[[Changed], None]] = []

    @property
    def initialized(self) -> bool:
        """Whether the workspace has a memory."""
        return (self.root / ".memofs").is_dir()

    @property
    def is_open(self) -> bool:
        """Whether the memory was read; if not, it will be read as it is then."""
        return self._opened is not None

    def rest(self, *, idle_s: float) -> None:
        """Let processes end that nobody needed for `idle_s`."""
        if self._meaning is not None:
            self._meaning.end_if_idle(idle_s)
        if self._anchoring is not None:
            self._anchoring.objects.end_if_idle(idle_s)

    @property
    def store(self) -> Store:
        """The disk side. Raises NotFound without a memory here."""
        return self._open()[0]

    @property
    def world(self) -> World:
        """The memory of this moment. Raises NotFound without a memory here."""
        return self._open()[1]

    def view(self) -> View:
        """A snapshot to answer from. Raises NotFound without a memory here."""
        store, world, opening = self._open()
        return View(
            root=str(self.root),
            world=world,
            store=store,
            opening=opening,
            now_ms=now_ms(),
            degraded=(*store.degraded(), *_faults(store, world)),
            meaning=self._meaning,
            reranking=self._reranking,
            anchoring=self.anchoring,
            mutes=self.mutes,
        )

    @property
    def anchoring(self) -> Anchoring:
        """The anchors' side. Raises NotFound without a memory here."""
        self._open()
        assert self._anchoring is not None  # noqa: S101 - made when the workspace was opened
        return self._anchoring

    @property
    def meaning(self) -> Meaning | None:
        """The vectors' side; None if the settings ask for none."""
        self._open()
        return self._meaning

    def initialize(self, *, project_name: str | None) -> tuple[str, ...]:
        """The paths that were created. What is there already stays."""
        return initialize(self.root, project_name=project_name)

    def commit(
        self,
        edits: Sequence[Edit],
        *,
        kind: str,
        actor: str,
        summary: str,
        progress: Progress | None = None,
        check: Callable[[], None] | None = None,
    ) -> Committed:
        """What was written, all of it or nothing, and the World moved on.

        Raises Conflict if a file is not what its edit expects, Unavailable if the disk refuses.
        """
        committed = self.store.commit(
            edits, kind=kind, actor=actor, summary=summary, now_ms=now_ms(), progress=progress, check=check
        )
        self.refresh(edit.path for edit in edits)
        return committed

    def undo(self, *, actor: str, skip: bool = False) -> Undone:
        """What was taken back, and the World moved on. Raises NotFound, Conflict, Unavailable."""
        undone = self.store.undo(actor=actor, now_ms=now_ms(), skip=skip)
        self.refresh(undone.paths)
        self.reconfigure()
        return undone

    def forget(self, memories: Sequence[Memory], *, actor: str) -> None:
        """Remove the memories for good, from the caches too. Raises Conflict, Unavailable."""
        edits = [
            Edit(path=memory.path, before_digest=memory.digest, after=None, memory_id=memory.id) for memory in memories
        ]
        ids = [
            memory.id for memory in memories
        ]  # vectors first: without them a memory is whole, with them not forgotten
        if self._meaning is not None:
            self._meaning.forget(ids)
        else:
            forget_vectors(self.store.layout, ids)
        self.store.forget(edits, actor=actor, now_ms=now_ms())
        self.refresh(edit.path for edit in edits)
        self.save()

    def refresh(self, paths: Iterable[str] | None = None) -> Change:
        """What changed on disk, of these paths or of all, and the World moved on."""
        store, _, _ = self._open()
        change = store.refresh(paths, now_ms=now_ms())
        if change.put or change.removed or change.paths:
            with self._moving:
                _, world, opening = self._open()
                after = apply(world, change)
                self._opened = (store, after, opening)
            self._unsaved += len(change.put) + len(change.removed)
            if self._meaning is not None:
                self._meaning.follow(change.put, change.removed, world.memories)
            self.announce(_difference(change, world, after))
        return change

    def catch_up(self) -> None:
        """Take in the memory files that were changed a moment ago, before whoever watches them has said so."""
        if self._opened is not None and self.initialized and (paths := self.store.differing()):
            self.refresh(paths)

    def reconfigure(self) -> None:
        """Take the settings from disk again; other kinds mean that everything is read anew."""
        store, _, _ = self._open()
        before = store.config.config
        if store.reconfigure():
            with self._moving:
                self._opened = self._load(store)
            self._reopen_models()
        elif (config := store.config.config) != before:
            with self._moving:
                _, world, opening = self._open()
                self._opened = (store, configure(world, config), opening)
            if (config.embedding, config.reranking) != (before.embedding, before.reranking):
                self._reopen_models()

    def save(self) -> None:
        """Write the caches."""
        store, world, _ = self._open()
        store.save(index_bytes(world))
        self._unsaved = 0

    async def close(self) -> None:
        """Let the lanes end, and save the caches if enough has changed to be worth it."""
        self.lanes.close()
        self._close_models()
        if self._anchoring is not None:
            self._anchoring.close()
        if self._opened is not None and self._unsaved >= CHANGES_WORTH_SAVING and self.store.is_writable():
            self.save()

    def _open(self) -> tuple[Store, World, Opening]:
        if self._opened is None:
            with self._loading:
                if self._opened is None:
                    opened = self._load()
                    self._anchoring = Anchoring(opened[0], world=lambda: self.world, publish=self._publish_anchors)
                    self._opened = opened
                    self._open_models(self._opened[0])
                    self.announce(Changed(revision=self._opened[1].revision))
        return self._opened

    def look_again(self) -> None:
        """Have whoever shows the memory show it anew, though it says what it said."""
        self.announce(Changed(revision=self.world.revision))

    def announce(self, changed: Changed) -> None:
        """Tell whoever watches that the World is another."""
        for watcher in tuple(self.watchers):
            watcher(changed)

    def _open_models(self, store: Store) -> None:
        """What the settings name, ready to start when it is first needed."""
        worker, config = WorkerClient(), store.config.config
        self._meaning = open_meaning(
            config.embedding,
            worker,
            self.consent,
            layout=store.layout,
            world=lambda: self.world,
            publish=self._publish,
        )
        self._reranking = open_reranking(config.reranking, worker, self.consent)

    def reopen_models(self) -> None:
        """Take what the settings name again, now that more or less of it is allowed."""
        if self._opened is not None:
            self._reopen_models()

    def _reopen_models(self) -> None:
        self._close_models()
        self._open_models(self.store)

    def _close_models(self) -> None:
        for each in (self._meaning, self._reranking):
            if each is not None:
                each.close()

    def _publish(self, own: Sequence[OwnVectors], model: str) -> World:
        with self._moving:
            store, world, opening = self._open()
            after = with_vectors(world, own, model=model)
            self._opened = (store, after, opening)
            return after

    def _publish_anchors(self, states: States) -> World:
        """Put the states into the World, but those of memories that have other anchors by now."""
        with self._moving:
            store, world, opening = self._open()
            current = {
                id_: each
                for id_, (anchors, each) in states.items()
                if (memory := world.memories.get(id_)) is not None and memory.every_anchor == anchors
            }
            after = placed(world, current)
            self._opened = (store, after, opening)
        others = after.stale ^ world.stale
        if others:
            self.announce(Changed(revision=after.revision, changed=tuple(sorted(others))))
        return after

    def _load(self, store: Store | None = None) -> tuple[Store, World, Opening]:
        if not self.initialized:
            raise NotFound("workspace", f"there is no memory in {self.root} or above it", "memofs init makes one here")
        started_s = time.perf_counter()
        store = store or Store(self.root)
        loaded = store.load(now_ms=now_ms())
        world = build(
            loaded.memories,
            config=store.config.config,
            problems=loaded.problems,
            relations=loaded.relations,
            curated=loaded.curated,
            index_bytes=store.load_index(),
        )
        is_cached = loaded.cache_state in ("fresh", "partial")
        self._unsaved = world.analysed if is_cached else len(world.memories)
        opening = Opening(
            cache=loaded.cache_state,
            ms=(time.perf_counter() - started_s) * 1000,
            reused=len(world.memories) - world.analysed,
        )
        return store, world, opening


def _difference(change: Change, before: World, after: World) -> Changed:
    ids = [memory.id for memory in change.put]
    return Changed(
        revision=after.revision,
        added=tuple(id_ for id_ in ids if id_ not in before.memories),
        changed=tuple(id_ for id_ in ids if id_ in before.memories),
        removed=tuple(change.removed),
    )


def _faults(store: Store, world: World) -> Iterator[str]:
    """What an answer lacks because files are broken; `doctor` says which."""
    if any(problem.severity == "error" for found in world.problems.values() for problem in found):
        yield "unreadable"
    if store.config.problems:
        yield "settings"
