"""Times as people read them."""

from datetime import UTC, datetime

import pytest

from memofs.cli.dates import ago, dated, day, minute

NOW_MS = int(datetime(2026, 12, 8, 12, 0, tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("iso", "words"),
    [
        ("2026-12-08T11:59:40Z", "just now"),
        ("2026-12-08T12:00:30Z", "just now"),
        ("2026-12-08T11:59:00Z", "1 minute ago"),
        ("2026-12-08T09:30:00Z", "2 hours ago"),
        ("2026-12-07T12:00:00Z", "1 day ago"),
        ("2026-12-01T11:00:00Z", "1 week ago"),
        ("2026-11-17T09:30:00Z", "3 weeks ago"),
        ("2026-06-08T12:00:00Z", "6 months ago"),
        ("2025-12-01T12:00:00Z", "1 year ago"),
        ("1999-12-31T00:00:00Z", "26 years ago"),
        ("2026-12-11T12:30:00Z", "in 3 days"),
        ("2026-12-08T13:30:00+01:00", "in 30 minutes"),
        ("2026-12-08T09:30:00", "2 hours ago"),
        ("yesterday", ""),
    ],
)
def test_ago(iso: str, words: str) -> None:
    assert ago(iso, NOW_MS) == words


def test_dates_are_of_utc() -> None:
    assert day("2026-11-17T01:30:00+02:00") == "2026-11-16"
    assert minute("2026-11-17T09:30:59.123Z") == "2026-11-17 09:30Z"
    assert dated("2026-11-17T09:30:00Z", NOW_MS) == "2026-11-17 (3 weeks ago)"


def test_an_unreadable_time_is_shown_as_it_came() -> None:
    assert day("soon\x1b[2J") == "soon<U+001B>[2J"
    assert minute("soon") == "soon"
    assert dated("soon", NOW_MS) == "soon"
