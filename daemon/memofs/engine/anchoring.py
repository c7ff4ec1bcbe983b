"""The anchors of a workspace, followed: where each is, and what became of it.

Invariant: what is published is what looking at every anchor afresh would give, save what was not looked at in time and
where a search elsewhere was not made anew; both are told. An anchor is looked at again only if its memory says another
one, or one of the files it depends on has other contents; that is told by stamps, so following an unchanged workspace
reads nothing. Safe to call from several threads; the caches are only ever an opinion.
"""

import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final

import msgspec

from memofs.anchors.source import Source
from memofs.engine.anchor_look import Looker, OutOfTime, source_of
from memofs.engine.anchor_search import Search
from memofs.model.cancel import NEVER, CancelToken
from memofs.model.memory import Anchor, Memory
from memofs.model.place import AnchorState
from memofs.store.anchor_cache import AnchorCache, Known, load_anchors, save_anchors
from memofs.store.blobs import Blobs
from memofs.store.code_files import CodeFile
from memofs.store.git_history import GitHistory
from memofs.store.git_objects import GitObjects
from memofs.store.seen_files import SeenFiles
from memofs.store.store import Store
from memofs.world.memories import Memories
from memofs.world.state import World

__all__ = ["RECALL_PATIENCE_S", "Anchoring", "Followed", "Report", "States"]

RECALL_PATIENCE_S: Final = 0.5
"""How long somebody who asks a question waits for anchors in files that changed; the rest is for the next one."""

_MENDABLE: Final = frozenset({"git", "grammar"})
"""What an anchor may have been looked at without, and may be there the next time."""
_SEARCH_REST_S: Final = 60.0
"""After git took longer than somebody waited, so long only who waits for everything has it search."""

States = Mapping[str, tuple[tuple[Anchor, ...], tuple[AnchorState, ...]]]
"""By memory: the anchors that were looked at, and their states, in their order."""
Report = Callable[[int, int], None]
"""Called with how many memories were looked at and how many there are to look at."""


