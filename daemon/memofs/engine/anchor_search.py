"""Looking for an anchor beyond its own file: where git or the working tree says that the file, or its code, went.

Invariant: a place in another file is taken only if git tells that it is new since the code was last in its own file,
if that other file is no copy of it, and if there is only one; any other is offered. Without git, or before the history
of a shallow clone, nothing tells what is new, so nothing is taken but the whole file under another name.
"""

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Final

import msgspec

from memofs.anchors.across import OtherFile, may_hold, resolve_across
from memofs.anchors.resolution import Comparison, resolve, settle
from memofs.engine.anchor_look import Looker, Lost, source_of
from memofs.engine.anchor_past import Past, name_before, parent_of
from memofs.engine.anchor_place import MOST_GUESSES, guess_of, state_of
from memofs.engine.anchor_trail import Trail, trail_of
from memofs.model.config import AnchorSettings
from memofs.model.place import AnchorState, Candidate, Guess, Place
from memofs.store.anchor_cache import Known
from memofs.store.blobs import Blobs
from memofs.store.code_files import CodeFile, content_of
from memofs.store.git_history import Step
from memofs.store.git_objects import GitObjects
from memofs.store.layout import NAME, Layout
from memofs.store.seen_files import SeenFiles

__all__ = ["Search"]

_MOST_OTHERS: Final = 40
_MOST_UNTOLD: Final = 300


