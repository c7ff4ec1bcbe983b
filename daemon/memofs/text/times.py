"""Times as text and as milliseconds since the Unix epoch. Pure: nothing here knows what time it is."""

import re
from datetime import UTC, datetime, timedelta

__all__ = ["format_iso", "parse_iso"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_SHAPE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?\s?(?:[Zz]|[+-]\d{2}:?\d{2})?)?")


def parse_iso(text: str) -> int | None:
    """Milliseconds of an ISO 8601 date, or date and time; None if it is not one.

    No zone means UTC, no time of day means midnight. What is finer than a millisecond is dropped.
    """
    text = text.strip()
    if _SHAPE.fullmatch(text) is None:
        return None
    try:
        moment = datetime.fromisoformat(text.upper().replace(" Z", "Z"))
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return (moment - _EPOCH) // _MILLISECOND
    except (ValueError, OverflowError):
        return None


def format_iso(ms: int) -> str:
    """ISO 8601 in UTC, to the second, with milliseconds only where there are any.

    Raises OverflowError outside the years 1 to 9999.
    """
    moment = _EPOCH + ms * _MILLISECOND
    text = moment.isoformat(timespec="milliseconds" if ms % 1000 else "seconds")
    return text.removesuffix("+00:00") + "Z"
