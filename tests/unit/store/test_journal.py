"""Writing: all or none, on top of what was seen, and back again."""

import os
import stat
from pathlib import Path

import filelock
import pytest

from memofs.model.errors import Conflict, NotFound, Refused, Unavailable
from memofs.store import snapshots
from memofs.store.edit import Edit
from memofs.store.layout import CONFIG_PATH, MEMORY_PATH
from memofs.store.store import Store
from memofs.store.undo import MOST_RECORDS
from memofs.text.identity import digest
from unit.store.on_disk import NOW_MS, change, commit, creation, files_below, memory_bytes, put

SECRET_TEXT = "the body nobody may find again"


def undo(store: Store) -> tuple[str, ...]:
    return store.undo(actor="user", now_ms=NOW_MS).paths


def memories(store: Store) -> dict[str, bytes]:
    return files_below(store.layout.memory)


def traces(store: Store, text: str) -> list[str]:
    """The files below `.memofs/` that hold the text."""
    return [name for name, data in files_below(store.layout.base).items() if text.encode() in data]


# --- writing ---------------------------------------------------------------------------------------------------------


def test_a_new_file_is_written_whole_and_listed(store: Store) -> None:
    committed = store.commit([creation("a.md", b"one")], kind="remember", actor="agent:x", summary="S", now_ms=NOW_MS)
    assert committed.paths == (f"{MEMORY_PATH}/a.md",)
    assert memories(store)["a.md"] == b"one"
    (event,) = store.history()
    assert (event.type, event.actor, event.memory, event.summary) == ("remember", "agent:x", "mem_aaaaaa", "A title")
    assert (event.path, event.previous_hash, event.hash) == (f"{MEMORY_PATH}/a.md", None, digest(b"one"))
    assert (event.timestamp, event.batch) == ("2026-09-21T14:13:20Z", committed.batch)


def test_modes_are_those_of_what_is_shared_and_what_is_private(store: Store) -> None:
    before = os.umask(0o077)
    try:
        commit(store, creation("a.md", b"one"))
        commit(store, change(store, f"{MEMORY_PATH}/a.md", b"two"))
        info = snapshots.create(store.layout, store.ids, label=None, now_ms=NOW_MS)
    finally:
        os.umask(before)
    layout = store.layout
    shared = [layout.memory / "a.md"]
    private = [layout.events, layout.snapshots / f"{info.id}.json", *layout.undo.iterdir()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in shared} == {0o644}
    assert {stat.S_IMODE(path.stat().st_mode) for path in private} == {0o600}


def test_a_mode_that_a_person_gave_stays(store: Store) -> None:
    path = put(store, "a.md", b"one")
    (store.layout.root / path).chmod(0o600)
    commit(store, change(store, path, b"two"))
    assert stat.S_IMODE((store.layout.root / path).stat().st_mode) == 0o600


def test_nothing_is_written_unless_every_file_is_what_was_seen(store: Store) -> None:
    path = put(store, "a.md", b"one")
    edits = [creation("b.md", b"new"), change(store, path, b"two")]
    put(store, "a.md", b"changed by an editor")
    with pytest.raises(Conflict) as caught:
        commit(store, *edits)
    assert caught.value.code == "changedOnDisk"
    assert memories(store).keys() == {"core.md", "a.md"}
    assert store.history() == ()


def test_a_file_that_must_not_exist_yet_is_not_overwritten(store: Store) -> None:
    put(store, "a.md", b"hand-written")
    with pytest.raises(Conflict) as caught:
        commit(store, creation("a.md", b"new"))
    assert caught.value.code == "exists"
    assert memories(store)["a.md"] == b"hand-written"


def test_a_file_that_is_gone_is_a_conflict(store: Store) -> None:
    path = put(store, "a.md", b"one")
    edit = change(store, path, b"two")
    (store.layout.root / path).unlink()
    with pytest.raises(Conflict) as caught:
        commit(store, edit)
    assert caught.value.code == "gone"


def test_the_same_file_twice_in_a_batch_is_taken_back(store: Store) -> None:
    with pytest.raises(Conflict):
        commit(store, creation("a.md", b"one"), creation("a.md", b"two"))
    assert memories(store).keys() == {"core.md"}


