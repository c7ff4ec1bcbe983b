"""Colour where it is wanted, and columns that stay columns."""

import pytest

from memofs.cli.style import Cell, ColourWhen, Style, count, marked, paint, table, wants_colour

PLAIN = Style(now_ms=0)
COLOUR = Style(now_ms=0, colour=True)


@pytest.mark.parametrize(
    ("when", "environ", "terminal", "wanted"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"TERM": "dumb"}, True, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"FORCE_COLOR": "0"}, False, False),
        ("auto", {"FORCE_COLOR": ""}, False, False),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_wants_colour(when: ColourWhen, environ: dict[str, str], terminal: bool, wanted: bool) -> None:
    assert wants_colour(when, environ, terminal=terminal) is wanted


def test_paint_colours_only_where_colour_is_on_and_neutralises_always() -> None:
    assert paint(PLAIN, "error", "no\x1b[1m") == "no<U+001B>[1m"
    assert paint(COLOUR, "error", "no") == "\x1b[1;31mno\x1b[0m"
    assert paint(COLOUR, "error", "  ") == "  "


def test_marks_are_code_points_and_survive_neutralising() -> None:
    text = "a\x1b👍 tenant"
    assert marked(PLAIN, text, [(4, 10)]) == "a<U+001B>👍 tenant"
    assert marked(COLOUR, text, [(4, 10)]) == "a<U+001B>👍 \x1b[1;33mtenant\x1b[0m"


def test_marks_that_do_not_fit_are_left_out() -> None:
    shown = marked(COLOUR, "abc", [(2, 9), (0, 2), (1, 3), (3, 3), (-1, 1)])
    assert shown == "\x1b[1;33mab\x1b[0mc"


def test_columns_align_by_cells_and_end_without_spaces() -> None:
    rows: list[list[Cell]] = [["缓存", ("7", "dim"), "x"], ["abc", "1,000", ""]]
    assert table(rows, PLAIN, right=frozenset({1})) == ["缓存      7  x", "abc   1,000"]


def test_rows_may_be_of_different_length() -> None:
    assert table([["a"], ["bb", "c"]], PLAIN, indent="  ") == ["  a", "  bb  c"]
    assert table([], PLAIN) == []


def test_colour_does_not_move_columns() -> None:
    rows: list[list[Cell]] = [[("a", "id"), ("1", "dim"), "x"], [("bbb", "id"), ("22", "dim"), "y"]]
    coloured = table(rows, COLOUR, right=frozenset({1}))
    plain = table(rows, PLAIN, right=frozenset({1}))
    assert [_without_colour(line) for line in coloured] == plain


def test_only_a_terminal_that_asks_for_it_cuts_the_last_column() -> None:
    narrow = Style(now_ms=0, width=24)
    row: list[list[Cell]] = [["id", "a title that is longer than this terminal is wide"]]
    assert table(row, narrow, fit=True) == ["id  a title that is lon…"]
    assert table(row, narrow) == table(row, PLAIN, fit=True) == [f"id  {row[0][1]}"]


def test_count() -> None:
    assert [count(1, "memory", "memories"), count(1627, "memory", "memories"), count(0, "file")] == [
        "1 memory",
        "1,627 memories",
        "0 files",
    ]


def _without_colour(line: str) -> str:
    for code in ("\x1b[36m", "\x1b[2m", "\x1b[0m"):
        line = line.replace(code, "")
    return line
