import pytest

from memofs.text.chunk import chunks


def test_short_texts() -> None:
    assert chunks("") == []
    assert chunks("short") == [(0, 5)]
    assert chunks("x" * 1_200) == [(0, 1_200)]


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("word " * 30, 100),
        ("x" * 200, 100),
        ("x" * 60 + "\n\n" + "y. z " * 20, 62),
        ("x" * 60 + "\n" + "y. z " * 20, 61),
        ("x" * 60 + ". " + "y z " * 20, 62),
        ("x" * 20 + "\n\n" + "y" * 200, 100),
    ],
)
def test_where_a_chunk_ends(text: str, end: int) -> None:
    assert chunks(text, size=100, overlap=10)[:2] == [(0, end), (end - 10, chunks(text, size=100, overlap=10)[1][1])]


@pytest.mark.parametrize(("size", "overlap"), [(10, 5), (10, 10), (10, -1), (0, 0)])
def test_an_overlap_must_leave_room(size: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="overlap"):
        chunks("text", size=size, overlap=overlap)