def test_edits_that_change_nothing_are_no_write(store: Store) -> None:
    path = put(store, "a.md", b"one")
    committed = store.commit([change(store, path, b"one")], kind="x", actor="user", summary="", now_ms=NOW_MS)
    assert (committed.batch, committed.paths, store.history()) == (None, (), ())


def test_a_batch_creates_changes_and_deletes_as_one(store: Store) -> None:
    old, gone = put(store, "old.md", b"old"), put(store, "gone.md", b"gone")
    new = [creation(f"deep/er/new{n}.md", b"new") for n in range(10)]
    seen: list[tuple[int, int]] = []
    store.commit(
        [change(store, old, b"changed"), change(store, gone, None), *new],
        kind="import",
        actor="user",
        summary="Import",
        now_ms=NOW_MS,
        progress=lambda done, total: seen.append((done, total)),
    )
    found = memories(store)
    assert found.pop("core.md")
    assert found == {"old.md": b"changed"} | {f"deep/er/new{n}.md": b"new" for n in range(10)}
    assert seen[-1] == (12, 12)
    assert len({event.batch for event in store.history()}) == 1
    assert len(undo(store)) == 12
    assert {name: data for name, data in memories(store).items() if name != "core.md"} == {
        "old.md": b"old",
        "gone.md": b"gone",
    }


@pytest.mark.parametrize("path", ["src/a.py", "../a.md", ".memofs/../../a.md", ".memofs/memory/out/a.md"])
def test_nothing_is_written_outside(store: Store, path: str, tmp_path: Path) -> None:
    (store.layout.memory / "out").symlink_to(tmp_path)
    with pytest.raises(Refused):
        commit(store, Edit(path=path, before_digest=None, after=b"x"))
    assert not [name for name in files_below(tmp_path) if name.endswith(("a.md", "a.py"))]


@pytest.mark.parametrize("name", ["tmp", "events", "snapshots"])
def test_private_folders_that_lead_out_are_refused(store: Store, tmp_path: Path, name: str) -> None:
    folder, outside = store.layout.base / name, tmp_path / "outside"
    outside.mkdir()
    folder.rmdir()
    folder.symlink_to(outside)
    with pytest.raises(Refused):
        commit(Store(store.layout.root), creation("a.md", b"one"))
    assert (memories(store).keys(), list(outside.iterdir())) == ({"core.md"}, [])


def test_writing_goes_through_a_link_and_deleting_takes_the_link(store: Store) -> None:
    target = store.layout.root / "docs.md"
    target.write_bytes(b"one")
    (store.layout.memory / "a.md").symlink_to(target)
    path = f"{MEMORY_PATH}/a.md"
    commit(store, change(store, path, b"two"))
    assert (target.read_bytes(), (store.layout.memory / "a.md").is_symlink()) == (b"two", True)
    commit(store, change(store, path, None))
    assert (target.read_bytes(), os.path.lexists(store.layout.memory / "a.md")) == (b"two", False)


def test_a_file_where_the_folder_of_events_should_be_takes_the_write_back(store: Store) -> None:
    store.layout.events.parent.rmdir()
    store.layout.events.parent.write_text("in the way")
    with pytest.raises(Unavailable) as caught:
        commit(store, creation("a.md", b"one"), creation("b.md", b"two"))
    assert caught.value.hint
    assert memories(store).keys() == {"core.md"}
    assert not list(store.layout.undo.iterdir())


def test_a_lock_that_another_holds_is_named_after_the_time_is_up(store: Store) -> None:
    impatient = Store(store.layout.root, lock_timeout_s=0.05)
    with filelock.FileLock(store.layout.lock), pytest.raises(Unavailable) as caught:
        commit(impatient, creation("a.md", b"one"))
    assert caught.value.code == "locked"
    commit(impatient, creation("a.md", b"one"))


# --- undo ------------------------------------------------------------------------------------------------------------


