"""The measuring stick itself: measures by hand, samples that stay, ways that honour the same rules."""

import math
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from bench.measures import measures, ndcg
from bench.quality_cases import Store, far, first_of_like, near, right, small
from bench.quality_layers import ablation, by_task
from bench.quality_vectors import VectorCache, with_meaning
from bench.quality_ways import WAYS, answer, pose
from bench.shared_data import Asked, DataSet
from memofs.model.config import Layer
from memofs.model.memory import Memory
from memofs.model.query import TASK_TYPES
from stores import ARTICLE, memory, world


def test_measures_are_what_a_hand_gets() -> None:
    assert ndcg(["a", "b", "c"], {"b": 1.0}, 10) == pytest.approx(1.0 / math.log2(3))
    assert ndcg(["b", "a"], {"b": 2.0, "a": 1.0}, 10) == pytest.approx(1.0)
    assert ndcg(["x"] * 10 + ["a"], {"a": 1.0}, 10) == 0.0
    found = measures(
        [(["x", "a"], {"a": 1.0, "b": 1.0}), ([], {"c": 1.0}), (["c", "x", "y", "z"], {"c": 1.0, "d": 0.0})]
    )
    assert found.r5 == pytest.approx((0.5 + 0.0 + 1.0) / 3)
    assert found.mrr10 == pytest.approx((0.5 + 0.0 + 1.0) / 3)
    assert found.hits == pytest.approx(6 / 3)
    assert found.answered == pytest.approx(2 / 3)
    assert found.precision == pytest.approx((0.5 + 0.25) / 2)
    assert math.isnan(measures([([], {"a": 1.0})]).precision)


def test_a_copy_counts_as_the_first_of_its_like() -> None:
    store = Store(world(memory("a"), memory("b")), {"mem_b": "mem_a"})
    asked = Asked(id="q", text="", exclude=("mem_x",))
    assert first_of_like(store, ["mem_x", "mem_b", "mem_c", "mem_a"], asked) == ["mem_a", "mem_c"]
    data = dataset("s", {"": (memory("a"), memory("b"))}, [asked], {"q": {"mem_a": 1.0, "mem_b": 2.0}})
    assert right(store, asked, data) == {"mem_a": 2.0}


def dataset(
    name: str, memories: dict[str, tuple[Memory, ...]], asked: list[Asked], relevant: dict[str, dict[str, float]]
) -> DataSet:
    return DataSet(name=name, memories=memories, queries=tuple(asked), relevant=relevant)


def test_samples_are_the_same_every_time_and_never_answerable() -> None:
    groups = {group: tuple(memory(f"{group}{n}") for n in range(8)) for group in "abc"}
    asked = [Asked(id=f"{group}{n}", text=f"{group} {n}", group=group) for group in "abc" for n in range(4)]
    data = dataset("adr_ctx", groups, asked, {one.id: {f"mem_{one.id}": 1.0} for one in asked})
    talk = dataset("locomo", {"t": (memory("t"),)}, [Asked(id="t", text="t", group="t")], {"t": {"mem_t": 1.0}})
    assert near(data) == near(data)
    assert all(group != one.group for one, group in near(data))
    assert near(talk) == []
    assert {one.id for one, _ in far(data, [data, talk])} == {"t"}
    for case in small(data, 5):
        assert case.target in {each.id for each in case.with_it}
        assert case.target not in {each.id for each in case.without}
        assert len(case.with_it) == len(case.without) == 5


def test_every_way_finds_by_words_and_meaning_and_leaves_out_what_is_excluded(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "vectors.jsonl")
    store = Store(with_meaning(world(*ARTICLE), ARTICLE, cache))
    asked = Asked(id="q", text="How are the JWT tokens used for authentication?")
    try:
        posed = pose(store, asked, cache.query(asked.text))
        for way, rank in WAYS.items():
            assert rank(posed)[0] == "mem_jwt", way
        without = pose(store, Asked(id="q", text=asked.text, exclude=("mem_jwt",)), cache.query(asked.text))
        for way, rank in WAYS.items():
            assert "mem_jwt" not in rank(without), way
        assert len(answer(posed, "strict")) < len(answer(posed, "all"))
        data = dataset("s", {"": ARTICLE}, [asked], {"q": {"mem_jwt": 1.0}})
        layers, tasks = (table({"s": (data, [posed])}) for table in (ablation, by_task))
        assert layers.keys() == {"everything", "without meaning", *(f"without {each}" for each in get_args(Layer))}
        assert tasks.keys() == {"no task", *TASK_TYPES}
        assert {row["mean"] for row in (*layers.values(), *tasks.values())} == {1.0}
    finally:
        cache.close()
    again = VectorCache(tmp_path / "vectors.jsonl")
    assert again.ensure([asked.text], kind="query") == 0
    assert np.array_equal(again.query(asked.text), cache.query(asked.text))
    again.close()
