"""The vectors on disk: `.memofs/indexes/embeddings.jsonl`, one JSON line a chunk, so that a start embeds nothing anew.

Invariants: vectors of another model are never returned; the last line of a chunk counts; a line that cannot be read
costs that line and no other; the file is readable by its owner alone; no folder above its own is ever made. It is a
cache: losing it costs time only. Two processes that append at once lose nothing; what mends or rewrites the file may
lose what another process appends meanwhile, which the caller prevents by `index_lock`. What a chunk is, and whether
its text is still the one that was embedded, is known to the caller (`text_hashes`).
"""

import contextlib
import errno
import os
import stat
from collections.abc import Collection, Generator, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from memofs.model.errors import Unavailable
from memofs.model.problem import Problem
from memofs.store.embedding_lines import Key, Line, Tally, blocks, encoded, read_lines

__all__ = ["ASIDE", "EmbeddingsFile", "Key", "Rehydrated", "Vectors"]

ASIDE = ".corrupt"
"""Put behind the name of a file with unreadable lines, which is kept for whoever wants to know."""
FEWEST_TO_COMPACT = 64

_APPEND = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC


class Vectors(msgspec.Struct, frozen=True, kw_only=True):
    """Chunks and their vectors, in the same order: `matrix` is (n, dimension) float32, rows unit-norm, read-only."""

    memories: tuple[str, ...]
    chunks: tuple[int, ...]
    text_hashes: tuple[str, ...]
    matrix: NDArray[np.float32]


class Rehydrated(msgspec.Struct, frozen=True, kw_only=True):
    """What the file held, (0, 0) when nothing fits, and what was wrong with it and has been mended."""

    vectors: Vectors
    problem: Problem | None = None


class _Read(NamedTuple):
    """How far a file was read, and which: device and inode."""

    identity: tuple[int, int] | None
    bytes: int


_NOTHING = _Read(None, 0)


