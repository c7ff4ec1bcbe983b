"""The memories on disk, held in step with their files.

Invariants: after `load` and any number of `refresh` calls the records are what loading afresh would give; a file is
read again whenever its stamp differs from the cached one or is too young to be trusted. Nothing here raises for what
a disk holds. Not safe for threads: one owner (the engine's write lane) calls it. Writing is left to store/journal.py.
"""

import time
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from memofs.model.change import Change
from memofs.model.graph import NOT_CURATED, Curated
from memofs.model.memory import Memory
from memofs.model.problem import Problem
from memofs.model.relation import Relation
from memofs.store import cache
from memofs.store.cache import FileRecord, Stamp
from memofs.store.claims import Claims, Shown
from memofs.store.git import CommitTimes, Git
from memofs.store.layout import MEMORY_PATH, NAME, Layout
from memofs.store.scan import is_memory_path, list_files, look, read_file
from memofs.text.identity import digest
from memofs.text.memory_file import parse_memory_file

__all__ = ["CacheState", "Loaded", "Records"]

CacheState = Literal["fresh", "partial", "rebuilt", "none"]
"""fresh: every file was as the cache said; partial: some had to be parsed; rebuilt: the cache was of no use; none:
there was none."""

RACY_NS = 2_000_000_000
"""A file that changed less than this before it was read may change again without its stamp telling: the coarsest
clock of a file system in use (FAT) ticks every two seconds. Source: Documentation/technical/racy-git.txt of git."""


class Loaded(msgspec.Struct, frozen=True, kw_only=True):
    """All memories, ordered by path, what persons wrote down of relations and entities, and what is wrong."""

    memories: tuple[Memory, ...]
    problems: tuple[Problem, ...]
    cache_state: CacheState
    relations: tuple[Relation, ...] = ()
    curated: Curated = NOT_CURATED


