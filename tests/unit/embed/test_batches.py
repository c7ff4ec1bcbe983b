from hypothesis import given
from hypothesis import strategies as st

from memofs.embed.batches import by_length


@given(st.lists(st.integers(0, 300), max_size=60), st.integers(1, 9), st.integers(1, 600))
def test_batches_cover_every_text_once_within_the_limits(lengths: list[int], most: int, tokens: int) -> None:
    batches = list(by_length(lengths, most, tokens))
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    for batch in batches:
        padded = len(batch) * max(lengths[index] for index in batch)
        assert len(batch) <= most
        assert padded <= tokens or len(batch) == 1
    in_order = [lengths[index] for batch in batches for index in batch]
    assert in_order == sorted(in_order)


def test_long_texts_go_in_smaller_batches_than_short_ones() -> None:
    assert list(by_length([256, 60, 256, 60, 256])) == [[1, 3], [0, 2], [4]]
    assert [len(batch) for batch in by_length([10] * 20)] == [8, 8, 4]
