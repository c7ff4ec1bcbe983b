"""Whether memories still fit their code: the drifted anchors, what could not be checked, and counts.

Invariant: every anchor of an active memory that is asked about is counted once: as one of the verdicts, as unmarked
(nothing says what was meant) or as unchecked; a finding is an anchor whose verdict makes its memory stale.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from memofs.engine.anchoring import Report
from memofs.engine.view import View
from memofs.model.cancel import CancelToken
from memofs.model.errors import InvalidRequest, NotFound, Unavailable
from memofs.model.memory import Anchor, Memory
from memofs.model.place import STALE_VERDICTS, VERDICTS, AnchorState
from memofs.recall.eligible import path_matcher
from memofs.store.git_history import GitHistory
from memofs.text.front_matter import line_of, read_document
from memofs.text.times import format_iso

__all__ = ["Checked", "Looked", "Stale", "Unchecked", "anchors_line", "check", "counted", "looked_at", "message"]

UNMARKED: Final = "unmarked"
UNCHECKED: Final = "unchecked"
_GLOB = frozenset("*?[")


class Looked(msgspec.Struct, frozen=True, kw_only=True):
    """One anchor of one memory and what is known of it; None if it was not looked at."""

    memory: Memory
    index: int
    anchor: Anchor
    state: AnchorState | None


class Stale(msgspec.Struct, frozen=True, kw_only=True):
    """A drifted anchor. `line` is the 0-based line of the memory's file where its anchors begin.

    `exists` is whether the code file is there.
    """

    looked: Looked
    state: AnchorState
    message: str
    line: int
    exists: bool


class Unchecked(msgspec.Struct, frozen=True, kw_only=True):
    """What could not be checked, and why; `memory` is None for a memory file that cannot be read."""

    path: str
    message: str
    memory: str | None = None


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """Findings by path and place; `since` is the commit that was compared with."""

    stale: tuple[Stale, ...]
    unchecked: tuple[Unchecked, ...]
    memories: int
    anchors: int
    by_verdict: Mapping[str, int]
    since: str | None = None


def check(
    view: View, *, paths: Sequence[str], since: str | None, cancel: CancelToken, report: Report
) -> tuple[View, Checked]:
    """The view that was looked at, and what was found.

    Raises InvalidRequest for a revision that git does not know, Unavailable where git cannot compare, Cancelled.
    """
    commit, changed = (None, None) if since is None else _changed(view, since)
    view = view.following(patience_s=None, again=True, cancel=cancel, report=report)
    matches = path_matcher(paths) if paths else _any
    found = [
        each
        for each in looked_at(view, include_retired=False)
        if _touches(each, matches) and (changed is None or _touches(each, changed.__contains__))
    ]
    unchecked = [*_unread(view, matches), *_nowhere(view, paths, found)]
    stale: list[Stale] = []
    for each in found:
        state = each.state
        if state is None or state.fault is not None:
            why = "it was not looked at" if state is None or state.fault is None else state.fault
            unchecked.append(Unchecked(path=each.anchor.path, message=why, memory=each.memory.id))
        elif state.verdict in STALE_VERDICTS:
            stale.append(_stale(view, each, state))
    stale.sort(key=lambda each: (_where(each.looked), each.looked.memory.id, each.looked.index))
    return view, Checked(
        stale=tuple(stale),
        unchecked=tuple(unchecked),
        memories=len({each.memory.id for each in found}),
        anchors=len(found),
        by_verdict=counted(found),
        since=commit,
    )


def looked_at(view: View, *, include_retired: bool) -> Iterator[Looked]:
    """The anchors of all memories that hold now, or with `include_retired` of all there are, by memory."""
    world = view.world
    for memory in _anchored(view):
        if not include_retired and (memory.status != "active" or memory.id in world.superseded_by):
            continue
        states = world.anchors.get(memory.id)
        for index, anchor in enumerate(memory.every_anchor):
            state = states[index] if states is not None and index < len(states) else None
            yield Looked(memory=memory, index=index, anchor=anchor, state=state)


def counted(found: Collection[Looked]) -> dict[str, int]:
    """How many anchors there are of each verdict, in the order of their gravity; none are left out."""
    names = Counter(_name(each.state) for each in found)
    return {name: names[name] for name in (*VERDICTS, UNMARKED, UNCHECKED) if names[name]}


def message(looked: Looked, state: AnchorState, *, exists: bool) -> str:
    """What happened, in a sentence without its full stop."""
    memory, anchor = looked.memory, looked.anchor
    about = f"“{memory.title}”"
    if state.verdict == "missing":
        if not exists:
            return f"{anchor.path} is gone, and {about} is about it"
        what = anchor.symbol or "the code"
        return f"{what} is no longer found in {anchor.path}, and {about} is about it"
    what = state.symbol or anchor.symbol or ("the file" if anchor.lines is None else "the code here")
    checked = memory.verified_ms or memory.updated_ms or memory.created_ms
    since = "" if checked is None else f" on {format_iso(checked)[:10]}"
    return f"{what} has changed since {about} was verified{since}"


def anchors_line(view: View, memory: Memory) -> int:
    """The 0-based line of the memory's file where its anchors begin."""
    try:
        text = view.store.read_text(memory.path)
    except NotFound:
        return memory.line
    entry = read_document(text).last("anchors") if memory.origin == "file" else None
    return memory.line if entry is None else line_of(text, entry.key_at)


