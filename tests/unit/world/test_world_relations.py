"""One hop along curated relations: who comes along, where it stands, and who stays away."""

from collections.abc import Sequence

import msgspec
import numpy as np
import pytest

from memofs.model.change import Change
from memofs.model.config import Config
from memofs.model.memory import Memory
from memofs.model.query import Hit, Query, Recall
from memofs.model.relation import Relation, RelationType
from memofs.recall.index import slot_of
from memofs.world.recall import recall
from memofs.world.state import World, apply, build, configure, drifted
from stores import NOW_MS, memory

PUMP = memory("pump", "Bilge pump", "The bilge pump runs on shore power.")
VALVE = memory("valve", "Seacock", "Turn it a quarter.")
TAR = memory("tar", "Caulking", "Oakum first.")
SHORE = memory("shore", "Breaker", "Sixteen amperes.")
OTHERS = tuple(memory(f"other{n}", f"Thing {n}", f"Another matter {n}.") for n in range(8))


def edge(source: str, target: str, type_: RelationType = "depends_on") -> Relation:
    return Relation(source=f"mem_{source}", target=f"mem_{target}", type=type_)


def store(memories: Sequence[Memory], *edges: Relation) -> World:
    return build(memories, config=Config(), relations=edges)


def asked(of: World, text: str = "bilge pump", query: Query | None = None) -> Recall:
    return recall(of, query or Query(text=text, explain=True), now_ms=NOW_MS)


def found(answer: Recall) -> dict[str, Hit]:
    return {hit.id.removeprefix("mem_"): hit for hit in answer.hits}


ALL = (PUMP, VALVE, TAR, SHORE, *OTHERS)


def test_a_neighbour_comes_along_below_the_memory_that_leads_to_it() -> None:
    answer = asked(store(ALL, edge("pump", "valve")))
    assert list(found(answer)) == ["pump", "valve"]
    pump, valve = answer.hits
    assert valve.flags == ("via",)
    assert valve.via == "mem_pump"
    assert valve.score < pump.score
    assert valve.signals is not None
    assert valve.signals.why == ("by relation: “Bilge pump” depends on this",)
    assert (valve.signals.via, valve.signals.final) == ("mem_pump", valve.score)
    assert pump.via is None
    assert "via" not in pump.flags


def test_relations_are_followed_from_either_end() -> None:
    answer = asked(store(ALL, edge("valve", "pump")))
    assert answer.hits[1].signals is not None
    assert answer.hits[1].signals.why == ("by relation: this depends on “Bilge pump”",)


def test_only_one_step() -> None:
    assert list(found(asked(store(ALL, edge("pump", "valve"), edge("valve", "tar"))))) == ["pump", "valve"]


def test_what_was_reached_is_all_that_differs() -> None:
    without, with_ = asked(store(ALL)), asked(store(ALL, edge("pump", "valve")))
    assert with_.hits[:1] == without.hits
    assert with_.weaker == without.weaker


def test_at_most_three_neighbours_in_the_order_of_the_file() -> None:
    edges = [edge("pump", f"other{n}") for n in (5, 1, 7, 2)]
    assert list(found(asked(store(ALL, *edges)))) == ["pump", "other1", "other5", "other7"]


def test_they_take_no_place_of_one_that_answers_for_itself() -> None:
    weak = memory("weak", "Hose", "A bilge hose, and thirty more words of other things: rope, oar, sail.", days=300)
    of = store((PUMP, weak, *ALL[1:]), edge("pump", "valve"), edge("pump", "tar"))
    shown = asked(of, query=Query(text="bilge pump", precision="all", limit=3))
    assert [*found(shown)][:1] == ["pump"]
    assert found(shown).keys() == {"pump", "weak", "tar"}
    assert found(asked(of, query=Query(text="bilge pump", precision="all", limit=2))).keys() == {"pump", "weak"}


def test_the_limit_counts_them() -> None:
    edges = [edge("pump", "valve"), edge("pump", "tar")]
    of = store(ALL, *edges)
    assert len(asked(of, query=Query(text="bilge pump", limit=2)).hits) == 2
    assert list(found(asked(of, query=Query(text="bilge pump", limit=1)))) == ["pump"]


@pytest.mark.parametrize(
    "away",
    [
        (memory("valve", "Seacock", "Turn it.", status="retired"),),
        (memory("valve", "Seacock", "Turn it.", status="pending"),),
        (VALVE, memory("newer", "Gate valve", "No turning.", supersedes=("valve",))),
        (),
    ],
    ids=["retired", "pending", "superseded", "unknown"],
)
@pytest.mark.parametrize("include_retired", [False, True])
def test_it_ends_at_what_holds_today(away: tuple[Memory, ...], *, include_retired: bool) -> None:
    of = store((PUMP, *away, *OTHERS), edge("pump", "valve"))
    query = Query(text="bilge pump", include_retired=include_retired)
    assert list(found(asked(of, query=query))) == ["pump"]


