"""Looking for an anchor beyond its own file: where git or the working tree says that the file, or its code, went.

Invariant: renames are followed commit by commit, then what is not committed; a region is looked for in the files that
changed together with its own. Without git nothing tells what is new, so other places are offered and never taken, but
for the whole file under another name. What is asked of git is remembered for one pass, and where the time of the pass
is up, `OutOfTime` is raised rather than an answer that is not one.
"""

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import PurePosixPath
from typing import Final, TypeVar

import msgspec

from memofs.anchors.across import OtherFile, may_hold, resolve_across
from memofs.anchors.resolution import settle
from memofs.anchors.source import Source
from memofs.anchors.tokens import bag, dice
from memofs.engine.anchor_look import Looker, Lost, OutOfTime, source_of
from memofs.engine.anchor_place import MOST_GUESSES, guess_of, state_of
from memofs.model.config import AnchorSettings
from memofs.model.place import AnchorState, Candidate
from memofs.store.anchor_cache import Known
from memofs.store.blobs import Blobs
from memofs.store.code_files import CodeFile, code_of, content_of, look_at
from memofs.store.git_history import TIMEOUT_S, FileChange, GitHistory, Step
from memofs.store.git_objects import GitObjects
from memofs.store.layout import NAME, Layout
from memofs.store.seen_files import SeenFiles
from memofs.store.walk import walked

__all__ = ["Search"]

T = TypeVar("T")

_MOST_HOPS: Final = 30
_MOST_TWINS: Final = 30
_MOST_STEPS: Final = 20
_MOST_OTHERS: Final = 40
_MOST_UNTOLD: Final = 300
_ALIKE: Final = 0.5
"""So much of a file's tokens are kept where it counts as the same file: git's own limit for renames."""
_ALIKE_UNTOLD: Final = 0.8
"""The same for a file of another name where git does not tell which files are new."""
_MOST_BYTES: Final = 2 * 1024 * 1024


