"""The vectors of all chunks, and where in the index their memories stand.

Invariant: like the index, a value made of a large part and small ones; a change shares every matrix it does not
touch. An owner (a memory) has vectors in at most one place that counts: elsewhere its slot is `GONE`. What a chunk is,
and how it became a vector, is left to the caller.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from memofs.recall.arrays import Floats, Rows, frozen
from memofs.recall.index import LexicalIndex, slot_of

__all__ = [
    "GONE",
    "NO_VECTORS",
    "Matrix",
    "OwnVectors",
    "Part",
    "Vectors",
    "best_cosines",
    "changed",
    "located",
    "owners",
]

Matrix: TypeAlias = NDArray[np.float32]
"""(n_chunks, dimension), rows of at most unit norm: a chunk's own vector is of unit norm, a mixed one may be less."""

GONE: Final = -1
_FANOUT: Final = 8


class OwnVectors(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """What one memory brings: its chunks' vectors, and the hash of the text that each was made from."""

    id: str
    hashes: tuple[str, ...]
    matrix: Matrix


class Part(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Some owners' vectors: those of `owners[i]` are the rows from `starts[i]` to the next start, at least one.

    `places` is the way back, from owner to i. `slots[i]` is the owner's slot in the whole index, `GONE` where it is
    not alive there or has newer vectors.
    """

    owners: tuple[str, ...]
    places: Mapping[str, int]
    hashes: tuple[tuple[str, ...], ...]
    starts: Rows
    matrix: Matrix
    slots: Rows


class Vectors(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """All of them, of one model: vectors of two models are never compared."""

    model: str
    parts: tuple[Part, ...] = ()

    @property
    def chunks(self) -> int:
        """How many rows there are, those that no longer count too."""
        return sum(len(part.matrix) for part in self.parts)


NO_VECTORS: Final = Vectors(model="")
"""Without an embedder."""


def changed(
    vectors: Vectors, index: LexicalIndex, *, put: Sequence[OwnVectors] = (), removed: Collection[str] = ()
) -> Vectors:
    """The vectors with these owners' put in or replaced and those of `removed` gone."""
    new = {own.id: own for own in put if len(own.matrix)}
    touched = {own.id for own in put} | set(removed)
    parts = [_without(part, touched) for part in vectors.parts] if touched else list(vectors.parts)
    if new:
        parts.append(_part(list(new.values()), index))
    return msgspec.structs.replace(
        vectors, parts=tuple(_compact([part for part in parts if (part.slots != GONE).any()]))
    )


def located(vectors: Vectors, before: LexicalIndex, after: LexicalIndex, touched: Iterable[str]) -> Vectors:
    """The same vectors in the slots that their owners have in `after`.

    Owners in segments that both indexes share keep their slots; only `touched` ones, and those beyond, are looked up.
    Vectors of owners that are gone from the index are gone as well.
    """
    kept = _shared_slots(before, after)
    names = frozenset(touched)
    parts = [_relocated(part, after, kept, names) for part in vectors.parts]
    if all(new is old for new, old in zip(parts, vectors.parts, strict=True)):
        return vectors
    return msgspec.structs.replace(vectors, parts=tuple(part for part in parts if (part.slots != GONE).any()))


def best_cosines(vectors: Vectors, query: NDArray[np.float32], *, size: int) -> Floats:
    """The cosine of each memory's best chunk to the query, (size,) over the slots of the index; NaN without vectors.

    `query` is (dimension,), of unit norm. Raises ValueError if the dimensions differ.
    """
    best = np.full(size, np.nan)
    for part in vectors.parts:
        # Not the matrix product: its threads wait for one another, and on a busy machine that takes ten times as long.
        cosines = np.maximum.reduceat(np.einsum("ij,j->i", part.matrix, query), part.starts)
        here = part.slots != GONE
        best[part.slots[here]] = cosines[here]
    return best


def owners(vectors: Vectors) -> Mapping[str, tuple[str, ...]]:
    """The text hashes of every memory that has vectors, by id."""
    return {
        owner: hashes
        for part in vectors.parts
        for owner, hashes, slot in zip(part.owners, part.hashes, part.slots.tolist(), strict=True)
        if slot != GONE
    }


def _part(new: Sequence[OwnVectors], index: LexicalIndex) -> Part:
    lengths = np.array([len(own.matrix) for own in new], dtype=np.int32)
    names = tuple(own.id for own in new)
    return Part(
        owners=names,
        places=_places(names),
        hashes=tuple(own.hashes for own in new),
        starts=_starts(lengths),
        matrix=frozen(np.concatenate([own.matrix for own in new]).astype(np.float32, copy=False)),
        slots=_slots(names, index),
    )


def _slots(ids: Iterable[str], index: LexicalIndex) -> Rows:
    places = (slot_of(index, id_) for id_ in ids)
    return frozen(np.array([GONE if place is None else place for place in places], dtype=np.int32))


def _places(names: Sequence[str]) -> Mapping[str, int]:
    return MappingProxyType({name: place for place, name in enumerate(names)})


def _starts(lengths: Rows) -> Rows:
    return frozen((np.cumsum(lengths) - lengths).astype(np.int32))


def _without(part: Part, ids: Collection[str]) -> Part:
    places = [place for id_ in ids if (place := part.places.get(id_)) is not None]
    if not places:
        return part
    slots = part.slots.copy()
    slots[places] = GONE
    return msgspec.structs.replace(part, slots=frozen(slots))


def _shared_slots(before: LexicalIndex, after: LexicalIndex) -> int:
    """How many slots, from the first on, are the same documents' in both indexes."""
    shared = 0
    for old, new in zip(before.segments, after.segments, strict=False):
        if old.ids is not new.ids:
            break
        shared += len(new.ids)
    return shared


def _relocated(part: Part, index: LexicalIndex, kept: int, touched: frozenset[str]) -> Part:
    moved = set(np.flatnonzero(part.slots >= kept).tolist())
    if touched:
        found = (part.places.get(id_) for id_ in touched)
        moved.update(place for place in found if place is not None and part.slots[place] != GONE)
    if not moved:
        return part
    places = sorted(moved)
    slots = part.slots.copy()
    slots[places] = _slots((part.owners[place] for place in places), index)
    return msgspec.structs.replace(part, slots=frozen(slots))


def _compact(parts: list[Part]) -> list[Part]:
    """The parts after merging: none mostly dead, fewer than `_FANOUT` of one order of magnitude."""
    parts = [_merged([part]) if 2 * np.count_nonzero(part.slots != GONE) < len(part.slots) else part for part in parts]
    while True:
        levels: dict[int, list[int]] = {}
        for place, part in enumerate(parts):
            levels.setdefault(len(part.matrix).bit_length() // 3, []).append(place)
        full = next((places for places in levels.values() if len(places) >= _FANOUT), None)
        if full is None:
            return parts
        merging = set(full)
        merged = _merged([parts[place] for place in full])
        parts = [part for place, part in enumerate(parts) if place not in merging]
        parts.insert(full[0], merged)


def _merged(parts: Sequence[Part]) -> Part:
    """One part of what counts in these."""
    names: list[str] = []
    hashes: list[tuple[str, ...]] = []
    matrices: list[Matrix] = []
    lengths: list[Rows] = []
    slots: list[Rows] = []
    for part in parts:
        here = part.slots != GONE
        size = np.diff(np.append(part.starts, len(part.matrix))).astype(np.int32)
        places = np.flatnonzero(here).tolist()
        names += [part.owners[place] for place in places]
        hashes += [part.hashes[place] for place in places]
        matrices.append(part.matrix[np.repeat(here, size)])
        lengths.append(size[here])
        slots.append(part.slots[here])
    return Part(
        owners=tuple(names),
        places=_places(names),
        hashes=tuple(hashes),
        starts=_starts(np.concatenate(lengths)),
        matrix=frozen(np.concatenate(matrices)),
        slots=frozen(np.concatenate(slots)),
    )
