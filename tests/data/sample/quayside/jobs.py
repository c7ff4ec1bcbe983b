"""Background work, kept in the harbour's own file beside the rows it is about.

A job is added in the transaction of what caused it, so there is never a booking without its mail job nor a mail for
a booking that was rolled back. A job is leased by moving its due time ahead: if the worker dies, the job comes due
again by itself. So it may run twice, and every handler must be safe to run twice.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from quayside.store import Pool

LEASE_SECONDS = 120
"""Longer than the slowest handler ever seen (a mail server that took 70 s to say no)."""

MAX_ATTEMPTS = 7
"""With the delays below the last attempt is about an hour after the first. Then a person has to look."""

FIRST_DELAY_SECONDS = 60
MAX_DELAY_SECONDS = 30 * 60


@dataclass(frozen=True)
class Job:
    id: int
    kind: str
    payload: Mapping[str, str]
    attempts: int


Handler = Callable[[Job], None]


def enqueue(connection: sqlite3.Connection, kind: str, payload: Mapping[str, str], due_at: int) -> None:
    """Add a job inside the caller's transaction."""
    connection.execute("INSERT INTO jobs (kind, payload, due_at) VALUES (?, ?, ?)", (kind, json.dumps(payload), due_at))


def delay_seconds(attempts: int) -> int:
    """The wait after a failed attempt: doubled each time, with a ceiling. `attempts` counts the failed one."""
    return min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** (attempts - 1))


def run_due(pool: Pool, handlers: Mapping[str, Handler], now: int) -> int:
    """Run what is due at `now`, one job after another, and return how many were tried.

    A handler runs outside any transaction: a slow mail server must not hold the harbour's write lock.
    """
    tried = 0
    while (job := _lease(pool, now)) is not None:
        tried += 1
        handler = handlers.get(job.kind)
        try:
            if handler is None:
                raise LookupError(f"no handler for {job.kind}")
            handler(job)
        except Exception as problem:  # whatever a handler raises, the next job must have its turn
            _fail(pool, job, problem, now)
        else:
            with pool.writing() as connection:
                connection.execute("UPDATE jobs SET state = 'done', last_error = NULL WHERE id = ?", (job.id,))
    return tried


def dead_jobs(connection: sqlite3.Connection) -> list[tuple[int, str, str]]:
    """(id, kind, last error) of the jobs that were given up, oldest first."""
    rows = connection.execute("SELECT id, kind, last_error FROM jobs WHERE state = 'dead' ORDER BY id")
    return [(row["id"], row["kind"], row["last_error"]) for row in rows]


def _lease(pool: Pool, now: int) -> Job | None:
    with pool.writing() as connection:
        row = connection.execute(
            """
            UPDATE jobs SET due_at = ?, attempts = attempts + 1
            WHERE id = (SELECT id FROM jobs WHERE state = 'waiting' AND due_at <= ? ORDER BY due_at, id LIMIT 1)
            RETURNING id, kind, payload, attempts
            """,
            (now + LEASE_SECONDS, now),
        ).fetchone()
    if row is None:
        return None
    return Job(row["id"], row["kind"], json.loads(row["payload"]), row["attempts"])


def _fail(pool: Pool, job: Job, problem: Exception, now: int) -> None:
    state = "dead" if job.attempts >= MAX_ATTEMPTS else "waiting"
    with pool.writing() as connection:
        connection.execute(
            "UPDATE jobs SET state = ?, due_at = ?, last_error = ? WHERE id = ?",
            (state, now + delay_seconds(job.attempts), f"{type(problem).__name__}: {problem}", job.id),
        )
