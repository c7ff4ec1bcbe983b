"""Each layer of ranking can be left out, and what is left out is what it does and nothing else."""

from typing import get_args

import msgspec
import numpy as np
import pytest

from memofs.model.config import Config, Layer
from memofs.model.query import Hit, Query, Recall
from memofs.recall.index import slot_of
from memofs.recall.layers import ALL, Layers, layers, left_out
from memofs.world.recall import recall
from memofs.world.state import World, configure, drifted
from stores import ARTICLE, NOW_MS, memory, world

LONG = "\n\n".join(
    [
        *(f"# Part {n}\n\n" + f"Plain words of part {n} about ships and harbours. " * 12 for n in range(4)),
        "# Valves\n\nGrease valves yearly.",
    ]
)
SAME = "Grease the valves of every pump before the season with the blue grease from the shed"


def answer(of: World, text: str, *without: Layer, limit: int = 10) -> Recall:
    asked = configure(of, msgspec.structs.replace(of.config, without=without))
    return recall(asked, Query(text=text, limit=limit, explain=True), now_ms=NOW_MS)


def hits(of: World, text: str, *without: Layer) -> dict[str, Hit]:
    return {hit.id.removeprefix("mem_"): hit for hit in answer(of, text, *without).hits}


def final(hit: Hit) -> tuple[float, float, float]:
    assert hit.signals is not None
    return hit.signals.composite, hit.signals.drift, hit.signals.decay


def test_there_is_a_switch_for_every_name_and_a_name_for_every_switch() -> None:
    names: tuple[Layer, ...] = get_args(Layer)
    assert names == Layers.__struct_fields__
    assert left_out(ALL) == ()
    assert left_out(layers(names)) == names
    for name in names:
        assert left_out(layers((name,))) == (name,)


STORE = world(
    *ARTICLE,
    memory("valves", "Grease", LONG),
    memory("pump", "Pump", SAME, days=2),
    memory("pump2", "Pump", f"{SAME}.", days=3),
    memory("aged", "Anchor chains", "Chains are galvanised.", days=400),
    *(
        memory(f"log{n}", "", f"{said}", origin="log", path="notes.md", line=n)
        for n, said in enumerate(("Tar", "Oars"))
    ),
)
INERT: dict[Layer, str] = {
    "typos": "database pool",
    "fragments": "database pool",
    "expansions": "Tailwind utility classes",
    "entities": "database pool",
    "sections": "database pool",
    "title": "rollback journal",
    "neighbours": "database pool",
    "named": "rollback journal",
    "hop": "database pool",
    "drift": "database pool",
    "decay": "database pool",
    "folding": "database pool",
}
"""A question with which the layer has nothing to do; there is none for the decision, which has a limit for each."""


@pytest.mark.parametrize(("layer", "question"), INERT.items())
def test_a_layer_that_has_nothing_to_do_is_not_missed(layer: Layer, question: str) -> None:
    full, reduced = answer(STORE, question), answer(STORE, question, layer)
    assert full.without == ()
    assert reduced.without == (layer,)
    assert msgspec.structs.replace(reduced, revision=full.revision, without=()) == full


def test_typos() -> None:
    read = hits(STORE, "statelss")
    assert list(read) == ["jwt"]
    assert hits(STORE, "statelss", "typos") == {}


def test_fragments() -> None:
    of = world(memory("a", "Deduplication of uploads"), memory("b", "Tar and oars"))
    full = answer(of, "duplica uploads")
    assert full.hits[0].signals is not None
    assert full.hits[0].signals.fuzzy == pytest.approx((1.0 + 0.25) / 2)
    reduced = answer(of, "duplica uploads", "fragments")
    assert reduced.hits[0].signals is not None
    assert reduced.hits[0].signals.fuzzy == 0.5


def test_expansions() -> None:
    of = world(memory("a", "Kubernetes runs the workers"), memory("b", "Tar and oars"))
    assert list(hits(of, "k8s")) == ["a"]
    assert hits(of, "k8s", "expansions") == {}