def test_an_old_memory_leads_to_the_new_one_and_not_back() -> None:
    assert list(found(asked(store(ALL, edge("valve", "pump", "supersedes"))))) == ["pump", "valve"]
    assert list(found(asked(store(ALL, edge("pump", "valve", "supersedes"))))) == ["pump"]


def test_one_that_answers_for_itself_is_no_neighbour() -> None:
    second = memory("second", "Second bilge pump", "The second bilge pump is by hand.")
    answer = asked(store((PUMP, second, *OTHERS), edge("pump", "second")))
    assert set(found(answer)) == {"pump", "second"}
    assert all("via" not in hit.flags for hit in answer.hits)


def test_near_duplicates_do_not_come_along() -> None:
    text = "Close the seacock a quarter turn before leaving the boat for more than one night in winter"
    twins = (memory("a", "Seacock", text), memory("b", "Seacock", f"{text}."))
    assert list(found(asked(store((PUMP, *twins, *OTHERS), edge("pump", "a"), edge("pump", "b"))))) == ["pump", "a"]


def test_filters_hold_for_neighbours() -> None:
    of = store((PUMP, memory("valve", "Seacock", "Turn it.", kind="decision"), *OTHERS), edge("pump", "valve"))
    assert list(found(asked(of, query=Query(text="bilge pump", kinds=("note",))))) == ["pump"]


def test_flags_that_are_asked_for_hold_for_neighbours() -> None:
    of = drifted(store(ALL, edge("pump", "valve"), edge("pump", "tar")), ["mem_tar"])
    assert list(found(asked(of, query=Query(text="bilge pump", flags=("via",))))) == ["valve", "tar"]
    assert list(found(asked(of, query=Query(text="bilge pump", flags=("via", "wordsOnly"))))) == [
        "pump",
        "valve",
        "tar",
    ]
    assert list(found(asked(of, query=Query(text="bilge pump", flags=("wordsOnly",))))) == ["pump"]
    reason = asked(of, query=Query(text="bilge pump", flags=("via",), why_not=("mem_pump",))).absent[0].reason
    assert reason == "has none of the flags asked for"


def test_demotion_counts_for_neighbours() -> None:
    of = store((PUMP, VALVE, memory("aged", "Caulking", "Oakum.", days=99), *OTHERS), edge("pump", "valve"))
    of = apply(of, Change(relations=(edge("pump", "valve"), edge("pump", "aged"))))
    fresh, aged = (found(asked(of))[id_] for id_ in ("valve", "aged"))
    assert aged.flags == ("unverified", "via")
    assert aged.score == pytest.approx(0.6 * fresh.score, abs=1e-4)
    assert aged.signals is not None
    assert aged.signals.decay == 0.6
    stale = found(asked(drifted(of, ["mem_valve"])))["valve"]
    assert stale.score == pytest.approx(0.5 * fresh.score, abs=1e-4)


def test_a_named_memory_stays_first() -> None:
    named = memory("named", "Bilge pump", "Old.", days=900, confidence=0.0)
    strong = memory("strong", "Hook", "The bilge pump key: bilge pump, bilge, pump, key.", days=0, confidence=1.0)
    of = store((named, strong, VALVE, *OTHERS), edge("strong", "valve"))
    answer = asked(of, "bilge pump key")
    assert next(iter(found(answer))) == "named"
    assert found(answer)["valve"].score < found(answer)["strong"].score


def test_strict_shows_only_what_answers_and_nothing_leads_nowhere() -> None:
    of = store(ALL, edge("pump", "valve"))
    assert list(found(asked(of, query=Query(text="bilge pump", precision="strict")))) == ["pump"]
    assert asked(of, "sourdough").notice == "nothingRelevant"


def test_the_layer_can_be_left_out() -> None:
    of = store(ALL, edge("pump", "valve"))
    without = asked(configure(of, Config(without=("hop",))))
    assert list(found(without)) == ["pump"]
    assert without.hits == asked(store(ALL)).hits


def test_by_meaning_leads_on_too() -> None:
    of = store(ALL, edge("pump", "valve"))
    cosines = np.full(of.index.size, 0.05)
    slot = slot_of(of.index, "mem_pump")
    assert slot is not None
    cosines[slot] = 0.4
    answer = recall(of, Query(text="water in the boat"), now_ms=NOW_MS, cosines=cosines)
    assert list(found(answer)) == ["pump", "valve"]
    assert "byMeaning" in answer.hits[0].flags


def test_a_change_of_relations_is_a_new_world_and_others_keep_them() -> None:
    first = store(ALL)
    second = apply(first, Change(relations=(edge("pump", "valve"),)))
    third = apply(second, Change(put=(memory("pump", "Bilge pump", "It hums."),)))
    assert [list(found(asked(of))) for of in (first, second, third)] == [["pump"], ["pump", "valve"], ["pump", "valve"]]
    assert (first.revision, second.revision) == (1, 2)
    rebuilt = build(third.memories.values(), config=Config(), relations=(edge("pump", "valve"),))
    assert dict(rebuilt.relations) == dict(third.relations)
    assert msgspec.structs.replace(asked(rebuilt), revision=0) == msgspec.structs.replace(asked(third), revision=0)
