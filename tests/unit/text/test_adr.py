from datetime import UTC, datetime

import pytest

from memofs.text.adr import NotARecord, Record, parse

NYGARD = """# 7. Keep sessions in Redis

Date: 2021-03-04

## Status

Accepted

## Context

Two nodes share the sessions of one user.

## Decision

Sessions live in Redis.

## Consequences

One more service to run.
"""

MADR_2 = """# Serve images from a bucket

* Status: accepted
* Deciders: Ann, Bo
* Date: 2020-11-30

Technical Story: #12

## Context and Problem Statement

Images fill the disk.

## Considered Options

* A bucket
* A bigger disk

## Decision Outcome

Chosen option: "A bucket".
"""

MADR_4 = """---
status: "proposed"
date: 2024-02-29
decision-makers: [Ann, Bo]
consulted: Cy
tags: [queue, "Message Broker"]
---

# Use NATS for events

## Context and Problem Statement

Polling is slow.
"""

TABLE = """# ADR-0021: Sign the artifacts

| Status | Accepted |
| ------ | -------- |
| Date | 5 May 2022 |
| Tags | security, release |

## Context

Anyone can replace a download.
"""


def day_ms(year: int, month: int, day: int) -> int:
    return int(datetime(year, month, day, tzinfo=UTC).timestamp() * 1000)


def record(text: str, path: str = "docs/adr/0007-x.md") -> Record:
    found = parse(path, text)
    assert isinstance(found, Record), found
    return found


def reason(text: str, path: str = "docs/adr/0007-x.md") -> str:
    found = parse(path, text)
    assert isinstance(found, NotARecord), found
    return found.reason


def test_nygard() -> None:
    found = record(NYGARD)
    assert (found.number, found.title, found.status, found.date_ms) == (
        7,
        "Keep sessions in Redis",
        "accepted",
        day_ms(2021, 3, 4),
    )
    assert found.body.startswith("Date: 2021-03-04\n\n## Status")
    assert found.body.endswith("One more service to run.")
    assert "Keep sessions" not in found.body
    assert found.links == ()
    assert found.problems == ()


def test_madr_with_bullets() -> None:
    found = record(MADR_2, "docs/decisions/serve-images.md")
    assert (found.number, found.title, found.status) == (None, "Serve images from a bucket", "accepted")
    assert found.date_ms == day_ms(2020, 11, 30)


def test_madr_with_front_matter_keeps_what_it_says_in_words() -> None:
    found = record(MADR_4)
    assert (found.title, found.status, found.date_ms) == ("Use NATS for events", "proposed", day_ms(2024, 2, 29))
    assert found.tags == ("queue", "message-broker")
    assert found.body.startswith("- Decision makers: Ann, Bo\n- Consulted: Cy\n\n## Context")


def test_table() -> None:
    found = record(TABLE, "adr/ADR-0021-sign.md")
    assert (found.number, found.title, found.status) == (21, "Sign the artifacts", "accepted")
    assert found.date_ms == day_ms(2022, 5, 5)
    assert found.tags == ("security", "release")


@pytest.mark.parametrize(
    "text",
    [
        "# X\n\n- **Status:** Accepted\n",
        "# X\n\n**Status**: Accepted\n",
        "# X\n\n> Status: Accepted\n",
        "# X\n\nStatus:\n\n- Accepted\n",
        "# X\n\n**Status**\n\nAccepted\n",
        "# X\n\n## Status: Accepted\n\nSince May.\n",
        "# X\n\n## 1. Status\n\nAccepted\n",
        "X\n=\n\nStatus\n------\n\nAccepted\n",
        "# X\n\n# Status\n\nAccepted\n",
        "# X\n\n## X\n\n* Status: Accepted\n\n### Context\n\nc\n",
        "# X\n\n## Metadata\n\n- Status: Accepted\n\n## Context\n\nc\n",
        "# X\n\n## Context\n\nc\n\n## Status\n\nAccepted\n",
        "---\nState: Accepted\n---\n# X\n\ntext\n",
        "# X\n\n## Status\n\n- [ ] Proposed\n- [x] Accepted\n",
        "# X\n\n## Status\n\n~~Proposed~~ Accepted\n",
        "# X\n\n## Status\n\n<!-- one of: Proposed, Accepted -->\nAccepted\n",
        "# [Accepted] X\n\ntext\n",
    ],
)
def test_places_where_the_status_stands(text: str) -> None:
    found = record(text)
    assert (found.title, found.status) == ("X", "accepted")


