"""The briefing bench counts what it says it counts."""

from collections.abc import Mapping
from typing import TypedDict

import msgspec
import pytest

from bench.briefing import Held, held, original_shows, used
from bench.original_packing import OriginalSection, original_pack
from bench.quality_cases import NOW_MS, Store
from bench.shared_data import Asked
from briefings import item
from golden.cases import every_case
from memofs.briefing.sections import directive_section, offer
from memofs.model.query import Query
from memofs.world.recall import recall
from stores import memory, world


class GoldenSection(msgspec.Struct):
    """A section of the original's budget cases."""

    type: str
    title: str
    content: str
    weight: int = 0


class GoldenInput(TypedDict):
    sections: list[GoldenSection]


def golden_budgets() -> tuple[list[GoldenSection], Mapping[int, str]]:
    """The sections of all cases, and the text that the original makes of them in so many bytes."""
    cases = [case for case in every_case() if case.name == "budget"]
    sections = msgspec.json.decode(cases[0].input, type=GoldenInput)["sections"]
    asked = [msgspec.json.decode(case.input, type=dict[str, object])["maxBytes"] for case in cases]
    texts = [msgspec.json.decode(case.output, type=dict[str, object])["text"] for case in cases]
    return sections, {int(str(size)): str(text) for size, text in zip(asked, texts, strict=True)}


@pytest.mark.parametrize(("max_bytes", "recalled"), [(8_192, 8), (2_400, 2), (1_200, 0)])
def test_the_originals_rule_is_that_of_its_golden_cases(max_bytes: int, recalled: int) -> None:
    sections, texts = golden_budgets()
    first = sum(len(f"## {each.title}\n\n{each.content}\n\n".encode()) for each in sections if not each.weight)
    packed = original_pack(
        [
            OriginalSection(
                name=each.type, heading=f"## {each.title}", weight=each.weight, items=each.content.split("\n\n")
            )
            for each in sections
            if each.weight
        ],
        max_bytes - first,
    )
    assert packed["recall"].shown == recalled
    for name in ("entities", "recall"):
        assert packed[name].text in texts[max_bytes]


def test_the_originals_rule_stops_at_the_first_that_does_not_fit_and_keeps_its_shares() -> None:
    recalled = offer("recall", [item(1, "x" * 30), item(2, "x" * 5_000), item(3, "x")])
    recent = offer("recent", [item(number, "x") for number in range(10, 20)])
    assert original_shows([recalled, recent], 2_048) == {"mem_000001", "mem_000010", "mem_000011", "mem_000012"}
    assert original_shows([offer("notes", [item(1, "x")])], 8_192) == set(), "it has no such section"


def test_the_originals_share_is_fixed() -> None:
    one = item(1, "x")
    heading = len("## Recall\n\n\n\n")
    for max_bytes in range(1_024, 1_060):
        share = (max_bytes - directive_section(max_bytes).bytes) * 3 // 4
        fitting = share - heading - len(one.text.encode())
        recent = offer("recent", [])
        assert original_shows([offer("recall", [item(1, "x" * (fitting + 1))]), recent], max_bytes) == {"mem_000001"}
        assert original_shows([offer("recall", [item(1, "x" * (fitting + 2))]), recent], max_bytes) == set()


@pytest.mark.parametrize(("exclude", "part"), [((), 0.5), (("mem_a",), 0.0)])
def test_what_is_held_is_the_part_of_the_relevant_that_is_shown(exclude: tuple[str, ...], part: float) -> None:
    store = Store(
        world(memory("a", "Gateway", "The gateway times out."), memory("b", "Chart", "A palette.")), {"mem_c": "mem_a"}
    )
    found = recall(store.world, Query(text="gateway"), now_ms=NOW_MS)
    kept = msgspec.structs.replace(found, hits=tuple(hit for hit in found.hits if hit.id not in exclude))
    asked = Asked(id="q", text="gateway", exclude=exclude)
    grades = {"mem_a": 1.0, "mem_b": 0.0, "mem_elsewhere": 2.0}
    assert held(store, asked, kept, grades, 2_048) == Held(ours=part, whole=part, original=part)


def test_the_share_used_counts_what_directive_and_core_memory_leave() -> None:
    many = offer("recall", [item(number, f"word{number} " * 40) for number in range(60)], most=1)
    for core in ("", "A fact. " * 50):
        share = used([many], 4_096, core=core)
        assert share is not None
        assert 0.9 <= share <= 1.0
    assert used([offer("recall", [item(1, "a few words")])], 4_096) is None
