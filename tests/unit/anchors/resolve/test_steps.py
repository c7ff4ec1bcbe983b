"""Each step of finding a region again, by the smallest text that needs it: the cases are in steps.md."""

import re
from pathlib import Path
from typing import NamedTuple, cast, get_args

import pytest

from anchor_texts import located, shown
from memofs.anchors.language import LanguageName


class Step(NamedTuple):
    """A case: `how` and `certainty` are empty where the region is gone."""

    rule: str
    language: LanguageName | None
    how: str
    certainty: str
    old: str
    new: str


_CASE = re.compile(
    r"^## (?P<rule>[^\n]+)\n\n(?P<how>[^\n]+)\n\n```(?P<language>\w+)\n(?P<old>.*?\n)```\n\n```\w+\n(?P<new>.*?\n)```$",
    re.MULTILINE | re.DOTALL,
)


def _steps() -> list[Step]:
    page = (Path(__file__).parent / "steps.md").read_text(encoding="utf-8")
    steps: list[Step] = []
    for case in _CASE.finditer(page):
        how, _, certainty = case["how"].rpartition(", ")
        language = cast("LanguageName", case["language"]) if case["language"] in get_args(LanguageName) else None
        steps.append(Step(case["rule"], language, how, certainty if how else "", case["old"], case["new"]))
    assert len(steps) == page.count("\n## ")
    return steps


STEPS = _steps()


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.rule)
def test_step(step: Step) -> None:
    found, right, text = located(step.old, step.new, step.language)
    if not step.how:
        assert shown(text, found.span) is None
        assert found.certainty == "sure"
        return
    assert shown(text, found.span) == shown(text, right)
    assert found.span == right
    assert (found.how, found.certainty) == (step.how, step.certainty)


def test_blank_regions_are_nowhere() -> None:
    found, _, _ = located("a\n«   »\nb\n", "a\nb\n")
    assert (found.span, found.how) == (None, "blank")


def test_a_region_that_began_with_its_indentation_does_so_again() -> None:
    old, new = "def f():\n«    return g(1)»\n", "class A:\n    def f():\n«        return g(1)»\n"
    found, right, _ = located(old, new, "python")
    assert found.span == right


def test_guesses_are_offered_where_a_region_is_gone() -> None:
    old = "def f():\n    a()\n    «upload(read_all(queue), bucket='reports', retries=5)»\n    b()\n"
    new = "def f():\n    a()\n    time.sleep(1)\n    b()\n"
    found, _, text = located(old, new, "python")
    assert found.span is None
    assert [shown(text, one.span) for one in found.candidates] == ["time.sleep(1)"]
    assert all(0 < one.score < 1 for one in found.candidates)