class Search:
    """Searches for one pass over the anchors. Not safe for threads."""

    def __init__(
        self,
        layout: Layout,
        files: SeenFiles,
        blobs: Blobs,
        objects: GitObjects,
        settings: AnchorSettings,
        *,
        until_s: float | None = None,
    ) -> None:
        self._layout = layout
        self._files = files
        self._objects = objects
        self._until_s = until_s
        self._settings = settings
        self._looker = Looker(files, blobs, settings, until_s=until_s)
        self._steps: dict[str, Step] = {}
        self._removed: dict[str, str | None] = {}

    @cached_property
    def token(self) -> str:
        """What a search is made in: the commit, and what is not committed. Another one may find what this did not.

        Empty without git, where nothing tells whether anything is new.
        """
        if self._head is None:
            return ""
        said = [self._head, *(f"{change.path}:{self._stamp(change)}" for change in self._uncommitted.changes)]
        return hashlib.blake2b("\0".join(said).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()

    def find(self, lost: Lost) -> Known:
        """What became of a lost anchor: found elsewhere, or missing after all. Raises OutOfTime."""
        if lost.file_is_gone:
            for path in self._went(lost):
                known = self._in(lost, path)
                if known is not None:
                    return known
        if lost.anchor.lines is None and lost.anchor.symbol is None:
            return Known(anchor=lost.anchor, blob="", state=lost.here, search=self.token)
        return self._across(lost)

    def _across(self, lost: Lost) -> Known:
        """What became of a region that is not in its file, nor in that file's new name."""
        others = self._others(lost)
        found = settle(resolve_across(lost.anchor, lost.old, others), self._settings.probable)
        sources = {other.path: other.now for other in others}
        is_new_known = self._head is not None
        guesses = [guess_of(sources[each.path], each, each.path) for each in found.candidates if each.path is not None]
        if found.span is None or found.path is None or not is_new_known:
            if found.span is not None and found.path is not None:
                place = Candidate(span=found.span, score=found.similarity, path=found.path)
                guesses.insert(0, guess_of(sources[found.path], place, found.path))
            best = sorted((*lost.here.guesses, *guesses), key=lambda guess: -guess.score)[:MOST_GUESSES]
            state = msgspec.structs.replace(lost.here, guesses=tuple(best))
            return Known(anchor=lost.anchor, blob="", state=state, search=self.token)
        state = state_of(lost.anchor, msgspec.structs.replace(found, candidates=()), sources[found.path], found.path)
        if lost.mark is None:
            state = msgspec.structs.replace(state, verdict=None)
        return Known(
            anchor=lost.anchor,
            blob="",
            state=msgspec.structs.replace(state, guesses=tuple(guesses)),
            elsewhere=((found.path, self._files.content(found.path)),),
            search=self.token,
        )

    def _others(self, lost: Lost) -> tuple[OtherFile, ...]:
        """The files that the region may have gone to, each as it was before the first step that may have brought it."""
        before: dict[str, tuple[str, str] | None] = {}
        for step in self._steps_of(lost):
            revision = "HEAD" if step.commit is None else f"{step.commit}^"
            for change in step.changes:
                if change.status != "deleted":
                    before[change.path] = None if change.status == "added" else (revision, change.before or change.path)
        paths: Iterable[str] = before
        if self._head is None:
            kind = PurePosixPath(lost.anchor.path).suffix
            paths = [path for path in self._newest if PurePosixPath(path).suffix == kind][:_MOST_UNTOLD]
        found: list[OtherFile] = []
        for path in paths:
            if path == lost.anchor.path or path.startswith(f"{NAME}/") or len(found) == _MOST_OTHERS:
                continue
            self._check_time()
            file = self._files.read(path)
            if not isinstance(file, CodeFile) or file.text is None or not may_hold(lost.anchor, lost.old, file.text):
                continue
            at = before.get(path)
            old = None if at is None else self._text_at(*at)
            found.append(OtherFile(path=path, now=source_of(path, file.text), before=old))
        return tuple(found)

    def _steps_of(self, lost: Lost) -> list[Step]:
        """What changed together with the anchor's file since its mark was made, oldest last."""
        steps = [self._uncommitted] if any(self._concerns(each, lost) for each in self._uncommitted.changes) else []
        for version in self._ask(lambda history: history.versions(lost.anchor.path, most=_MOST_STEPS)):
            if lost.mark is not None and version.after == lost.mark.blob:
                break  # from here on it is as it was
            if version.commit not in self._steps:
                self._steps[version.commit] = self._ask(lambda history, commit=version.commit: history.step(commit))
            steps.append(self._steps[version.commit])
        return steps

    def _concerns(self, change: FileChange, lost: Lost) -> bool:
        return lost.anchor.path in (change.path, change.before)

    def _in(self, lost: Lost, path: str) -> Known | None:
        """What became of the anchor if its file is this one now; None if the anchor is not in it."""
        file = self._files.read(path)
        if not isinstance(file, CodeFile):
            return None
        state = self._looker.state(lost.anchor, lost.mark, file)
        if state.verdict == "missing":
            return None
        return Known(
            anchor=lost.anchor,
            blob="",
            state=_in_another_file(state),
            elsewhere=((path, content_of(file)),),
            search=self.token,
        )

    def _went(self, lost: Lost) -> Iterator[str]:
        """The files that the anchor's file may be now, most certain first."""
        path = lost.anchor.path
        for _ in range(_MOST_HOPS):
            step = self._uncommitted if self._is_removed_here(path) else self._removing_step(path)
            if step is None:
                break
            renamed = next((change.path for change in step.changes if change.before == path), None)
            if renamed is None:
                yield from self._twins(lost, path, step)
                return
            if self._files.content(renamed):
                yield renamed
                return
            path = renamed
        if self._head is None:
            yield from self._twins(lost, path, None)

    def _is_removed_here(self, path: str) -> bool:
        return any(
            path == (change.before or (change.path if change.status == "deleted" else None))
            for change in self._uncommitted.changes
        )

    def _removing_step(self, path: str) -> Step | None:
        if path not in self._removed:
            self._removed[path] = self._ask(lambda history: history.removed_in(path))
        commit = self._removed[path]
        if commit is None:
            return None
        if commit not in self._steps:
            self._steps[commit] = self._ask(lambda history: history.step(commit))
        return self._steps[commit]

    def _twins(self, lost: Lost, path: str, step: Step | None) -> list[str]:
        """The file that came when this one went, or bears its name, and holds most of what it held; none or one."""
        kind, name = PurePosixPath(path).suffix, PurePosixPath(path).name
        added = self._walked if step is None else [each.path for each in step.changes if each.status == "added"]
        likely = [each for each in added if PurePosixPath(each).suffix == kind and not each.startswith(f"{NAME}/")]
        # A file's change time is that of its last rename, so without git the newest are the likeliest.
        likely.sort(key=lambda each: (PurePosixPath(each).name != name, -self._changed_ns(each), each))
        before = self._before(path, step) or lost.old
        wanted = lost.mark.blob if lost.mark is not None else None
        scored: list[tuple[float, str]] = []
        for each in likely[:_MOST_TWINS]:
            file = self._files.read(each)
            if isinstance(file, CodeFile):
                scored.append((_likeness(before, wanted, file), each))
        if before is None and wanted is None and len(scored) == 1:
            return [scored[0][1]]
        scored.sort(key=lambda pair: (-pair[0], pair[1]))
        return [each for score, each in scored if score >= self._least(step, each, name)][:1]

    def _least(self, step: Step | None, path: str, name: str) -> float:
        return _ALIKE if step is not None or PurePosixPath(path).name == name else _ALIKE_UNTOLD

    def _before(self, path: str, step: Step | None) -> Source | None:
        """The file as it was just before the step."""
        return None if step is None else self._text_at("HEAD" if step.commit is None else f"{step.commit}^", path)

    def _text_at(self, revision: str, path: str) -> Source | None:
        data = self._objects.blob_at(revision, path, most_bytes=_MOST_BYTES, until_s=self._until_s)
        self._check_time()
        text = None if data is None else code_of(data)
        return None if text is None else source_of(path, text)

    @cached_property
    def _head(self) -> str | None:
        return self._ask(GitHistory.head)

    @cached_property
    def _uncommitted(self) -> Step:
        return self._ask(GitHistory.uncommitted)

    @cached_property
    def _walked(self) -> Sequence[str]:
        return walked(self._layout)

    @cached_property
    def _newest(self) -> Sequence[str]:
        """The same, what changed last first: where git tells nothing, that is where code may have gone."""
        return sorted(self._walked, key=lambda path: (-self._changed_ns(path), path))

    def _check_time(self) -> None:
        if self._until_s is not None and time.monotonic() >= self._until_s:
            raise OutOfTime

    def _ask(self, question: Callable[[GitHistory], T]) -> T:
        """What git answers in the time that is left. Raises OutOfTime."""
        left_s = TIMEOUT_S if self._until_s is None else self._until_s - time.monotonic()
        if left_s <= 0:
            raise OutOfTime
        answer = question(GitHistory(self._layout.root, timeout_s=min(left_s, TIMEOUT_S)))
        self._check_time()
        return answer

    def _changed_ns(self, path: str) -> int:
        stamp = look_at(self._layout, path)
        return 0 if stamp is None else stamp.ctime_ns

    def _stamp(self, change: FileChange) -> str:
        stamp = look_at(self._layout, change.path)
        return "" if stamp is None else f"{stamp.size}.{stamp.mtime_ns}.{stamp.inode}"


def _in_another_file(state: AnchorState) -> AnchorState:
    """The same text in another file has moved."""
    return msgspec.structs.replace(state, verdict="moved") if state.verdict == "current" else state


def _likeness(before: Source | None, blob: str | None, file: CodeFile) -> float:
    """How much of a file another holds, in [0, 1]; 1 for the same contents."""
    if blob is not None and blob in (file.blob, file.raw_blob):
        return 1.0
    if before is None or file.text is None:
        return 0.0
    return 1.0 if before.text == file.text else dice(bag(before.text), bag(file.text))
