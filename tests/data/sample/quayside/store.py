"""Connections to one SQLite file: opened the same way everywhere, lent out by a small pool.

WAL lets readers go on while one writer writes, which is all the concurrency a harbour needs. What SQLite does not
do is queue writers fairly, so every write transaction begins with BEGIN IMMEDIATE: it waits for the write lock at
its start, under the busy timeout, instead of failing in the middle when a read has to become a write.
"""

from __future__ import annotations

import queue
import sqlite3
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

POOL_SIZE = 4
"""One writer and three readers. More connections than cores only lengthen the queue at the write lock."""

POOL_TIMEOUT_MS = 5000
"""How long a request waits for a connection before it is answered with 503."""

BUSY_TIMEOUT_MS = 2000
"""How long SQLite waits for the write lock: shorter than the pool's wait, so that a stuck writer is named first."""


class Busy(Exception):
    """Every connection stayed lent out for `POOL_TIMEOUT_MS`, or the write lock stayed taken."""


def connect(path: Path) -> sqlite3.Connection:
    """An open connection with the settings all of Quayside relies on; transactions are begun by hand."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    connection.execute("PRAGMA journal_mode = WAL")
    # NORMAL may lose the last commits when the power fails, never the file. A guest who loses a hold books again;
    # FULL costs an fsync a commit, a third of the write throughput on the offices' small machines.
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


class Pool:
    """At most `POOL_SIZE` connections to one file, opened when first needed and safe to share between threads."""

    def __init__(self, path: Path, size: int = POOL_SIZE, timeout_ms: int = POOL_TIMEOUT_MS) -> None:
        self._path = path
        self._timeout_s = timeout_ms / 1000
        self._closed = False
        self._lock = threading.Lock()
        # None stands for a connection not opened yet. Last in, first out keeps one page cache warm.
        self._idle: queue.LifoQueue[sqlite3.Connection | None] = queue.LifoQueue()
        for _ in range(size):
            self._idle.put(None)

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """A connection for statements that only read; each sees the latest commit."""
        connection = self._take()
        try:
            yield connection
        finally:
            self._give_back(connection)

    @contextmanager
    def writing(self) -> Generator[sqlite3.Connection]:
        """A connection inside a write transaction: committed at the end, rolled back by an exception."""
        connection = self._take()
        try:
            self._begin(connection)
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
        finally:
            self._give_back(connection)

    def close(self) -> None:
        """Close what is idle now; connections still lent out are closed when they come back."""
        with self._lock:
            self._closed = True
            while True:
                try:
                    connection = self._idle.get_nowait()
                except queue.Empty:
                    return
                if connection is not None:
                    connection.close()

    def _take(self) -> sqlite3.Connection:
        try:
            connection = self._idle.get(timeout=self._timeout_s)
        except queue.Empty:
            raise Busy(f"no connection to {self._path.name} within {self._timeout_s:g} s") from None
        if connection is not None:
            return connection
        try:
            return connect(self._path)
        except BaseException:
            self._idle.put(None)  # the place in the pool must outlive a failed attempt to fill it
            raise

    def _begin(self, connection: sqlite3.Connection) -> None:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            raise Busy(f"another process is writing to {self._path.name}") from None

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._lock:
            if self._closed:
                connection.close()
            else:
                self._idle.put(connection)
