"""Several processes, crashes, full and read-only disks: nothing is lost and nothing is half written."""

import json
import random
import signal
import textwrap
from pathlib import Path

import pytest

from memofs.model.errors import Conflict
from memofs.store.events import check_events
from memofs.store.layout import MEMORY_PATH
from memofs.store.store import Store
from unit.store.on_disk import (
    NOW_MS,
    change,
    commit,
    creation,
    files_below,
    memory_bytes,
    needs_mounts,
    needs_permissions,
    put,
    run,
    start,
    workspace,
)

WRITER = textwrap.dedent("""\
    import json, sys
    from memofs.model.errors import MemoError
    from memofs.store.edit import Edit
    from memofs.store.store import Store

    root, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    store = Store(root)
    for number in range(count):
        id_ = store.ids.next(1_790_000_000_000)
        data = f"---\\nid: {id_}\\ntitle: {name} {number}\\n---\\nBody of {name} {number}\\n".encode()
        edit = Edit(path=f".memofs/memory/{name}-{number}.md", before_digest=None, after=data, memory_id=id_)
        store.commit([edit], kind="remember", actor=name, summary=f"{number}", now_ms=1_790_000_000_000)
        print(json.dumps(edit.path), flush=True)
    """)

TRY = textwrap.dedent("""\
    import json, sys
    from memofs.model.errors import MemoError
    from memofs.store.edit import Edit
    from memofs.store.store import Store

    def attempt(store, *edits):
        try:
            store.commit(edits, kind="remember", actor="user", summary="s", now_ms=1_790_000_000_000)
        except MemoError as error:
            return [error.family, error.code, error.hint]
        return ["written"]

    def new(name, data):
        return Edit(path=f".memofs/memory/{name}", before_digest=None, after=data, memory_id="mem_aaaaaa")
    """)


def memories(store: Store) -> dict[str, bytes]:
    return {name: data for name, data in files_below(store.layout.memory).items() if name != "core.md"}


def left_behind(store: Store) -> list[str]:
    """Half-written files and unfinished batches."""
    return [name for name in files_below(store.layout.base) if name.endswith((".tmp", ".pending"))]


# --- two processes ---------------------------------------------------------------------------------------------------


def test_two_processes_write_twenty_memories_each(store: Store) -> None:
    writers = [start(WRITER, store.layout.root, name, 20) for name in ("one", "two")]
    for writer in writers:
        _, errors = writer.communicate(timeout=120)
        assert writer.returncode == 0, errors.decode()
    loaded = store.load(now_ms=NOW_MS)
    assert len(loaded.memories) == 40
    assert loaded.problems == ()
    events = store.history(limit=100)
    assert len({event.id for event in events}) == 40
    assert len({event.batch for event in events}) == 40
    assert (check_events(store.layout), left_behind(store)) == ((), [])


def test_two_processes_change_one_file_and_no_change_is_lost(store: Store) -> None:
    put(store, "counter.md", b"0")
    script = textwrap.dedent("""\
        import sys
        from memofs.model.errors import Conflict
        from memofs.store.edit import Edit
        from memofs.store.store import Store
        from memofs.text.identity import digest

        store, path = Store(sys.argv[1]), ".memofs/memory/counter.md"
        for _ in range(15):
            while True:
                before = store.read_bytes(path)
                edit = Edit(path=path, before_digest=digest(before), after=b"%d" % (int(before) + 1))
                try:
                    store.commit([edit], kind="update", actor="x", summary="", now_ms=0)
                    break
                except Conflict:
                    pass
        print("0")
        """)
    writers = [start(script, store.layout.root) for _ in range(2)]
    for writer in writers:
        _, errors = writer.communicate(timeout=120)
        assert writer.returncode == 0, errors.decode()
    assert memories(store)["counter.md"] == b"30"


# --- crashes ---------------------------------------------------------------------------------------------------------

CRASH = TRY + textwrap.dedent("""\

    import os, signal
    from pathlib import Path
    from memofs.store import disk, events, journal, undo
    from memofs.text.identity import digest

    # Every step of a write that changes the disk; the process is killed in front of the one that is asked for.
    steps, left = [], int(sys.argv[2])

    def stepping(owner, name):
        real = getattr(owner, name)
        def step(*arguments, **named):
            global left
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            left -= 1
            return real(*arguments, **named)
        setattr(owner, name, step)

    for owner, name in ((os, "open"), (os, "fsync"), (os, "link"), (Path, "replace"), (Path, "unlink")):
        stepping(owner, name)
    store = Store(sys.argv[1])
    before = store.read_bytes(".memofs/memory/old.md")
    gone = store.read_bytes(".memofs/memory/gone.md")
    edits = [
        new("new.md", b"new"),
        Edit(path=".memofs/memory/old.md", before_digest=digest(before), after=b"changed"),
        Edit(path=".memofs/memory/gone.md", before_digest=digest(gone), after=None),
    ]
    print(json.dumps(attempt(store, *edits)))
    """)

BEFORE = {"old.md": b"old", "gone.md": b"gone"}
AFTER = {"new.md": b"new", "old.md": b"changed"}


