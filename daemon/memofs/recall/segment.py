"""One self-contained part of the index: its documents, their columns, and their postings.

Invariant: every column has one entry a document, at its slot; nothing changes after building but the two masks
`alive` and `superseded`, and those are replaced by changed copies, never written to. Segments are merged into new
ones without a Python loop over postings.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from memofs.recall.arrays import Bools, Counts, Floats, Rows, frozen
from memofs.recall.postings import Posting, Postings, PostingsBuilder, merge_postings, rows_by_slot
from memofs.recall.vocabulary import joined, starting

__all__ = [
    "ACTIVE",
    "KIND",
    "NO_DATE",
    "PENDING",
    "RETIRED",
    "Derived",
    "Document",
    "Part",
    "Segment",
    "build_segment",
    "derived",
    "merge_segments",
    "terms_at",
    "with_dead",
    "with_superseded",
]

ACTIVE, PENDING, RETIRED = 0, 1, 2
"""The values of `Segment.status`."""
KIND: Final = "kind:"
"""What the facet of a memory's kind begins with."""
NO_DATE: Final = int(np.iinfo(np.int64).min)
"""The time of a memory that gives none."""

_Scalar = TypeVar("_Scalar", bound=np.generic)


class Part(NamedTuple):
    """One section of a long memory: its terms and its length."""

    words: Mapping[str, Posting]
    length: int


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """What the index keeps of one memory, analysed.

    `words` are all its terms with weighted frequencies, `title` those of title and aliases unweighted; `length` and
    `title_length` count words without wholes of compounds. `names` are keys of `recall.named`, `facets` exact values
    to filter by. `newest_ms` is the newest of its dates, `checked_ms` when it last counted as verified,
    `NO_DATE` if none is known; `confidence` is NaN if not given. `parts` are its sections in order, or empty.
    """

    id: str
    signature: str
    words: Mapping[str, Posting]
    title: Mapping[str, Posting] = {}
    length: int
    title_length: int = 0
    names: tuple[str, ...] = ()
    facets: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    status: int = ACTIVE
    newest_ms: int = NO_DATE
    checked_ms: int = NO_DATE
    confidence: float = float("nan")


