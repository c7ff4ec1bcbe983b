"""Entities in a World: who speaks, what is cached, what a question that names one is given."""

import pytest

from memofs.graph import graph_bytes
from memofs.graph.growth import build as build_graph
from memofs.model.change import Change
from memofs.model.config import Config
from memofs.model.graph import Curated, Edge
from memofs.model.query import Query
from memofs.recall.index import slot_of
from memofs.world import cached
from memofs.world.asked import NOTHING_NAMED, asked
from memofs.world.entities import DOCUMENT
from memofs.world.recall import recall
from memofs.world.state import World, apply, build, index_bytes
from stores import NOW_MS, memory, world

STORE = world(
    memory("aaaaaa", "Use D1 for tenant metadata", "The Gateway depends on D1.", kind="decision", tags=("database",)),
    memory("bbbbbb", "Digital Analytics Program (DAP)", "Counts visits."),
    memory("cccccc", "Visits", "DAP is slow on Mondays."),
    config=Config(precision="all"),
)


def test_every_entity_that_may_be_found_is_a_document_of_its_own_index() -> None:
    ids = {DOCUMENT + id_ for id_ in STORE.graph.nodes}
    assert all(slot_of(STORE.entities.index, id_) is not None for id_ in ids)
    assert STORE.entities.index.living == len(ids) == 4
    assert STORE.index.living == 3
    after = apply(STORE, Change(removed=("mem_aaaaaa",)))
    assert slot_of(after.entities.index, f"{DOCUMENT}tool:d1") is None
    assert after.graph.nodes.keys() == {"concept:digital-analytics-program"}


@pytest.mark.parametrize("status", ["pending", "retired"])
def test_only_active_memories_speak(status: str) -> None:
    of = world(memory("aaaaaa", "Use D1", status="pending" if status == "pending" else "retired", kind="decision"))
    assert of.graph.nodes == {}


def test_a_superseded_memory_keeps_what_it_says_of_succession() -> None:
    old = memory("aaaaaa", "", "OAuth supersedes JWT. The Gateway uses Redis.", tags=("auth",), supersedes=("zzzzzz",))
    of = build([old], config=Config())
    assert "tool:redis" in of.graph.nodes
    of = apply(of, Change(put=(memory("bbbbbb", "", "Passkeys", supersedes=("aaaaaa",)),)))
    assert of.graph.nodes.keys() == {"concept:oauth", "concept:json-web-token"}
    assert {edge.target for edge in of.graph.outgoing["mem_aaaaaa"]} == {"mem_zzzzzz"}
    of = apply(of, Change(removed=("mem_bbbbbb",)))
    assert "tool:redis" in of.graph.nodes


def test_circles_are_problems_where_they_are_said() -> None:
    of = world(memory("aaaaaa", "", "OAuth supersedes JWT."), memory("bbbbbb", "", "Text\n\nJWT supersedes OAuth."))
    assert {path: [each.code for each in found] for path, found in of.problems.items()} == {
        ".memofs/memory/aaaaaa.md": ["supersedesCircle"],
        ".memofs/memory/bbbbbb.md": ["supersedesCircle"],
    }
    assert of.problems[".memofs/memory/bbbbbb.md"][0].line == 2
    ended = Edge(source="JWT", relation="supersedes", target="OAuth", ended=True)
    assert apply(of, Change(curated=Curated(edges=(ended,)))).problems == of.problems


# --- the cache --------------------------------------------------------------------------------------------------------


def test_stored_bytes_are_used() -> None:
    stored = index_bytes(STORE)
    found = cached.from_bytes(stored)
    assert found is not None
    assert found.entities is not None
    assert found.entities.graph.nodes == STORE.graph.nodes
    again = build(STORE.memories.values(), config=Config(), index_bytes=stored)
    assert again.analysed == 0
    assert again.graph.outgoing == STORE.graph.outgoing


@pytest.mark.parametrize("cut", [0, 4, 12, 40, -1])
def test_bytes_that_are_cut_short_are_as_good_as_none(cut: int) -> None:
    assert cached.from_bytes(index_bytes(STORE)[:cut]) is None


def test_a_graph_made_by_other_rules_is_made_anew() -> None:
    data = graph_bytes.to_bytes(STORE.graph)
    assert graph_bytes.from_bytes(data) is not None
    for place in (0, 9, 13, 20, len(data) - 1):
        damaged = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        assert graph_bytes.from_bytes(damaged) is None
    assert graph_bytes.from_bytes(b"") is None
    empty = graph_bytes.from_bytes(graph_bytes.to_bytes(build_graph({})))
    assert empty is not None
    assert empty.nodes == {}


# --- questions --------------------------------------------------------------------------------------------------------


def test_an_entity_that_is_named_brings_its_other_names_and_its_memories() -> None:
    found = asked(STORE, "how does the digital analytics program count", now_ms=NOW_MS)
    assert [node.label for node in found.nodes] == ["Digital Analytics Program"]
    assert found.names == (("DAP", ("analytic", "digital", "program")),)
    assert found.sources == {"mem_bbbbbb": "Digital Analytics Program"}
    assert asked(STORE, "the program", now_ms=NOW_MS) == NOTHING_NAMED
    assert asked(world(), "DAP", now_ms=NOW_MS) == NOTHING_NAMED


def explained(of: World, text: str) -> dict[str, tuple[str, ...]]:
    found = recall(of, Query(text=text, explain=True), now_ms=NOW_MS)
    return {hit.id: hit.signals.why for hit in found.hits if hit.signals is not None}


def test_recall_says_what_an_entity_brought() -> None:
    why = explained(STORE, "dap")
    assert "speaks of the entity asked for: Digital Analytics Program" in why["mem_bbbbbb"]
    why = explained(STORE, "digital analytics program")
    assert "as another name for analytic digital program: DAP" in why["mem_cccccc"]


def test_retired_entities_bring_nothing() -> None:
    gone = apply(STORE, Change(put=(memory("dddddd", "", "Plausible2 supersedes DAP."),)))
    assert asked(gone, "digital analytics program", now_ms=NOW_MS) == NOTHING_NAMED
