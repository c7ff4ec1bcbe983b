"""Limits for a model that nobody measured: by the cosines of titles to the other memories."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memofs.recall.calibration import (
    COSINE_TAU,
    FEWEST_TITLES,
    Calibration,
    calibration,
    is_due,
    near_cosine,
    usual_tau,
)
from memofs.recall.decide import limits


def test_three_in_a_hundred_are_nearer() -> None:
    assert near_cosine(np.linspace(0.0, 1.0, 101)) == pytest.approx(0.97)
    assert near_cosine(np.array([0.4])) == 0.4


def test_a_model_like_the_built_in_one_changes_nothing() -> None:
    found = calibration([COSINE_TAU] * FEWEST_TITLES, memories=300)
    assert found == Calibration(memories=300, tau=round(usual_tau(300), 4), cosine_tau=COSINE_TAU)
    for precision in ("strict", "balanced", "all"):
        usual = limits(precision, documents=80, words_only=False)
        assert limits(precision, documents=80, words_only=False, calibrated=found).tau == pytest.approx(
            usual.tau, abs=1e-4
        )


def test_a_model_that_calls_everything_similar_has_to_show_more() -> None:
    found = calibration([0.85] * 50, memories=100)
    assert found is not None
    assert found.cosine_tau == 0.85
    assert found.tau == pytest.approx(usual_tau(100) + 0.48 * 0.5)
    for precision in ("strict", "balanced"):
        usual = limits(precision, documents=1_000, words_only=False)
        raised = limits(precision, documents=1_000, words_only=False, calibrated=found)
        assert raised.tau - usual.tau == pytest.approx(0.24)
        assert raised.cosine_tau - usual.cosine_tau == pytest.approx(0.5)
    assert limits("all", documents=1_000, words_only=False, calibrated=found).tau == 0.0


def test_words_alone_know_no_model() -> None:
    found = calibration([0.85] * 50, memories=100)
    alone = limits("balanced", documents=100, words_only=True)
    assert limits("balanced", documents=100, words_only=True, calibrated=found).tau == alone.tau


def test_a_few_odd_titles_hardly_count() -> None:
    near = [0.30 + 0.001 * n for n in range(40)]
    plain, odd = calibration(near, memories=40), calibration([*near, 0.0, 0.01, 0.02, 0.99], memories=44)
    assert plain is not None
    assert odd is not None
    assert abs(plain.cosine_tau - odd.cosine_tau) < 0.003


def test_too_few_titles_set_no_limit() -> None:
    assert calibration([0.5] * (FEWEST_TITLES - 1), memories=1_000) is None


@given(st.lists(st.floats(-1.0, 1.0), min_size=FEWEST_TITLES, max_size=60), st.integers(1, 1_000_000))
def test_limits_are_possible_ones(near: list[float], memories: int) -> None:
    found = calibration(near, memories=memories)
    assert found is not None
    assert 0.0 <= found.cosine_tau <= 1.0
    assert 0.0 < found.tau < 1.0


@pytest.mark.parametrize(
    ("known", "memories", "due"),
    [(None, 19, False), (None, 20, True), (40, 59, False), (40, 60, True), (40, 10, False)],
)
def test_limits_are_set_once_and_again_when_the_store_has_grown(known: int | None, memories: int, *, due: bool) -> None:
    before = None if known is None else Calibration(memories=known, tau=0.4, cosine_tau=0.4)
    assert is_due(before, memories=memories) is due
