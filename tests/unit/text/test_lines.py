import pytest

from memofs.text.lines import line_index, line_span, offset_at, position_at

TEXT = "ab\ncd\r\n\rx\u2028y"


def test_lines_end_where_editors_end_them() -> None:
    index = line_index(TEXT)
    assert [TEXT[slice(*line_span(index, line))] for line in range(len(index.starts))] == ["ab", "cd", "", "x\u2028y"]


@pytest.mark.parametrize(("text", "count"), [("", 1), ("a", 1), ("a\n", 2), ("\r\n", 2), ("\r\r", 3), ("\n\r", 3)])
def test_count(text: str, count: int) -> None:
    assert len(line_index(text).starts) == count


@pytest.mark.parametrize(
    ("offset", "position"),
    [(0, (0, 0)), (2, (0, 2)), (3, (1, 0)), (5, (1, 2)), (6, (1, 2)), (7, (2, 0)), (8, (3, 0)), (99, (3, 3))],
)
def test_position(offset: int, position: tuple[int, int]) -> None:
    assert position_at(line_index(TEXT), offset) == position


@pytest.mark.parametrize(
    ("line", "column", "offset"), [(0, 1, 1), (0, 9, 2), (1, 2, 5), (1, 3, 5), (3, 1, 9), (9, 0, 11), (0, -1, 0)]
)
def test_offset(line: int, column: int, offset: int) -> None:
    assert offset_at(line_index(TEXT), line, column) == offset


@pytest.mark.parametrize("line", [-1, 4])
def test_no_such_line(line: int) -> None:
    with pytest.raises(IndexError):
        line_span(line_index(TEXT), line)
