"""Which memories a question may find: decided before scoring, so that N, df and means are honest.

Invariant: within one filter any value will do, between filters all must hold. A memory that is superseded, retired or
pending is left out unless it is asked for, by `include_retired` or by its flag.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

import msgspec
import numpy as np
from pathspec import GitIgnoreSpec

from memofs.model.memory import Memory
from memofs.recall.arrays import Bools, Counts, Rows
from memofs.recall.index import LexicalIndex, alive, column, find_any, gather, slot_of
from memofs.recall.recency import DAY_MS
from memofs.recall.segment import ACTIVE, KIND, NO_DATE, PENDING, RETIRED, Segment
from memofs.recall.vocabulary import starting

__all__ = [
    "MEMORY_FLAGS",
    "Filters",
    "anchored",
    "eligible",
    "facets_of",
    "flagged",
    "matching",
    "path_matcher",
    "slots_mask",
    "unverified",
]

MEMORY_FLAGS: Final = ("stale", "unverified", "superseded", "retired", "pending")
"""Flags that a memory has by itself, whatever is asked."""

_TAG, _PATH = "tag:", "path:"
_STATUS_FLAGS: Final = {"retired": RETIRED, "pending": PENDING}
_HIDING: Final = ("superseded", "retired", "pending")
_GLOB: Final = frozenset("*?[")


class Filters(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for; empty tuples mean no restriction.

    `flags` are some of `MEMORY_FLAGS`; `stale` are the ids with a drifted anchor, `moved` those with one that is in
    `paths` now, wherever it is recorded.
    """

    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    include_retired: bool = False
    stale: frozenset[str] = frozenset()
    moved: frozenset[str] = frozenset()
    floors_days: Mapping[str, int]


def facets_of(memory: Memory) -> tuple[str, ...]:
    """The exact values by which a memory is filtered: its kind, tags and anchors' paths."""
    return (
        KIND + memory.kind,
        *(_TAG + tag.casefold() for tag in memory.tags),
        *(_PATH + anchor.path for anchor in memory.every_anchor),
    )


def eligible(index: LexicalIndex, filters: Filters, *, now_ms: int) -> Bools:
    """The mask of the memories that may be found, (size,)."""
    return (
        alive(index)
        & _shown(index, filters, now_ms)
        & matching(index, kinds=filters.kinds, tags=filters.tags, paths=filters.paths, moved=filters.moved)
    )


def matching(
    index: LexicalIndex,
    *,
    kinds: Iterable[str] = (),
    tags: Iterable[str] = (),
    paths: Iterable[str] = (),
    moved: Iterable[str] = (),
) -> Bools:
    """The mask of the memories of one of these kinds, with one of these tags and an anchor in one of these paths.

    No kinds, tags or paths means any. Tags are compared without regard to case. `moved` are ids that count as anchored
    in the paths too.
    """
    mask = np.ones(index.size, dtype=np.bool_)
    if kinds:
        mask &= _having(index, [KIND + kind for kind in kinds])
    if tags:
        mask &= _having(index, [_TAG + tag.casefold() for tag in tags])
    if paths:
        matches = path_matcher(paths)
        facets = {path for path in _facets(index, _PATH) if matches(path.removeprefix(_PATH))}
        mask &= _having(index, facets) | slots_mask(index, moved)
    return mask


def anchored(index: LexicalIndex, paths: Iterable[str]) -> Bools:
    """The mask of the memories with an anchor in one of these files, or below a folder, which ends in a slash.

    Each path is taken by the letter (`./` is the workspace), and the anchors of other files are not looked at. (size,).
    """
    wanted = list(paths)
    facets = {_PATH + path for path in wanted if not path.endswith("/")}
    folders = [_PATH + path.removeprefix("./") for path in wanted if path.endswith("/")]
    facets.update(facet for folder in folders for facet in _facets(index, folder))
    return _having(index, facets)


def unverified(index: LexicalIndex, slots: Rows, floors_days: Mapping[str, int], *, now_ms: int) -> Bools:
    """Which of the memories at `slots`, ascending, nobody has confirmed for longer than their kind's floor.

    `recall.decay.is_unverified` over columns: a memory without a date is never unverified, nor one of a kind
    without a floor. (len(slots),).
    """

    def latest_ms(segment: Segment) -> Counts:
        limits = [
            now_ms - floors_days[kind] * DAY_MS if kind in floors_days else NO_DATE for kind in segment.derived.kinds
        ]
        return np.array([*limits, NO_DATE], dtype=np.int64)[segment.derived.kind]

    checked = gather(index, slots, lambda segment: segment.checked_ms, np.int64)
    return (checked != NO_DATE) & (checked < gather(index, slots, latest_ms, np.int64))


def path_matcher(paths: Iterable[str]) -> Callable[[str], bool]:
    """A test whether an anchor's path is one of `paths`: the file itself, below the folder, or matched by the glob."""
    wanted = [path.removeprefix("./").rstrip("/") for path in paths]
    if any(path in ("", ".") for path in wanted):
        return lambda _path: True
    exact = frozenset(wanted)
    folders = tuple(f"{path}/" for path in wanted)
    globs = GitIgnoreSpec.from_lines([path for path in wanted if not _GLOB.isdisjoint(path)])

    def matches(path: str) -> bool:
        return path in exact or path.startswith(folders) or bool(globs.match_file(path))

    return matches


def slots_mask(index: LexicalIndex, ids: Iterable[str]) -> Bools:
    """The mask of the memories with these ids, (size,)."""
    mask = np.zeros(index.size, dtype=np.bool_)
    mask[[slot for id_ in ids if (slot := slot_of(index, id_)) is not None]] = True
    return mask


def flagged(index: LexicalIndex, filters: Filters, flags: Iterable[str], *, now_ms: int) -> Bools:
    """The mask of the memories that have at least one of the flags by themselves, (size,)."""
    status = column(index, lambda segment: segment.status, np.int32)
    every = np.arange(index.size, dtype=np.int32)
    having = np.zeros(index.size, dtype=np.bool_)
    for flag in flags:
        if flag == "stale":
            having |= slots_mask(index, filters.stale)
        elif flag == "unverified":
            having |= unverified(index, every, filters.floors_days, now_ms=now_ms)
        elif flag == "superseded":
            having |= column(index, lambda segment: segment.superseded, np.bool_)
        elif flag in _STATUS_FLAGS:
            having |= status == _STATUS_FLAGS[flag]
    return having


def _shown(index: LexicalIndex, filters: Filters, now_ms: int) -> Bools:
    """The mask of what age and status allow; a flag that hides a memory shows it when it is asked for."""
    status = column(index, lambda segment: segment.status, np.int32)
    superseded = column(index, lambda segment: segment.superseded, np.bool_)
    current = status != PENDING if filters.include_retired else (status == ACTIVE) & ~superseded
    if not filters.flags:
        return current
    hiding = [flag for flag in filters.flags if flag in _HIDING]
    others = [flag for flag in filters.flags if flag not in _HIDING]
    return flagged(index, filters, hiding, now_ms=now_ms) | (current & flagged(index, filters, others, now_ms=now_ms))


def _having(index: LexicalIndex, facets: Iterable[str]) -> Bools:
    mask = np.zeros(index.size, dtype=np.bool_)
    mask[find_any(index, list(facets), among=lambda segment: segment.facets)] = True
    return mask


def _facets(index: LexicalIndex, prefix: str) -> set[str]:
    found: set[str] = set()
    for segment in index.segments:
        words = segment.facets.vocabulary
        found.update(words.terms[row] for row in starting(words, prefix))
    return found
