"""Times of the wire (ISO 8601, UTC) as people read them. Takes `now_ms`, reads no clock.

A time that cannot be read is shown as it came: showing a memory must not fail because of its date.
"""

from datetime import UTC, datetime

from memofs.cli.terminal_text import neutral_line

__all__ = ["ago", "dated", "day", "minute", "parse_ms"]

_STEPS = ((60, "second"), (60, "minute"), (24, "hour"), (7, "day"), (4.348, "week"), (12, "month"))


def day(iso: str) -> str:
    """The UTC date: `2026-11-17`."""
    when = _parse(iso)
    return neutral_line(iso) if when is None else when.strftime("%Y-%m-%d")


def minute(iso: str) -> str:
    """The UTC date and minute: `2026-11-17 09:30Z`."""
    when = _parse(iso)
    return neutral_line(iso) if when is None else when.strftime("%Y-%m-%d %H:%MZ")


def dated(iso: str, now_ms: int) -> str:
    """Date and distance: `2026-11-17 (3 weeks ago)`."""
    distance = ago(iso, now_ms)
    return f"{day(iso)} ({distance})" if distance else day(iso)


def ago(iso: str, now_ms: int) -> str:
    """The distance from `now_ms`: `3 weeks ago`, `in 2 days`, `just now`; empty for an unreadable time."""
    when = _parse(iso)
    if when is None:
        return ""
    seconds = now_ms / 1000 - when.timestamp()
    size, unit = abs(seconds), "year"
    for step, name in _STEPS:
        if size < step:
            unit = name
            break
        size /= step
    count = int(size)
    if unit == "second":
        return "just now"
    text = f"{count} {unit}{'' if count == 1 else 's'}"
    return f"{text} ago" if seconds > 0 else f"in {text}"


def parse_ms(iso: str) -> int | None:
    """Milliseconds since the epoch, None for what is no time."""
    when = _parse(iso)
    return None if when is None else round(when.timestamp() * 1000)


def _parse(iso: str) -> datetime | None:
    try:
        when = datetime.fromisoformat(iso)
    except ValueError:
        return None
    return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
