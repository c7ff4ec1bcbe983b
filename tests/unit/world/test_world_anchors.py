"""What a World knows of anchors: states by memory, the drift that follows, and how long both hold."""

import msgspec
import pytest

from memofs.model.change import Change
from memofs.model.memory import Anchor, Memory
from memofs.model.place import AnchorState, Place, Verdict
from memofs.model.query import Query
from memofs.world.state import World, apply, drifted, flags, placed
from stores import ARTICLE, NOW_MS, ask, ids, memory, world

HERE = Place(path="src/db.py")


def state(verdict: Verdict | None) -> AnchorState:
    return AnchorState(verdict=verdict, place=None if verdict == "missing" else HERE)


def anchored() -> World:
    return world(memory("d1", "Use D1", paths=("src/db.py", "src/edge.py")), memory("jwt", "JWT", paths=("src/a.py",)))


@pytest.mark.parametrize(
    ("verdicts", "stale"),
    [
        (("current", "moved"), False),
        (("reformatted", None), False),
        (("current", "changed"), True),
        (("missing", "current"), True),
    ],
)
def test_a_memory_is_stale_if_one_of_its_anchors_is(verdicts: tuple[Verdict | None, ...], stale: bool) -> None:
    of = placed(anchored(), {"mem_d1": tuple(state(each) for each in verdicts)})
    assert ("stale" in flags(of, of.memories["mem_d1"], NOW_MS)) == stale
    assert of.revision == 2


def test_states_of_unknown_memories_are_dropped() -> None:
    of = placed(anchored(), {"mem_gone": (state("missing"),)})
    assert (dict(of.anchors), of.stale) == ({}, frozenset())


def test_a_write_forgets_what_was_known_of_other_anchors_only() -> None:
    of = placed(anchored(), {"mem_d1": (state("changed"), state("current")), "mem_jwt": (state("missing"),)})
    retitled = msgspec.structs.replace(of.memories["mem_d1"], title="Use D1 still", digest="other")
    after = apply(of, Change(put=(retitled,)))
    assert (after.stale, after.anchors) == (of.stale, of.anchors)
    moved = msgspec.structs.replace(retitled, anchors=(Anchor(path="src/other.py"),))
    after = apply(of, Change(put=(moved,)))
    assert (after.stale, set(after.anchors)) == ({"mem_jwt"}, {"mem_jwt"})
    after = apply(of, Change(removed=("mem_jwt",)))
    assert (after.stale, set(after.anchors)) == ({"mem_d1"}, {"mem_d1"})


def test_drift_demotes_before_the_cut_and_is_flagged() -> None:
    of = world(*ARTICLE)
    assert ids(ask(of, "tenant metadata edge latency"))[0] == "d1"
    full = ask(of, "tenant metadata edge latency").hits[0]
    after = ask(drifted(of, ["mem_d1"]), "tenant metadata edge latency").hits
    (hit,) = [hit for hit in after if hit.id == "mem_d1"]
    assert "stale" in hit.flags
    assert hit.score == pytest.approx(full.score * 0.5, abs=1e-3)
    asked = Query(text="tenant metadata", flags=("stale",))
    assert ids(ask(drifted(of, ["mem_d1"]), "tenant metadata", asked)) == ["d1"]


def test_what_a_body_says_is_one_of_its_anchors() -> None:
    said = Memory(
        id="mem_said",
        kind="note",
        title="Said",
        body="",
        path="said.md",
        digest="",
        anchors=(Anchor(path="src/a.py"),),
        said_anchors=(Anchor(path="src/b.py", symbol="f"),),
    )
    assert [anchor.path for anchor in said.every_anchor] == ["src/a.py", "src/b.py"]
    of = world(said)
    assert ids(ask(of, "said", Query(text="said", paths=("src/b.py",)))) == ["said"]
