"""Weighted token multisets."""

import pytest

from memofs.anchors.tokens import EMPTY, bag, dice, joined, token_spans


def test_words_weigh_more_than_their_parts_and_signs() -> None:
    found = bag("userName = 1;")
    assert found.weights == {"userName": 1.0, "~user": 0.5, "~name": 0.5, "=": 0.25, "1": 1.0, ";": 0.25}
    assert found.total == pytest.approx(3.5)


def test_blanks_do_not_count() -> None:
    assert bag("a  +\n\tb") == bag("a+b")


def test_spellings_of_one_name_meet_in_their_parts() -> None:
    assert dice(bag("user_name"), bag("userName")) == pytest.approx(0.5)
    assert dice(bag("user_name"), bag("account")) == 0.0


@pytest.mark.parametrize(("first", "second", "expected"), [("", "", 0.0), ("a", "", 0.0), ("a b", "a b", 1.0)])
def test_dice_at_its_ends(first: str, second: str, expected: float) -> None:
    assert dice(bag(first), bag(second)) == pytest.approx(expected)


def test_dice_counts_repetitions() -> None:
    assert dice(bag("a a a"), bag("a")) == pytest.approx(0.5)
    assert dice(bag("a a a"), bag("a")) == dice(bag("a"), bag("a a a"))


def test_joined_is_the_bag_of_both() -> None:
    both = joined(bag("a b"), bag("b;"))
    assert both == bag("a b b;")
    assert joined(EMPTY, bag("a")) == bag("a")


def test_token_spans_say_where_tokens_are() -> None:
    assert list(token_spans("x = y2", 2, 6)) == [("=", 2), ("y2", 4)]
