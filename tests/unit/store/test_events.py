"""The audit trail as a file that anybody may have edited."""

import pytest

from memofs.store.events import Event, append_events, check_events, newest_first, redact_events
from memofs.store.store import Store
from unit.store.on_disk import commit, creation


def event(id_: str, *, memory: str = "mem_aaaaaa", path: str = "a") -> Event:
    return Event(id=id_, type="remember", timestamp="2026-01-01T00:00:00Z", actor="user", memory=memory, path=path)


def ids(store: Store) -> list[str]:
    return [each.id for each in newest_first(store.layout)]


@pytest.mark.parametrize("damage", [b"{", b"\xff\xfe", b"null", b"[]", b"{}", b'{"id": 5}', b"\x00" * 40])
def test_a_damaged_line_costs_itself_and_is_found(store: Store, damage: bytes) -> None:
    append_events(store.layout, [event("one")])
    with store.layout.events.open("ab") as file:
        file.write(damage + b"\n")
    append_events(store.layout, [event("two")])
    assert ids(store) == ["two", "one"]
    (problem,) = check_events(store.layout)
    assert (problem.code, problem.line, problem.severity) == ("tornLine", 1, "warning")
    commit(store, creation("a.md", b"x"))
    assert len(ids(store)) == 3


def test_without_a_trail_there_are_no_events_and_no_faults(store: Store) -> None:
    assert (ids(store), check_events(store.layout)) == ([], ())
    store.layout.events.mkdir()
    assert (ids(store), [problem.code for problem in check_events(store.layout)]) == ([], ["unreadable"])


def test_redacting_changes_the_lines_of_what_was_forgotten_only(store: Store) -> None:
    append_events(store.layout, [event("one"), event("two", memory="mem_bbbbbb"), event("three", path="b")])
    lines = store.layout.events.read_bytes().split(b"\n")
    lines.insert(1, b"damaged")
    store.layout.events.write_bytes(b"\n".join(lines))
    redact_events(store.layout, paths={"b"}, ids={"mem_bbbbbb"})
    after = store.layout.events.read_bytes().split(b"\n")
    assert [after[0], after[1], after[4]] == [lines[0], b"damaged", b""]
    assert [(each.summary, each.path) for each in newest_first(store.layout)] == [
        ("(forgotten)", None),
        ("(forgotten)", None),
        ("", "a"),
    ]


def test_ends_of_blocks_split_no_line(store: Store) -> None:
    # Lines of ever other length, so that the blocks that are read backwards end everywhere in them.
    made = [event(f"{number}", path="é" * (number % 700)) for number in range(900)]
    append_events(store.layout, made)
    assert list(newest_first(store.layout)) == made[::-1]
