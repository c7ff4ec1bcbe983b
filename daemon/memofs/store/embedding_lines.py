"""The lines of embeddings.jsonl: how one is written, how one is read, and which of them count.

Invariants: reading never raises, a line is good or it is not; of the good lines of one model and namespace the last of
each chunk counts, and only those with the dimension of the last one. What happens to the file is `embeddings`' concern.
"""

import contextlib
from collections.abc import Iterator, Sequence
from typing import BinaryIO, TypeAlias

import msgspec
import numpy as np

__all__ = ["Key", "Line", "Tally", "blocks", "encoded", "read_lines"]

Key: TypeAlias = tuple[str, int]
"""A chunk: its memory's id and its number."""

BLOCK_BYTES = 4 << 20
MAX_DIMENSION = 1 << 16
_NORM_SLACK = 0.02


class Line(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One chunk. `vector` is base64 of little-endian float32; `embedding` is how the original system wrote it."""

    id: str
    memory: str
    chunk: int
    text_hash: str
    model: str
    dim: int
    namespace: str
    vector: bytes = b""
    embedding: list[float] | msgspec.UnsetType = msgspec.UNSET
    updated_at: str = ""


class Tally:
    """Which lines count, found by seeing all of them in order.

    `last` gives for every chunk the number of its line among all lines, `others` the lines of other namespaces, `bad`
    those that are not good.
    """

    def __init__(self, model: str, namespace: str) -> None:
        self.last: dict[Key, int] = {}
        self.others: set[int] = set()
        self.bad: list[int] = []
        self.seen = 0
        self.dimension = 0
        self._model = model
        self._namespace = namespace

    def see(self, line: Line | None) -> bool:
        """Whether the next line is, so far, the one that counts for its chunk."""
        number, self.seen = self.seen, self.seen + 1
        if line is None:
            self.bad.append(number)
            return False
        if line.namespace != self._namespace:
            self.others.add(number)
            return False
        if line.model != self._model:
            return False
        if line.dim != self.dimension:
            self.last.clear()
            self.dimension = line.dim
        self.last[line.memory, line.chunk] = number
        return True


def encoded(lines: Sequence[Line]) -> bytes:
    """The lines as they stand in the file."""
    return _encoder.encode_lines(lines)


def blocks(file: BinaryIO) -> Iterator[bytes]:
    """The file in pieces that end with a line; the last one may lack its line end."""
    rest = b""
    while block := file.read(BLOCK_BYTES):
        whole, found, tail = block.rpartition(b"\n")
        if found:
            yield rest + whole + found
            rest = tail
        else:
            rest += block
    if rest:
        yield rest


def read_lines(block: bytes) -> list[Line | None]:
    """The lines of a block with their vectors as bytes, None for each that is not good; a blank line is not good.

    All at once where all are good, which is the rule and the fast way.
    """
    separate = block.removesuffix(b"\n").split(b"\n")
    with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError):
        lines = _decoder.decode_lines(block)
        all_plain = len(lines) == len(separate) and all(_plain(line) for line in lines)
        if all_plain and _finite(b"".join(line.vector for line in lines)) and all(map(_unit_or_zero, lines)):
            return list(lines)
    return [_good(line) for line in separate]


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Line)


def _good(content: bytes) -> Line | None:
    try:
        line = _decoder.decode(content)
        if line.embedding is not msgspec.UNSET and not line.vector:
            line = msgspec.structs.replace(line, vector=_unit(line.embedding), embedding=msgspec.UNSET)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return line if _plain(line) and _finite(line.vector) and _unit_or_zero(line) else None


def _unit(embedding: list[float]) -> bytes:
    """The numbers as a unit vector; as they are where they do not fit float32, which then is not finite."""
    with np.errstate(over="ignore"):
        vector = np.array(embedding, np.float32)
    if np.isfinite(vector).all():
        wide = vector.astype(np.float64)
        vector = wide / max(float(np.linalg.norm(wide)), 1e-12)
    return vector.astype("<f4").tobytes()


def _plain(line: Line) -> bool:
    return 0 < line.dim <= MAX_DIMENSION and len(line.vector) == 4 * line.dim and line.chunk >= 0


def _finite(vectors: bytes) -> bool:
    return bool(np.isfinite(np.frombuffer(vectors, "<f4")).all())


def _unit_or_zero(line: Line) -> bool:
    """Whether the vector is what an embedder makes: cosines with any other would mean nothing."""
    norm = float(np.linalg.norm(np.frombuffer(line.vector, "<f4").astype(np.float64)))
    return norm < _NORM_SLACK or abs(norm - 1.0) < _NORM_SLACK
