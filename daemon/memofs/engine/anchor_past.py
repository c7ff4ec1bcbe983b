"""What git and the working tree say of the past, asked once in a pass over the anchors.

Invariant: a question is answered by git or not at all: where the time of the pass is up, `OutOfTime` is raised rather
than an answer that is not one. What an answer means for an anchor is left to anchor_trail.py and anchor_search.py.
"""

import hashlib
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final, TypeVar

from memofs.anchors.source import Source
from memofs.engine.anchor_look import OutOfTime, source_of
from memofs.store.code_files import code_of, look_at
from memofs.store.git_history import TIMEOUT_S, FileChange, GitHistory, Step, Version
from memofs.store.git_objects import GitObjects
from memofs.store.layout import Layout
from memofs.store.walk import walked

__all__ = ["Past", "name_before", "parent_of"]

T = TypeVar("T")

_MOST_STEPS: Final = 20
_MOST_BYTES: Final = 2 * 1024 * 1024


class Past:
    """Asks for one pass over the anchors, until `until_s`. Not safe for threads."""

    def __init__(self, layout: Layout, objects: GitObjects, *, until_s: float | None) -> None:
        self._layout = layout
        self._objects = objects
        self._until_s = until_s
        self._steps: dict[str, Step] = {}
        self._removed: dict[str, str | None] = {}
        self._versions: dict[str, tuple[Version, ...]] = {}

    @cached_property
    def head(self) -> str | None:
        """The commit that is checked out; None without git, where nothing tells whether anything is new."""
        return self._ask(GitHistory.head)

    @cached_property
    def uncommitted(self) -> Step:
        """What differs from the commit."""
        return self._ask(GitHistory.uncommitted)

    @cached_property
    def cut(self) -> frozenset[str]:
        """The commits before which this clone has no history though there is one."""
        return frozenset() if self.head is None else self._ask(GitHistory.cut)

    @cached_property
    def walked(self) -> Sequence[str]:
        """The files of the workspace."""
        return walked(self._layout)

    @cached_property
    def newest(self) -> Sequence[str]:
        """The same, what changed last first: where git tells nothing, that is where code may have gone."""
        return sorted(self.walked, key=lambda path: (-self.changed_ns(path), path))

    @cached_property
    def token(self) -> str:
        """What is asked about: the commit, and what is not committed. Empty without git."""
        if self.head is None:
            return ""
        said = [self.head, *(f"{change.path}:{self._stamp(change)}" for change in self.uncommitted.changes)]
        return hashlib.blake2b("\0".join(said).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()

    def removing_step(self, path: str) -> Step | None:
        """The last step that took the path away; None if git knows of none."""
        if any(path == _taken(change) for change in self.uncommitted.changes):
            return self.uncommitted
        if path not in self._removed:
            self._removed[path] = self._ask(lambda history: history.removed_in(path))
        commit = self._removed[path]
        return None if commit is None else self.step(commit)

    def step(self, commit: str) -> Step:
        """What a commit did."""
        if commit not in self._steps:
            self._steps[commit] = self._ask(lambda history: history.step(commit))
        return self._steps[commit]

    def versions(self, path: str) -> tuple[Version, ...]:
        """The last commits that changed the file at this path, newest first."""
        if path not in self._versions:
            self._versions[path] = self._ask(lambda history: history.versions(path, most=_MOST_STEPS))
        return self._versions[path]

    def text_at(self, revision: str, path: str) -> Source | None:
        """The text of a file in a revision; None if there is none."""
        data = self._objects.blob_at(revision, path, most_bytes=_MOST_BYTES, until_s=self._until_s)
        self.check_time()
        text = None if data is None else code_of(data)
        return None if text is None else source_of(path, text)

    def changed_ns(self, path: str) -> int:
        """When the file changed last, its name included."""
        stamp = look_at(self._layout, path)
        return 0 if stamp is None else stamp.ctime_ns

    def check_time(self) -> None:
        """Raise OutOfTime if the time is up."""
        if self._until_s is not None and time.monotonic() >= self._until_s:
            raise OutOfTime

    def _ask(self, question: Callable[[GitHistory], T]) -> T:
        """What git answers in the time that is left. Raises OutOfTime."""
        left_s = TIMEOUT_S if self._until_s is None else self._until_s - time.monotonic()
        if left_s <= 0:
            raise OutOfTime
        answer = question(GitHistory(self._layout.root, timeout_s=min(left_s, TIMEOUT_S)))
        self.check_time()
        return answer

    def _stamp(self, change: FileChange) -> str:
        stamp = look_at(self._layout, change.path)
        return "" if stamp is None else f"{stamp.size}.{stamp.mtime_ns}.{stamp.inode}"


def parent_of(step: Step) -> str:
    """The revision from which a step went out."""
    return "HEAD" if step.commit is None else f"{step.commit}^"


def name_before(change: FileChange) -> str | None:
    """Where a step found the file; None if there was none."""
    return None if change.status == "added" else change.before or change.path


def _taken(change: FileChange) -> str | None:
    """The path that a change took away, if it did."""
    return change.before or (change.path if change.status == "deleted" else None)