class Records:
    """What each memory file says. Invariant: `_shown` is `Claims.shown` of every record in `_files`."""

    def __init__(self, layout: Layout, git: Git, *, kinds: frozenset[str], racy_ns: int = RACY_NS) -> None:
        self._layout = layout
        self._racy_ns = racy_ns
        self._git = git
        self._kinds = kinds
        self._files: dict[str, FileRecord] = {}
        self._shown: dict[str, Shown] = {}
        self._claims = Claims()
        self._obstacles: dict[str, Problem] = {}  # what kept a path from being read at all
        self._commits: Mapping[str, CommitTimes] | None = None
        self._dirty = False

    def load(self, *, now_ms: int) -> Loaded:
        """Read the cache, then every file that it does not speak for."""
        state, cached = self._cached()
        listing = list_files(self._layout)
        self._obstacles = {problem.path: problem for problem in listing.problems}
        self._files = {}
        read: set[str] = set()
        parsed = 0
        for path, stamp in listing.files.items():
            known = cached.get(path)
            if known is not None and known.stamp == stamp and self._is_settled(known):
                self._files[path] = known
                continue
            self._dirty = True
            read.add(path)
            record = self._read(path, known, now_ms=now_ms)
            if record is not None:
                self._files[path] = record
            if record is None or known is None or record.digest != known.digest:
                parsed += 1
        self._dirty = self._dirty or self._files.keys() != cached.keys()
        self._date_markdown(read, is_load=True)
        self._claims = Claims()
        for record in self._files.values():
            self._claims.put(record)
        self._shown = {path: self._claims.shown(record, self._files) for path, record in self._files.items()}
        if state == "fresh" and parsed:
            state = "partial"
        return Loaded(memories=self.memories(), problems=self.problems(), cache_state=state)

    def refresh(self, paths: Iterable[str] | None, *, now_ms: int) -> Change:
        """Look at the paths again (None: at everything) and answer what changed since.

        Paths are workspace-relative; those that are no memory files are passed over, folders stand for what is below
        them. A file that is named is read whatever its stamp says. One whose bytes are the same, such as one that this
        process wrote and already looked at, is no change.
        """
        seen: dict[str, Stamp | Problem | None] = {}
        named: set[str] = set()
        for path in [MEMORY_PATH] if paths is None else sorted(paths):
            if is_memory_path(path):
                seen[path] = look(self._layout, path)
                named.add(path)
            else:
                seen.update(self._below(path))
        before: list[FileRecord] = []
        looked: set[str] = set()
        for path, found in seen.items():
            known = self._files.get(path)
            if path not in named and known is not None and known.stamp == found and self._is_settled(known):
                continue
            looked.add(path)
            if known is not None:
                before.append(known)
            self._take(path, found, known, now_ms=now_ms)
        if not looked:
            return Change()
        self._dirty = True
        self._date_markdown(looked, is_load=False)
        return self._settle(looked, before)

    def differing(self) -> tuple[str, ...]:
        """The paths of memory files that are not what they were when last looked at, by their stamps alone."""
        found = list_files(self._layout).files
        changed = [path for path, stamp in found.items() if path not in self._files or self._files[path].stamp != stamp]
        return (*changed, *(path for path in self._files if path not in found))

    def memories(self) -> tuple[Memory, ...]:
        """All memories, by path and place in their file."""
        return tuple(memory for path in sorted(self._shown) for memory in self._shown[path].memories)

    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the files, by path."""
        return self._problems_of(self._files.keys() | self._obstacles.keys())

    def distrust_cache(self) -> None:
        """Have the next `save_cache` write whether or not anything differs."""
        self._dirty = True

    def save_cache(self) -> Problem | None:
        """Write the record cache if it would differ; a Problem if that cannot be done."""
        if not self._dirty:
            return None
        records = tuple(self._files[path] for path in sorted(self._files))
        problem = cache.save_records(self._layout, records, kinds=self._kinds)
        self._dirty = problem is not None
        return problem

    def _cached(self) -> tuple[CacheState, dict[str, FileRecord]]:
        try:
            records = cache.load_records(self._layout, kinds=self._kinds)
        except OSError:
            return "none", {}
        if records is None:
            return "rebuilt", {}
        return "fresh", {record.path: record for record in records}

    def _below(self, path: str) -> dict[str, Stamp | Problem | None]:
        """What is now at every path below the folder, and at every one known there."""
        if path == NAME:
            path = MEMORY_PATH
        if path != MEMORY_PATH and (not path.startswith(f"{MEMORY_PATH}/") or "/." in path[len(MEMORY_PATH) :]):
            return {}
        listing = list_files(self._layout, path)
        known = self._files.keys() | self._obstacles.keys()
        found: dict[str, Stamp | Problem | None] = dict.fromkeys(each for each in known if each.startswith(f"{path}/"))
        found.update({problem.path: problem for problem in listing.problems})
        found.update(listing.files)
        return found

    def _take(self, path: str, found: Stamp | Problem | None, known: FileRecord | None, *, now_ms: int) -> None:
        """Put what is at the path in the place of what was."""
        self._obstacles.pop(path, None)
        if known is not None:
            self._claims.drop(known)
            del self._files[path]
        if isinstance(found, Problem):
            self._obstacles[path] = found
            return
        record = None if found is None else self._read(path, known, now_ms=now_ms)
        if record is not None:
            self._files[path] = record
            self._claims.put(record)

    def _read(self, path: str, known: FileRecord | None, *, now_ms: int) -> FileRecord | None:
        """What the file says now; None, with an obstacle noted, if it cannot be read."""
        read_ns = time.time_ns()
        read = read_file(self._layout, path)
        if isinstance(read, Problem):
            self._obstacles[path] = read
            return None
        if read is None:
            return None
        data, stamp = read
        hash_ = digest(data)
        if known is not None and known.digest == hash_ and not _is_about_time(known):
            return msgspec.structs.replace(known, stamp=stamp, read_ns=read_ns)
        parsed = parse_memory_file(path, data, now_ms=now_ms, kinds=self._kinds)
        return FileRecord(
            path=path, stamp=stamp, digest=hash_, read_ns=read_ns, memories=parsed.memories, problems=parsed.problems
        )

    def _is_settled(self, record: FileRecord) -> bool:
        """Whether an unchanged stamp means unchanged bytes, and the same reading of them."""
        youngest_ns = max(record.stamp.mtime_ns, record.stamp.ctime_ns)
        return youngest_ns + self._racy_ns < record.read_ns and not _is_about_time(record)

    def _date_markdown(self, paths: Iterable[str], *, is_load: bool) -> None:
        """Give plain markdown files the times that they do not say: git's, else the file system's.

        A file seen to change while we run was updated then, whatever its last commit.
        """
        for path in paths:
            record = self._files.get(path)
            if record is None or not any(memory.origin == "markdown" for memory in record.memories):
                continue
            if self._commits is None:
                self._commits = self._git.commit_times(MEMORY_PATH)
            commits = self._commits.get(path)
            modified_ms = record.stamp.mtime_ns // 1_000_000
            created_ms = commits.first_ms if commits else modified_ms
            committed_ms = commits.last_ms if commits and is_load else None
            updated_ms = modified_ms if committed_ms is None else committed_ms
            memories = tuple(
                msgspec.structs.replace(memory, created_ms=created_ms, updated_ms=updated_ms)
                for memory in record.memories
            )
            self._files[path] = msgspec.structs.replace(record, memories=memories)

    def _settle(self, looked: set[str], before: list[FileRecord]) -> Change:
        """Tell apart again what the changed files claim, and answer how that differs from what was shown."""
        after = [self._files[path] for path in looked if path in self._files]
        affected = looked | self._claims.sharing([*before, *after])
        old = {memory.id: memory for path in affected if path in self._shown for memory in self._shown[path].memories}
        new: dict[str, Memory] = {}
        for path in affected:
            record = self._files.get(path)
            if record is None:
                self._shown.pop(path, None)
                continue
            shown = self._claims.shown(record, self._files)
            self._shown[path] = shown
            new.update({memory.id: memory for memory in shown.memories})
        return Change(
            put=tuple(memory for id_, memory in sorted(new.items()) if old.get(id_) != memory),
            removed=tuple(sorted(old.keys() - new.keys())),
            paths=tuple(sorted(affected)),
            problems=self._problems_of(affected),
        )

    def _problems_of(self, paths: Iterable[str]) -> tuple[Problem, ...]:
        problems: list[Problem] = []
        for path in sorted(paths):
            if (obstacle := self._obstacles.get(path)) is not None:
                problems.append(obstacle)
            if (record := self._files.get(path)) is not None:
                problems += record.problems
            if (shown := self._shown.get(path)) is not None:
                problems += shown.problems
        return tuple(problems)


def _is_about_time(record: FileRecord) -> bool:
    """Whether what was read depends on what time it is: a date in the future becomes one in the past."""
    return any(problem.code == "futureDate" for problem in record.problems)
