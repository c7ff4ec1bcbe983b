"""What a stay costs, in whole cents.

No floating point and no decimals: a price is an integer number of the currency's minor unit from the tariff to the
invoice. Percentages and centimetres make fractions of a cent on the way; they are carried exactly and rounded once,
half up, for the whole stay. Rounding each night made a week cost up to 3 cents more than its invoice said.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import date

from quayside.stay import Stay


@dataclass(frozen=True)
class Season:
    """A part of the year with its own price, `first` and `last` as (month, day), both included.

    A season may run over New Year: then `first` is later in the calendar than `last`.
    """

    name: str
    first: tuple[int, int]
    last: tuple[int, int]
    percent: int

    def covers(self, night: date) -> bool:
        day = (night.month, night.day)
        if self.first <= self.last:
            return self.first <= day <= self.last
        return day >= self.first or day <= self.last


@dataclass(frozen=True)
class Tariff:
    """The price list of one harbour. Where seasons overlap the one listed first counts."""

    cents_per_metre: int
    minimum_cents: int
    seasons: tuple[Season, ...] = ()

    def percent_for(self, night: date) -> int:
        return next((season.percent for season in self.seasons if season.covers(night)), 100)


def price_cents(tariff: Tariff, stay: Stay, length_cm: int) -> int:
    """The price of a stay for a boat of `length_cm`: by length and night, never below the minimum of each night."""
    # In ten-thousandths of a cent: metres are cm / 100 and the season is percent / 100.
    exact = 0
    for night in stay.nights():
        by_length = tariff.cents_per_metre * length_cm * tariff.percent_for(night)
        exact += max(by_length, tariff.minimum_cents * 10_000)
    return (exact + 5_000) // 10_000


def tariff_to_json(tariff: Tariff) -> str:
    """The price list as one line of JSON, the form in which the registry keeps it."""
    return json.dumps(asdict(tariff), separators=(",", ":"))


def tariff_from_json(text: str) -> Tariff:
    """The inverse of `tariff_to_json`. Raises ValueError for a list that could not have come from there."""
    try:
        raw = json.loads(text)
        seasons = tuple(
            Season(
                name=str(entry["name"]),
                first=_month_day(entry["first"]),
                last=_month_day(entry["last"]),
                percent=int(entry["percent"]),
            )
            for entry in raw["seasons"]
        )
        return Tariff(int(raw["cents_per_metre"]), int(raw["minimum_cents"]), seasons)
    except (KeyError, TypeError) as problem:
        raise ValueError(f"not a tariff: {problem}") from problem


def _month_day(pair: list[int]) -> tuple[int, int]:
    month, day = pair
    date(2024, month, day)  # a leap year, so that 29 February is a valid border
    return month, day
