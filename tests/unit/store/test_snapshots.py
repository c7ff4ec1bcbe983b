"""Restore points need nothing but themselves, and putting them back is a write like any other."""

import pytest

from memofs.model.errors import NotFound
from memofs.store import snapshots
from memofs.store.layout import CONFIG_PATH, CORE_PATH, MEMORY_PATH
from memofs.store.snapshots import RestorePlan, SnapshotInfo
from memofs.store.store import Store
from unit.store.on_disk import NOW_MS, files_below, memory_bytes, put


def snapshot(store: Store, label: str | None = None) -> SnapshotInfo:
    return snapshots.create(store.layout, store.ids, label=label, now_ms=NOW_MS)


def restore(store: Store, id_: str) -> RestorePlan:
    plan = snapshots.plan_restore(store.layout, id_, ids_of={})
    store.commit(plan.edits, kind="restoreSnapshot", actor="user", summary="back", now_ms=NOW_MS)
    return plan


def tracked(store: Store) -> dict[str, bytes]:
    private = ("events", "snapshots", "indexes", "tmp", "logs")
    return {name: data for name, data in files_below(store.layout.base).items() if name.split("/")[0] not in private}


def test_a_snapshot_brings_back_every_byte(store: Store) -> None:
    put(store, "a.md", memory_bytes("mem_aaaaaa"))
    put(store, "deep/crlf.md", b"\xef\xbb\xbf# CRLF\r\nno end")
    put(store, "binary.md", b"\x00\xff\xfe")
    (store.layout.graph / "nodes.jsonl").write_text('{"id": 1}\n')
    before = tracked(store)
    info = snapshot(store, "start")
    (store.layout.root / put(store, "a.md", "changed")).with_name("binary.md").unlink()
    put(store, "new.md", "added since")
    (store.layout.graph / "nodes.jsonl").write_text("")
    store.layout.config.write_text("{}")
    changed = tracked(store)
    plan = restore(store, info.id)
    assert tracked(store) == before
    assert plan.removed == (f"{MEMORY_PATH}/new.md",)
    assert set(plan.restored) == {
        f"{MEMORY_PATH}/a.md",
        f"{MEMORY_PATH}/binary.md",
        ".memofs/graph/nodes.jsonl",
        CONFIG_PATH,
    }
    assert plan.unchanged == info.count - len(plan.restored)
    store.undo(actor="user", now_ms=NOW_MS)
    assert tracked(store) == changed


def test_restoring_what_is_there_changes_nothing(store: Store) -> None:
    plan = restore(store, snapshot(store).id)
    assert (plan.edits, plan.unchanged) == ((), len(tracked(store)) - 2)  # .gitignore and .gitattributes are not in it
    assert store.history() == ()


def test_private_and_hidden_files_are_in_no_snapshot(store: Store) -> None:
    put(store, ".hidden.md", "x")
    (store.layout.tmp / "x").write_text("x")
    info = snapshot(store)
    assert set(snapshots.load(store.layout, info.id).contents()) == {CORE_PATH, CONFIG_PATH}


def test_the_list_is_newest_first_with_label_count_and_size(store: Store) -> None:
    put(store, "a.md", "12345")
    first, second = snapshot(store, "one"), snapshot(store)
    assert snapshots.infos(store.layout) == (second, first)
    assert (first.label, second.label, first.created) == ("one", None, "2026-09-21T14:13:20Z")
    assert first.count == 3
    assert first.bytes == sum(len(store.read_bytes(path)) for path in (CORE_PATH, CONFIG_PATH, f"{MEMORY_PATH}/a.md"))


def test_a_snapshot_is_named_by_part_of_its_id(store: Store) -> None:
    info = snapshot(store)
    assert snapshots.load(store.layout, info.id[-6:]).id == info.id
    assert snapshots.load(store.layout, info.id[:12]).id == info.id
    snapshot(store)
    for name in ("nothing", "snap", "../../config"):
        with pytest.raises(NotFound):
            snapshots.load(store.layout, name)


def test_damaged_snapshots_are_passed_over(store: Store) -> None:
    info = snapshot(store)
    (store.layout.snapshots / "snap_broken.json").write_text("{")
    assert snapshots.infos(store.layout) == (info,)
    with pytest.raises(NotFound, match="damaged"):
        snapshots.load(store.layout, "snap_broken")


def test_differences_to_the_disk_and_between_snapshots(store: Store) -> None:
    put(store, "changed.md", "one\ntwo\n")
    put(store, "removed.md", "x\n")
    put(store, "binary.md", b"\x00")
    old = snapshot(store)
    put(store, "changed.md", "one\n2\n")
    (store.layout.root / put(store, "removed.md", "")).unlink()
    put(store, "added.md", "new\n")
    put(store, "binary.md", b"\x00\x00")
    found = snapshots.diff(store.layout, old.id, None)
    assert [(each.path.rpartition("/")[2], each.change) for each in found] == [
        ("added.md", "added"),
        ("binary.md", "changed"),
        ("changed.md", "changed"),
        ("removed.md", "removed"),
    ]
    assert found[2].diff.splitlines() == [
        f"--- a/{MEMORY_PATH}/changed.md",
        f"+++ b/{MEMORY_PATH}/changed.md",
        "@@ -1,3 +1,3 @@",
        " one",
        "-two",
        "+2",
        " ",
    ]
    assert found[0].diff.startswith("--- /dev/null\n")
    new = snapshot(store)
    assert snapshots.diff(store.layout, old.id, new.id) == found
    assert snapshots.diff(store.layout, new.id, None) == ()