def test_undo_goes_back_step_by_step_to_the_bytes_that_were_there(store: Store) -> None:
    path = f"{MEMORY_PATH}/a.md"
    before = b"\xef\xbb\xbf---\r\nid: mem_aaaaaa\r\n---\r\nno final newline"
    commit(store, creation("a.md", before))
    commit(store, change(store, path, b"two"), kind="update")
    commit(store, change(store, path, None), kind="update")
    assert (undo(store), memories(store)["a.md"]) == ((path,), b"two")
    assert (undo(store), memories(store)["a.md"]) == ((path,), before)
    assert (undo(store), memories(store).keys()) == ((path,), {"core.md"})
    with pytest.raises(NotFound) as caught:
        undo(store)
    assert caught.value.code == "nothingToUndo"
    assert [event.undone for event in store.history()] == [False, False, False, True, True, True]


def test_undo_says_what_it_took_back(store: Store) -> None:
    store.commit([creation("a.md", b"one")], kind="remember", actor="user", summary="Use D1", now_ms=NOW_MS)
    undone = store.undo(actor="user", now_ms=NOW_MS + 1)
    assert (undone.type, undone.summary, undone.timestamp) == ("remember", "Use D1", "2026-09-21T14:13:20Z")


def test_undo_never_loses_a_later_change(store: Store) -> None:
    commit(store, creation("a.md", b"one"), creation("b.md", b"one"))
    put(store, "a.md", b"edited by hand")
    with pytest.raises(Conflict) as caught:
        undo(store)
    assert caught.value.code == "changedSince"
    assert caught.value.hint
    assert (memories(store)["a.md"], memories(store)["b.md"]) == (b"edited by hand", b"one")
    put(store, "a.md", b"one")
    assert len(undo(store)) == 2


def test_undo_survives_the_process(store: Store) -> None:
    commit(store, creation("a.md", b"one"))
    assert undo(Store(store.layout.root)) == (f"{MEMORY_PATH}/a.md",)


def test_settings_are_taken_back_too(store: Store) -> None:
    before = store.read_bytes(CONFIG_PATH)
    edit = Edit(path=CONFIG_PATH, before_digest=digest(before), after=b'{"precision": "all"}\n')
    commit(store, edit, kind="config")
    assert store.reconfigure() is False
    assert store.config.config.precision == "all"
    undo(store)
    assert store.read_bytes(CONFIG_PATH) == before


def test_only_the_last_writes_are_kept(store: Store) -> None:
    for number in range(MOST_RECORDS + 3):
        commit(store, creation(f"{number}.md", b"x"))
    assert len(list(store.layout.undo.iterdir())) == MOST_RECORDS
    for _ in range(MOST_RECORDS):
        undo(store)
    with pytest.raises(NotFound):
        undo(store)
    assert memories(store).keys() == {"core.md", "0.md", "1.md", "2.md"}


def test_a_damaged_record_stops_undo_before_it_takes_back_something_older(store: Store) -> None:
    commit(store, creation("a.md", b"one"))
    commit(store, creation("b.md", b"one"))
    newest = max(store.layout.undo.iterdir())
    newest.write_bytes(b"garbage")
    with pytest.raises(NotFound):
        undo(store)
    assert memories(store).keys() == {"core.md", "a.md", "b.md"}


# --- forgetting ------------------------------------------------------------------------------------------------------


def test_forgetting_leaves_no_trace(store: Store) -> None:
    path = f"{MEMORY_PATH}/secret-name.md"
    data = memory_bytes("mem_secret1", title="Title to go", body=SECRET_TEXT)
    store.commit(
        [
            creation("secret-name.md", data, memory_id="mem_secret1", summary="Title to go"),
            creation("keep.md", b"keep"),
        ],
        kind="import",
        actor="user",
        summary="two",
        now_ms=NOW_MS,
    )
    commit(store, change(store, path, data + b"more\n", memory_id="mem_secret1"))
    snapshots.create(store.layout, store.ids, label="s", now_ms=NOW_MS)
    store.load(now_ms=NOW_MS)
    store.save(b"index with " + SECRET_TEXT.encode())
    assert len(traces(store, SECRET_TEXT)) >= 4
    store.forget([change(store, path, None, memory_id="mem_secret1")], actor="user", now_ms=NOW_MS)
    assert traces(store, SECRET_TEXT) == []
    assert traces(store, "Title to go") == []
    assert traces(store, "secret-name") == []
    newest, *older = store.history("mem_secret1")
    assert (newest.type, newest.path, {event.summary for event in older}) == ("forget", None, {"(forgotten)"})


