"""Building, changing and storing a World; near-duplicates; lists by filter; the mapping of memories."""

import pytest

from memofs.model.change import Change
from memofs.model.config import Config
from memofs.model.errors import Cancelled
from memofs.model.problem import Problem
from memofs.world.memories import Memories, changed, memories_of
from memofs.world.select import select
from memofs.world.state import apply, build, configure, drifted, flags, index_bytes, near_duplicate
from stores import ARTICLE, NOW_MS, ask, ids, memory, world


def test_a_stored_index_spares_the_reading() -> None:
    first = world(*ARTICLE)
    assert first.analysed == len(ARTICLE)
    again = build(ARTICLE, config=Config(), index_bytes=index_bytes(first))
    assert again.analysed == 0
    assert ask(again, "database tenant").hits == ask(first, "database tenant").hits


def test_only_what_differs_is_read_again() -> None:
    stored = index_bytes(world(*ARTICLE))
    since = (memory("d1", "Use Postgres for tenant metadata", "D1 was slow."), *ARTICLE[1:-1], memory("more", "More"))
    again = build(since, config=Config(), index_bytes=stored)
    assert again.analysed == 2
    assert ids(ask(again, "postgres tenant"))[0] == "d1"
    assert ids(ask(again, "signing keys")) == []


@pytest.mark.parametrize("data", [b"", b"nothing of the kind", b"memofsLX" + bytes(40)])
def test_bytes_that_are_no_index_are_as_good_as_none(data: bytes) -> None:
    of = build(ARTICLE, config=Config(), index_bytes=data)
    assert of.analysed == len(ARTICLE)


def test_the_last_of_two_with_one_id_counts() -> None:
    of = build((memory("a", "Kettle"), memory("a", "Saucer")), config=Config())
    assert len(of.memories) == 1
    assert ids(ask(of, "saucer")) == ["a"]
    assert ids(ask(of, "kettle")) == []


def test_problems_are_replaced_by_path() -> None:
    torn, odd = (Problem(path=path, code="frontMatter", message="torn") for path in ("a.md", "b.md"))
    of = build((), config=Config(), problems=(torn, odd))
    assert of.problems == {"a.md": (torn,), "b.md": (odd,)}
    of = apply(of, Change(paths=("a.md", "c.md"), problems=(Problem(path="c.md", code="binary", message="binary"),)))
    assert set(of.problems) == {"b.md", "c.md"}


def test_revisions_count_up() -> None:
    of = build((), config=Config(), revision=7)
    assert of.revision == 7
    assert apply(of, Change()).revision == 8
    assert configure(of, Config()).revision == 8
    assert drifted(of, ()).revision == 8


def test_a_build_nobody_waits_for_ends() -> None:
    class Gone:
        def check(self) -> None:
            raise Cancelled

    with pytest.raises(Cancelled):
        build(ARTICLE, config=Config(), cancel=Gone())


TEXT = "Retry failed uploads three times, with a pause of two, four and eight seconds between the attempts."


@pytest.mark.parametrize(
    ("title", "body", "expected"),
    [
        ("Retry uploads", TEXT, "a"),
        ("retry UPLOADS", TEXT.upper(), "a"),
        ("Retry uploads", f"{TEXT} Always.", "a"),
        ("Retry uploads", "Never retry.", None),
        ("Something else", TEXT[:40], None),
        ("", "", None),
        ("the of and", "", None),
    ],
)
def test_near_duplicates(title: str, body: str, expected: str | None) -> None:
    of = world(memory("a", "Retry uploads", TEXT, tags=("net", "uploads"), paths=("src/net/upload.py",)), *ARTICLE)
    found = near_duplicate(of, title, body)
    assert (found.id if found else None) == (f"mem_{expected}" if expected else None)