class _Steps(msgspec.Struct, frozen=True, kw_only=True):
    """What changed together with an anchor's file since its mark was made.

    `since` are the steps from the one on in which the region left, newest first; `revision` is the last one in which
    it was there. `earlier` are those between the mark and that. `is_cut` says that the history ends before the mark.
    """

    since: tuple[Step, ...] = ()
    revision: str = "HEAD"
    earlier: tuple[Step, ...] = ()
    is_cut: bool = False


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
        self._files = files
        self._settings = settings
        self._looker = Looker(files, blobs, settings, until_s=until_s)
        self._past = Past(layout, objects, until_s=until_s)

    @property
    def token(self) -> str:
        """What a search is made in: the commit, and what is not committed. Another one may find what this did not.

        Empty without git, where nothing tells whether anything is new.
        """
        return self._past.token

    def find(self, lost: Lost) -> Known:
        """What became of a lost anchor: found elsewhere, or missing after all. Raises OutOfTime."""
        trail = Trail(names=(lost.anchor.path,), path=lost.anchor.path)
        if lost.file_is_gone:
            trail = trail_of(lost, self._past, self._files.read)
            if trail.tied:
                return self._missing(lost, [guess for pair in trail.tied for guess in self._offered(lost, *pair)])
            known = self._in(lost, trail.path) if trail.path is not None else None
            if known is not None:
                return known
        if lost.anchor.lines is None and lost.anchor.symbol is None:
            return self._missing(lost, [])
        return self._across(lost, trail)

    def _across(self, lost: Lost, trail: Trail) -> Known:
        """What became of a region that is not in its file, nor in that file's new name."""
        steps = self._steps_of(lost, trail)
        others, told = self._others(lost, trail, steps)
        here = self._files.read(trail.path) if trail.path is not None else None
        stays = source_of(here.path, here.text) if isinstance(here, CodeFile) and here.text is not None else None
        found = settle(resolve_across(lost.anchor, lost.old, others, stays=stays), self._settings.probable)
        sources = {other.path: other.now for other in others}
        guesses = [guess_of(sources[each.path], each, each.path) for each in found.candidates if each.path is not None]
        if found.span is None or found.path is None:
            return self._missing(lost, guesses)
        if found.path not in told:
            place = Candidate(span=found.span, score=found.similarity, path=found.path)
            return self._missing(lost, [guess_of(sources[found.path], place, found.path), *guesses])
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

    def _missing(self, lost: Lost, guesses: Sequence[Guess]) -> Known:
        """A lost anchor that is nowhere for sure, with the places where it may be."""
        best = sorted((*lost.here.guesses, *guesses), key=lambda guess: -guess.score)[:MOST_GUESSES]
        state = msgspec.structs.replace(lost.here, guesses=tuple(best))
        return Known(anchor=lost.anchor, blob="", state=state, search=self.token)

    def _others(self, lost: Lost, trail: Trail, steps: _Steps) -> tuple[tuple[OtherFile, ...], frozenset[str]]:
        """The files that the region may have gone to, each as it was when the region was last in its own.

        And those of them of which git tells how they were then.
        """
        then: dict[str, str | None] = {}
        for step in steps.since:
            for change in step.changes:
                for path, name in then.items():
                    if name == change.path:
                        then[path] = name_before(change)
                if change.status != "deleted":
                    then.setdefault(change.path, name_before(change))
        for step in steps.earlier:
            for change in step.changes:
                then.setdefault(change.path, change.path)
        paths: list[str] = list(then)
        if self._past.head is None or steps.is_cut or not trail.is_told:
            kind = PurePosixPath(lost.anchor.path).suffix
            paths += [path for path in self._past.newest if PurePosixPath(path).suffix == kind][:_MOST_UNTOLD]
        found: list[OtherFile] = []
        for path in dict.fromkeys(paths):
            if path in (lost.anchor.path, trail.path) or path.startswith(f"{NAME}/") or len(found) == _MOST_OTHERS:
                continue
            self._past.check_time()
            file = self._files.read(path)
            if not isinstance(file, CodeFile) or file.text is None or not may_hold(lost.anchor, lost.old, file.text):
                continue
            name = then.get(path)
            before = None if name is None else self._past.text_at(steps.revision, name)
            found.append(OtherFile(path=path, now=source_of(path, file.text), before=before))
        return tuple(found), frozenset(then)

    def _steps_of(self, lost: Lost, trail: Trail) -> _Steps:
        """What changed together with the anchor's file, under each of its names."""
        since: list[Step] = []
        earlier: list[Step] = []
        revision = "HEAD"
        is_there = False
        all_steps, is_cut = self._all_steps(lost, trail.names)
        for step in all_steps:
            if is_there:
                earlier.append(step)
                continue
            since.append(step)
            revision = parent_of(step)
            name = _name_in(step, trail.names)
            is_there = name is not None and self._was_in(lost, revision, name)
        return _Steps(since=tuple(since), revision=revision, earlier=tuple(earlier), is_cut=is_cut)

    def _all_steps(self, lost: Lost, names: Sequence[str]) -> tuple[list[Step], bool]:
        """The steps since the mark, newest first, and whether the history ends before it."""
        found: dict[str | None, Step] = {}
        uncommitted = self._past.uncommitted
        if any(change.path in names or change.before in names for change in uncommitted.changes):
            found[None] = uncommitted
        for name in reversed(names):
            for version in self._past.versions(name):
                if lost.mark is not None and version.after == lost.mark.blob:
                    return list(found.values()), False  # from here on it is as it was
                if version.commit in self._past.cut:
                    return list(found.values()), True
                found.setdefault(version.commit, self._past.step(version.commit))
                if version.before is None:
                    break  # it came by another name
        return list(found.values()), bool(self._past.cut)

    def _was_in(self, lost: Lost, revision: str, path: str) -> bool:
        """Whether the region was in a file then; without a mark nothing tells."""
        source = self._past.text_at(revision, path) if lost.mark is not None else None
        if source is None:
            return False
        was = Comparison(lost.old, source) if lost.old is not None else source
        return settle(resolve(lost.anchor, was), self._settings.probable).span is not None

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

    def _offered(self, lost: Lost, score: float, path: str) -> Iterable[Guess]:
        """The anchor's places in a file that its own may be now."""
        file = self._files.read(path)
        if not isinstance(file, CodeFile):
            return
        state = self._looker.state(lost.anchor, lost.mark, file)
        if state.place is None:
            yield from state.guesses
            return
        lines = (file.text or "").split("\n")
        first = state.place.lines.first if state.place.lines is not None else 1
        text = lines[first - 1].strip() if lost.anchor.lines is not None and first <= len(lines) else ""
        is_file = lost.anchor.lines is None and lost.anchor.symbol is None
        yield Guess(
            place=Place(path=path) if is_file else state.place,
            score=round(score if is_file else state.similarity, 3),
            text=text,
        )


def _name_in(step: Step, names: Sequence[str]) -> str | None:
    """What the anchored file was called before the step."""
    before = (name_before(change) for change in step.changes)
    return next((name for name in before if name is not None and name in names), None)


def _in_another_file(state: AnchorState) -> AnchorState:
    """The same text in another file has moved."""
    return msgspec.structs.replace(state, verdict="moved") if state.verdict == "current" else state