def test_entities() -> None:
    of = world(
        memory("a", "Digital Analytics Program (DAP)", "What we count with it."),
        memory("b", "Visitors", "DAP counts them."),
        memory("c", "Tar and oars"),
        config=Config(precision="all"),
    )
    assert list(hits(of, "digital analytics program")) == ["a", "b"]
    assert list(hits(of, "digital analytics program", "entities")) == ["a"]
    found = hits(of, "digital analytics program")["b"].signals
    assert found is not None
    assert "as another name for analytic digital program: DAP" in found.why


def test_sections() -> None:
    def words(*without: Layer) -> float:
        found = hits(STORE, "grease valves yearly", *without)["valves"].signals
        assert found is not None
        assert found.words is not None
        return found.words.raw

    assert words() > words("sections")


def test_title() -> None:
    full, reduced = hits(STORE, "rotation of keys")["webtoken"], hits(STORE, "rotation of keys", "title")["webtoken"]
    assert full.signals is not None
    assert full.signals.title is not None
    assert full.signals.title.adds > 0.0
    assert reduced.signals is not None
    assert reduced.signals.title is not None
    assert (reduced.signals.title.raw, reduced.signals.title.adds) == (0.0, 0.0)
    assert reduced.signals.words == full.signals.words


def test_neighbours() -> None:
    entries = ("the boiler rattles", "yes it does, loudly", "bread", "nothing of that kind", "tar")
    of = world(*(memory(str(n), "", said, origin="log", path="n.md", line=n) for n, said in enumerate(entries)))
    cosines = np.full(of.index.size, np.nan)
    for n, cosine in enumerate((0.7, 0.3, 0.1, 0.3, 0.1)):
        slot = slot_of(of.index, f"mem_{n}")
        assert slot is not None
        cosines[slot] = cosine

    def scores(*without: Layer) -> dict[str, float]:
        asked = configure(of, Config(without=without, precision="all"))
        found = recall(asked, Query(text="boiler"), now_ms=NOW_MS, cosines=cosines)
        return {hit.id.removeprefix("mem_"): hit.score for hit in found.hits}

    assert scores()["1"] > scores()["3"], "it stands beside one that speaks of it"
    assert scores("neighbours")["1"] == scores("neighbours")["3"]


def test_named() -> None:
    of = world(
        memory("named", "Harbour office", "Tar.", days=900, confidence=0.0),
        memory("rich", "A hook", "The harbour office: the key of the harbour office hangs there.", days=0),
    )
    full, reduced = answer(of, "harbour office key"), answer(of, "harbour office key", "named")
    assert full.hits[0].id == "mem_named"
    assert full.hits[0].signals is not None
    assert full.hits[0].signals.named == "Harbour office"
    assert reduced.hits[0].id == "mem_rich"
    assert all(hit.signals is not None and hit.signals.named is None for hit in reduced.hits)


def test_decision() -> None:
    of = world(*ARTICLE)
    question = "which minute of the concert should the orchestra repeat threefold for the audience"
    assert answer(of, question).notice == "nothingRelevant"
    everything = answer(of, question, "decision")
    assert everything.hits
    by_asking = recall(of, Query(text=question, precision="all", explain=True), now_ms=NOW_MS)
    assert [hit.id for hit in everything.hits] == [hit.id for hit in by_asking.hits]


@pytest.mark.parametrize(
    ("layer", "flag", "id_", "question"),
    [("drift", "stale", "sqlite", "SQLite benchmarks"), ("decay", "unverified", "aged", "anchor chains")],
)
def test_demotion_goes_and_the_flag_stays(layer: Layer, flag: str, id_: str, question: str) -> None:
    of = drifted(STORE, ["mem_sqlite"])
    full, reduced = hits(of, question)[id_], hits(of, question, layer)[id_]
    assert flag in full.flags
    assert reduced.flags == full.flags
    assert final(full)[0] == final(reduced)[0]
    assert final(full)[1:] != (1.0, 1.0)
    assert final(reduced)[1:] == (1.0, 1.0)
    assert full.score < reduced.score


def test_folding() -> None:
    assert {"pump", "pump2"} & hits(STORE, "pump grease shed").keys() == {"pump"}
    assert list(hits(STORE, "pump grease shed", "folding"))[:2] == ["pump", "pump2"]
