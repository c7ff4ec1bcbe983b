from datetime import UTC, datetime

import pytest

from memofs.text.adr_dates import all_dates_ms, date_in_name, first_date_ms, without_dates


def iso(ms: int | None) -> str | None:
    return None if ms is None else datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2021-03-04", "2021-03-04T00:00"),
        ("2021/3/4", "2021-03-04T00:00"),
        ("2025-11- 05", "2025-11-05T00:00"),
        ("2026-11-17T09:30:00Z", "2026-11-17T09:30"),
        ("2026-11-17 09:30 +02:00", "2026-11-17T07:30"),
        ("2026-11-17T99:99:00Z", "2026-11-17T00:00"),
        ("05/02/2018", "2018-02-05T00:00"),
        ("31.12.2019", "2019-12-31T00:00"),
        ("12/16/2024", "2024-12-16T00:00"),
        ("10/04/18", "2018-04-10T00:00"),
        ("November 26, 2024", "2024-11-26T00:00"),
        ("Nov. 2nd 2018", "2018-11-02T00:00"),
        ("26 November 2024", "2024-11-26T00:00"),
        ("20-Aug-2021", "2021-08-20T00:00"),
        ("16 mar. 2021", "2021-03-16T00:00"),
        ("1st of May 2020", "2020-05-01T00:00"),
        ("May 2020", "2020-05-01T00:00"),
        ("2022-09", "2022-09-01T00:00"),
        ("29/02/2023", None),
        ("2021-02-30", None),
        ("1066-10-14", None),
        ("9.6.17", None),
        ("version 1.21.10", None),
        ("a2021-03-04", None),
        ("tomorrow", None),
        ("", None),
    ],
)
def test_first_date(text: str, found: str | None) -> None:
    assert iso(first_date_ms(text)) == found


def test_all_dates_in_order() -> None:
    assert [iso(date) for date in all_dates_ms("2022-10-05 (Updated 2023-07-12)")] == [
        "2022-10-05T00:00",
        "2023-07-12T00:00",
    ]


def test_without_dates_keeps_other_numbers() -> None:
    assert without_dates("2019-12-19 by 14").split() == ["by", "14"]


@pytest.mark.parametrize(
    ("stem", "found"),
    [
        ("2023-06-26-chat", "2023-06-26T00:00"),
        ("2023_06_26_chat", "2023-06-26T00:00"),
        ("20230626-chat", "2023-06-26T00:00"),
        ("2026-01-chat", "2026-01-01T00:00"),
        ("202601-chat", None),
        ("0001-02-chat", None),
        ("2023-chat", None),
        ("chat", None),
    ],
)
def test_date_in_name(stem: str, found: str | None) -> None:
    assert iso(date_in_name(stem)) == found