def test_status_deep_in_the_matter_is_not_the_records() -> None:
    found = record("# X\n\n## Context\n\nc\n\n### Status\n\nRejected requests are counted.\n")
    assert found.status == "unknown"


def test_a_heading_in_a_code_block_is_code() -> None:
    found = record("```md\n# Not the title\n\n## Status\n\nRejected\n```\n\n# Title\n\n## Status\n\nAccepted\n")
    assert (found.title, found.status) == ("Title", "accepted")
    assert found.body.startswith("```md\n# Not the title")


@pytest.mark.parametrize(
    ("path", "heading", "title", "number"),
    [
        ("0007-a.md", "# 7. A b", "A b", 7),
        ("0007-a.md", "# 7 A b", "A b", 7),
        ("0007-a.md", "# 007: A b", "A b", 7),
        ("0007-a.md", "#7. A b", "A b", 7),
        ("0007-a.md", "# 3. Copied number", "Copied number", 7),
        ("0007-a.md", "# 3 ways to deploy", "3 ways to deploy", 7),
        ("0007-a.md", "# ADR-0007 – A b", "A b", 7),
        ("0007-a.md", "# [ADR 7] A b", "A b", 7),
        ("0007-a.md", "# ADR: A b", "A b", 7),
        ("0007-a.md", "# Architecture Decision Record 7: A b", "A b", 7),
        ("0007-a.md", "# ADR 7\n\n## A b", "A b", 7),
        ("0007-a.md", "# ~~7. A b~~", "A b", 7),
        ("0007-a.md", "# Use `a`, [b](https://b.example) and **c**", "Use a, b and c", 7),
        ("0007-a.md", "# 2.0 migration", "2.0 migration", 7),
        ("0007-a.md", "# Decision making in teams", "Decision making in teams", 7),
        ("use-a.md", "# ADR-0012: A b", "A b", 12),
        ("adr_9.md", "# A b", "A b", 9),
        ("DB-003-a.md", "# A b", "A b", 3),
        ("2023-06-26-chat.md", "# A b", "A b", None),
        ("20230626-chat.md", "# A b", "A b", None),
        ("0012-keep-it/README.md", "# A b", "A b", 12),
        ("0012-no-heading-at-all.md", "", "No heading at all", 12),
        ("2023-06-26-no-heading.md", "## Context", "No heading", None),
    ],
)
def test_title_and_number(path: str, heading: str, title: str, number: int | None) -> None:
    found = record(f"{heading}\n\n- Status: accepted\n\n## Decision\n\nd\n", f"docs/adr/{path}")
    assert (found.title, found.number) == (title, number)


def test_title_in_front_matter_only() -> None:
    found = record('---\ntitle: "ADR-4: Use a queue"\n---\n\n## Context\n\nc\n', "docs/adr/queue.md")
    assert (found.title, found.number, found.body) == ("Use a queue", 4, "## Context\n\nc")


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("# X\n\nDate: 28/03/2018\n\nt", (2018, 3, 28)),
        ("# X\n\nDate 11/14/2024\n\nt", (2024, 11, 14)),
        ("# X\n\n* Date: 2022-10-05 (Updated 2023-07-12)\n\nt", (2022, 10, 5)),
        ("# X\n\n* **Last Modified:** November 26, 2024\n\nt", (2024, 11, 26)),
        ("# X\n\n## Changelog\n\n- 2021-07-21: revised\n- 2021-06-09: first draft\n\n## Context\n\nc", (2021, 6, 9)),
        ("# X\n\n## Changelog\n\n### November 2nd 2018\n\n- first\n\n## Context\n\nc", (2018, 11, 2)),
        ("# X\n\n## Status\n\nAccepted 3 Jan 2020\n\n## Context\n\n2001-01-01", (2020, 1, 3)),
        ("# X\n\n## Date\n\n2020-02-02\n", (2020, 2, 2)),
        ("---\ncreated: 2019-08-01\n---\n# X\n\nt", (2019, 8, 1)),
        ("# X\n\n## Context\n\nSince 2015-05-05 it is slow.", None),
        ("# X\n\nDate: soon\n\nt", None),
        ("# X\n\nDate: 2021-13-45\n\nt", None),
    ],
)
def test_date(text: str, date: tuple[int, int, int] | None) -> None:
    assert record(text).date_ms == (day_ms(*date) if date else None)


