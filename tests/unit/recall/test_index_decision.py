"""Rank and decision on numbers: scales, shares, α, evidence, cuts."""

import math

import numpy as np
import pytest

from memofs.model.config import Precision
from memofs.recall.arrays import Floats
from memofs.recall.calibration import COSINE_TAU
from memofs.recall.candidates import Candidates, chosen, evidence_of, highest
from memofs.recall.decide import decide, limits
from memofs.recall.pool import Pool
from memofs.recall.rank import Neighbours, rank, relevance, scale, z
from memofs.recall.signals import WordSignals


def array(*values: float) -> Floats:
    return np.array(values, dtype=np.float64)


def test_a_scale_is_that_of_all_memories_and_the_imagined_ones() -> None:
    values, documents, prior = array(3.0, 1.0), 6, 15
    everything = [3.0, 1.0, 0.0, 0.0, 0.0, 0.0]
    mean = sum(everything) / (documents + prior)
    spread = sum((each - mean) ** 2 for each in everything) + prior * (0.45**2 + mean**2)
    found = scale(values, documents, deviation=0.45)
    assert found.mean == pytest.approx(mean)
    assert found.deviation == pytest.approx(math.sqrt(spread / (documents + prior)))
    assert z(values, found).tolist() == pytest.approx([(each - mean) / found.deviation for each in (3.0, 1.0)])


def test_nothing_deviates_from_nothing() -> None:
    assert z(array(0.0, 0.0), scale(array(0.0, 0.0), 2, deviation=0.0)).tolist() == [0.0, 0.0]


def signals(words: Floats, coverage: Floats | None = None, title: Floats | None = None) -> WordSignals:
    none = np.zeros(len(words))
    return WordSignals(
        words=words,
        steered=words,
        coverage=none if coverage is None else coverage,
        title=none if title is None else title,
        fuzzy=none,
        information=4.0,
        word_hits=bool(words.any()),
    )


def pool(n: int) -> Pool:
    return Pool(slots=np.arange(n, dtype=np.int32), places=np.arange(n, dtype=np.int32))


def test_words_alone_have_no_alpha() -> None:
    found = rank(signals(array(3.0, 1.0, 0.5), array(0.9, 0.5, 0.1)), pool(3), documents=50)
    assert found.alpha == 0.0
    assert found.meaning is None
    assert found.rank.argsort().tolist() == [2, 1, 0]


def test_a_title_adds_only_where_it_matches() -> None:
    without = rank(signals(array(3.0, 3.0)), pool(2), documents=50)
    found = rank(signals(array(3.0, 3.0), title=array(0.0, 2.0)), pool(2), documents=50)
    assert found.rank[0] == pytest.approx(without.rank[0])
    assert found.rank[1] > found.rank[0]


@pytest.mark.parametrize(
    ("words", "alpha"),
    [
        ([5.0] * 12, 0.85),
        ([5.0] + [0.0] * 11, 0.45),
        ([4.0] + [2.0] * 11, 0.65),
        ([0.0] * 12, 0.85),
        ([3.0, 1.0], 0.45),
    ],
)
def test_a_flat_list_of_words_trusts_meaning(words: list[float], alpha: float) -> None:
    found = rank(signals(array(*words)), pool(len(words)), documents=40, meaning=np.full(len(words), 0.2))
    assert found.alpha == pytest.approx(alpha)


def test_a_memory_without_a_vector_is_neither_helped_nor_hurt_by_meaning() -> None:
    found = rank(signals(array(1.0, 1.0, 1.0)), pool(3), documents=30, meaning=array(0.9, math.nan, 0.0))
    assert found.rank.argsort().tolist() == [2, 1, 0]


def test_entries_of_a_log_lean_on_the_better_neighbour() -> None:
    none = np.int32(-1)
    beside = Neighbours(before=np.array([none, 0, 1, none]), after=np.array([1, 2, none, none]))
    alone = rank(signals(array(9.0, 1.0, 1.0, 1.0)), pool(4), documents=90)
    leaning = rank(signals(array(9.0, 1.0, 1.0, 1.0)), pool(4), documents=90, neighbours=beside)
    gains = leaning.rank - alone.rank
    assert gains[1] == pytest.approx(0.3 * alone.rank[0])
    assert gains[3] == 0.0
    assert 0.0 <= gains[0] < gains[1]


def test_relevance_shares_out_the_best_evidence_by_rank() -> None:
    assert relevance(array(4.0, 2.0, -1.0), array(0.8, 0.9, 0.1)).tolist() == pytest.approx([0.9, 0.45, 0.0])
    assert relevance(array(-1.0, -2.0), array(0.4, 0.2)).tolist() == [0.4, 0.0]
    assert relevance(array(), array()).tolist() == []


def test_evidence_of_words_is_the_originals_blended_with_coverage() -> None:
    found = evidence_of(array(2.0, 0.0), array(1.0, 0.0), None, word_hits=True)
    assert found.tolist() == pytest.approx([0.8 * 0.5 + 0.2, 0.0])
    classic = evidence_of(array(2.0), array(1.0), None, word_hits=True, share=0.5)
    assert classic.tolist() == pytest.approx([0.75])


def test_evidence_of_both_has_the_originals_weights_and_bonus() -> None:
    found = evidence_of(array(2.0, 2.0, 0.0), array(0.0, 0.0, 0.0), array(0.4, math.nan, 0.4), word_hits=True)
    assert found.tolist() == pytest.approx([0.8 * (0.6 * 0.4 + 0.4 * 0.5 + 0.25 * 0.4), 0.8 * 0.5, 0.8 * 0.6 * 0.4])
    no_words = evidence_of(array(0.04), array(0.0), array(0.5), word_hits=False)
    assert no_words.tolist() == pytest.approx([0.8 * 0.5])


