import numpy as np
import pytest
from numpy.testing import assert_allclose

from memofs.embed.pooling import (
    clamped,
    first_token,
    late_interaction,
    mean_of_tokens,
    require_finite,
    sigmoid,
    unit_rows,
)
from memofs.embed.protocol import EmbedderError

HIDDEN = np.array([[[1, 2], [3, 4], [100, 100]], [[5, 6], [7, 8], [9, 10]]], np.float32)
MASK = np.array([[1, 1, 0], [1, 1, 1]], np.int64)


def test_padding_takes_no_part_in_the_mean() -> None:
    assert_allclose(mean_of_tokens(HIDDEN, MASK), [[2, 3], [7, 8]])


def test_a_text_without_tokens_has_a_vector_of_zeros() -> None:
    none = np.zeros((1, 3), np.int64)
    assert_allclose(mean_of_tokens(HIDDEN[:1], none), [[0, 0]])
    assert_allclose(first_token(HIDDEN[:1], none), [[0, 0]])
    assert_allclose(unit_rows(np.zeros((1, 2))), [[0, 0]])


def test_the_first_token_stands_for_the_text() -> None:
    assert_allclose(first_token(HIDDEN, MASK), [[1, 2], [5, 6]])


def test_rows_become_unit_vectors_in_the_same_direction() -> None:
    rows = unit_rows(np.array([[3.0, 4.0], [0.0, -2.0]]))
    assert_allclose(rows, [[0.6, 0.8], [0, -1]])
    assert rows.dtype == np.float32


def test_late_interaction_takes_the_best_match_of_each_query_token() -> None:
    query = np.array([[1, 0], [0, 1]], np.float32)
    passage = np.array([[1, 0], [0.6, 0.8]], np.float32)
    assert late_interaction(query, passage) == pytest.approx((1 + 0.8) / 2)
    assert late_interaction(query, query) == pytest.approx(1)
    assert late_interaction(query, passage[:0]) == 0
    assert late_interaction(query[:0], passage) == 0


def test_sigmoid_reaches_its_ends_without_overflow() -> None:
    with np.errstate(all="raise"):
        assert_allclose(sigmoid(np.array([-1000, 0, 1000], np.float32)), [0, 0.5, 1])
    assert_allclose(sigmoid(np.array([1.5], np.float32)), [1 / (1 + np.exp(-1.5))], rtol=1e-6)


def test_scores_are_clamped() -> None:
    assert_allclose(clamped(np.array([-0.2, 0.4, 1.7])), [0, 0.4, 1])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_number_that_is_not_finite_is_named(bad: float) -> None:
    with pytest.raises(EmbedderError, match="the model returned a number that is not finite") as caught:
        require_finite(np.array([[0.1, bad]]), "the model")
    assert caught.value.reason == "notFinite"
    assert not caught.value.lasting
