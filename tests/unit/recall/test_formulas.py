"""The formulas where the golden cases do not go: edges, arrays, and that arrays and numbers agree."""

import math

import numpy as np
import pytest

from memofs.recall.bm25 import B, bm25_raw, idf, saturate, tf_norm
from memofs.recall.confidence import confidence
from memofs.recall.cosine import cosine
from memofs.recall.decay import checked_ms, floors, is_unverified
from memofs.recall.fusion import FusionWeights, base, blend, clamp, composite, round_score
from memofs.recall.fuzzy import overlap
from memofs.recall.recency import DAY_MS, age_days, newest_ms, recency
from memofs.recall.rerank import coverage
from memofs.recall.section_search import section_score
from memofs.recall.similarity import jaccard

NUMBERS = (0.0, 0.25, 0.5, 1.0, 3.0)
VALUES = np.array(NUMBERS)
NAN = float("nan")


def test_arrays_and_numbers_agree() -> None:
    for at, value in enumerate(NUMBERS):
        assert idf(7, VALUES)[at] == pytest.approx(idf(7, value))
        assert tf_norm(VALUES, VALUES, 2.0)[at] == pytest.approx(tf_norm(value, value, 2.0))
        assert saturate(VALUES)[at] == pytest.approx(saturate(value))
        assert clamp(VALUES)[at] == clamp(value)
        assert recency(VALUES * 30)[at] == pytest.approx(recency(value * 30))
        assert confidence(VALUES)[at] == confidence(value)
        assert round_score(VALUES / 3)[at] == round_score(value / 3)
        weighed = FusionWeights(0.6, 0.4)
        fused = base(VALUES, VALUES[::-1], weighed, bonus=0.25)
        assert fused[at] == pytest.approx(base(value, NUMBERS[-1 - at], weighed, bonus=0.25))
        assert blend(VALUES, VALUES)[at] == pytest.approx(blend(value, value))
        assert composite(VALUES, VALUES, VALUES)[at] == pytest.approx(composite(value, value, value))


def test_idf_falls_with_df_and_is_never_negative() -> None:
    weights = [idf(100, df) for df in range(101)]
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] >= 0.0
    assert idf(0, 0) == pytest.approx(math.log(2.0))


def test_tf_norm_rises_to_its_bound_and_falls_with_length() -> None:
    assert tf_norm(0.0, 10.0, 10.0) == 0.0
    assert tf_norm(1.0, 10.0, 10.0) == pytest.approx(1.0)
    assert tf_norm(1e9, 10.0, 10.0) == pytest.approx(2.2)
    assert tf_norm(1.0, 20.0, 10.0) < tf_norm(1.0, 10.0, 10.0) < tf_norm(1.0, 5.0, 10.0)
    assert tf_norm(2.0, 20.0, 10.0, b=0.0) == tf_norm(2.0, 5.0, 10.0, b=0.0)
    assert tf_norm(1.0, 0.0, 0.0) == 0.0
    assert B == 0.75


def test_bm25_of_nothing() -> None:
    assert bm25_raw(["a"], []) == []
    assert bm25_raw([], [["a"]]) == [0.0]
    assert bm25_raw(["a"], [[], []]) == [0.0, 0.0]


@pytest.mark.parametrize(("score", "saturated"), [(-1.0, 0.0), (0.0, 0.0), (2.0, 0.5), (6.0, 0.75)])
def test_saturate(score: float, saturated: float) -> None:
    assert saturate(score) == saturated


@pytest.mark.parametrize(
    ("query", "document", "share"),
    [(["a"], [], 0.0), (["a"], ["a", "b"], 1.0), (["a", "c"], ["abc"], 0.25), (["x", "x", "a"], ["a"], 1 / 3)],
)
def test_overlap(query: list[str], document: list[str], share: float) -> None:
    assert overlap(query, document) == pytest.approx(share)


def test_coverage_weighs_by_what_a_word_tells() -> None:
    credits = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.5, 0.25]])
    assert coverage(credits, np.array([3.0, 1.0])) == pytest.approx([0.75, 0.25, 1.0, 0.4375])
    assert coverage(credits, np.array([0.0, 0.0])).tolist() == [0.0] * 4
    assert coverage(np.zeros((2, 0)), np.zeros(0)).tolist() == [0.0, 0.0]


