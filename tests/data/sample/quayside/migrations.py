"""The schema of a harbour's file, as numbered steps that only go forward.

SQLite's own `user_version` says how far a file has come. It changes in the same transaction as the tables, so a
file is never between two steps. A step that has been released is never edited: the offices update months apart, and
an edited step would give two harbours different tables under one number. To undo a step, write the next one.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True)
class Migration:
    """One step: its statements run in order, in one transaction."""

    number: int
    name: str
    statements: tuple[str, ...]


class SchemaTooNew(Exception):
    """The file was written by a later release: an old program must not write into it."""


MIGRATIONS: tuple[Migration, ...] = (
    Migration(
        1,
        "berths, bookings and their nights",
        (
            """
            CREATE TABLE berths (
                id TEXT PRIMARY KEY,
                name TEXT NOT NULL UNIQUE,
                length_cm INTEGER NOT NULL CHECK (length_cm > 0),
                depth_cm INTEGER NOT NULL CHECK (depth_cm > 0)
            ) STRICT
            """,
            """
            CREATE TABLE bookings (
                id TEXT PRIMARY KEY,
                berth_id TEXT NOT NULL REFERENCES berths (id),
                arrive TEXT NOT NULL,
                depart TEXT NOT NULL,
                boat_length_cm INTEGER NOT NULL,
                guest_name TEXT,
                guest_mail TEXT,
                price_cents INTEGER NOT NULL,
                status TEXT NOT NULL CHECK (status IN ('held', 'confirmed', 'cancelled', 'expired')),
                created_at INTEGER NOT NULL,
                expires_at INTEGER
            ) STRICT
            """,
            # The heart of the schema: two bookings cannot share a night, whatever the code above does.
            """
            CREATE TABLE nights (
                berth_id TEXT NOT NULL REFERENCES berths (id),
                night TEXT NOT NULL,
                booking_id TEXT NOT NULL REFERENCES bookings (id) ON DELETE CASCADE,
                PRIMARY KEY (berth_id, night)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX nights_by_booking ON nights (booking_id)",
        ),
    ),
    Migration(
        2,
        "background jobs",
        (
            """
            CREATE TABLE jobs (
                id INTEGER PRIMARY KEY,
                kind TEXT NOT NULL,
                payload TEXT NOT NULL,
                due_at INTEGER NOT NULL,
                attempts INTEGER NOT NULL DEFAULT 0,
                state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'dead')),
                last_error TEXT
            ) STRICT
            """,
            "CREATE INDEX jobs_waiting ON jobs (due_at) WHERE state = 'waiting'",
        ),
    ),
    Migration(
        3,
        "answers kept for idempotency keys",
        (
            """
            CREATE TABLE replies (
                key TEXT PRIMARY KEY,
                request_hash TEXT NOT NULL,
                status INTEGER NOT NULL,
                body TEXT NOT NULL,
                created_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
        ),
    ),
    Migration(4, "when a guest was forgotten", ("ALTER TABLE bookings ADD COLUMN forgotten_at INTEGER",)),
)

LATEST = MIGRATIONS[-1].number


def migrate(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Bring a file up to `LATEST` and return the names of the steps that ran. Safe to call from two processes."""
    done: list[str] = []
    while True:
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Read inside the transaction: another process may have run the step while this one waited.
            version = schema_version(connection)
            if version > LATEST:
                raise SchemaTooNew(f"the file is at step {version}, this release knows {LATEST}")
            if version == LATEST:
                connection.execute("ROLLBACK")
                return tuple(done)
            step = MIGRATIONS[version]
            for statement in step.statements:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {step.number}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        done.append(step.name)


def schema_version(connection: sqlite3.Connection) -> int:
    """The number of the last step that ran, 0 for a new file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