def test_date_of_the_file_name_comes_before_the_last_change() -> None:
    text = "# X\n\n* Last updated: 2024-01-01\n\nt"
    assert record(text, "adr/2023-06-26-x.md").date_ms == day_ms(2023, 6, 26)


@pytest.mark.parametrize(
    ("line", "tags"),
    [
        ("* Tags: Open Source, wiki", ("open-source", "wiki")),
        ("* Tags: docs:adr topic:comms", ("docs:adr", "topic:comms")),
        ("* Tags: topic: comms", ("topic:comms",)),
        ("* Tags: #a #b #a", ("a", "b")),
        ("* Tags: none", ()),
        ("* Tags:", ()),
    ],
)
def test_tags(line: str, tags: tuple[str, ...]) -> None:
    assert record(f"# X\n\n* Status: accepted\n{line}\n\nt").tags == tags


@pytest.mark.parametrize(
    ("text", "path", "why"),
    [
        ("", "adr/0001-x.md", "empty"),
        (" \n\n\t\n", "adr/0001-x.md", "empty"),
        ("\ufeff\r\n", "adr/0001-x.md", "empty"),
        ("# 1. X\n\n\0\1\2", "adr/0001-x.md", "binary"),
        ("# Only a heading\n", "adr/0001-x.md", "nothing below"),
        ("# Decisions\n\n* [1](0001-x.md)\n", "adr/README.md", "README"),
        ("# Decisions\n\n* [1](0001-x.md)\n", "adr/index.md", "index"),
        ("# T\n\n## Status\n\nAccepted\n", "adr/template.md", "template"),
        ("# T\n\n## Status\n\nAccepted\n", "adr/0000-adr-template.md", "template"),
        ("# T\n\n## Status\n\nAccepted\n", "adr/adr-template-minimal.md", "template"),
        ("# {short title}\n\n## Status\n\n{proposed | accepted}\n", "adr/0009-new.md", "template"),
        ("# [short title of the problem]\n\n* Status: [proposed | rejected]\n", "adr/0009-new.md", "template"),
        ("# NUMBER. TITLE\n\nDate: DATE\n\n## Status\n\nSTATUS\n", "adr/0009-new.md", "template"),
        ("# Glossary\n\n## Terms\n\nNode: a machine.\n", "adr/glossary.md", "no number"),
    ],
)
def test_not_a_record(text: str, path: str, why: str) -> None:
    assert why in reason(text, path)


@pytest.mark.parametrize("path", ["adr/0012-use-email-templates.md", "adr/0001-record-architecture-decisions.md"])
def test_names_that_only_look_like_templates(path: str) -> None:
    assert record("# 1. Y\n\n## Status\n\nAccepted\n", path).title == "Y"


def test_windows_line_ends_and_byte_order_mark() -> None:
    assert record("\ufeff" + NYGARD.replace("\n", "\r\n")) == record(NYGARD)


def test_malformed_front_matter_is_read_as_far_as_it_goes() -> None:
    found = record("---\ntitle: Use this: or that\nstatus: accepted\ntags: [a\n---\n# H\n\nt\n")
    assert (found.title, found.status, found.body) == ("H", "accepted", "t")
    assert len(found.problems) == 1
    assert "front matter" in found.problems[0]


def test_front_matter_that_is_never_closed_is_text() -> None:
    found = record("---\nstatus: accepted\n\n# H\n\ntext\n")
    assert found.title == "H"
    assert "status: accepted" in found.body
    assert "never closed" in found.problems[0]


def test_rulers_are_no_front_matter() -> None:
    found = record("---\nSome words\n---\n\n# H\n\ntext\n")
    assert (found.title, found.problems) == ("H", ())
    assert "Some words" in found.body


def test_comments_above_the_title_are_dropped_other_text_stays() -> None:
    assert record("<!-- lint off -->\n# H\n\ntext\n").body == "text"
    assert record("<!-- lint\noff -->\n\n# H\n\ntext\n").body == "text"
    assert record("[back](README.md)\n\n# H\n\ntext\n").body == "[back](README.md)\n\n\ntext"


def test_a_megabyte() -> None:
    found = record(NYGARD + "\n" + "All work and no play.\n" * 50_000)
    assert len(found.body) > 1_000_000
    assert found.title == "Keep sessions in Redis"


@pytest.mark.parametrize("heading", ["# ~~Old way~~", "# Old way (superseded)"])
def test_a_title_that_says_it_is_over(heading: str) -> None:
    found = record(f"{heading}\n\n## Status\n\nAccepted\n")
    assert (found.title, found.status) == ("Old way", "superseded")
