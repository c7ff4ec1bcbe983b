import pytest

from memofs.engine.draft import (
    MOST_BODY_BYTES,
    checked_body,
    checked_kind,
    checked_labels,
    checked_title,
    title_from,
)
from memofs.model.errors import InvalidRequest


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("Use D1 for tenant metadata. Edge latency.", "Use D1 for tenant metadata"),
        ("# Use D1\n\nEdge latency", "Use D1"),
        ("\n\n- **first** point\n- second", "**first** point"),
        ("版本 v2.0 缓存必须先预热。然后部署。", "版本 v2.0 缓存必须先预热"),
        ("Pin to v2.0 of node.js always", "Pin to v2.0 of node.js always"),
        ("---\n***\nAfter the rules", "After the rules"),
        ("word " * 40, "word word word word word word word word word word word word word word word word…"),
        ("x" * 200, "x" * 80 + "…"),
        ("Really? Yes.", "Really?"),
        ("```", "Untitled"),
    ],
)
def test_title_from_body(body: str, title: str) -> None:
    assert title_from(body) == title


def test_body_is_kept_but_for_line_ends_and_blank_edges() -> None:
    assert checked_body("\r\n\n  indented\r\nline  \n\n") == "  indented\nline"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("", "emptyBody"),
        (" \n\t\n", "emptyBody"),
        ("a\0b", "notText"),
        ("\udcff", "notText"),
        ("x" * (MOST_BODY_BYTES + 1), "tooLarge"),
    ],
)
def test_bodies_that_are_none(body: str, code: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        checked_body(body)
    assert caught.value.code == code


def test_unknown_kind_names_the_kinds_and_the_nearest() -> None:
    with pytest.raises(InvalidRequest, match="decision, constraint") as caught:
        checked_kind("descision", ())
    assert caught.value.hint == "did you mean decision?"


def test_custom_kind() -> None:
    assert checked_kind("Runbook", ("runbook",)) == "runbook"


@pytest.mark.parametrize("title", ["", "  \n ", "x" * 201, "\u202e"])
def test_titles_that_are_none(title: str) -> None:
    with pytest.raises(InvalidRequest):
        checked_title(title)


def test_a_title_is_one_line_without_control_characters() -> None:
    assert checked_title("two\nlines \x1b[31mred\u202e") == "two lines [31mred"


def test_labels_are_trimmed_and_each_once() -> None:
    assert checked_labels("tags", [" a ", "b", "a", "c d"]) == ("a", "b", "c d")


@pytest.mark.parametrize("labels", [[""], ["x" * 101], [str(n) for n in range(51)]])
def test_labels_that_are_none(labels: list[str]) -> None:
    with pytest.raises(InvalidRequest):
        checked_labels("tags", labels)
