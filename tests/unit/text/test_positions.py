import pytest

from memofs.text.positions import Encoding, from_units, spans_to_units, to_units, units

LINE = "aé漢😀z"


@pytest.mark.parametrize(
    ("encoding", "offsets"),
    [("utf-8", [0, 1, 3, 6, 10, 11]), ("utf-16", [0, 1, 2, 3, 5, 6]), ("utf-32", [0, 1, 2, 3, 4, 5])],
)
def test_offsets(encoding: Encoding, offsets: list[int]) -> None:
    assert [to_units(LINE, at, encoding) for at in range(len(LINE) + 1)] == offsets
    assert [from_units(LINE, at, encoding) for at in offsets] == list(range(len(LINE) + 1))
    assert units(LINE, encoding) == offsets[-1]


@pytest.mark.parametrize(
    ("encoding", "inside", "start"), [("utf-8", 2, 1), ("utf-8", 5, 2), ("utf-8", 9, 3), ("utf-16", 4, 3)]
)
def test_within_a_character_means_its_start(encoding: Encoding, inside: int, start: int) -> None:
    assert from_units(LINE, inside, encoding) == start


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_beyond_the_ends(encoding: Encoding) -> None:
    assert from_units(LINE, 99, encoding) == len(LINE)
    assert from_units(LINE, -1, encoding) == 0
    assert to_units(LINE, 99, encoding) == units(LINE, encoding)
    assert to_units(LINE, -1, encoding) == 0


def test_spans() -> None:
    assert spans_to_units(LINE, [(0, 2), (3, 4)], "utf-16") == ((0, 2), (3, 5))
    assert spans_to_units("ascii", [(1, 3)], "utf-8") == ((1, 3),)
