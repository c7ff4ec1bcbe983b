"""The dates that people write into documents, as milliseconds since the epoch (midnight UTC)."""

import re

from memofs.text.times import parse_iso

__all__ = ["all_dates_ms", "date_in_name", "first_date_ms", "without_dates"]

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"),
            ("february", "feb"),
            ("march", "mar"),
            ("april", "apr"),
            ("may",),
            ("june", "jun"),
            ("july", "jul"),
            ("august", "aug"),
            ("september", "sept", "sep"),
            ("october", "oct"),
            ("november", "nov"),
            ("december", "dec"),
        ),
        start=1,
    )
    for name in names
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"""
    (?<![\w/.-])(?:
        (?P<year>\d{{4}})[-/.]\s?(?P<month>\d{{1,2}})[-/.]\s?(?P<day>\d{{1,2}})(?!\d)
            (?:[T ]\d{{2}}:\d{{2}}(?::\d{{2}}(?:\.\d{{1,9}})?)?(?:\s?(?:Z|[+-]\d{{2}}:?\d{{2}}))?)?
      | (?P<one>\d{{1,2}})(?P<mark>[-/.])(?P<two>\d{{1,2}})(?P=mark)(?P<short>\d{{4}}|(?<=/)\d{{2}})(?![\d/.-]*\d)
      | (?P<day_before>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?[\s-]+
            (?P<name_after>{_MONTH})\.?,?[\s-]+(?P<year_after>\d{{4}})\b
      | (?P<name_first>{_MONTH})\.?\s+(?P<day_then>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year_last>\d{{4}})\b
      | (?P<name_only>{_MONTH})\.?,?\s+(?P<name_year>\d{{4}})\b
      | (?P<only_year>\d{{4}})[-/](?P<only_month>\d{{2}})(?!\d)
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_NAME = re.compile(r"(?<!\d)(\d{4})[-_]?(\d{2})(?:[-_]?(\d{2}))?(?=[-_. ]|$)")

FIRST_YEAR, LAST_YEAR = 1970, 2199


def first_date_ms(text: str) -> int | None:
    """The first date in the text, if it holds one.

    A date of two numbers and a year is read as day, month, year, unless only the other way makes a date. A month
    without a day is its first day.
    """
    return next(iter(all_dates_ms(text)), None)


def all_dates_ms(text: str) -> tuple[int, ...]:
    """All dates in the text, in order."""
    return tuple(date for match in _DATE.finditer(text) if (date := _date_ms(match)) is not None)


def without_dates(text: str) -> str:
    """The text with its dates blanked out, so that what is left of numbers are numbers."""
    return _DATE.sub(" ", text)


def date_in_name(stem: str) -> int | None:
    """The date that a file's name begins with (`2023-06-26-chat`, `2023-06-chat`, `20230626-chat`), if it does."""
    match = _NAME.match(stem)
    if not match or (match[3] is None and not stem[4:5].strip("0123456789")):
        return None
    return _ms(int(match[1]), int(match[2]), int(match[3] or 1))


def _date_ms(match: re.Match[str]) -> int | None:
    part = match.groupdict()
    if part["year"]:
        midnight = _ms(int(part["year"]), int(part["month"]), int(part["day"]))
        exact = parse_iso(match[0])
        return exact if midnight is not None and exact is not None else midnight
    if part["one"]:
        year = int(part["short"]) + (2000 if len(part["short"]) == 2 else 0)
        one, two = int(part["one"]), int(part["two"])
        day_first = _ms(year, two, one)
        return day_first if day_first is not None else _ms(year, one, two)
    if part["name_after"]:
        return _ms(int(part["year_after"]), _MONTHS[part["name_after"].lower()], int(part["day_before"]))
    if part["name_first"]:
        return _ms(int(part["year_last"]), _MONTHS[part["name_first"].lower()], int(part["day_then"]))
    if part["name_only"]:
        return _ms(int(part["name_year"]), _MONTHS[part["name_only"].lower()], 1)
    return _ms(int(part["only_year"]), int(part["only_month"]), 1)


def _ms(year: int, month: int, day: int) -> int | None:
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    return parse_iso(f"{year:04}-{month:02}-{day:02}")
