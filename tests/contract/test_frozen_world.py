"""A World cannot be changed: every value in a populated one, walked to the bottom, is frozen."""

import types
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

import msgspec
import numpy as np
import pytest

from bench.corpus import memories
from memofs.model.change import Change
from memofs.model.config import Config
from memofs.model.graph import Curated, Edge, Node
from memofs.model.memory import Columns, Lines
from memofs.model.place import AnchorState, Guess, Place
from memofs.model.problem import Problem
from memofs.model.relation import Relation
from memofs.model.shared import Shared
from memofs.world.state import World, apply, build, index_bytes, placed
from stores import memory

ATOMS = (str, bytes, int, float, bool, types.NoneType)


def populated() -> World:
    """Every part filled: sections, logs, links, a circle, problems, drift, several segments, an overlay."""
    long = "\n\n".join(f"# Part {n}\n\n" + f"Words of part {n}. " * 60 for n in range(3))
    first = build(
        [
            *memories(200),
            memory("long", "Long", long, aliases=("handbook",), tags=("t",), paths=("src/a.py",)),
            *(memory(f"log{n}", "", "an entry", origin="log", path="notes.md", line=n) for n in range(3)),
            memory("a", "A", supersedes=("b",)),
            memory("b", "B", supersedes=("a",)),
            memory("c", "C", supersedes=("long",)),
            memory("uses", "Use D1 instead of Postgres", "OAuth supersedes JWT.", kind="decision", tags=("edge",)),
            memory("named", "Digital Analytics Program (DAP)", "JWT supersedes OAuth. The Gateway uses Redis."),
        ],
        config=Config(lexicon={"edge": ("cdn",)}, floors_days={"note": 9}),
        problems=(Problem(path="torn.md", code="frontMatter", message="torn"),),
        relations=(Relation(source="mem_long", target="mem_a", type="uses"),),
        curated=Curated(
            nodes=(Node(id="tool:redis", type="tool", label="Redis", aliases=("cache",), curated=True),),
            edges=(Edge(source="Redis", relation="supersedes", target="person:ada"),),
        ),
    )
    changed = apply(first, Change(put=(memory("new", "New"),), removed=("mem_000000000001",)))
    place = Place(path="src/a.py", lines=Lines(first=2, last=3), columns=Columns(start=1, end=4))
    guess = Guess(place=place, score=0.4, text="def f():")
    states = (AnchorState(verdict="missing", guesses=(guess,), degraded=("git",)), AnchorState(place=place))
    return placed(changed, {"mem_new": states, "mem_long": states})


def parts(value: object, where: str) -> Iterator[tuple[str, object]]:
    """Every value inside, with the way to it. Fails on anything that is not known to be frozen."""
    yield where, value
    if isinstance(value, ATOMS):
        return
    if isinstance(value, np.ndarray):
        assert not value.flags.writeable, f"{where} is a writeable array"
        base: object = value.base
        assert not (isinstance(base, np.ndarray) and base.flags.writeable), f"{where} is a view of a writeable array"
        return
    if isinstance(value, msgspec.Struct):
        assert type(value).__struct_config__.frozen, f"{where} is a Struct that is not frozen"
        for field in value.__struct_fields__:
            yield from parts(getattr(value, field), f"{where}.{field}")
        return
    if isinstance(value, Shared):
        shared = cast("Shared[object, object]", value)
        yield from parts(shared.base, f"{where}.base")
        yield from parts(shared.overlay, f"{where}.overlay")
        return
    if isinstance(value, types.MappingProxyType):
        for key, inner in cast("Mapping[object, object]", value).items():
            yield from parts(key, f"{where} key")
            yield from parts(inner, f"{where}[{key!r}]")
        return
    if isinstance(value, tuple | frozenset):
        for place, inner in enumerate(cast("Iterable[object]", value)):
            yield from parts(inner, f"{where}[{place}]")
        return
    pytest.fail(f"{where} is a {type(value).__name__}")


@pytest.mark.parametrize("how", ["built", "stored"])
def test_nothing_in_a_world_can_be_changed(how: str) -> None:
    world = populated()
    if how == "stored":
        related = dict.fromkeys(relation for each in world.relations.values() for relation in each)
        stored = index_bytes(world)
        curated = world.graph.curated
        world = build(
            world.memories.values(), config=world.config, index_bytes=stored, relations=related, curated=curated
        )
    seen = [where for where, _ in parts(world, "world")]
    assert len(seen) > 5_000
    assert any("index.segments[0].parts.slots" in where for where in seen)
    assert any("relations['mem_long'][0]" in where for where in seen)
    assert any("graph.succession.edges[0]" in where for where in seen)
    assert any("graph.nodes" in where for where in seen)
    assert any("entities.index.segments[0]" in where for where in seen)
    assert any("anchors['mem_new'][0].guesses[0]" in where for where in seen) == (how == "built")


def test_a_field_of_a_world_cannot_be_set() -> None:
    world = populated()
    with pytest.raises(AttributeError):
        world.revision = 2  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(AttributeError):
        world.index.segments = ()  # pyright: ignore[reportAttributeAccessIssue]
    alive = next(iter(world.index.segments)).alive
    with pytest.raises(ValueError, match="read-only"):
        alive[0] = False
