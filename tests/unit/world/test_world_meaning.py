"""Vectors in a World: what a chunk takes over from its memory, and an entry of a log from those around it."""

import numpy as np
import pytest

from memofs.model.query import Query
from memofs.recall.arrays import frozen
from memofs.recall.index import id_at
from memofs.recall.vectors import OwnVectors
from memofs.world.meaning import WHOLE_SHARE, WINDOW, cosines, windowed, with_vectors
from memofs.world.recall import recall
from memofs.world.state import World
from stores import NOW_MS, ask, ids, memory, world


def own(id_: str, *rows: tuple[float, ...]) -> OwnVectors:
    return OwnVectors(id=f"mem_{id_}", hashes=tuple(map(str, rows)), matrix=frozen(np.array(rows, dtype=np.float32)))


def unit(at: int, size: int = 6) -> tuple[float, ...]:
    return tuple(float(place == at) for place in range(size))


def by_id(of: World, query: tuple[float, ...]) -> dict[str, float]:
    found = cosines(of, np.array(query, dtype=np.float32))
    return {id_at(of.index, slot).removeprefix("mem_"): float(cosine) for slot, cosine in enumerate(found.tolist())}


def test_a_chunk_is_weighed_against_all_of_its_memory() -> None:
    of = with_vectors(
        world(memory("long"), memory("short")), [own("long", unit(0), unit(1)), own("short", unit(0))], model="m"
    )
    found = by_id(of, unit(0))
    assert found["short"] == pytest.approx(1.0)
    assert found["long"] == pytest.approx((1.0 + WHOLE_SHARE * 0.5) / (1.0 + WHOLE_SHARE))


def test_chunks_that_say_the_same_lose_nothing() -> None:
    of = with_vectors(world(memory("long")), [own("long", unit(0), unit(0), unit(0))], model="m")
    assert by_id(of, unit(0))["long"] == pytest.approx(1.0)


def test_an_entry_of_a_log_leans_on_those_around_it_the_nearer_the_more() -> None:
    entries = [memory(f"e{at}", origin="log", path="notes.md", line=10 * at) for at in (3, 0, 2, 1)]
    found = {
        each.id: each.matrix[0]
        for each in windowed(entries, {f"mem_e{at}": own(f"e{at}", unit(at)) for at in range(4)})
    }
    near, far = WINDOW
    expected = np.array([near, 1.0, near, far, 0.0, 0.0])
    assert found["mem_e1"] == pytest.approx(expected / np.linalg.norm(expected))
    assert found["mem_e0"] == pytest.approx(np.array([1.0, near, far, 0, 0, 0]) / np.linalg.norm([1.0, near, far]))


def test_entries_without_a_vector_or_of_another_log_lend_none() -> None:
    entries = [
        memory("a", origin="log", path="one.md", line=0),
        memory("b", origin="log", path="one.md", line=1),
        memory("c", origin="log", path="two.md", line=2),
    ]
    vectors = {"mem_a": own("a", unit(0)), "mem_c": own("c", unit(2))}
    found = {each.id: each.matrix[0].tolist() for each in windowed(entries, vectors)}
    assert found == {"mem_a": list(unit(0)), "mem_c": list(unit(2))}


PIECES = (
    memory(
        "pieces",
        "How the GC goes through other sorts of pages and packs",
        "GC GC GC, other other other: the GC of others and other GC.",
    ),
    memory("whole", "A long list of constants", "GC_OTHER and " + "many words of other things " * 30),
    memory("two", "Two", "GC_OTHER beside PACK_LIST, " + "names for tables and their columns " * 30),
)


@pytest.mark.parametrize("cosine", [None, 0.9])
@pytest.mark.parametrize("name", ["GC_OTHER", "gcOther", "the GC_OTHER"])
def test_what_has_an_identifier_whole_comes_before_what_has_its_pieces(name: str, cosine: float | None) -> None:
    of = world(*PIECES)
    cosines = (
        None
        if cosine is None
        else np.array([cosine if id_at(of.index, slot) == "mem_pieces" else 0.1 for slot in range(of.index.size)])
    )
    answer = recall(of, Query(text=name, precision="all"), now_ms=NOW_MS, cosines=cosines)
    assert {hit.id for hit in answer.hits[:2]} == {"mem_whole", "mem_two"}


def test_what_has_more_of_the_identifiers_comes_first() -> None:
    of = world(*PIECES)
    assert ids(ask(of, "", Query(text="GC_OTHER PACK_LIST", precision="all")))[0] == "two"


def test_an_identifier_in_a_sentence_is_one_word_among_others() -> None:
    of = world(*PIECES, memory("why", "Why collect", "Collecting waits for idle moments of the other GC."))
    question = "why does GC_OTHER wait for idle moments before collecting"
    assert ids(ask(of, "", Query(text=question, precision="all")))[0] == "why"


def test_an_identifier_is_asked_for_by_its_letters() -> None:
    of = world(
        memory("has", "Loading", "Call getUserById for it."),
        memory("like", "Users", "Everything about users and who they are."),
        *(memory(f"n{n}", f"Palette {n}", f"Chart {n} has a legend.") for n in range(20)),
    )
    of = with_vectors(
        of, [own("has", unit(1)), own("like", unit(0)), *(own(f"n{n}", unit(2)) for n in range(20))], model="m"
    )
    query = Query(text="getUserById", precision="all", explain=True)
    answer = recall(of, query, now_ms=NOW_MS, cosines=cosines(of, np.array(unit(0), dtype=np.float32)))
    assert [hit.id for hit in answer.hits][:2] == ["mem_has", "mem_like"]
    assert answer.hits[0].signals is not None
    assert "an identifier was asked for: words weigh 90%" in answer.hits[0].signals.why
