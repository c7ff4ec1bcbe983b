"""Postings: for every term, which documents hold it, how often, and whether only as a piece of a longer name.

Invariant: compressed rows. The postings of row r are `slots[starts[r]:starts[r + 1]]` with `tf` and `pieces` beside
them; slots ascend within a row; every row has at least one posting; arrays are read-only. A slot is a document's
place in its segment. Which documents are alive, and what they score, is for others.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import msgspec
import numpy as np

from memofs.recall.arrays import Bools, Counts, Rows, Weights, frozen
from memofs.recall.vocabulary import Vocabulary, vocabulary

__all__ = [
    "Posting",
    "Postings",
    "PostingsBuilder",
    "Row",
    "join_ranges",
    "merge_postings",
    "postings_of",
    "row",
    "rows_by_slot",
]

Posting: TypeAlias = tuple[float, bool]
"""Weighted term frequency, and whether the term stands there only as a piece of a camelCase word."""


class Postings(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """`starts` (n_terms + 1,) int64; `slots` int32, `tf` float32 and `pieces` bool, all (n_postings,)."""

    vocabulary: Vocabulary
    starts: Counts
    slots: Rows
    tf: Weights
    pieces: Bools


class Row(NamedTuple):
    """The postings of one term, as views."""

    slots: Rows
    tf: Weights
    pieces: Bools


def row(postings: Postings, term: str) -> Row | None:
    """The postings of `term`, or None if no document has it."""
    at = postings.vocabulary.rows.get(term)
    if at is None:
        return None
    first, last = int(postings.starts[at]), int(postings.starts[at + 1])
    return Row(postings.slots[first:last], postings.tf[first:last], postings.pieces[first:last])


class PostingsBuilder:
    """Takes documents in the order of their slots and holds nothing of them but numbers and new terms."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._terms = array("i")
        self._tf = array("f")
        self._pieces = bytearray()
        self._counts = array("i")

    def add(self, document: Mapping[str, Posting]) -> None:
        """Take the next document."""
        ids = self._ids
        for term, (frequency, piece) in document.items():
            self._terms.append(ids.setdefault(term, len(ids)))
            self._tf.append(frequency)
            self._pieces.append(piece)
        self._counts.append(len(document))

    def add_terms(self, terms: Iterable[str]) -> None:
        """Take the next document as terms that it simply has."""
        self.add(dict.fromkeys(terms, (1.0, False)))

    def build(self) -> Postings:
        """The postings of all documents taken."""
        words = vocabulary(self._ids)
        n = len(words.terms)
        new_rows = np.empty(n, dtype=np.int32)
        new_rows[np.fromiter((self._ids[term] for term in words.terms), dtype=np.int32, count=n)] = np.arange(
            n, dtype=np.int32
        )
        counts = np.array(self._counts, dtype=np.int32)
        return postings_of(
            words,
            rows=new_rows[np.array(self._terms, dtype=np.int32)],
            slots=np.repeat(np.arange(len(counts), dtype=np.int32), counts),
            tf=np.array(self._tf, dtype=np.float32),
            pieces=np.array(self._pieces, dtype=np.bool_),
        )


def postings_of(words: Vocabulary, *, rows: Rows, slots: Rows, tf: Weights, pieces: Bools) -> Postings:
    """Postings from parallel arrays in any order of rows, with slots ascending in the order given."""
    order = np.argsort(rows, kind="stable")
    starts = np.zeros(len(words.terms) + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows, minlength=len(words.terms)), out=starts[1:])
    return Postings(
        vocabulary=words,
        starts=frozen(starts),
        slots=frozen(slots[order]),
        tf=frozen(tf[order]),
        pieces=frozen(pieces[order]),
    )


def merge_postings(parts: Sequence[tuple[Postings, Rows]]) -> Postings:
    """One set of postings from several.

    With each comes the new slot of every old one, -1 where the document is dead. New slots ascend with the parts
    and within each, so slots stay sorted without a second key.
    """
    kept = [_surviving(postings, new_slots) for postings, new_slots in parts]
    words = vocabulary({term for terms, _ in kept for term in terms})
    rows = words.rows
    renumbered = [
        np.fromiter((rows[term] for term in terms), dtype=np.int32, count=len(terms))[survivors.rows]
        for terms, survivors in kept
    ]
    return postings_of(
        words,
        rows=np.concatenate(renumbered),
        slots=np.concatenate([survivors.slots for _, survivors in kept]),
        tf=np.concatenate([survivors.tf for _, survivors in kept]),
        pieces=np.concatenate([survivors.pieces for _, survivors in kept]),
    )


def rows_by_slot(postings: Postings, n_slots: int) -> tuple[Counts, Rows]:
    """The transpose: `(starts (n_slots + 1,) int64, rows int32)`, the rows of every slot's terms, ascending."""
    rows = np.repeat(np.arange(len(postings.vocabulary.terms), dtype=np.int32), np.diff(postings.starts))
    starts = np.zeros(n_slots + 1, dtype=np.int64)
    np.cumsum(np.bincount(postings.slots, minlength=n_slots), out=starts[1:])
    return frozen(starts), frozen(rows[np.argsort(postings.slots, kind="stable")])


def join_ranges(starts: Counts, rows: Iterable[int]) -> Counts:
    """The positions of the postings of several rows, one after another."""
    wanted = np.fromiter(rows, dtype=np.int64)
    first = starts[wanted]
    counts = starts[wanted + 1] - first
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total, dtype=np.int64) + np.repeat(first - (ends - counts), counts)


class _Survivors(NamedTuple):
    rows: Rows
    slots: Rows
    tf: Weights
    pieces: Bools


def _surviving(postings: Postings, new_slots: Rows) -> tuple[list[str], _Survivors]:
    """The terms that keep a posting, and the postings kept, their rows counted among those terms."""
    rows = np.repeat(np.arange(len(postings.vocabulary.terms), dtype=np.int32), np.diff(postings.starts))
    slots = new_slots[postings.slots]
    alive = slots >= 0
    rows = rows[alive]
    has_postings = np.zeros(len(postings.vocabulary.terms), dtype=np.bool_)
    has_postings[rows] = True
    renumber = np.cumsum(has_postings, dtype=np.int32) - 1
    terms = postings.vocabulary.terms
    return (
        [terms[i] for i in np.flatnonzero(has_postings).tolist()],
        _Survivors(renumber[rows], slots[alive], postings.tf[alive], postings.pieces[alive]),
    )