class EmbeddingsFile:
    """The file, for one model and one namespace. Not for several threads at once."""

    def __init__(self, path: Path, *, model: str, namespace: str = "memory") -> None:
        self._path = path
        self._model = model
        self._namespace = namespace
        self._live: set[Key] = set()
        self._dimension = 0
        self._others = 0
        self._lines = 0
        self._read = _NOTHING

    @property
    def dead(self) -> int:
        """Lines that no longer count: replaced, discarded, or of another model."""
        return self._lines - self._others - len(self._live)

    def load(self, *, mend: bool = True) -> Rehydrated:
        """The vectors of this model. A torn last line is cut off; a file with bad lines is set aside and rebuilt.

        What cannot be mended (a read-only file system) is read all the same; without `mend` nothing is touched and
        nothing is told, since another process may be in the middle of a line.
        """
        tally, rows = Tally(self._model, self._namespace), dict[Key, tuple[str, bytes]]()
        whole_bytes = torn = 0
        self._read = _NOTHING
        try:
            with _regular(self._path) as file:
                identity = _identity(file.fileno())
                for block in blocks(file):
                    lines = read_lines(block)
                    torn = int(not block.endswith(b"\n") and lines[-1] is None)
                    if torn:
                        lines.pop()
                    whole_bytes += len(block) if not torn else block.rfind(b"\n") + 1
                    for line in lines:
                        if tally.see(line) and line is not None:
                            rows.pop((line.memory, line.chunk), None)
                            rows[line.memory, line.chunk] = (line.text_hash, line.vector)
            self._read = _Read(identity, whole_bytes)
        except FileNotFoundError:
            pass
        except OSError as error:
            unreadable = self._problem("unreadable", f"the file cannot be read: {error.strerror}")
            return Rehydrated(vectors=_vectors({}, 0), problem=unreadable)
        self._take(tally)
        rows = {key: row for key, row in rows.items() if key in self._live}
        problem = self._mended(tally, whole_bytes if torn else None) if mend else None
        return Rehydrated(vectors=_vectors(rows, tally.dimension), problem=problem)

    def news(self, *, settled: bool = True) -> Vectors:
        """What other processes put there since it was last read; (0, 0) if there is nothing new.

        Not `settled`, that is while another may be writing, the chunks of the last memory are left for the next time:
        more of them may come. A file that another has rewritten is read anew. Raises nothing.
        """
        try:
            with _regular(self._path) as file:
                size = os.fstat(file.fileno()).st_size
                if _identity(file.fileno()) != self._read.identity or size < self._read.bytes:
                    return self.load(mend=False).vectors
                file.seek(self._read.bytes)
                content = file.read(size - self._read.bytes)
        except OSError:
            return _vectors({}, 0)
        whole = content[: content.rfind(b"\n") + 1]
        return self._taken(read_lines(whole) if whole else [], whole, settled=settled)

    def append(self, vectors: Vectors, *, now_ms: int) -> None:
        """Return when the chunks are in the file; earlier lines of theirs no longer count. Raises Unavailable."""
        if not vectors.memories:
            return
        rows = np.ascontiguousarray(vectors.matrix, "<f4")
        updated_at = datetime.fromtimestamp(now_ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        lines = [
            Line(
                id=f"{memory}#{chunk}",
                memory=memory,
                chunk=chunk,
                text_hash=text_hash,
                model=self._model,
                dim=rows.shape[1],
                namespace=self._namespace,
                vector=row.tobytes(),
                updated_at=updated_at,
            )
            for memory, chunk, text_hash, row in zip(
                vectors.memories, vectors.chunks, vectors.text_hashes, rows, strict=True
            )
        ]
        with self._writing():
            self._append(encoded(lines))
        if rows.shape[1] != self._dimension:
            self._live.clear()
            self._dimension = rows.shape[1]
        self._live.update((line.memory, line.chunk) for line in lines)
        self._lines += len(lines)
        self._compact_if_due()

    def discard(self, keys: Iterable[Key]) -> None:
        """Return when the chunks no longer count; their lines go with the next compaction. Raises Unavailable."""
        self._live.difference_update(keys)
        self._compact_if_due()

    def forget(self, memories: Collection[str]) -> None:
        """Return when no line of the memories is left, in the file or in one set aside. Raises Unavailable."""
        self._live = {key for key in self._live if key[0] not in memories}
        with self._writing():
            self._aside.unlink(missing_ok=True)
            if os.path.lexists(self._path):
                self._rewrite(self._path, frozenset(memories))

    @property
    def _aside(self) -> Path:
        return self._path.with_name(self._path.name + ASIDE)

    def _take(self, tally: Tally) -> None:
        self._live, self._dimension = set(tally.last), tally.dimension
        self._others, self._lines = len(tally.others), tally.seen

    def _taken(self, lines: list[Line | None], whole: bytes, *, settled: bool) -> Vectors:
        """The new lines that count, of which it now knows; bad ones are left to the next start."""
        sizes = [len(each) + 1 for each in whole.removesuffix(b"\n").split(b"\n")]
        count = len(lines)
        if not settled and count and (last := lines[-1]) is not None:
            count = next((n + 1 for n in range(count - 1, -1, -1) if _memory(lines[n]) != last.memory), 0)
        lines = lines[:count]
        self._read = self._read._replace(bytes=self._read.bytes + sum(sizes[: len(lines)]))
        rows: dict[Key, tuple[str, bytes]] = {}
        dimension = self._dimension
        self._lines += len(lines)
        for line in lines:
            if line is None:
                continue
            if line.namespace != self._namespace:
                self._others += 1
            elif line.model == self._model:
                if line.dim != dimension:
                    self._live.clear()
                    rows.clear()
                    dimension = line.dim
                rows.pop((line.memory, line.chunk), None)
                rows[line.memory, line.chunk] = (line.text_hash, line.vector)
        self._dimension = dimension
        self._live.update(rows)
        return _vectors(rows, dimension if rows else 0)

    def _mended(self, tally: Tally, torn_at: int | None) -> Problem | None:
        """What was wrong, after it has been put right as far as the file system allows."""
        with contextlib.suppress(OSError, Unavailable):
            if tally.bad:
                self._path.replace(self._aside)
                self._rewrite(self._aside)
            elif torn_at is not None:
                os.truncate(self._path, torn_at)
            else:
                self._compact_if_due()
        if tally.bad:
            more = f" and {len(tally.bad) - 1} more" if len(tally.bad) > 1 else ""
            message = f"line {tally.bad[0] + 1}{more} could not be read; the file was set aside as {self._aside.name}"
            return self._problem("corruptIndex", message, tally.bad[0])
        if torn_at is not None:
            return self._problem("tornLine", "the last line was torn and has been dropped", tally.seen)
        return None

    def _problem(self, code: str, message: str, line: int = 0) -> Problem:
        hint = "Nothing of yours is lost: missing vectors are made again in the background."
        return Problem(path=str(self._path), code=code, message=message, line=line, hint=hint, severity="warning")

    def _append(self, content: bytes) -> None:
        self._path.parent.mkdir(mode=0o700, exist_ok=True)
        with os.fdopen(os.open(self._path, _APPEND, 0o600), "r+b", buffering=0) as file:
            os.fchmod(file.fileno(), 0o600)
            size = file.seek(0, os.SEEK_END)
            known = self._read == _Read(_identity(file.fileno()), size) or size == 0
            if size and os.pread(file.fileno(), 1, size - 1) != b"\n":
                content = b"\n" + content  # a whole last line that lacks only its end
            left = memoryview(content)
            try:
                while left:
                    left = left[file.write(left) :]
            except OSError:
                file.truncate(size)  # half a line would make the file corrupt
                raise
            if known:  # else there is something of another's before it, which `news` has yet to read
                self._read = _Read(_identity(file.fileno()), size + len(content))

    def _compact_if_due(self) -> None:
        if self._lines >= FEWEST_TO_COMPACT and self.dead * 2 > self._lines:
            with self._writing():
                self._rewrite(self._path)

    def _rewrite(self, source: Path, forgotten: frozenset[str] = frozenset()) -> None:
        """Put the lines of the source that count in the file's place, byte for byte and in their order.

        Lines of other namespaces stay, unless they are of a forgotten memory.
        """
        tally = Tally(self._model, self._namespace)
        with _regular(source) as old:
            for block in blocks(old):
                for line in read_lines(block):
                    tally.see(line)
                    if line is not None and line.memory in forgotten:
                        tally.others.discard(tally.seen - 1)
        tally.last = {key: number for key, number in tally.last.items() if key in self._live}
        kept = {*tally.last.values(), *tally.others}
        temporary = self._path.with_name(self._path.name + ".tmp")
        number = 0
        with _regular(source) as old, os.fdopen(os.open(temporary, _NEW, 0o600), "wb") as new:
            for block in blocks(old):
                for content in block.removesuffix(b"\n").split(b"\n"):
                    if number in kept:
                        new.write(content + b"\n")
                    number += 1
            new.flush()
            self._read = _Read(_identity(new.fileno()), new.tell())
        temporary.replace(self._path)
        tally.seen = len(kept)
        self._take(tally)

    @contextlib.contextmanager
    def _writing(self) -> Generator[None]:
        try:
            yield
        except OSError as error:
            raise Unavailable(
                "indexWrite",
                f"{self._path} cannot be written: {error.strerror}",
                "Recall goes on as it is; the vectors are made again at the next start.",
            ) from error


def _regular(path: Path) -> BinaryIO:
    """The file, open for reading. Raises OSError for a link, which may lead anywhere, a pipe and whatever else."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return os.fdopen(handle, "rb")


def _identity(handle: int) -> tuple[int, int]:
    found = os.fstat(handle)
    return found.st_dev, found.st_ino


def _memory(line: Line | None) -> str | None:
    return None if line is None else line.memory


def _vectors(rows: dict[Key, tuple[str, bytes]], dimension: int) -> Vectors:
    """The rows as arrays. Each row's bytes are let go as they are copied, so the peak is hardly above the whole."""
    keys, hashes = tuple(rows), tuple(text_hash for text_hash, _ in rows.values())
    matrix = np.empty((len(keys), dimension), np.float32)
    for index, key in enumerate(keys):
        matrix[index] = np.frombuffer(rows.pop(key)[1], "<f4")
    matrix.flags.writeable = False
    memories, chunks = tuple(memory for memory, _ in keys), tuple(chunk for _, chunk in keys)
    return Vectors(memories=memories, chunks=chunks, text_hashes=hashes, matrix=matrix)
