"""The histogram diff of lines."""

import pytest

from memofs.anchors.diff import Run, histogram, line_diff


def keys(text: str) -> list[str]:
    return text.split()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", []),
        ("a", "", []),
        ("a b c", "a b c", [(0, 0, 3)]),
        ("a b c", "a x c", [(0, 0, 1), (2, 2, 1)]),
        ("a b c", "x y a b c", [(0, 2, 3)]),
        ("a b c", "a c", [(0, 0, 1), (2, 1, 1)]),
    ],
)
def test_runs(old: str, new: str, expected: list[tuple[int, int, int]]) -> None:
    assert [(run.old, run.new, run.count) for run in histogram(keys(old), keys(new))] == expected


def test_the_rarest_run_is_the_landmark() -> None:
    # A diff that took the longest run first would keep the three braces and lose `unique`.
    old = ["f(", "{", "{", "{", "unique"]
    new = ["unique", "g(", "{", "{", "{"]
    assert histogram(old, new) == (Run(4, 0, 1),)


def test_a_blank_line_is_no_landmark() -> None:
    assert histogram(["a", "", "b"], ["c", "", "d"]) == ()
    assert histogram(["a", "", "b"], ["a", "", "d"]) == (Run(0, 0, 2),)


def test_a_line_too_frequent_is_no_landmark() -> None:
    old = ["head", *["}"] * 70, "tail"]
    new = ["other", *["}"] * 70, "end"]
    assert histogram(old, new) == ()


def test_forward_and_backward_mirror_the_runs() -> None:
    diff = line_diff(keys("a b c"), keys("b c d"))
    assert diff.runs == (Run(1, 0, 2),)
    assert diff.forward == (-1, 0, 1)
    assert diff.backward == (1, 2, -1)