def test_a_kill_before_any_step_of_a_batch_leaves_all_or_nothing(tmp_path: Path) -> None:
    outcomes: list[str] = []
    for step in range(200):
        store = workspace(tmp_path / str(step))
        for name, data in BEFORE.items():
            put(store, name, data)
        process = start(CRASH, store.layout.root, step)
        output, errors = process.communicate(timeout=60)
        if process.returncode == 0:
            assert json.loads(output) == ["written"]
            assert memories(store) == AFTER
            break
        assert process.returncode == -signal.SIGKILL, errors.decode()
        # What a reader finds before anybody wrote again: every file whole, whichever of the two.
        for name, data in memories(store).items():
            if not name.startswith("."):
                assert data in (BEFORE.get(name), AFTER.get(name))
        commit(Store(store.layout.root), creation("next.md", b"next"))
        found = memories(store)
        assert found.pop("next.md") == b"next"
        assert found in (BEFORE, AFTER), f"killed before step {step}"
        assert left_behind(store) == []
        outcomes.append("after" if found == AFTER else "before")
        if found == AFTER:
            reopened = Store(store.layout.root)
            reopened.undo(actor="user", now_ms=NOW_MS)
            reopened.undo(actor="user", now_ms=NOW_MS)
            assert memories(store) == BEFORE
    else:
        pytest.fail("the write never got through")
    assert {"before", "after"} <= set(outcomes)
    assert len(outcomes) > 10


def test_a_kill_at_any_moment_loses_nothing_that_was_answered(store: Store) -> None:
    chance = random.Random(7)
    answered: set[str] = set()
    for number in range(6):
        process = start(WRITER, store.layout.root, f"run{number}", 10_000)
        assert process.stdout is not None
        for _ in range(chance.randrange(1, 30)):
            answered.add(json.loads(process.stdout.readline()))
        process.kill()
        answered.update(json.loads(line) for line in process.stdout.read().splitlines() if line.endswith(b'"'))
        process.wait(timeout=60)
        process.stdout.close()
        assert process.stderr is not None
        process.stderr.close()
    commit(store, creation("next.md", memory_bytes()))
    loaded = store.load(now_ms=NOW_MS)
    assert loaded.problems == ()
    assert answered <= {memory.path for memory in loaded.memories}
    assert all(memory.body.startswith(("Body of run", "A body")) for memory in loaded.memories)
    assert left_behind(store) == []


def test_a_crashed_write_is_put_right_when_the_store_is_opened(store: Store) -> None:
    for name, data in BEFORE.items():
        put(store, name, data)
    process = start(CRASH, store.layout.root, 12)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert left_behind(store)
    Store(store.layout.root)
    assert memories(store) in (BEFORE, AFTER)
    assert left_behind(store) == []


def test_a_hand_edit_after_a_crash_wins(store: Store) -> None:
    for name, data in BEFORE.items():
        put(store, name, data)
    for step in range(200):
        process = start(CRASH, store.layout.root, step)
        process.communicate(timeout=60)
        assert process.returncode == -signal.SIGKILL
        if memories(store).get("old.md") == b"changed":
            break
        Store(store.layout.root)
    put(store, "old.md", b"edited by hand")
    Store(store.layout.root)
    assert memories(store)["old.md"] == b"edited by hand"
    assert left_behind(store) == []


# --- full disks ------------------------------------------------------------------------------------------------------


def test_a_write_that_does_not_fit_changes_nothing(store: Store) -> None:
    put(store, "old.md", b"old")
    edit = TRY + textwrap.dedent("""\

        import resource
        from memofs.text.identity import digest

        store = Store(sys.argv[1])
        old = Edit(path=".memofs/memory/old.md", before_digest=digest(b"old"), after=b"changed")
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))  # files can grow no further, as on a full disk
        full = attempt(store, new("a.md", b"x"), old, new("b.md", b"y" * 50_000))
        print(json.dumps([full, attempt(store, new("c.md", b"fits"))]))
        """)
    (family, code, hint), fits = run(edit, store.layout.root, answer=tuple[list[str], list[str]])
    assert (family, code) == ("Unavailable", "diskFull")
    assert "room" in hint
    assert fits == ["written"]
    assert memories(store) == {"old.md": b"old", "c.md": b"fits"}
    assert left_behind(store) == []
    assert len(store.history()) == 1


def test_a_trail_that_does_not_fit_takes_the_write_back(store: Store) -> None:
    put(store, "old.md", b"old")
    store.layout.events.write_bytes(b'{"id":"x","type":"x","timestamp":"","actor":""}\n' * 500)
    before = store.layout.events.read_bytes()
    script = TRY + textwrap.dedent("""\

        import resource
        from memofs.text.identity import digest

        store = Store(sys.argv[1])
        size = store.layout.events.stat().st_size + 40
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        old = Edit(path=".memofs/memory/old.md", before_digest=digest(b"old"), after=b"changed")
        print(json.dumps(attempt(store, new("a.md", b"x"), old)))
        """)
    answer = run(script, store.layout.root, answer=list[str])
    assert answer[:2] == ["Unavailable", "diskFull"]
    assert memories(store) == {"old.md": b"old"}
    assert store.layout.events.read_bytes() == before


