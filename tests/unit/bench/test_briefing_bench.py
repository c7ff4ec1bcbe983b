"""The briefing bench counts what it says it counts."""

import pytest

from bench.briefing import held, original_shows
from bench.quality_cases import Store
from bench.shared_data import Asked
from briefings import item
from memofs.briefing.sections import directive_section, offer
from stores import memory, world


def test_the_originals_rule_stops_at_the_first_that_does_not_fit_and_keeps_its_shares() -> None:
    recall = offer("recall", [item(1, "x" * 300), item(2, "x" * 5_000), item(3, "x")])
    recent = offer("recent", [item(number, "x") for number in range(10, 20)])
    assert original_shows([recall, recent], 2_048) == {"mem_000001", "mem_000010", "mem_000011", "mem_000012"}
    assert original_shows([offer("notes", [item(1, "x")])], 8_192) == set(), "it has no such section"
    left = 2_048 - directive_section(2_048).bytes
    exactly = item(1, "x")
    padding = left * 3 // 6 - len(exactly.text.encode()) - 1
    assert original_shows([offer("recall", [item(1, "x" * (padding + 1))])], 2_048) == {"mem_000001"}
    assert original_shows([offer("recall", [item(1, "x" * (padding + 2))])], 2_048) == set()


@pytest.mark.parametrize(("exclude", "ours"), [((), 0.5), (("mem_a",), 0.0)])
def test_what_is_held_is_the_part_of_the_relevant_that_is_shown(exclude: tuple[str, ...], ours: float) -> None:
    store = Store(
        world(memory("a", "Gateway", "The gateway times out."), memory("b", "Chart", "A palette.")), {"mem_c": "mem_a"}
    )
    asked = Asked(id="q", text="gateway", exclude=exclude)
    found = held(store, asked, {"mem_a": 1.0, "mem_b": 0.0, "mem_elsewhere": 2.0}, 2_048)
    assert found == (ours, ours)
