"""The memories that a question touches, numbered anew, so that arrays are as long as these are many.

Invariant: `slots` are eligible and ascend; `places[slot]` is a slot's position among them, -1 for all others. What a
question does not touch has every signal at zero, so sums over the pool are sums over all eligible memories.
"""

from collections.abc import Iterable

import msgspec
import numpy as np

from memofs.recall.arrays import Bools, Rows
from memofs.recall.index import Found, find_any
from memofs.recall.lookup import Lookup
from memofs.recall.question import Question

__all__ = ["Pool", "inside", "pool_of"]


class Pool(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """`slots` int32 (n_pool,), `places` int32 (size,)."""

    slots: Rows
    places: Rows


def pool_of(lookup: Lookup, question: Question, *, also: Iterable[int] = (), everything: bool = False) -> Pool:
    """The memories with a word of the question, a reading of one, or an expansion; `also` these, or all eligible."""
    touched = np.zeros(lookup.index.size, dtype=np.bool_)
    if everything:
        touched |= lookup.mask
    else:
        for term in question.words:
            touched[lookup.words(term).slots] = True
            touched[lookup.titles(term).slots] = True
        for name in question.names:
            touched[lookup.words(name.term).slots] = True
        for one in question.expanded:
            touched[lookup.all_of(one.terms)] = True
        for guess in question.guesses.values():
            slots = find_any(lookup.index, guess.terms, among=lambda segment: segment.words)
            touched[slots[lookup.mask[slots]]] = True
        touched[list(also)] = True
    return _numbered(touched)


def inside(pool: Pool, found: Found) -> Found:
    """The postings of documents in the pool, their slots replaced by places."""
    places = pool.places[found.slots]
    within = places >= 0
    return Found(places[within], found.tf[within], found.pieces[within])


def _numbered(touched: Bools) -> Pool:
    slots = np.flatnonzero(touched).astype(np.int32)
    places = np.full(len(touched), -1, dtype=np.int32)
    places[slots] = np.arange(len(slots), dtype=np.int32)
    return Pool(slots=slots, places=places)
