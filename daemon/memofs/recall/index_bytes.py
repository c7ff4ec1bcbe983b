"""The index as bytes and back: a cache that is either exactly right or not used.

Layout: 8 bytes of magic; the format's version, the fingerprint of how text is read, and the CRC-32 of what follows
as little-endian uint32, its length as uint64; and then one MessagePack array. Only living documents are
written, as one segment.
Invariant: whatever the bytes are, reading gives an index that is consistent in itself, or None.
"""

import struct
import zlib
from typing import Final

import msgspec
import numpy as np

from memofs.recall.arrays import Rows, Weights, frozen
from memofs.recall.fields import FINGERPRINT
from memofs.recall.index import EMPTY, LexicalIndex, index_of
from memofs.recall.postings import Postings
from memofs.recall.segment import RETIRED, Segment, derived, merge_segments, slots_of
from memofs.recall.vocabulary import vocabulary

__all__ = ["FORMAT_VERSION", "from_bytes", "to_bytes"]

FORMAT_VERSION: Final = 1

_MAGIC: Final = b"memofsLX"
_HEADER: Final = struct.Struct("<8sIIIQ")


class _StoredPostings(msgspec.Struct, array_like=True):
    """`tf` is uint8 where all frequencies are small whole numbers, else float32; `counts` int32, `slots` int32."""

    terms: list[str]
    counts: bytes
    slots: bytes
    tf: bytes
    pieces: bytes


class _StoredSegment(msgspec.Struct, array_like=True):
    ids: list[str]
    signatures: list[str]
    columns: bytes
    times: bytes
    confidence: bytes
    words: _StoredPostings
    titles: _StoredPostings
    names: _StoredPostings
    facets: _StoredPostings
    parts: _StoredPostings
    part_columns: bytes


_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(_StoredSegment)


def to_bytes(index: LexicalIndex) -> bytes:
    """The living documents of the index, without what the caller derives (`superseded`)."""
    body = b""
    if index.living:
        whole = len(index.segments) == 1 and index.living == index.size
        body = _ENCODER.encode(_stored(index.segments[0] if whole else merge_segments(index.segments)))
    return _HEADER.pack(_MAGIC, FORMAT_VERSION, FINGERPRINT, zlib.crc32(body), len(body)) + body


def from_bytes(data: bytes) -> LexicalIndex | None:
    """The index that was written, or None if the bytes are damaged, cut short, or of another version."""
    if len(data) < _HEADER.size:
        return None
    magic, version, fields, checksum, length = _HEADER.unpack_from(data)
    body = memoryview(data)[_HEADER.size :]
    if (magic, version, fields) != (_MAGIC, FORMAT_VERSION, FINGERPRINT) or len(body) != length:
        return None
    if zlib.crc32(body) != checksum:
        return None
    if not length:
        return EMPTY
    try:
        return index_of([_segment(_DECODER.decode(body))])
    except (msgspec.MsgspecError, ValueError, IndexError):
        return None


def _stored(segment: Segment) -> _StoredSegment:
    return _StoredSegment(
        ids=list(segment.ids),
        signatures=list(segment.signatures),
        columns=np.stack([segment.lengths, segment.title_lengths, segment.status]).astype("<i4").tobytes(),
        times=np.stack([segment.newest_ms, segment.checked_ms]).astype("<i8").tobytes(),
        confidence=segment.confidence.astype("<f8").tobytes(),
        words=_stored_postings(segment.words),
        titles=_stored_postings(segment.titles),
        names=_stored_postings(segment.names),
        facets=_stored_postings(segment.facets),
        parts=_stored_postings(segment.parts),
        part_columns=np.stack([segment.parents, segment.part_lengths]).astype("<i4").tobytes(),
    )


def _segment(stored: _StoredSegment) -> Segment:
    n = len(stored.ids)
    columns = np.frombuffer(stored.columns, dtype="<i4").astype(np.int32).reshape(3, n)
    times = np.frombuffer(stored.times, dtype="<i8").astype(np.int64).reshape(2, n)
    confidence = np.frombuffer(stored.confidence, dtype="<f8").astype(np.float64)
    part_columns = np.frombuffer(stored.part_columns, dtype="<i4").astype(np.int32).reshape(2, -1)
    parents = part_columns[0]
    slots = slots_of(stored.ids)
    status = columns[2]
    if (
        len(slots) != n
        or len(stored.signatures) != n
        or len(confidence) != n
        or not 0 <= status.min() <= status.max() <= RETIRED
        or (len(parents) and (parents[0] < 0 or parents[-1] >= n or bool((np.diff(parents) < 0).any())))
    ):
        msg = "columns do not fit"
        raise ValueError(msg)
    words, facets = _postings(stored.words, n), _postings(stored.facets, n)
    return Segment(
        ids=tuple(stored.ids),
        signatures=tuple(stored.signatures),
        slots=slots,
        alive=frozen(np.ones(n, dtype=np.bool_)),
        superseded=frozen(np.zeros(n, dtype=np.bool_)),
        lengths=frozen(columns[0]),
        title_lengths=frozen(columns[1]),
        status=frozen(status),
        newest_ms=frozen(times[0]),
        checked_ms=frozen(times[1]),
        confidence=frozen(confidence),
        words=words,
        titles=_postings(stored.titles, n),
        names=_postings(stored.names, n),
        facets=facets,
        parts=_postings(stored.parts, len(parents)),
        parents=frozen(parents),
        part_lengths=frozen(part_columns[1]),
        derived=derived(words, facets, n),
    )


def _stored_postings(postings: Postings) -> _StoredPostings:
    tf = postings.tf
    small = bool(len(tf) == 0 or (tf.max() < 256 and np.array_equal(tf, np.floor(tf))))
    return _StoredPostings(
        terms=list(postings.vocabulary.terms),
        counts=np.diff(postings.starts).astype("<i4").tobytes(),
        slots=postings.slots.astype("<i4").tobytes(),
        tf=tf.astype(np.uint8 if small else "<f4").tobytes(),
        pieces=np.packbits(postings.pieces).tobytes(),
    )


def _postings(stored: _StoredPostings, n_slots: int) -> Postings:
    counts = np.frombuffer(stored.counts, dtype="<i4")
    slots: Rows = np.frombuffer(stored.slots, dtype="<i4").astype(np.int32)
    words = vocabulary(stored.terms)
    starts = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=starts[1:])
    n = len(slots)
    tf: Weights = np.frombuffer(stored.tf, dtype=np.uint8 if len(stored.tf) == n else "<f4").astype(np.float32)
    pieces = np.unpackbits(np.frombuffer(stored.pieces, dtype=np.uint8), count=n).astype(np.bool_)
    if (
        len(words.rows) != len(counts)
        or (n and (counts.min() < 1 or slots.min() < 0 or slots.max() >= n_slots))
        or int(starts[-1]) != n
        or len(tf) != n
        or list(words.terms) != stored.terms
    ):
        msg = "postings do not fit"
        raise ValueError(msg)
    return Postings(vocabulary=words, starts=frozen(starts), slots=frozen(slots), tf=frozen(tf), pieces=frozen(pieces))
