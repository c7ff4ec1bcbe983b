"""Who supersedes whom: chains, circles, and links of memories that do not count."""

import pytest

from memofs.model.change import Change
from memofs.model.memory import Memory
from memofs.world.state import apply, build, flags
from memofs.world.supersession import supersession
from stores import NOW_MS, Config, ask, ids, memory, world


def by(*memories: Memory) -> dict[str, str]:
    found = supersession({each.id: each for each in memories}).by
    return {old.removeprefix("mem_"): new.removeprefix("mem_") for old, new in found.items()}


def test_the_current_one_at_the_end_of_a_line() -> None:
    assert by(memory("a"), memory("b", supersedes=("a",)), memory("c", supersedes=("b",))) == {"a": "c", "b": "c"}


def test_the_newest_of_several_successors() -> None:
    assert by(memory("old"), memory("x", supersedes=("old",), days=9), memory("y", supersedes=("old",), days=3)) == {
        "old": "y"
    }


def test_a_pending_one_supersedes_nothing_yet() -> None:
    assert by(memory("a"), memory("b", supersedes=("a",), status="pending")) == {}


def test_a_retired_one_without_a_successor_no_longer_supersedes() -> None:
    assert by(memory("a"), memory("b", supersedes=("a",), status="retired")) == {}


def test_what_a_retired_one_replaced_stays_replaced_once_it_is_replaced_itself() -> None:
    assert by(memory("a"), memory("b", supersedes=("a",), status="retired"), memory("c", supersedes=("b",))) == {
        "a": "c",
        "b": "c",
    }


def test_links_to_nothing_are_passed_over() -> None:
    assert by(memory("a", supersedes=("nowhere",))) == {}


@pytest.mark.parametrize(
    "circle",
    [
        (memory("a", "Kettle", supersedes=("a",)),),
        (memory("a", "Kettle", supersedes=("b",)), memory("b", "Saucer", supersedes=("a",))),
        (
            memory("a", "Kettle", supersedes=("b",)),
            memory("b", "Saucer", supersedes=("c",)),
            memory("c", "Teapot", supersedes=("a",)),
        ),
    ],
)
def test_a_circle_supersedes_nobody_and_says_so(circle: tuple[Memory, ...]) -> None:
    of = world(*circle)
    assert of.superseded_by == {}
    assert set(ids(ask(of, "kettle saucer teapot"))) == {each.id.removeprefix("mem_") for each in circle}
    for each in circle:
        [problem] = of.problems[each.path]
        assert problem.code == "supersedesCircle"
        assert problem.severity == "warning"
        assert each.id in problem.message


def test_a_circle_is_superseded_as_others_are() -> None:
    assert by(
        memory("a", supersedes=("b",)),
        memory("b", supersedes=("a", "x")),
        memory("new", supersedes=("a",)),
        memory("x"),
    ) == {"a": "new", "x": "b"}


def test_a_link_taken_out_of_a_circle_ends_it() -> None:
    a, b = memory("a", supersedes=("b",)), memory("b", supersedes=("a",))
    of = apply(build((a, b), config=Config()), Change(put=(memory("b"),), paths=(b.path,)))
    assert of.superseded_by == {"mem_b": "mem_a"}
    assert of.problems == {}


def test_links_follow_changes() -> None:
    of = world(memory("new", supersedes=("old",)))
    assert of.superseded_by == {}
    of = apply(of, Change(put=(memory("old", "Kettle"),)))
    assert of.superseded_by == {"mem_old": "mem_new"}
    assert flags(of, of.memories["mem_old"], NOW_MS) == ("superseded",)
    assert ids(ask(of, "kettle")) == []
    of = apply(of, Change(put=(memory("new", supersedes=("old",), status="retired"),)))
    assert of.superseded_by == {}
    assert ids(ask(of, "kettle")) == ["old"]
    of = apply(of, Change(put=(memory("new", supersedes=("old",)),)))
    of = apply(of, Change(removed=("mem_new",)))
    assert ids(ask(of, "kettle")) == ["old"]