def among(
    evidence: Floats,
    *,
    words: Floats | None = None,
    named: int | None = None,
    cosine: Floats | None = None,
    rank: Floats | None = None,
) -> Candidates:
    n = len(evidence)
    flagged = np.zeros(n, dtype=np.bool_)
    if named is not None:
        flagged[named] = True
    return Candidates(
        slots=np.arange(n, dtype=np.int32),
        words=np.full(n, 9.0) if words is None else words,
        coverage=np.zeros(n),
        title=np.zeros(n),
        evidence=evidence,
        rank=evidence if rank is None else rank,
        named=flagged,
        cosine=cosine,
    )


@pytest.mark.parametrize(
    ("precision", "kept"),
    [("balanced", [True, True, True, False]), ("strict", [True, True, False, False]), ("all", [True] * 4)],
)
def test_what_comes_near_the_best_is_kept(precision: Precision, kept: list[bool]) -> None:
    limit = limits(precision, documents=20, words_only=False)
    found = decide(among(array(0.8, 0.6, 0.5, 0.3), rank=array(8.0, 4.0, 2.1, 1.9)), limit, information=4.0)
    assert found.answered
    assert found.kept.tolist() == kept


def test_in_a_small_store_near_is_a_distance() -> None:
    limit = limits("balanced", documents=5, words_only=False)
    found = decide(among(array(0.8, 0.6, 0.5), rank=array(2.5, 0.3, 0.2)), limit, information=4.0)
    assert found.kept.tolist() == [True, True, False]
    assert found.rank_bar == pytest.approx(0.25)
    flat = decide(among(array(0.8, 0.6, 0.5), rank=array(1.5, 0.1, -0.1)), limit, information=4.0)
    assert flat.kept.tolist() == [True, True, False]


def test_the_classic_ranking_is_cut_by_evidence() -> None:
    limit = limits("balanced", documents=20, words_only=True, ranking="classic")
    found = decide(among(array(0.8, 0.49, 0.47)), limit, information=4.0)
    assert found.kept.tolist() == [True, True, False]


def test_nothing_is_kept_below_tau() -> None:
    limit = limits("balanced", documents=20, words_only=True)
    found = decide(among(array(0.44, 0.4)), limit, information=4.0)
    assert not found.answered
    assert not found.kept.any()


def test_nothing_is_kept_if_the_words_found_say_little_of_the_question() -> None:
    limit = limits("balanced", documents=500, words_only=True)
    assert decide(among(array(0.7), words=array(4.0)), limit, information=9.0).answered
    assert not decide(among(array(0.7), words=array(4.0)), limit, information=40.0).answered


def test_limits_grow_with_the_store_up_to_what_was_measured() -> None:
    sizes = [1, 10, 100, 1_000, 100_000]
    strengths = [limits("balanced", documents=size, words_only=True).strength for size in sizes]
    assert strengths == sorted(strengths)
    assert strengths[-1] == strengths[-2]
    with_meaning = [limits("balanced", documents=size, words_only=False) for size in sizes]
    assert [each.tau for each in with_meaning] == pytest.approx([0.33, 0.39, 0.45, 0.51, 0.54])
    assert [each.cosine_tau for each in with_meaning] == pytest.approx([0.35, 0.35, 0.35, 0.41, 0.44])
    assert (
        limits("strict", documents=50, words_only=True).strength
        > limits("balanced", documents=50, words_only=True).strength
    )


def test_a_named_one_is_always_kept_and_leads() -> None:
    limit = limits("strict", documents=20, words_only=True)
    alone = decide(among(array(0.2, 0.1), named=1), limit, information=4.0)
    assert alone.kept.tolist() == [False, True]
    balanced = limits("balanced", documents=20, words_only=True)
    leading = decide(among(array(0.9, 0.85, 0.46, 0.44), rank=array(8, 7, 6, 5), named=0), balanced, information=4.0)
    assert leading.kept.tolist() == [True, True, True, False]


def test_meaning_answers_where_words_do_not() -> None:
    limit = limits("balanced", documents=20, words_only=False)
    found = decide(
        among(array(0.3, 0.3, 0.2, 0.1), cosine=array(0.5, 0.41, 0.39, math.nan), named=2), limit, information=4.0
    )
    assert found.kept.tolist() == [True, True, True, False]
    assert found.by_meaning.tolist() == [True, True, False, False]
    below = decide(among(array(0.3), cosine=array(COSINE_TAU - 0.01)), limit, information=4.0)
    assert not below.kept.any()


def test_the_highest_take_all_of_equals() -> None:
    assert highest(array(3.0, 1.0, 2.0, 2.0, 0.0), 2).tolist() == [True, False, True, True, False]
    assert highest(array(0.0, 1.0), 5).tolist() == [False, True]


def test_chosen_candidates_keep_their_columns_together() -> None:
    found = chosen(among(array(0.5, 0.6, 0.7), cosine=array(0.1, 0.2, 0.3)), np.array([True, False, True]))
    assert found.slots.tolist() == [0, 2]
    assert found.evidence.tolist() == [0.5, 0.7]
    assert found.cosine is not None
    assert found.cosine.tolist() == [0.1, 0.3]