def test_ages() -> None:
    assert newest_ms(None, 3, 5, None) == 5
    assert newest_ms(None) is None
    assert age_days(3 * DAY_MS, DAY_MS) == 2.0
    assert math.isnan(age_days(0, None))


@pytest.mark.parametrize(
    ("days", "fresh"), [(0.0, 1.0), (30.0, 0.5), (60.0, 0.25), (-5.0, 1.0), (NAN, 0.5), (1e9, 0.0)]
)
def test_recency(days: float, fresh: float) -> None:
    assert recency(days) == pytest.approx(fresh)
    assert recency(np.array([days]))[0] == pytest.approx(fresh)


def test_recency_without_half_life() -> None:
    assert recency(np.array([0.0, 900.0, NAN]), half_life_days=0.0).tolist() == [1.0, 1.0, 0.5]


@pytest.mark.parametrize(("stated", "sure"), [(None, 0.5), (NAN, 0.5), (-1.0, 0.0), (0.3, 0.3), (7.0, 1.0)])
def test_confidence(stated: float | None, sure: float) -> None:
    assert confidence(stated) == sure


def test_confidence_of_a_column() -> None:
    assert confidence(np.array([NAN, -1.0, 0.3, 7.0])).tolist() == [0.5, 0.0, 0.3, 1.0]


@pytest.mark.parametrize(
    ("times", "at"), [((1, 2, 3), 1), ((None, 2, 3), 2), ((None, None, 3), 3), ((None, None, None), None)]
)
def test_checked(times: tuple[int | None, int | None, int | None], at: int | None) -> None:
    assert checked_ms(*times) == at


def test_unverified() -> None:
    own = floors({"note": 10, "recipe": 5})
    assert own["decision"] == 365
    assert is_unverified("note", 0, now_ms=10 * DAY_MS + 1, floors_days=own)
    assert not is_unverified("note", 0, now_ms=10 * DAY_MS, floors_days=own)
    assert is_unverified("recipe", 0, now_ms=6 * DAY_MS, floors_days=own)
    assert not is_unverified("own kind", 0, now_ms=10_000 * DAY_MS, floors_days=own)
    assert not is_unverified("note", None, now_ms=10_000 * DAY_MS, floors_days=own)


@pytest.mark.parametrize(
    ("score", "rounded"), [(0.12344, 0.1234), (0.12345, 0.1235), (0.12346, 0.1235), (0.5, 0.5), (0.00005, 0.0001)]
)
def test_halves_are_rounded_up(score: float, rounded: float) -> None:
    assert round_score(score) == rounded


def test_base_is_clamped() -> None:
    assert base(-1.0, 2.0, FusionWeights(0.6, 0.4)) == 0.4
    assert base(1.0, 1.0, FusionWeights(0.6, 0.4), bonus=0.25) == 1.0
    assert base(0.5, 0.0, FusionWeights(0.6, 0.4), bonus=0.25) == pytest.approx(0.3)


def test_blend_can_leave_less_to_the_reranker() -> None:
    assert blend(1.0, 0.0, share=0.2) == pytest.approx(0.8)
    assert blend(0.0, 5.0, share=0.2) == pytest.approx(0.2)


def test_cosine_of_different_lengths() -> None:
    with pytest.raises(ValueError, match="zip"):
        cosine([1.0], [1.0, 2.0])


@pytest.mark.parametrize(("a", "b", "alike"), [("", "", 0.0), ("x", "", 0.0), ("x", "x", 1.0), ("xy", "yz", 1 / 3)])
def test_jaccard(a: str, b: str, alike: float) -> None:
    assert jaccard(set(a), set(b)) == pytest.approx(alike)


def test_a_heading_counts_four_times() -> None:
    assert section_score({"a"}, ["a"], ["b", "a", "a"]) == 6
    assert section_score({"a"}, ["b"], ["b"]) == 0
