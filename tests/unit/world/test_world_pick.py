"""What a briefing picks by place, by date and by need of a check."""

import msgspec
import pytest

from memofs.model.memory import Anchor, Lines, Memory
from memofs.model.place import AnchorState, Place
from memofs.world.pick import binding, here, newest, to_check
from memofs.world.state import World, drifted, placed
from stores import NOW_MS, memory, world

FILE = "src/auth/tokens.py"


def at(made: Memory, *lines: tuple[int, int] | None, path: str = FILE) -> Memory:
    """The memory tied to lines of the file, or to the whole of it."""
    anchors = tuple(
        Anchor(path=path, lines=None if each is None else Lines(first=each[0], last=each[1])) for each in lines
    )
    return msgspec.structs.replace(made, anchors=anchors)


def names(found: tuple[Memory, ...]) -> list[str]:
    return [each.id.removeprefix("mem_") for each in found]


TIED = world(
    at(memory("far", "Far"), (400, 410)),
    at(memory("near", "Near"), (70, 72)),
    at(memory("touching", "Touching"), (1, 3), (40, 52)),
    at(memory("whole", "Whole"), None),
    at(memory("old", "Old", days=9), (41, 41)),
    at(memory("rule", "Rule", kind="constraint", days=30), (45, 60)),
    at(memory("gone", "Gone", status="retired"), (41, 41)),
    at(memory("waiting", "Waiting", status="pending"), (41, 41)),
    at(memory("before", "Before", kind="decision"), (41, 41)),
    at(memory("after", "After", kind="decision", supersedes=["before"]), (900, 901)),
    at(memory("beside", "Beside"), (41, 41), path=f"{FILE}.bak"),
    at(memory("elsewhere", "Elsewhere"), (41, 41), path="src/auth/tokens/py.py"),
)


def test_what_is_tied_to_the_lines_comes_first_then_the_file_then_what_is_near() -> None:
    found = here(TIED, Place(path=FILE, lines=Lines(first=41, last=50)), now_ms=NOW_MS)
    assert names(found) == ["rule", "touching", "old", "whole", "near", "far", "after"]


def test_without_lines_what_binds_comes_first_then_the_newest() -> None:
    assert names(here(TIED, Place(path=FILE), now_ms=NOW_MS)) == [
        *("rule", "after"),
        *("far", "near", "touching", "whole", "old"),
    ]


def test_an_anchor_counts_where_it_is_now() -> None:
    def now(first: int, path: str = FILE) -> tuple[AnchorState, ...]:
        return (AnchorState(verdict="moved", place=Place(path=path, lines=Lines(first=first, last=first))),)

    missing = (AnchorState(verdict="missing"),)
    moved = placed(TIED, {"mem_far": now(45), "mem_old": now(1, "b.py"), "mem_beside": now(44), "mem_rule": missing})
    found = here(moved, Place(path=FILE, lines=Lines(first=41, last=50)), now_ms=NOW_MS)
    assert names(found) == ["rule", "beside", "far", "touching", "whole", "near", "after", "old"]
    assert names(here(moved, Place(path="b.py"), now_ms=NOW_MS)) == ["old"]


def test_an_anchor_in_the_text_is_one() -> None:
    said = msgspec.structs.replace(memory("said"), said_anchors=(Anchor(path=FILE, lines=Lines(first=9, last=9)),))
    found = here(world(said), Place(path=FILE, lines=Lines(first=1, last=9)), now_ms=NOW_MS)
    assert names(found) == ["said"]


@pytest.mark.parametrize("path", ["src/auth", "src/auth/", "src", "."])
def test_a_folder_is_all_below_it(path: str) -> None:
    found = here(TIED, Place(path=path), now_ms=NOW_MS)
    assert set(names(found)) == {"rule", "after", "far", "near", "touching", "whole", "old", "beside", "elsewhere"}


@pytest.mark.parametrize("path", ["", "src/aut", "src/auth/token*", "SRC/auth/tokens.py", "nowhere.py"])
def test_paths_are_taken_by_the_letter(path: str) -> None:
    assert here(TIED, Place(path=path), now_ms=NOW_MS) == ()


def test_what_binds_changed_files() -> None:
    assert names(binding(TIED, [FILE, "README.md"], now_ms=NOW_MS)) == ["rule", "after"]
    assert names(binding(TIED, ["src/"], now_ms=NOW_MS)) == ["rule", "after"]
    assert names(binding(TIED, ["./"], now_ms=NOW_MS)) == ["rule", "after"]
    assert binding(TIED, ["src"], now_ms=NOW_MS) == ()
    assert binding(TIED, [], now_ms=NOW_MS) == ()


def test_the_newest_without_those_already_shown() -> None:
    of = world(*(memory(f"m{number}", days=number) for number in range(1, 8)), memory("undated", days=None))
    assert names(newest(of, most=3, now_ms=NOW_MS)) == ["m1", "m2", "m3"]
    assert names(newest(of, most=3, without={"mem_m1", "mem_m3", "mem_unknown"}, now_ms=NOW_MS)) == ["m2", "m4", "m5"]
    assert names(newest(of, most=100, now_ms=NOW_MS))[-1] == "undated"
    assert newest(of, most=0, now_ms=NOW_MS) == ()
    assert newest(world(), most=3, now_ms=NOW_MS) == ()


def test_the_newest_of_some_kinds_before_the_others() -> None:
    of = world(
        memory("note", days=1), memory("rule", kind="constraint", days=50), memory("choice", kind="decision", days=9)
    )
    assert names(newest(of, most=3, kinds=("constraint", "decision"), now_ms=NOW_MS)) == ["choice", "rule", "note"]
    assert names(newest(of, most=1, kinds=("goal",), now_ms=NOW_MS)) == ["note"]


def _aged() -> World:
    return drifted(
        world(
            memory("fresh", days=1),
            memory("aged", days=400),
            memory("older", days=500),
            memory("decided", kind="decision", days=300),
            memory("moved", days=2),
            memory("both", days=450),
            memory("retired", days=450, status="retired"),
        ),
        ["mem_moved", "mem_both", "mem_unknown"],
    )


def test_what_is_to_be_checked_again() -> None:
    assert names(to_check(_aged(), most=9, now_ms=NOW_MS)) == ["moved", "both", "aged", "older"]
    assert names(to_check(_aged(), most=3, now_ms=NOW_MS)) == ["moved", "both", "aged"]
    assert names(to_check(_aged(), most=1, now_ms=NOW_MS)) == ["moved"]
