"""Harbours, the tenants: who they are (registry.db) and where their bookings are (one SQLite file each).

A harbour's data never shares a file with another's. Backing one up, moving it to another machine or handing it over
at the end of a contract is copying a file, and no query can forget a `WHERE harbour = ?`.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from pathlib import Path

from quayside.migrations import migrate
from quayside.stay import zone_of
from quayside.store import Pool
from quayside.tariff import Tariff, tariff_from_json, tariff_to_json

SLUG = re.compile(r"[a-z][a-z0-9-]{1,30}[a-z0-9]")
"""A slug is part of a file name and of a host name: nothing that either of them would have to escape."""

MAX_OPEN_POOLS = 32
"""Four connections each, three files a connection in WAL mode: this stays well under 1,024 open files."""


class UnknownHarbour(Exception):
    """There is no harbour of that name."""


@dataclass(frozen=True)
class Harbour:
    """What the service has to know of a tenant before it opens its file."""

    slug: str
    name: str
    zone: str
    tariff: Tariff
    requests_per_minute: int = 120
    tokens_valid_from: int = 0
    """Tokens issued before this instant are refused: the harbour's "sign everybody out" button."""


class Harbours:
    """The registry and the open files of the most recently used harbours. Safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        self._files = folder / "harbours"
        self._files.mkdir(parents=True, exist_ok=True)
        self._registry = Pool(folder / "registry.db")
        self._open: OrderedDict[str, Pool] = OrderedDict()
        self._lock = threading.Lock()
        with self._registry.writing() as connection:
            connection.execute(
                """
                CREATE TABLE IF NOT EXISTS harbours (
                    slug TEXT PRIMARY KEY,
                    name TEXT NOT NULL,
                    zone TEXT NOT NULL,
                    tariff TEXT NOT NULL,
                    requests_per_minute INTEGER NOT NULL,
                    tokens_valid_from INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID
                """
            )

    def put(self, harbour: Harbour) -> None:
        """Add a harbour, or change everything but its slug."""
        if not SLUG.fullmatch(harbour.slug):
            raise ValueError(f"{harbour.slug!r} is no slug: 3 to 32 of a-z, 0-9 and -, beginning with a letter")
        if harbour.requests_per_minute < 1:
            raise ValueError("a harbour needs at least one request a minute")
        zone_of(harbour.zone)  # raises for a name that no later request could use
        with self._registry.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO harbours VALUES (?, ?, ?, ?, ?, ?)",
                (
                    harbour.slug,
                    harbour.name,
                    harbour.zone,
                    tariff_to_json(harbour.tariff),
                    harbour.requests_per_minute,
                    harbour.tokens_valid_from,
                ),
            )

    def get(self, slug: str) -> Harbour:
        with self._registry.reading() as connection:
            row = connection.execute("SELECT * FROM harbours WHERE slug = ?", (slug,)).fetchone()
        if row is None:
            raise UnknownHarbour(f"there is no harbour {slug!r}")
        return Harbour(
            slug=row["slug"],
            name=row["name"],
            zone=row["zone"],
            tariff=tariff_from_json(row["tariff"]),
            requests_per_minute=row["requests_per_minute"],
            tokens_valid_from=row["tokens_valid_from"],
        )

    def slugs(self) -> list[str]:
        with self._registry.reading() as connection:
            return [row["slug"] for row in connection.execute("SELECT slug FROM harbours ORDER BY slug")]

    def sign_everybody_out(self, slug: str, now: int) -> None:
        """Refuse every token that was issued before now. The one revocation that stateless tokens allow."""
        self.put(replace(self.get(slug), tokens_valid_from=now))

    def pool(self, slug: str) -> Pool:
        """The harbour's own file, brought up to the latest schema the first time it is opened."""
        self.get(slug)
        with self._lock:
            found = self._open.get(slug)
            if found is None:
                found = Pool(self._files / f"{slug}.db")
                with found.reading() as connection:
                    migrate(connection)
                self._open[slug] = found
            self._open.move_to_end(slug)
            if len(self._open) > MAX_OPEN_POOLS:
                _, oldest = self._open.popitem(last=False)
                oldest.close()
            return found

    def close(self) -> None:
        with self._lock:
            for pool in self._open.values():
                pool.close()
            self._open.clear()
        self._registry.close()
