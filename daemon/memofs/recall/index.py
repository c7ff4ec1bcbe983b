"""The inverted index: an immutable value made of a large segment and small ones that came after it.

Invariant: an id is alive in at most one segment, and any sequence of changes answers every question as an index
built at once from the same documents does. A change shares the arrays of all segments it does not touch; segments
of like size are merged once there are `_FANOUT` of them, and one that is mostly dead is written anew, so both the
cost of a change and the number of segments stay logarithmic. Slots of the whole index are those of its segments
laid end to end.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from memofs.recall.arrays import Bools, Rows, Weights, frozen
from memofs.recall.postings import Postings, join_ranges, row
from memofs.recall.segment import (
    Document,
    Segment,
    build_segment,
    merge_segments,
    terms_at,
    with_dead,
    with_superseded,
)

__all__ = [
    "EMPTY",
    "Found",
    "LexicalIndex",
    "alive",
    "change",
    "column",
    "extended",
    "find",
    "find_any",
    "gather",
    "id_at",
    "index_of",
    "locate",
    "mark_superseded",
    "segment_at",
    "slot_of",
    "terms_of",
    "vocabulary_size",
]

_FANOUT: Final = 8
_Scalar = TypeVar("_Scalar", bound=np.generic)


class LexicalIndex(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """`offsets[i]` is the first slot of `segments[i]`; `size` counts slots, dead ones too; `living` documents."""

    segments: tuple[Segment, ...] = ()
    offsets: tuple[int, ...] = ()
    size: int = 0
    living: int = 0


class Found(NamedTuple):
    """Postings of a term in slots of the whole index, ascending."""

    slots: Rows
    tf: Weights
    pieces: Bools


EMPTY: Final = LexicalIndex()
"""An index of nothing."""

_NOTHING: Final = Found(
    frozen(np.empty(0, dtype=np.int32)), frozen(np.empty(0, dtype=np.float32)), frozen(np.empty(0, dtype=np.bool_))
)


def index_of(segments: Iterable[Segment]) -> LexicalIndex:
    """The index of these segments; those without a living document are left out."""
    kept = tuple(segment for segment in segments if segment.alive.any())
    offsets: list[int] = []
    size = 0
    for segment in kept:
        offsets.append(size)
        size += len(segment.ids)
    return LexicalIndex(
        segments=kept,
        offsets=tuple(offsets),
        size=size,
        living=sum(int(np.count_nonzero(segment.alive)) for segment in kept),
    )


def change(index: LexicalIndex, *, put: Sequence[Document] = (), removed: Collection[str] = ()) -> LexicalIndex:
    """The index with `put` added or replaced and `removed` gone; an id in both is put, the last of two counts."""
    new = {document.id: document for document in put}
    dead: dict[int, list[int]] = defaultdict(list)
    for id_ in {*new, *removed}:
        found = locate(index, id_)
        if found is not None:
            dead[found[0]].append(found[1])
    segments = [with_dead(s, dead[i]) if i in dead else s for i, s in enumerate(index.segments)]
    if new:
        segments.append(build_segment(list(new.values())))
    return index_of(_compact([segment for segment in segments if segment.alive.any()]))


def extended(index: LexicalIndex, documents: Iterable[Document]) -> LexicalIndex:
    """The index with many documents that are not in it yet; none is held on to while they are read."""
    return index_of(_compact([*index.segments, build_segment(documents)]))


def mark_superseded(index: LexicalIndex, ids: Iterable[str], *, superseded: bool) -> LexicalIndex:
    """The index with these documents marked, or no longer marked, as superseded; unknown ids are passed over."""
    places: dict[int, list[int]] = defaultdict(list)
    for id_ in ids:
        found = locate(index, id_)
        if found is not None:
            places[found[0]].append(found[1])
    if not places:
        return index
    return msgspec.structs.replace(
        index,
        segments=tuple(
            with_superseded(segment, places[i], superseded=superseded) if i in places else segment
            for i, segment in enumerate(index.segments)
        ),
    )


def locate(index: LexicalIndex, id_: str) -> tuple[int, int] | None:
    """Which segment the living document `id_` is in, and its slot there."""
    for place in range(len(index.segments) - 1, -1, -1):
        segment = index.segments[place]
        slot = segment.slots.get(id_)
        if slot is not None and segment.alive[slot]:
            return place, slot
    return None


def slot_of(index: LexicalIndex, id_: str) -> int | None:
    """The slot of `id_` in the whole index, or None if it is not alive in it."""
    found = locate(index, id_)
    return None if found is None else index.offsets[found[0]] + found[1]


def id_at(index: LexicalIndex, slot: int) -> str:
    """The id of the document at a slot of the whole index."""
    segment, local = segment_at(index, slot)
    return segment.ids[local]


def terms_of(index: LexicalIndex, slot: int) -> frozenset[str]:
    """All terms of the document at a slot of the whole index."""
    segment, local = segment_at(index, slot)
    return terms_at(segment, local)


def segment_at(index: LexicalIndex, slot: int) -> tuple[Segment, int]:
    """The segment that holds a slot of the whole index, and the slot within it."""
    for place in range(len(index.segments) - 1, -1, -1):
        if slot >= index.offsets[place]:
            return index.segments[place], slot - index.offsets[place]
    msg = f"no slot {slot} in an index of {index.size}"
    raise IndexError(msg)


def alive(index: LexicalIndex) -> Bools:
    """The mask of living documents, (size,)."""
    return column(index, lambda segment: segment.alive, np.bool_)


def column(index: LexicalIndex, of: Callable[[Segment], NDArray[_Scalar]], dtype: type[_Scalar]) -> NDArray[_Scalar]:
    """One column over the slots of the whole index, (size,)."""
    parts = [of(segment) for segment in index.segments]
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.empty(0, dtype=dtype)


def gather(
    index: LexicalIndex, slots: Rows, of: Callable[[Segment], NDArray[_Scalar]], dtype: type[_Scalar]
) -> NDArray[_Scalar]:
    """One column at some slots of the whole index, ascending; (len(slots),), without a copy of the column."""
    if len(index.segments) == 1:
        return of(index.segments[0])[slots]
    bounds = np.searchsorted(slots, (*index.offsets, index.size)).tolist()
    parts = [
        of(segment)[slots[first:last] - offset]
        for segment, offset, (first, last) in zip(index.segments, index.offsets, pairwise(bounds), strict=True)
    ]
    return np.concatenate(parts) if parts else np.empty(0, dtype=dtype)


def find(index: LexicalIndex, term: str, *, among: Callable[[Segment], Postings]) -> Found:
    """The postings of `term`, dead documents' too."""
    parts: list[Found] = []
    for segment, offset in zip(index.segments, index.offsets, strict=True):
        got = row(among(segment), term)
        if got is not None:
            parts.append(Found(got.slots + np.int32(offset) if offset else got.slots, got.tf, got.pieces))
    return _end_to_end(parts)


