"""Booking a berth: search, hold, confirm, cancel, and forgetting guests in time.

Every function takes a connection and the time. Those that write expect to be inside `Pool.writing`, so that a
booking and what follows from it (its nights, its mail job) are one transaction. No function here checks whether a
berth is free before it takes it: the primary key of `nights` does that, and it cannot be raced.
"""

from __future__ import annotations

import secrets
import sqlite3
from dataclasses import dataclass
from datetime import date, timedelta

from quayside import jobs
from quayside.stay import Stay
from quayside.tariff import Tariff, price_cents

HOLD_MINUTES = 15
"""The time a guest has to fill in the form; the card terminal's own timeout is 10 minutes."""

BERTH_MARGIN_CM = 50
"""The insurers ask for half a metre of free length, fenders included."""

GUEST_DAYS = 400
"""A guest's name and mail address are deleted this many days after departure."""


@dataclass(frozen=True)
class Offer:
    berth_id: str
    name: str
    length_cm: int
    price_cents: int


@dataclass(frozen=True)
class Booking:
    id: str
    berth_id: str
    arrive: date
    depart: date
    status: str
    price_cents: int
    guest_mail: str | None
    expires_at: int | None


class BerthTaken(Exception):
    """Somebody else has one of the nights. The guest is shown the other free berths."""


class UnsuitableBerth(Exception):
    """There is no such berth, or the boat and its margin do not fit it."""


class UnknownBooking(Exception):
    """There is no booking with this id, or it is over."""


def add_berth(connection: sqlite3.Connection, name: str, length_cm: int, depth_cm: int) -> str:
    """The id of a new berth."""
    berth_id = secrets.token_hex(4)
    connection.execute("INSERT INTO berths VALUES (?, ?, ?, ?)", (berth_id, name, length_cm, depth_cm))
    return berth_id


def free_berths(
    connection: sqlite3.Connection, tariff: Tariff, stay: Stay, boat_length_cm: int, draught_cm: int
) -> list[Offer]:
    """Berths that fit and are free on every night, the shortest first so that long berths stay free for long boats."""
    rows = connection.execute(
        """
        SELECT id, name, length_cm FROM berths
        WHERE length_cm >= ? AND depth_cm > ?
          AND NOT EXISTS (
              SELECT 1 FROM nights WHERE berth_id = berths.id AND night >= ? AND night < ?
          )
        ORDER BY length_cm, name
        """,
        (boat_length_cm + BERTH_MARGIN_CM, draught_cm, stay.arrive.isoformat(), stay.depart.isoformat()),
    )
    price = price_cents(tariff, stay, boat_length_cm)
    return [Offer(row["id"], row["name"], row["length_cm"], price) for row in rows]


def hold(
    connection: sqlite3.Connection, tariff: Tariff, berth_id: str, stay: Stay, boat_length_cm: int, now: int
) -> Booking:
    """Take a berth for `HOLD_MINUTES`. The price is fixed here and does not change until the stay is over."""
    berth = connection.execute("SELECT length_cm FROM berths WHERE id = ?", (berth_id,)).fetchone()
    if berth is None or berth["length_cm"] < boat_length_cm + BERTH_MARGIN_CM:
        raise UnsuitableBerth(berth_id)
    # 64 random bits: a guest has no account, and whoever knows the id may confirm the booking.
    booking_id = secrets.token_hex(8)
    connection.execute(
        """
        INSERT INTO bookings (id, berth_id, arrive, depart, boat_length_cm, price_cents, status, created_at, expires_at)
        VALUES (?, ?, ?, ?, ?, ?, 'held', ?, ?)
        """,
        (
            booking_id,
            berth_id,
            stay.arrive.isoformat(),
            stay.depart.isoformat(),
            boat_length_cm,
            price_cents(tariff, stay, boat_length_cm),
            now,
            now + HOLD_MINUTES * 60,
        ),
    )
    try:
        connection.executemany(
            "INSERT INTO nights VALUES (?, ?, ?)",
            [(berth_id, night.isoformat(), booking_id) for night in stay.nights()],
        )
    except sqlite3.IntegrityError:
        raise BerthTaken(berth_id) from None
    return find(connection, booking_id)


def find(connection: sqlite3.Connection, booking_id: str) -> Booking:
    row = connection.execute("SELECT * FROM bookings WHERE id = ?", (booking_id,)).fetchone()
    if row is None:
        raise UnknownBooking(booking_id)
    return Booking(
        id=row["id"],
        berth_id=row["berth_id"],
        arrive=date.fromisoformat(row["arrive"]),
        depart=date.fromisoformat(row["depart"]),
        status=row["status"],
        price_cents=row["price_cents"],
        guest_mail=row["guest_mail"],
        expires_at=row["expires_at"],
    )


def confirm(connection: sqlite3.Connection, booking_id: str, guest_name: str, guest_mail: str, now: int) -> Booking:
    """Turn a hold that has not run out into a booking, and ask for its mail. Confirming twice changes nothing."""
    booking = find(connection, booking_id)
    if booking.status == "confirmed":
        return booking
    if booking.status != "held" or (booking.expires_at or 0) <= now:
        raise UnknownBooking(booking_id)
    connection.execute(
        "UPDATE bookings SET status = 'confirmed', guest_name = ?, guest_mail = ?, expires_at = NULL WHERE id = ?",
        (guest_name, guest_mail, booking_id),
    )
    jobs.enqueue(connection, "confirmation", {"booking": booking_id}, due_at=now)
    return find(connection, booking_id)


def cancel(connection: sqlite3.Connection, booking_id: str) -> Booking:
    """Free the nights and keep the booking, because the harbour's accounts refer to it."""
    booking = find(connection, booking_id)
    if booking.status in ("held", "confirmed"):
        _end(connection, booking_id, "cancelled")
    return find(connection, booking_id)


def expire_holds(connection: sqlite3.Connection, now: int) -> int:
    """Free the nights of holds that have run out, and return how many there were."""
    rows = connection.execute("SELECT id FROM bookings WHERE status = 'held' AND expires_at <= ?", (now,)).fetchall()
    for row in rows:
        _end(connection, row["id"], "expired")
    return len(rows)


def forget_guests(connection: sqlite3.Connection, today: date, now: int) -> int:
    """Delete names and addresses `GUEST_DAYS` after departure. Nights and prices stay: the statistics need them."""
    limit = (today - timedelta(days=GUEST_DAYS)).isoformat()
    return connection.execute(
        """
        UPDATE bookings SET guest_name = NULL, guest_mail = NULL, forgotten_at = ?
        WHERE depart < ? AND forgotten_at IS NULL
        """,
        (now, limit),
    ).rowcount


def _end(connection: sqlite3.Connection, booking_id: str, status: str) -> None:
    connection.execute("DELETE FROM nights WHERE booking_id = ?", (booking_id,))
    connection.execute("UPDATE bookings SET status = ?, expires_at = NULL WHERE id = ?", (status, booking_id))
