from datetime import UTC, datetime

import pytest

from memofs.text.adr import NotARecord
from memofs.text.plain_record import PlainRecord, parse


def record(text: str, path: str = "docs/how-we-deploy.md") -> PlainRecord:
    found = parse(path, text)
    assert isinstance(found, PlainRecord), found
    return found


@pytest.mark.parametrize(
    ("text", "path", "title", "body"),
    [
        ("# Deploying\n\nPush a tag.\n", "a.md", "Deploying", "Push a tag."),
        ("Deploying\n=========\n\nPush a tag.\n", "a.md", "Deploying", "Push a tag."),
        ("## Deploying `now`\n\nPush a tag.\n", "a.md", "Deploying now", "Push a tag."),
        ("Before.\n\n# Deploying\n\nPush a tag.\n", "a.md", "Deploying", "Before.\n\n# Deploying\n\nPush a tag."),
        ("Push a tag.\n", "docs/how-we-deploy.md", "How we deploy", "Push a tag."),
        ("Push a tag.\n", "deploying/README.md", "Deploying", "Push a tag."),
        ("Push a tag.\n", "README.md", "README", "Push a tag."),
        ("# 12 rules\n\nOne.\n", "0012-x.md", "12 rules", "One."),
        ("---\ntitle: Ship\n---\n# Deploying\n\nPush.\n", "a.md", "Ship", "# Deploying\n\nPush."),
        ("---\ntitle: Ship\n---\n# Ship\n\nPush.\n", "a.md", "Ship", "Push."),
        ("---\nsummary: In short\n---\n# Ship\n\nPush.\n", "a.md", "Ship", "In short\n\nPush."),
        ("```\n# not a heading\n```\n", "a-b.md", "A b", "```\n# not a heading\n```"),
        ("\ufeff# Ship\r\n\r\nPush.\r\nAgain.\r\n", "a.md", "Ship", "Push.\nAgain."),
    ],
)
def test_title_and_body(text: str, path: str, title: str, body: str) -> None:
    found = record(text, path)
    assert (found.title, found.body) == (title, body)


def test_tags_and_date_of_the_front_matter() -> None:
    found = record("---\ntags: [Ops, release notes]\ndate: 2024-05-06\n---\n# Ship\n\nPush.\n")
    assert found.tags == ("ops", "release-notes")
    assert found.date_ms == int(datetime(2024, 5, 6, tzinfo=UTC).timestamp() * 1000)


def test_date_of_the_file_name() -> None:
    assert record("Push.", "notes/2024-05-06-standup.md").date_ms == int(
        datetime(2024, 5, 6, tzinfo=UTC).timestamp() * 1000
    )
    assert record("Push.", "notes/standup.md").date_ms is None


def test_malformed_front_matter_is_told_and_the_rest_read() -> None:
    found = record("---\ntitle: a: b\ntags: [x\n---\n\nPush.\n")
    assert found.title == "a: b"
    assert found.body == "Push."
    assert len(found.problems) == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("\n \n", "empty"),
        ("# Ship\n", "nothing below"),
        ("a\0b", "binary"),
        ("---\na: b\n---\n", "nothing"),
    ],
)
def test_nothing_to_remember(text: str, why: str) -> None:
    found = parse("a.md", text)
    assert isinstance(found, NotARecord)
    assert why in found.reason