class Followed(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The World with what is known of anchors; `left` counts memories that were not looked at in time."""

    world: World
    left: int = 0

    @property
    def degraded(self) -> tuple[str, ...]:
        """What an answer from this World lacks."""
        return ("anchors",) if self.left else ()


class Anchoring:
    """One workspace's anchors. `world` gives the World of the moment, `publish` puts states into it."""

    def __init__(
        self,
        store: Store,
        *,
        world: Callable[[], World],
        publish: Callable[[States], World],
    ) -> None:
        self.layout = store.layout
        self._world = world
        self._publish = publish
        self._lock = threading.RLock()
        self.objects = GitObjects(store.layout.root)
        self.history = GitHistory(store.layout.root)
        self.blobs = Blobs(store.layout, self.objects)
        self._store = store
        self._cache: AnchorCache | None = None
        self._files = SeenFiles(store.layout, {})
        self._known: dict[Anchor, Known] = {}
        self._memories: Memories | None = None
        self._anchors: dict[str, tuple[Anchor, ...]] = {}
        self._states: dict[str, tuple[AnchorState, ...]] = {}
        self._contents: dict[str, str] = {}
        self._by_path: dict[str, set[str]] = {}
        self._pending: set[str] = set()
        self._published: Mapping[str, tuple[AnchorState, ...]] | None = None
        self._probable = ""
        self._search_again_s = 0.0
        self._last_source: tuple[tuple[str, str], Source] | None = None
        self._in_git: set[str] = set()
        self._is_behind = False
        self._is_dirty = False

    def follow(
        self,
        ids: Collection[str] | None = None,
        *,
        patience_s: float | None = None,
        again: bool = False,
        cancel: CancelToken = NEVER,
        report: Report | None = None,
    ) -> Followed:
        """The World with the states of these memories' anchors, or of all, as their files are now.

        With `patience_s`, what could not be looked at in that time is left for later. With `again`, lost anchors are
        also searched anew where git or the working tree changed since. Raises Cancelled.
        """
        until_s = None if patience_s is None else time.monotonic() + patience_s
        if not self._lock.acquire(timeout=-1 if patience_s is None else patience_s):
            return Followed(world=self._world(), left=len(self._pending))
        try:
            return self._follow(ids, until_s, again=again, cancel=cancel, report=report)
        finally:
            self._lock.release()

    def source(self, file: CodeFile) -> Source:
        """The text of a file that has one, parsed once for several anchors in a row."""
        with self._lock:
            key = (file.path, file.raw_blob)
            if self._last_source is None or self._last_source[0] != key:
                self._last_source = (key, source_of(file.path, file.text or ""))
            return self._last_source[1]

    def in_git(self, blob: str) -> bool:
        """Whether git has this version, so that whoever clones the repository has it too."""
        if blob not in self._in_git and self.blobs.in_git(blob):
            self._in_git.add(blob)
        return blob in self._in_git

    def content(self, path: str) -> str:
        """The content of a file as the states know it; of one they do not depend on, as it is now."""
        with self._lock:
            known = self._contents.get(path)
            return self._files.content(path) if known is None else known

    def save(self) -> None:
        """Write the cache if it would differ. What cannot be written is found out again next time."""
        with self._lock:
            if not self._is_dirty or self._memories is None:
                return
            current = {anchor for anchors in self._anchors.values() for anchor in anchors}
            known = tuple(each for anchor, each in self._known.items() if anchor in current)
            self._known = {each.anchor: each for each in known}
            self._by_path = {path: ids for path, ids in self._by_path.items() if ids}
            self._files.keep_only(self._by_path)
            cache = AnchorCache(files=dict(self._files.seen), known=known, probable=self._probable)
            self._is_dirty = save_anchors(self.layout, cache) is not None

    def close(self) -> None:
        """End what runs, and save."""
        if self._store.is_writable():
            self.save()
        self.objects.close()

    # --- under the lock -------------------------------------------------------------------------------------------

    def _follow(
        self,
        ids: Collection[str] | None,
        until_s: float | None,
        *,
        again: bool,
        cancel: CancelToken,
        report: Report | None,
    ) -> Followed:
        world = self._world()
        self._open(world)
        self._sync(world.memories)
        wanted = None if ids is None else set(ids) & self._anchors.keys()
        self._compare(self._by_path if wanted is None else self._paths_of(wanted))
        search_until_s = until_s
        if until_s is not None and time.monotonic() < self._search_again_s:
            search_until_s = 0.0  # git is too slow for somebody who waits
        settings = world.config.anchors
        search = Search(self.layout, self._files, self.blobs, self.objects, settings, until_s=search_until_s)
        if again:
            self._doubt(self._anchors.keys() if wanted is None else wanted, search)
        pending = self._pending if wanted is None else self._pending & wanted
        left = self._look(sorted(pending, key=self._order), search, until_s, cancel=cancel, report=report)
        if self._is_behind or (self._published is not world.anchors and (self._states or world.anchors)):
            world = self._publish({id_: (self._anchors[id_], states) for id_, states in self._states.items()})
            self._published = world.anchors
            self._is_behind = False
        if until_s is None and self._is_dirty and self._store.is_writable():
            self.save()
        return Followed(world=world, left=left)

    def _open(self, world: World) -> None:
        """Read the cache, once; drop what was known under other settings."""
        probable = world.config.anchors.probable
        if self._cache is None:
            self._cache = load_anchors(self.layout)
            self._files = SeenFiles(self.layout, self._cache.files)
            self._probable = self._cache.probable
            self._known = {each.anchor: each for each in self._cache.known}
        if probable != self._probable:
            self._probable = probable
            self._known.clear()
            self._pending.update(self._anchors)

    def _sync(self, memories: Memories) -> None:
        """Take over which anchors there are."""
        if memories is self._memories:
            return
        before, anchors = self._anchors, {memory.id: memory.every_anchor for memory in _anchored(memories)}
        gone = before.keys() - anchors.keys()
        changed = [id_ for id_, each in anchors.items() if before.get(id_) != each]
        for id_ in (*gone, *(id_ for id_ in changed if id_ in before)):
            self._states.pop(id_, None)
            for path in self._depends(before[id_]):
                self._by_path.get(path, set()).discard(id_)
        for id_ in changed:
            for path in self._depends(anchors[id_]):
                self._by_path.setdefault(path, set()).add(id_)
        self._pending.difference_update(gone)
        self._pending.update(changed)
        self._is_dirty |= bool(gone)
        self._is_behind |= bool(gone)
        self._memories, self._anchors = memories, anchors

    def _depends(self, anchors: Iterable[Anchor]) -> set[str]:
        """The files whose contents decide what becomes of these anchors."""
        paths = {anchor.path for anchor in anchors}
        for anchor in anchors:
            known = self._known.get(anchor)
            if known is not None:
                paths.update(path for path, _ in known.elsewhere)
        return paths

    def _paths_of(self, ids: Iterable[str]) -> set[str]:
        return {path for id_ in ids for path in self._depends(self._anchors[id_])}

    def _compare(self, paths: Iterable[str]) -> None:
        """See which of the files have other contents than when their anchors were looked at."""
        for path in paths:
            content = self._files.content(path)
            if self._contents.get(path) != content:
                self._contents[path] = content
                self._pending.update(self._by_path.get(path, ()))
        self._pending.intersection_update(self._anchors)

    def _doubt(self, ids: Iterable[str], search: Search) -> None:
        """Have those looked at again that may be found elsewhere now, though what they depend on is as before."""
        for id_ in ids:
            for anchor in self._anchors[id_]:
                known = self._known.get(anchor)
                if known is None:
                    continue
                state = known.state
                left_its_file = state.verdict == "missing" or bool(known.elsewhere)
                may_be_elsewhere = left_its_file and (not known.search or known.search != search.token)
                if may_be_elsewhere or state.fault is not None or not _MENDABLE.isdisjoint(state.degraded):
                    del self._known[anchor]
                    self._pending.add(id_)

    def _order(self, id_: str) -> tuple[str, str]:
        return min(anchor.path for anchor in self._anchors[id_]), id_

    def _look(
        self,
        ids: Collection[str],
        search: Search,
        until_s: float | None,
        *,
        cancel: CancelToken,
        report: Report | None,
    ) -> int:
        """Look at these memories' anchors in order, until the time is up; how many are left."""
        looker = Looker(self._files, self.blobs, self._world().config.anchors, search.find, until_s=until_s)
        unknown = [id_ for id_ in ids if not self._recalled(id_)]
        left: list[str] = []
        begun_s = time.monotonic()
        is_resting = begun_s < self._search_again_s
        for number, id_ in enumerate(unknown):
            cancel.check()
            if until_s is not None and time.monotonic() >= until_s:
                left += unknown[number:]
                break
            if report is not None:
                report(number, len(unknown))
            this_s = time.monotonic()
            try:
                for anchor in self._anchors[id_]:
                    if not self._holds(anchor):
                        self._known[anchor] = looker.look(anchor)
                        self._is_dirty = True
            except OutOfTime:
                left.append(id_)
                ended_s = time.monotonic()
                if not is_resting and 2 * (ended_s - this_s) > ended_s - begun_s:  # git alone took most of the time
                    self._search_again_s = ended_s + _SEARCH_REST_S
            else:
                self._settle(id_)
        self._keep_last(left)
        return len(left)

    def _keep_last(self, ids: Collection[str]) -> None:
        """Until they are looked at, memories are in the state they were last seen in, if they ever were."""
        for id_ in ids:
            if id_ not in self._states:
                known = [self._known.get(anchor) for anchor in self._anchors[id_]]
                if all(each is not None for each in known):
                    self._states[id_] = tuple(each.state for each in known if each is not None)
                    self._is_behind = True

    def _recalled(self, id_: str) -> bool:
        """Whether all of the memory's anchors are known already; then that is their state."""
        if not all(self._holds(anchor) for anchor in self._anchors[id_]):
            return False
        self._settle(id_)
        return True

    def _settle(self, id_: str) -> None:
        """Take what is known of the memory's anchors for their state, and watch what it depends on."""
        known = [self._known[anchor] for anchor in self._anchors[id_]]
        self._states[id_] = tuple(each.state for each in known)
        self._pending.discard(id_)
        self._is_behind = True
        for each in known:
            for path, content in each.elsewhere:
                self._by_path.setdefault(path, set()).add(id_)
                self._contents.setdefault(path, content)

    def _holds(self, anchor: Anchor) -> bool:
        known = self._known.get(anchor)
        if known is None or self._contents.get(anchor.path) != known.blob:
            return False
        return not known.elsewhere or all(self._contents.get(path) == content for path, content in known.elsewhere)


def _anchored(memories: Memories) -> Iterable[Memory]:
    """The memories that are anchored, by way of the mapping's parts: a call a memory would take ten times as long."""
    for id_, memory in memories.base.items():
        if (memory.anchors or memory.said_anchors) and id_ not in memories.overlay:
            yield memory
    for memory in memories.overlay.values():
        if memory is not None and (memory.anchors or memory.said_anchors):
            yield memory
