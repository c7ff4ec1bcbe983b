"""What each layer of ranking is worth, and what a task type costs: tables of the quality bench.

Invariant: every row asks the same questions of the same stores; only the layer or the task differs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, get_args

from bench.measures import Measures, measures
from bench.quality_cases import right
from bench.quality_ways import Posed, answer
from bench.shared_data import DataSet
from memofs.model.config import Layer
from memofs.model.query import TaskType

__all__ = ["ablation", "by_task"]

Rows = dict[str, dict[str, float]]
Questions = Mapping[str, tuple[DataSet, Sequence[Posed]]]
"""By the name of their set."""

MEANING: Final = "meaning"
"""No layer by name: without vectors."""


def ablation(questions: Questions) -> Rows:
    """The mean nDCG@10 of every set with everything, and what leaving out one layer takes from it."""
    rows: Rows = {"everything": _means(questions, answer, lambda found: found.ndcg10)}
    for layer in (MEANING, *get_args(Layer)):
        rows[f"without {layer}"] = _means(questions, _without(layer), lambda found: found.ndcg10)
    return rows


def by_task(questions: Questions) -> Rows:
    """R@5 of every set with no task and with each."""
    rows: Rows = {"no task": _means(questions, answer, lambda found: found.r5)}
    for task in get_args(TaskType):
        rows[task] = _means(questions, _with_task(task), lambda found: found.r5)
    return rows


def _without(layer: str) -> Callable[[Posed], list[str]]:
    if layer == MEANING:
        return lambda posed: answer(posed, words_only=True)
    without = tuple(each for each in get_args(Layer) if each == layer)
    return lambda posed: answer(posed, without=without)


def _with_task(task: TaskType) -> Callable[[Posed], list[str]]:
    return lambda posed: answer(posed, task=task)


def _means(
    questions: Questions, way: Callable[[Posed], list[str]], pick: Callable[[Measures], float]
) -> dict[str, float]:
    row = {name: pick(_measured(data, posed, way)) for name, (data, posed) in questions.items()}
    sys.stderr.write(".")
    sys.stderr.flush()
    return row | {"mean": sum(row.values()) / len(row)}


def _measured(data: DataSet, posed: Iterable[Posed], way: Callable[[Posed], list[str]]) -> Measures:
    return measures((way(each), right(each.store, each.asked, data)) for each in posed)
