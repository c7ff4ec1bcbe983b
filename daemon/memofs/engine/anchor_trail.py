"""Where an anchor's file went: renames step by step, and files that came when it went.

Invariant: a file is taken for the anchored one only if nothing else could be meant. Git pairs a file that went with one
that came; of several that hold the same it names the first by path, which tells nothing. So files that came in the same
step and hold as much are all offered, none is taken. What became of the region is left to anchor_search.py.
"""

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Final

import msgspec

from memofs.anchors.source import Source
from memofs.anchors.tokens import bag, dice
from memofs.engine.anchor_look import Lost
from memofs.engine.anchor_past import Past, parent_of
from memofs.store.code_files import CodeFile, Unread
from memofs.store.git_history import Step
from memofs.store.layout import NAME

__all__ = ["Trail", "trail_of"]

_MOST_HOPS: Final = 30
_MOST_TWINS: Final = 30
_ALIKE: Final = 0.5
"""So much of a file's tokens are kept where it counts as the same file: git's own limit for renames."""
_ALIKE_UNTOLD: Final = 0.8
"""The same for a file of another name where git does not tell which files are new."""
_LEAD: Final = 0.1
"""By so much a file has to be more alike than the next, where git does not name it."""
_EQUAL: Final = 0.001

Read = Callable[[str], CodeFile | Unread]
"""A file as it is now."""


class Trail(msgspec.Struct, frozen=True, kw_only=True):
    """The names that the anchored file had, oldest first, and the file that it is now.

    `path` is None if it is nowhere; `tied` are then the files that it may be, with how much of it each holds. `is_told`
    says whether git knows how it came to that.
    """

    names: tuple[str, ...]
    path: str | None = None
    tied: tuple[tuple[float, str], ...] = ()
    is_told: bool = True


def trail_of(lost: Lost, past: Past, read: Read) -> Trail:
    """Where the file of an anchor went that is not at its path. Raises OutOfTime."""
    names = [lost.anchor.path]
    for _ in range(_MOST_HOPS):
        step = past.removing_step(names[-1])
        is_told = step is not None
        if step is None and past.head is not None and not past.cut:
            break
        likely = _likely(lost, names[-1], step, past, read)
        if len(likely) > 1:
            return Trail(names=tuple(names), tied=tuple(likely), is_told=is_told)
        if not likely or likely[0][1] in names:
            break
        path = likely[0][1]
        names.append(path)
        if isinstance(read(path), CodeFile):
            return Trail(names=tuple(names), path=path, is_told=is_told)
    return Trail(names=tuple(names), is_told=past.head is not None and not past.cut)


def _likely(lost: Lost, path: str, step: Step | None, past: Past, read: Read) -> list[tuple[float, str]]:
    """The files that one may have become in a step, most alike first; one if it is that for sure."""
    name, kind = PurePosixPath(path).name, PurePosixPath(path).suffix
    renamed = next((each.path for each in step.changes if each.before == path), None) if step is not None else None
    came = past.walked if step is None else [each.path for each in step.changes if each.status == "added"]
    likely = [each for each in came if PurePosixPath(each).suffix == kind and not each.startswith(f"{NAME}/")]
    # A file's change time is that of its last rename, so without git the newest are the likeliest.
    likely.sort(key=lambda each: (PurePosixPath(each).name != name, -past.changed_ns(each), each))
    before = past.text_at(parent_of(step), path) if step is not None else lost.old
    before = before or lost.old
    blob = lost.mark.blob if lost.mark is not None else None

    def alike(each: str) -> float | None:
        past.check_time()
        file = read(each)
        if isinstance(file, CodeFile) and blob is not None and blob in (file.blob, file.raw_blob):
            return 1.0
        if step is not None and step.commit is not None:
            then = past.text_at(step.commit, each)
            return None if then is None else _likeness(before, then.text)
        return _likeness(before, file.text) if isinstance(file, CodeFile) else None

    scored = [(score, each) for each in likely[:_MOST_TWINS] if (score := alike(each)) is not None]
    if renamed is not None:
        least = max(_ALIKE, (alike(renamed) or 0.0) - _EQUAL)
        rivals = [each for each in scored if each[0] >= least]
        return sorted([(alike(renamed) or 0.0, renamed), *rivals], key=_best_first)
    if before is None and blob is None and len(scored) == 1:
        return scored
    scored = sorted(
        (
            (score, each)
            for score, each in scored
            if score >= (_ALIKE if step is not None or PurePosixPath(each).name == name else _ALIKE_UNTOLD)
        ),
        key=_best_first,
    )
    return [each for each in scored if each[0] > scored[0][0] - _LEAD]


def _best_first(pair: tuple[float, str]) -> tuple[float, str]:
    return -pair[0], pair[1]


def _likeness(before: Source | None, text: str | None) -> float:
    """How much of a file another holds, in [0, 1]; 1 for the same text."""
    if before is None or text is None:
        return 0.0
    return 1.0 if before.text == text else dice(bag(before.text), bag(text))