class Derived(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """What follows from the postings of a segment and is kept to be quick.

    `joined_words` are all its words for substring search. `kind` int32 is each document's place in `kinds`, -1 for
    none. `term_rows` int32 are the rows of each document's words, delimited by `term_starts` (n + 1,) int64.
    """

    joined_words: str
    kinds: tuple[str, ...]
    kind: Rows
    term_starts: Counts
    term_rows: Rows


class Segment(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Documents `ids[slot]` and what is known of each; `term_rows` are the rows of each one's words.

    `lengths` and `title_lengths` int32, `status` int8 widened to int32, times int64 milliseconds, `confidence`
    float64. Slots of `parts` are sections: `parents` is the document of each, ascending, `part_lengths` its length,
    both int32.
    """

    ids: tuple[str, ...]
    signatures: tuple[str, ...]
    slots: Mapping[str, int]
    alive: Bools
    superseded: Bools
    lengths: Rows
    title_lengths: Rows
    status: Rows
    newest_ms: Counts
    checked_ms: Counts
    confidence: Floats
    words: Postings
    titles: Postings
    names: Postings
    facets: Postings
    parts: Postings
    parents: Rows
    part_lengths: Rows
    derived: Derived


def build_segment(documents: Iterable[Document]) -> Segment:
    """The segment of these documents, all alive; ids must differ. Documents are not held on to."""
    words, titles, names, facets, parts = (PostingsBuilder() for _ in range(5))
    sections: list[tuple[int, int]] = []
    ids: list[str] = []
    signatures: list[str] = []
    numbers: list[tuple[int, int, int]] = []
    times: list[tuple[int, int]] = []
    confidence: list[float] = []
    for slot, document in enumerate(documents):
        ids.append(document.id)
        signatures.append(document.signature)
        numbers.append((document.length, document.title_length, document.status))
        times.append((document.newest_ms, document.checked_ms))
        confidence.append(document.confidence)
        words.add(document.words)
        titles.add(document.title)
        names.add_terms(document.names)
        facets.add_terms(document.facets)
        for part in document.parts:
            parts.add(part.words)
            sections.append((slot, part.length))
    n = len(ids)
    columns = np.array(numbers, dtype=np.int32).reshape(n, 3)
    section_columns = np.array(sections, dtype=np.int32).reshape(len(sections), 2)
    dates = np.array(times, dtype=np.int64).reshape(n, 2)
    word_postings, facet_postings = words.build(), facets.build()
    return Segment(
        ids=tuple(ids),
        signatures=tuple(signatures),
        slots=slots_of(ids),
        alive=frozen(np.ones(n, dtype=np.bool_)),
        superseded=frozen(np.zeros(n, dtype=np.bool_)),
        lengths=frozen(columns[:, 0]),
        title_lengths=frozen(columns[:, 1]),
        status=frozen(columns[:, 2]),
        newest_ms=frozen(dates[:, 0]),
        checked_ms=frozen(dates[:, 1]),
        confidence=frozen(np.array(confidence, dtype=np.float64)),
        words=word_postings,
        titles=titles.build(),
        names=names.build(),
        facets=facet_postings,
        parts=parts.build(),
        parents=frozen(section_columns[:, 0]),
        part_lengths=frozen(section_columns[:, 1]),
        derived=derived(word_postings, facet_postings, n),
    )


def slots_of(ids: Iterable[str]) -> Mapping[str, int]:
    """The slot of every id."""
    return MappingProxyType({id_: slot for slot, id_ in enumerate(ids)})


def merge_segments(segments: Sequence[Segment]) -> Segment:
    """One segment of the living documents of several, in their order."""
    living = [segment.alive for segment in segments]
    places = _new_slots(living)
    ids = tuple(id_ for segment in segments for id_ in compress(segment.ids, segment.alive.tolist()))
    words = _merged(segments, lambda segment: segment.words, places)
    facets = _merged(segments, lambda segment: segment.facets, places)
    living_parts = [segment.alive[segment.parents] for segment in segments]
    parents = [place[segment.parents] for segment, place in zip(segments, places, strict=True)]
    return Segment(
        ids=ids,
        signatures=tuple(text for segment in segments for text in compress(segment.signatures, segment.alive.tolist())),
        slots=slots_of(ids),
        alive=frozen(np.ones(len(ids), dtype=np.bool_)),
        superseded=_kept([segment.superseded for segment in segments], living),
        lengths=_kept([segment.lengths for segment in segments], living),
        title_lengths=_kept([segment.title_lengths for segment in segments], living),
        status=_kept([segment.status for segment in segments], living),
        newest_ms=_kept([segment.newest_ms for segment in segments], living),
        checked_ms=_kept([segment.checked_ms for segment in segments], living),
        confidence=_kept([segment.confidence for segment in segments], living),
        words=words,
        titles=_merged(segments, lambda segment: segment.titles, places),
        names=_merged(segments, lambda segment: segment.names, places),
        facets=facets,
        parts=_merged(segments, lambda segment: segment.parts, _new_slots(living_parts)),
        parents=_kept(parents, living_parts),
        part_lengths=_kept([segment.part_lengths for segment in segments], living_parts),
        derived=derived(words, facets, len(ids)),
    )


def derived(words: Postings, facets: Postings, n: int) -> Derived:
    """What is derived from the postings of `n` documents."""
    starts, rows = rows_by_slot(words, n)
    of_kinds = starting(facets.vocabulary, KIND)
    kind = np.full(n, -1, dtype=np.int32)
    for place, at in enumerate(of_kinds):
        kind[facets.slots[facets.starts[at] : facets.starts[at + 1]]] = place
    return Derived(
        joined_words=joined(words.vocabulary),
        kinds=tuple(facets.vocabulary.terms[at].removeprefix(KIND) for at in of_kinds),
        kind=frozen(kind),
        term_starts=starts,
        term_rows=rows,
    )


def with_dead(segment: Segment, slots: Iterable[int]) -> Segment:
    """The segment without the documents at these slots; their postings stay until it is merged."""
    alive = segment.alive.copy()
    alive[list(slots)] = False
    return msgspec.structs.replace(segment, alive=frozen(alive))


def with_superseded(segment: Segment, slots: Iterable[int], *, superseded: bool) -> Segment:
    """The segment with the mask set or cleared at these slots."""
    mask = segment.superseded.copy()
    mask[list(slots)] = superseded
    return msgspec.structs.replace(segment, superseded=frozen(mask))


def terms_at(segment: Segment, slot: int) -> frozenset[str]:
    """All terms of one document."""
    starts = segment.derived.term_starts
    rows: list[int] = segment.derived.term_rows[int(starts[slot]) : int(starts[slot + 1])].tolist()
    terms = segment.words.vocabulary.terms
    return frozenset(terms[row] for row in rows)


def _new_slots(masks: Sequence[Bools]) -> list[Rows]:
    """The new slot of every old one when only the masked are kept, -1 for the others."""
    places: list[Rows] = []
    n = 0
    for mask in masks:
        places.append(np.where(mask, np.cumsum(mask, dtype=np.int32) + np.int32(n - 1), np.int32(-1)))
        n += int(np.count_nonzero(mask))
    return places


def _kept(columns: Sequence[NDArray[_Scalar]], masks: Sequence[Bools]) -> NDArray[_Scalar]:
    return frozen(np.concatenate([column[mask] for column, mask in zip(columns, masks, strict=True)]))


def _merged(segments: Sequence[Segment], of: Callable[[Segment], Postings], places: Sequence[Rows]) -> Postings:
    return merge_postings([(of(segment), place) for segment, place in zip(segments, places, strict=True)])