def find_any(index: LexicalIndex, terms: Collection[str], *, among: Callable[[Segment], Postings]) -> Rows:
    """The slots whose documents have at least one of the terms, dead ones too; ascending, each once."""
    parts: list[Rows] = []
    for segment, offset in zip(index.segments, index.offsets, strict=True):
        postings = among(segment)
        rows = [at for term in terms if (at := postings.vocabulary.rows.get(term)) is not None]
        if rows:
            slots = postings.slots[join_ranges(postings.starts, rows)]
            parts.append((np.unique(slots) if len(rows) > 1 else slots) + np.int32(offset))
    return np.concatenate(parts) if parts else _NOTHING.slots


def vocabulary_size(index: LexicalIndex) -> int:
    """How many different terms the segments hold; one in two segments is counted twice."""
    return sum(len(segment.words.vocabulary.terms) for segment in index.segments)


def _compact(segments: list[Segment]) -> list[Segment]:
    """The segments after merging: none half dead, fewer than `_FANOUT` of one order of magnitude."""
    kept = [
        merge_segments([segment]) if 2 * int(np.count_nonzero(segment.alive)) < len(segment.ids) else segment
        for segment in segments
    ]
    while True:
        levels: Mapping[int, list[int]] = defaultdict(list)
        for place, segment in enumerate(kept):
            levels[_level(len(segment.ids))].append(place)
        full = [places for places in levels.values() if len(places) >= _FANOUT]
        if not full:
            return kept
        merging = set(full[0])
        merged = merge_segments([kept[place] for place in full[0]])
        kept = [*(segment for place, segment in enumerate(kept) if place not in merging), merged]


def _level(size: int) -> int:
    level = 0
    while size >= _FANOUT:
        size //= _FANOUT
        level += 1
    return level


def _end_to_end(parts: list[Found]) -> Found:
    if not parts:
        return _NOTHING
    if len(parts) == 1:
        return parts[0]
    return Found(
        np.concatenate([part.slots for part in parts]),
        np.concatenate([part.tf for part in parts]),
        np.concatenate([part.pieces for part in parts]),
    )
