"""The entities of a World that followed changes are those of one built at once, and of one read from stored bytes."""

from collections.abc import Mapping, Sequence
from typing import cast

from hypothesis import given, settings
from hypothesis import strategies as st

from memofs.graph.state import Graph
from memofs.model.change import Change
from memofs.model.config import Config
from memofs.model.graph import Curated, Edge, Node
from memofs.model.memory import Memory
from memofs.recall.index import LexicalIndex, id_at, slot_of, terms_of
from memofs.world.state import World, apply, build, index_bytes
from stores import memory

SENTENCES = (
    "The Gateway uses Redis.",
    "We use Postgres instead of MySQL.",
    "OAuth supersedes JWT.",
    "JWT supersedes OAuth.",
    "A JSON Web Token (JWT) is signed.",
    "The booking service depends on Kafka.",
    "We never use Kafka.",
    "The Gateway no longer uses Redis.",
)
IDS = st.integers(0, 5).map(str)
CURATED = (
    Curated(),
    Curated(nodes=(Node(id="tool:redis", type="tool", label="The cache", aliases=("Redis",), curated=True),)),
    Curated(edges=(Edge(source="Gateway", relation="uses", target="mem_000001"),)),
)


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    return memory(
        draw(IDS),
        draw(st.sampled_from(("Use D1", "Notes", "Redis"))),
        " ".join(draw(st.lists(st.sampled_from(SENTENCES), max_size=3))),
        kind=draw(st.sampled_from(("decision", "note"))),
        status=draw(st.sampled_from(("active", "active", "active", "retired", "pending"))),
        tags=draw(st.lists(st.sampled_from(("db", "dbs", "redis")), max_size=2)),
        supersedes=draw(st.lists(IDS, max_size=1)),
        days=draw(st.sampled_from((1.0, 40.0, None))),
    )


@st.composite
def changes(draw: st.DrawFn) -> Change:
    return Change(
        put=tuple(draw(st.lists(memories(), max_size=3))),
        removed=tuple(f"mem_{id_}" for id_ in draw(st.lists(IDS, max_size=2))),
        curated=draw(st.none() | st.sampled_from(CURATED)),
    )


def graph_parts(graph: Graph) -> dict[str, object]:
    found: dict[str, object] = {}
    for name in graph.__struct_fields__:
        value: object = getattr(graph, name)
        found[name] = dict(cast("Mapping[str, object]", value)) if isinstance(value, Mapping) else value
    return found


def documents(index: LexicalIndex) -> dict[str, frozenset[str]]:
    slots = [slot for slot in range(index.size) if slot_of(index, id_at(index, slot)) == slot]
    return {id_at(index, slot): terms_of(index, slot) for slot in slots}


def same(one: World, other: World) -> None:
    assert graph_parts(one.graph) == graph_parts(other.graph)
    assert documents(one.entities.index) == documents(other.entities.index)
    assert one.problems == other.problems


def left_by(done: Sequence[Change]) -> tuple[dict[str, Memory], Curated]:
    left: dict[str, Memory] = {}
    curated = Curated()
    for change in done:
        left = {id_: each for id_, each in left.items() if id_ not in change.removed}
        left.update({each.id: each for each in change.put})
        curated = change.curated or curated
    return left, curated


@settings(max_examples=60)
@given(st.lists(changes(), max_size=6))
def test_following_equals_building(done: list[Change]) -> None:
    grown = build((), config=Config())
    for change in done:
        grown = apply(grown, change)
    left, curated = left_by(done)
    same(grown, build(left.values(), config=Config(), curated=curated))


@settings(max_examples=60)
@given(st.lists(changes(), max_size=3), st.lists(changes(), max_size=3))
def test_stored_bytes_of_another_moment_give_what_building_gives(before: list[Change], since: list[Change]) -> None:
    left, curated = left_by(before)
    stored = index_bytes(build(left.values(), config=Config(), curated=curated))
    now, written = left_by([*before, *since])
    same(
        build(now.values(), config=Config(), curated=written, index_bytes=stored),
        build(now.values(), config=Config(), curated=written),
    )