def test_what_was_retired_or_superseded_may_be_said_again() -> None:
    retired = world(memory("a", "Retry uploads", TEXT, status="retired"))
    replaced = world(memory("a", "Retry uploads", TEXT), memory("b", "Never retry", "At all.", supersedes=("a",)))
    assert near_duplicate(retired, "Retry uploads", TEXT) is None
    assert near_duplicate(replaced, "Retry uploads", TEXT) is None


def test_the_nearest_of_two_and_the_first_of_equals() -> None:
    of = world(
        memory("b", "Retry uploads", TEXT),
        memory("a", "Retry uploads", TEXT),
        memory("c", "Retry uploads", f"{TEXT} So."),
    )
    found = near_duplicate(of, "Retry uploads", TEXT)
    assert found is not None
    assert found.id == "mem_a"


SHELF = (
    memory("now", "Now", kind="decision", tags=("x",), paths=("src/a.py",)),
    memory("was", "Was", kind="decision"),
    memory("next", "Next", kind="decision", supersedes=("was",)),
    memory("gone", "Gone", status="retired", tags=("x",)),
    memory("maybe", "Maybe", status="pending"),
    memory("aged", "Aged", kind="note", days=400),
)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, {"now", "next", "maybe", "aged"}),
        ({"include_retired": True}, {"now", "was", "next", "gone", "maybe", "aged"}),
        ({"statuses": ("retired",)}, {"gone"}),
        ({"statuses": ("pending",)}, {"maybe"}),
        ({"kinds": ("decision",)}, {"now", "next"}),
        ({"tags": ("X",)}, {"now"}),
        ({"tags": ("x",), "include_retired": True}, {"now", "gone"}),
        ({"paths": ("src",)}, {"now"}),
        ({"flags": ("unverified",), "now_ms": NOW_MS}, {"aged"}),
        ({"flags": ("superseded",)}, {"was"}),
        ({"flags": ("retired", "pending")}, {"gone", "maybe"}),
    ],
)
def test_select(asked: dict[str, object], expected: set[str]) -> None:
    found = select(world(*SHELF), **asked)  # pyright: ignore[reportArgumentType]
    assert {each.id.removeprefix("mem_") for each in found} == expected
    assert [each.id for each in found] == sorted(each.id for each in found)


def test_flags_in_their_order() -> None:
    aged = memory("aged", "Aged", kind="note", days=400, status="retired")
    of = drifted(world(aged), ["mem_aged"])
    assert flags(of, aged, NOW_MS) == ("stale", "unverified", "retired")


def test_drift_of_a_memory_that_is_gone_is_forgotten() -> None:
    of = drifted(world(*ARTICLE), ["mem_d1", "mem_jwt"])
    assert apply(of, Change(removed=("mem_d1",))).stale == {"mem_jwt"}


def test_memories_are_a_mapping() -> None:
    of = memories_of((memory("a", "One"), memory("b", "Two")))
    for round_ in range(1_200):
        of = changed(of, put=[memory("b", f"Two {round_}"), memory(f"n{round_}")], removed=[f"mem_n{round_ - 1}"])
    assert of["mem_a"].title == "One"
    assert of["mem_b"].title == "Two 1199"
    assert "mem_n0" not in of
    assert of.get("mem_n7") is None
    assert sorted(of) == ["mem_a", "mem_b", "mem_n1199"]
    assert len(of) == 3
    with pytest.raises(KeyError):
        of["mem_n0"]


def test_a_write_copies_little() -> None:
    of = memories_of(memory(f"m{number}") for number in range(3_000))
    after = changed(of, put=[memory("new")], removed=["mem_m7"])
    assert after.base.keys() == of.base.keys()
    assert len(after.overlay) == 2
    assert (len(of), len(after)) == (3_000, 3_000)


def test_memories_cannot_be_set() -> None:
    of = Memories({}, {})
    with pytest.raises(AttributeError):
        of.base = {}  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(TypeError):
        of["mem_a"] = memory("a")  # pyright: ignore[reportIndexIssue]