def test_a_really_full_disk(tmp_path: Path) -> None:
    needs_mounts()
    script = TRY + textwrap.dedent("""\

        from pathlib import Path
        from memofs.store.layout import initialize

        root = Path(sys.argv[1])
        initialize(root)
        store = Store(root)
        first = attempt(store, new("a.md", b"x" * 1000))
        (root / "filler").write_bytes(b"")
        with (root / "filler").open("ab", buffering=0) as filler:
            try:
                while filler.write(b"x" * 4096):
                    pass
            except OSError:
                pass
        full = attempt(store, new("b.md", b"y" * 9000), new("c.md", b"z" * 9000))
        files = sorted(path.name for path in (root / ".memofs/memory").iterdir())
        (root / "filler").unlink()
        print(json.dumps([first, full, files, attempt(store, new("d.md", b"fits"))]))
        """)
    shell = 'mount -t tmpfs -o size=256k none "$1" && shift && exec "$@"'
    prefix = ("unshare", "-m", "sh", "-c", shell, "sh", str(tmp_path))
    answer = run(script, tmp_path, prefix=prefix, answer=tuple[list[str], list[str], list[str], list[str]])
    first, full, files, later = answer
    assert (first, later) == (["written"], ["written"])
    assert full[:2] == ["Unavailable", "diskFull"]
    assert files == ["a.md", "core.md"]


# --- no rights -------------------------------------------------------------------------------------------------------

READ_ONLY = TRY + textwrap.dedent("""\

    store = Store(sys.argv[1])
    loaded = store.load(now_ms=0)
    store.save(b"index")
    answer = attempt(store, new("new.md", b"x"))
    codes = sorted(problem.code for problem in store.faults())
    print(json.dumps([[m.title for m in loaded.memories], answer, codes, store.degraded(), store.is_writable()]))
    """)


ReadOnly = tuple[list[str], list[str], list[str], list[str], bool]


def check_read_only(answer: ReadOnly) -> None:
    titles, (family, code, hint), codes, degraded, writable = answer
    assert (titles, family, code, writable) == (["A title"], "Unavailable", "readOnly", False)
    assert hint
    assert codes == ["cacheUnwritable", "readOnly"]
    assert degraded == ["readOnly", "cache"]


def test_a_read_only_disk_can_be_read(store: Store) -> None:
    needs_mounts()
    put(store, "a.md", memory_bytes())
    root = str(store.layout.root)
    shell = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'
    prefix = ("unshare", "-m", "sh", "-c", shell, "sh", root)
    check_read_only(run(READ_ONLY, root, prefix=prefix, answer=ReadOnly))


def test_folders_without_the_right_to_write_can_be_read(store: Store) -> None:
    prefix = needs_permissions()
    put(store, "a.md", memory_bytes())
    folders = [store.layout.base, *(path for path in store.layout.base.iterdir() if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    try:
        check_read_only(run(READ_ONLY, store.layout.root, prefix=prefix, answer=ReadOnly))
    finally:
        for folder in folders:
            folder.chmod(0o755)


def test_a_file_that_may_not_be_read_is_a_problem_and_the_rest_is_read(store: Store) -> None:
    prefix = needs_permissions()
    put(store, "a.md", memory_bytes())
    (store.layout.root / put(store, "b.md", memory_bytes())).chmod(0)
    (store.layout.root / put(store, "sub/c.md", memory_bytes())).parent.chmod(0)
    script = TRY + textwrap.dedent("""\

        loaded = Store(sys.argv[1]).load(now_ms=0)
        problems = [[problem.path, problem.code] for problem in loaded.problems]
        print(json.dumps([[m.path for m in loaded.memories], problems]))
        """)
    try:
        found = run(script, store.layout.root, prefix=prefix, answer=tuple[list[str], list[tuple[str, str]]])
        assert found == (
            [f"{MEMORY_PATH}/a.md"],
            [(f"{MEMORY_PATH}/b.md", "unreadable"), (f"{MEMORY_PATH}/sub", "unreadable")],
        )
    finally:
        (store.layout.memory / "sub").chmod(0o755)


def test_a_file_where_the_lock_folder_should_be_is_told(store: Store) -> None:
    store.layout.tmp.rmdir()
    store.layout.tmp.write_text("in the way")
    again = Store(store.layout.root)
    assert not again.is_writable()
    script = TRY + "print(json.dumps(attempt(Store(sys.argv[1]), new('a.md', b'x'))))"
    answer = run(script, store.layout.root, answer=list[str])
    assert answer[0] == "Unavailable"
    assert memories(store) == {}


def test_a_change_to_a_file_that_is_deleted_meanwhile_does_not_bring_it_back(store: Store) -> None:
    path = put(store, "a.md", b"one")
    edit = change(store, path, b"two")
    (store.layout.root / path).unlink()
    store.load(now_ms=NOW_MS)
    with pytest.raises(Conflict, match="not there any more"):
        commit(store, edit)
    assert memories(store) == {}
