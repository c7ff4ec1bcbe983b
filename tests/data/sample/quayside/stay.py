"""A stay in nights: the only notion of time a booking has.

Guests arrive some afternoon and leave some morning; what they take up is nights. A stay is therefore a half-open
range of dates in the harbour's own time zone: the night of the departure date is not part of it, so one boat can
leave and another arrive on the same day. Instants (when a hold runs out, when a job is due) are whole seconds since
the epoch; they meet dates in `local_date` and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

MAX_NIGHTS = 28
"""Longer stays are winter storage: another contract, another price, and not booked online."""

MAX_DAYS_AHEAD = 540
"""A season and a half. Harbours set their prices in January, so a later date has no price yet."""


class StayError(ValueError):
    """The dates cannot be booked; the message is shown to the guest as it is."""


@dataclass(frozen=True)
class Stay:
    """Arrival and departure, `arrive < depart`, at most `MAX_NIGHTS` apart. Build it with `parse_stay`."""

    arrive: date
    depart: date

    def __len__(self) -> int:
        return (self.depart - self.arrive).days

    def nights(self) -> Iterator[date]:
        """Each night, named by the date of its evening."""
        for offset in range(len(self)):
            yield self.arrive + timedelta(days=offset)


def parse_stay(arrive: str, depart: str, today: date) -> Stay:
    """A stay from two ISO dates. `today` is the harbour's date, not the server's."""
    try:
        stay = Stay(date.fromisoformat(arrive), date.fromisoformat(depart))
    except ValueError:
        raise StayError("Dates are written as 2026-07-01.") from None
    if stay.arrive < today:
        raise StayError("The arrival date has passed.")
    if stay.depart <= stay.arrive:
        raise StayError("The departure must be after the arrival.")
    if len(stay) > MAX_NIGHTS:
        raise StayError(f"At most {MAX_NIGHTS} nights can be booked at once.")
    if (stay.depart - today).days > MAX_DAYS_AHEAD:
        raise StayError("There are no prices for these dates yet.")
    return stay


def zone_of(name: str) -> tzinfo:
    """The time zone of a harbour.

    UTC works without a time zone database, because the slim containers some harbours run on ship none.
    """
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise ValueError(f"unknown time zone {name!r}: install tzdata or use UTC") from None


def local_date(now: int, zone: tzinfo) -> date:
    """The date on the harbour's wall calendar at an instant.

    Never `date.today()`: the servers run in UTC, and in summer a Norwegian harbour would go on selling yesterday's
    night until two in the morning.
    """
    return datetime.fromtimestamp(now, tz=zone).date()


def iso_instant(now: int) -> str:
    """An instant as the API writes it: `2026-07-01T12:00:00Z`."""
    return datetime.fromtimestamp(now, tz=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