def test_what_was_forgotten_does_not_come_back(store: Store) -> None:
    commit(store, creation("a.md", b"one", memory_id="mem_aaaaaa"), creation("b.md", b"two", memory_id="mem_bbbbbb"))
    commit(store, creation("c.md", b"three", memory_id="mem_cccccc"))
    (info,) = [snapshots.create(store.layout, store.ids, label="s", now_ms=NOW_MS)]
    for name in ("a", "c"):
        edit = change(store, f"{MEMORY_PATH}/{name}.md", None, memory_id=f"mem_{name * 6}")
        store.forget([edit], actor="user", now_ms=NOW_MS)
    # All that the newest write wrote is forgotten, so undo goes on to the one before, and leaves a.md out of it.
    assert undo(store) == (f"{MEMORY_PATH}/b.md",)
    with pytest.raises(NotFound):
        undo(store)
    plan = snapshots.plan_restore(store.layout, info.id, ids_of={})
    assert [edit.path for edit in plan.edits] == [f"{MEMORY_PATH}/b.md"]


def test_forgetting_a_file_that_changed_meanwhile_is_a_conflict(store: Store) -> None:
    path = put(store, "a.md", b"one")
    edit = change(store, path, None)
    put(store, "a.md", b"newer")
    with pytest.raises(Conflict):
        store.forget([edit], actor="user", now_ms=NOW_MS)
    assert memories(store)["a.md"] == b"newer"


def test_forgetting_finds_the_memory_in_snapshots_under_its_old_name(store: Store) -> None:
    data = memory_bytes("mem_secret1", body=SECRET_TEXT)
    old = put(store, "old.md", data)
    snapshots.create(store.layout, store.ids, label="s", now_ms=NOW_MS)
    (store.layout.root / old).rename(store.layout.memory / "new.md")
    edit = change(store, f"{MEMORY_PATH}/new.md", None, memory_id="mem_secret1")
    store.forget([edit], actor="user", now_ms=NOW_MS)
    assert traces(store, SECRET_TEXT) == []


# --- the audit trail -------------------------------------------------------------------------------------------------


def test_history_is_newest_first_by_memory_and_limited(store: Store) -> None:
    for number in range(5):
        commit(store, creation(f"{number}.md", b"x", memory_id=f"mem_{number:06}"))
    assert [event.memory for event in store.history(limit=2)] == ["mem_000004", "mem_000003"]
    assert [event.path for event in store.history("mem_000001")] == [f"{MEMORY_PATH}/1.md"]
    assert store.history("mem_nobody") == ()


def test_a_torn_last_line_costs_itself_only(store: Store) -> None:
    commit(store, creation("a.md", b"one"))
    whole = store.layout.events.read_bytes()
    store.layout.events.write_bytes(whole + whole[:40])
    assert len(store.history()) == 1
    commit(store, creation("b.md", b"two"))
    assert [event.path for event in store.history()] == [f"{MEMORY_PATH}/b.md", f"{MEMORY_PATH}/a.md"]
    assert store.layout.events.read_bytes().startswith(whole + whole[:40] + b"\n{")


def test_a_long_trail_is_read_from_its_end(store: Store) -> None:
    commit(store, creation("a.md", b"one"))
    line = store.layout.events.read_bytes()
    store.layout.events.write_bytes(b"".join(line.replace(b"remember", b"kind%04d" % n) for n in range(2_000)))
    assert [event.type for event in store.history(limit=3)] == ["kind1999", "kind1998", "kind1997"]
    assert len(store.history(limit=5_000)) == 2_000


def test_without_a_trail_nothing_can_be_undone_and_writing_goes_on(store: Store) -> None:
    commit(store, creation("a.md", b"one"))
    store.layout.events.unlink()
    with pytest.raises(NotFound):
        undo(store)
    commit(store, creation("b.md", b"two"))
    assert undo(store) == (f"{MEMORY_PATH}/b.md",)