def _changed(view: View, since: str) -> tuple[str, frozenset[str]]:
    """The commit to compare with, and the files that differ from it."""
    if not since.strip():
        raise InvalidRequest("emptyRevision", "the revision to compare with is empty", "name a commit or branch")
    history = GitHistory(view.store.layout.root)
    commit = history.merge_base(since)
    if commit is None:
        if history.head() is None:
            raise Unavailable("noGit", "this is no git repository with commits: there is nothing to compare with")
        fetch = "this clone is shallow; fetch it first: git fetch --depth=1 origin REF"
        hint = fetch if history.cut() else "git branch -a lists the branches, git log the commits"
        raise InvalidRequest("unknownRevision", f"git knows no commit {since!r}", hint)
    changed = history.changed_since(commit)
    if changed is None:
        raise Unavailable("gitFailed", f"git could not compare with {since}", "git status may say why")
    return commit, changed


def _anchored(view: View) -> Iterator[Memory]:
    for memory in view.world.memories.values():
        if memory.anchors or memory.said_anchors:
            yield memory


def _any(_path: str) -> bool:
    return True


def _touches(looked: Looked, matches: Callable[[str], bool]) -> bool:
    """Whether the anchor was recorded in, or is in, one of the paths."""
    place = looked.state.place if looked.state is not None else None
    return matches(looked.anchor.path) or (place is not None and matches(place.path))


def _unread(view: View, matches: Callable[[str], bool]) -> Iterator[Unchecked]:
    """The memory files that cannot be read: whatever they are anchored to is not checked."""
    for path, problems in sorted(view.world.problems.items()):
        fault = next((problem for problem in problems if problem.severity == "error"), None)
        if fault is not None and (matches is _any or matches(path)):
            yield Unchecked(path=path, message=f"{fault.message} (line {fault.line + 1})")


def _nowhere(view: View, paths: Sequence[str], found: Sequence[Looked]) -> Iterator[Unchecked]:
    """Paths that name nothing: neither is there such a file, nor an anchor in it."""
    for path in paths:
        if not _GLOB.isdisjoint(path) or (view.store.layout.root / path).exists():
            continue
        if not any(_touches(each, path_matcher((path,))) for each in found):
            yield Unchecked(path=path, message="there is no such file or folder, and nothing is anchored there")


def _stale(view: View, looked: Looked, state: AnchorState) -> Stale:
    place = state.place
    path = place.path if place is not None else looked.anchor.path
    exists = (view.store.layout.root / path).is_file()
    return Stale(
        looked=looked,
        state=state,
        message=message(looked, state, exists=exists),
        line=anchors_line(view, looked.memory),
        exists=exists,
    )


def _where(looked: Looked) -> tuple[str, int]:
    place = looked.state.place if looked.state is not None else None
    path = place.path if place is not None else looked.anchor.path
    lines = place.lines if place is not None else looked.anchor.lines
    return path, lines.first if lines is not None else 0


def _name(state: AnchorState | None) -> str:
    if state is None or state.fault is not None:
        return UNCHECKED
    return state.verdict or UNMARKED
