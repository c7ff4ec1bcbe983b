"""What is read from a disk that anything may have happened to, and what the cache may and may not save."""

import os
import shutil
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from memofs.model.change import Change
from memofs.model.memory import Memory
from memofs.model.problem import Problem
from memofs.store import cache, records
from memofs.store.layout import Layout
from memofs.store.records import Loaded, Records
from memofs.store.scan import read_file
from memofs.store.store import Store
from memofs.text.identity import derived_id
from memofs.text.memory_file import known_kinds
from unit.store.on_disk import NOW_MS, commit, creation, memory_bytes, put, workspace

INDEXES = ("records.msgpack", "lexical.bin")


def load(store: Store) -> Loaded:
    return store.load(now_ms=NOW_MS)


def reopened(store: Store) -> tuple[Store, Loaded]:
    again = Store(store.layout.root)
    return again, again.load(now_ms=NOW_MS)


def refresh(store: Store, *paths: str) -> Change:
    return store.refresh(paths or None, now_ms=NOW_MS)


def titles(memories: tuple[Memory, ...]) -> list[str]:
    return [memory.title for memory in memories]


# --- finding ---------------------------------------------------------------------------------------------------------


def test_what_is_a_memory_file_and_what_is_not(store: Store) -> None:
    for name in ("b.md", "sub/deep/a.md", "UPPER.MD", "name with space #1 %é🚀.md"):
        put(store, name, f"# {name}")
    for name in (".hidden.md", ".git/x.md", "sub/.memofs-1.tmp", "readme.txt", "sub/.x/y.md"):
        put(store, name, "# not a memory")
    loaded = load(store)
    assert loaded.problems == ()
    assert titles(loaded.memories) == ["UPPER.MD", "b.md", "name with space #1 %é🚀.md", "sub/deep/a.md"]


def test_the_log_is_read_as_entries(store: Store) -> None:
    path = put(store, "notes.md", "## 2026-01-02T03:04:05Z — One\n\nA\n## 2026-01-02T03:04:06Z — Two\n\nB\n")
    memories = load(store).memories
    assert titles(memories) == ["One", "Two"]
    assert {(memory.path, memory.origin) for memory in memories} == {(path, "log")}


def test_links_inside_are_followed_and_links_out_are_named(store: Store, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.md").write_text("# Outside")
    docs = store.layout.root / "docs"
    docs.mkdir()
    (docs / "in.md").write_text("# Inside")
    memory = store.layout.memory
    (memory / "file.md").symlink_to(docs / "in.md")
    (memory / "folder").symlink_to(docs)
    (memory / "out.md").symlink_to(outside / "x.md")
    (memory / "outfolder").symlink_to(outside)
    (memory / "up").symlink_to(memory)
    (memory / "gone.md").symlink_to(docs / "nothing.md")
    (memory / "self.md").symlink_to(memory / "self.md")
    loaded = load(store)
    assert titles(loaded.memories) == ["Inside", "Inside"]
    assert [(problem.path.rpartition("/")[2], problem.code) for problem in loaded.problems] == [
        ("gone.md", "unreadable"),
        ("out.md", "outside"),
        ("outfolder", "outside"),
        ("self.md", "unreadable"),
    ]
    change = refresh(store, ".memofs/memory/out.md", ".memofs/memory/gone.md", ".memofs/memory/self.md")
    assert (change.put, change.removed) == ((), ())
    assert [problem.code for problem in change.problems] == ["unreadable", "outside", "unreadable"]


def test_a_memory_folder_that_leads_out_is_named_and_not_read(store: Store, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.md").write_text("# Outside")
    (store.layout.memory / "sub").symlink_to(outside)
    change = refresh(store, ".memofs/memory/sub")
    assert (change.put, [problem.code for problem in change.problems]) == ((), ["outside"])
    shutil.rmtree(store.layout.memory)
    store.layout.memory.symlink_to(outside)
    loaded = load(store)
    assert (loaded.memories, [problem.code for problem in loaded.problems]) == ((), ["outside"])


def test_folders_pipes_and_names_that_are_no_text(store: Store) -> None:
    memory = store.layout.memory
    (memory / "folder.md").mkdir()
    (memory / "folder.md" / "in.md").write_text("# In")
    os.mkfifo(memory / "pipe.md")
    name = os.fsencode(memory) + b"/latin-\xe9.md"
    try:
        Path(os.fsdecode(name)).write_bytes(b"# Latin")
    except OSError:
        pytest.skip("this file system takes only names in UTF-8")
    loaded = load(store)
    assert titles(loaded.memories) == ["In"]
    assert [(problem.path, problem.code) for problem in loaded.problems] == [
        (".memofs/memory/latin-\\udce9.md", "unreadable")
    ]
    assert refresh(store, ".memofs/memory/pipe.md", ".memofs/memory/folder.md").put == ()


def test_broken_files_do_not_break_the_rest(store: Store) -> None:
    put(store, "good.md", memory_bytes())
    put(store, "yaml.md", "---\ntitle: [\n---\n")
    put(store, "conflict.md", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n")
    put(store, "binary.md", b"\x00\x01\x02")
    put(store, "latin.md", b"caf\xe9")
    put(store, "large.md", b"x" * (4 * 1024 * 1024 + 1))
    before = {path: path.read_bytes() for path in store.layout.memory.iterdir()}
    loaded = load(store)
    assert titles(loaded.memories) == ["A title"]
    assert {problem.path.rpartition("/")[2]: problem.code for problem in loaded.problems} == {
        "yaml.md": "frontMatter",
        "conflict.md": "conflictMarkers",
        "binary.md": "binary",
        "latin.md": "notUtf8",
        "large.md": "tooLarge",
    }
    store.save(b"")
    assert reopened(store)[1] == Loaded(memories=loaded.memories, problems=loaded.problems, cache_state="fresh")
    assert {path: path.read_bytes() for path in store.layout.memory.iterdir()} == before


def test_without_a_memory_folder_there_are_no_memories(store: Store) -> None:
    store.layout.core.unlink()
    store.layout.memory.rmdir()
    assert load(store).memories == ()
    put(store, "a.md", memory_bytes())
    assert titles(refresh(store).put) == ["A title"]


def test_a_projects_own_kinds_are_known_once_they_are_set(store: Store) -> None:
    put(store, "a.md", memory_bytes(more="").replace(b"kind: note", b"kind: incident"))
    assert [problem.code for problem in load(store).problems] == ["unknownKind"]
    store.save(b"")
    store.layout.config.write_text('{"kinds": ["incident"]}')
    assert store.reconfigure() is True
    loaded = load(store)
    assert (loaded.problems, loaded.cache_state, loaded.memories[0].kind) == ((), "rebuilt", "incident")


def test_plain_markdown_has_the_file_systems_times_without_git(store: Store) -> None:
    path = store.layout.root / put(store, "a.md", "# Plain")
    os.utime(path, ns=(0, 1_500_000_000_000_000_000))
    (memory,) = load(store).memories
    assert (memory.created_ms, memory.updated_ms) == (1_500_000_000_000, 1_500_000_000_000)


# --- the cache -------------------------------------------------------------------------------------------------------


def trusting(store: Store) -> Records:
    """Records that take every stamp at its word, as they do with files that are old enough."""
    return Records(store.layout, store.git, kinds=known_kinds(), racy_ns=0)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the memory files that are read from here on."""
    names: list[str] = []

    def spied(layout: Layout, path: str) -> tuple[bytes, cache.Stamp] | Problem | None:
        names.append(path.rpartition("/")[2])
        return read_file(layout, path)

    monkeypatch.setattr(records, "read_file", spied)
    return names


def test_unchanged_files_are_not_read_again(store: Store, reads: list[str]) -> None:
    put(store, "a.md", memory_bytes())
    put(store, "broken.md", "---\nkind: [\n---\n")
    put(store, "notes.md", "## 2026-01-02T03:04:05Z\n\nA\n")
    first = trusting(store)
    before = first.load(now_ms=NOW_MS)
    assert (before.cache_state, sorted(reads)) == ("none", ["a.md", "broken.md", "notes.md"])
    assert first.save_cache() is None
    reads.clear()
    after = trusting(store).load(now_ms=NOW_MS)
    assert (after.cache_state, reads) == ("fresh", [])
    assert (after.memories, after.problems) == (before.memories, before.problems)


def test_changed_new_and_removed_files_are_seen(store: Store, reads: list[str]) -> None:
    put(store, "same.md", memory_bytes("mem_same00"))
    put(store, "changed.md", memory_bytes("mem_chan00"))
    put(store, "removed.md", memory_bytes("mem_remo00"))
    first = trusting(store)
    first.load(now_ms=NOW_MS)
    first.save_cache()
    put(store, "changed.md", memory_bytes("mem_chan00", title="B title"))
    put(store, "new.md", memory_bytes("mem_new000"))
    (store.layout.memory / "removed.md").unlink()
    reads.clear()
    second = trusting(store)
    loaded = second.load(now_ms=NOW_MS)
    assert (loaded.cache_state, sorted(reads)) == ("partial", ["changed.md", "new.md"])
    assert titles(loaded.memories) == ["B title", "A title", "A title"]
    second.save_cache()
    assert trusting(store).load(now_ms=NOW_MS).cache_state == "fresh"


def test_a_file_younger_than_the_clocks_tick_is_read_but_not_parsed_again(store: Store, reads: list[str]) -> None:
    path = store.layout.root / put(store, "a.md", memory_bytes(title="One"))
    load(store)
    store.save(b"")
    state = path.stat()
    path.write_bytes(memory_bytes(title="Two"))  # of the same length, and made to look as old
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    reads.clear()
    again, loaded = reopened(store)
    assert (titles(loaded.memories), loaded.cache_state, reads) == (["Two"], "partial", ["a.md"])
    again.save(b"")
    reads.clear()
    assert (reopened(store)[1].cache_state, reads) == ("fresh", ["a.md"])


def test_a_touched_file_is_the_same(store: Store, reads: list[str]) -> None:
    path = store.layout.root / put(store, "a.md", memory_bytes())
    first = trusting(store)
    before = first.load(now_ms=NOW_MS)
    first.save_cache()
    os.utime(path)
    reads.clear()
    after = trusting(store).load(now_ms=NOW_MS)
    assert (after.cache_state, after.memories, reads) == ("fresh", before.memories, ["a.md"])


def test_a_date_in_the_future_is_one_until_it_is_past(store: Store) -> None:
    put(store, "a.md", memory_bytes(more="created: 2100-01-01\n"))
    first = trusting(store)
    assert [problem.code for problem in first.load(now_ms=NOW_MS).problems] == ["futureDate"]
    first.save_cache()
    assert [problem.code for problem in trusting(store).load(now_ms=NOW_MS).problems] == ["futureDate"]
    assert trusting(store).load(now_ms=5_000_000_000_000).problems == ()


@pytest.mark.parametrize("damage", [b"", b"garbage", b"\x00" * 100, None])
def test_a_damaged_cache_is_as_good_as_none(store: Store, damage: bytes | None) -> None:
    put(store, "a.md", memory_bytes())
    before = load(store)
    store.save(b"index")
    for name in INDEXES:
        path = store.layout.indexes / name
        data = path.read_bytes()
        flipped = data[:-3] + bytes([data[-3] ^ 1]) + data[-2:]
        path.write_bytes(flipped if damage is None else damage)
    again, loaded = reopened(store)
    assert (loaded.cache_state, loaded.memories) == ("rebuilt", before.memories)
    assert again.load_index() is None
    again.save(b"index")
    assert (reopened(store)[1].cache_state, again.load_index()) == ("fresh", b"index")


@given(st.binary(max_size=60), st.integers(0, 400))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50, deadline=None)
def test_no_bytes_in_the_caches_do_harm(store: Store, noise: bytes, at: int) -> None:
    put(store, "a.md", memory_bytes())
    load(store)
    store.save(b"index")
    for name in INDEXES:
        path = store.layout.indexes / name
        data = path.read_bytes()
        path.write_bytes(data[:at] + noise + data[at + len(noise) :])
    again, loaded = reopened(store)
    assert titles(loaded.memories) == ["A title"]
    assert again.load_index() in (None, b"index")


def test_deleting_the_indexes_loses_nothing(store: Store) -> None:
    put(store, "a.md", memory_bytes())
    before = load(store)
    store.save(b"index")
    shutil.rmtree(store.layout.indexes)
    again, loaded = reopened(store)
    assert (loaded.memories, loaded.problems, loaded.cache_state) == (before.memories, before.problems, "none")
    again.save(b"index")
    assert (reopened(store)[1].cache_state, again.faults()) == ("fresh", ())


def test_a_cache_that_cannot_be_written_is_a_fault_and_no_failure(store: Store) -> None:
    put(store, "a.md", memory_bytes())
    store.layout.indexes.rmdir()
    store.layout.indexes.write_text("in the way")
    load(store)
    store.save(b"index")
    assert [problem.code for problem in store.faults()] == ["cacheUnwritable"]
    assert store.degraded() == ("cache",)
    assert titles(reopened(store)[1].memories) == ["A title"]
    store.layout.indexes.unlink()
    store.save(b"index")
    assert (store.faults(), store.degraded()) == ((), ())


def test_a_cache_folder_that_leads_out_is_not_written(store: Store, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    store.layout.indexes.rmdir()
    store.layout.indexes.symlink_to(outside)
    load(store)
    store.save(b"index")
    assert [problem.code for problem in store.faults()] == ["outside"]
    assert list(outside.iterdir()) == []


# --- keeping in step -------------------------------------------------------------------------------------------------


def test_a_refresh_answers_what_really_changed(store: Store) -> None:
    path = put(store, "a.md", memory_bytes("mem_aaaaaa"))
    other = put(store, "b.md", memory_bytes("mem_bbbbbb"))
    load(store)
    put(store, "a.md", memory_bytes("mem_aaaaaa", body="New body"))
    change = refresh(store, path, other)
    assert [memory.body for memory in change.put] == ["New body"]
    assert (change.removed, change.paths, change.problems) == ((), (path, other), ())
    (store.layout.root / other).unlink()
    change = refresh(store, other)
    assert (change.put, change.removed, change.paths) == ((), ("mem_bbbbbb",), (other,))
    assert refresh(store, other) == Change(paths=(other,))


def test_an_own_write_is_seen_once(store: Store) -> None:
    load(store)
    edit = creation("a.md", memory_bytes())
    commit(store, edit)
    assert titles(refresh(store, edit.path).put) == ["A title"]
    again = refresh(store, edit.path)
    assert (again.put, again.removed) == ((), ())


def test_a_file_that_is_renamed_keeps_its_memory(store: Store) -> None:
    old = put(store, "old.md", memory_bytes())
    load(store)
    new = old.replace("old", "new")
    (store.layout.root / old).rename(store.layout.root / new)
    change = refresh(store, old, new)
    assert ([memory.path for memory in change.put], change.removed) == ([new], ())


def test_a_folder_stands_for_what_is_in_it(store: Store) -> None:
    for name in ("sub/a.md", "sub/b.md", "c.md"):
        put(store, name, memory_bytes(derived_id(name)))
    load(store)
    (store.layout.memory / "sub").rename(store.layout.memory / "moved")
    change = refresh(store, ".memofs/memory/sub", ".memofs/memory/moved")
    assert sorted(memory.path for memory in change.put) == [".memofs/memory/moved/a.md", ".memofs/memory/moved/b.md"]
    shutil.rmtree(store.layout.memory)
    assert len(refresh(store, ".memofs").removed) == 3


def test_what_is_no_memory_file_is_passed_over(store: Store) -> None:
    load(store)
    put(store, "core.md", "# Core")
    put(store, ".memofs-1.tmp", "half")
    paths = (".memofs/memory/core.md", ".memofs/config.json", "src/a.md", ".memofs/memory/.memofs-1.tmp", "..")
    assert refresh(store, *paths) == Change()


def test_a_file_that_is_mended_loses_its_problem(store: Store) -> None:
    path = put(store, "a.md", "---\nkind: [\n---\n")
    assert [problem.path for problem in load(store).problems] == [path]
    put(store, "a.md", memory_bytes())
    change = refresh(store, path)
    assert (titles(change.put), change.paths, change.problems) == (["A title"], (path,), ())
    put(store, "a.md", "---\nkind: [\n---\n")
    change = refresh(store, path)
    assert (change.removed, [problem.code for problem in change.problems]) == (("mem_aaaaaa",), ["frontMatter"])


def test_an_entry_added_to_the_log_is_one_memory_more(store: Store) -> None:
    entry = "## 2026-01-02T03:04:05Z — One\n\nA\n"
    path = put(store, "notes.md", entry)
    load(store)
    put(store, "notes.md", entry + entry.replace("One", "Two").replace(":05Z", ":06Z"))
    change = refresh(store, path)
    assert (titles(change.put), change.removed) == (["Two"], ())


# --- two files with one id -------------------------------------------------------------------------------------------


def test_the_older_of_two_files_keeps_the_id(store: Store) -> None:
    new = put(store, "a.md", memory_bytes(title="New", more="created: 2026-02-01\n"))
    old = put(store, "b.md", memory_bytes(title="Old", more="created: 2026-01-01\n"))
    loaded = load(store)
    ids = {memory.title: memory.id for memory in loaded.memories}
    assert ids["Old"] == "mem_aaaaaa"
    assert ids["New"] != "mem_aaaaaa"
    (problem,) = loaded.problems
    assert (problem.path, problem.code, problem.hint is not None) == (new, "duplicateId", True)
    assert old in problem.message
    assert {memory.title: memory.id for memory in reopened(store)[1].memories} == ids


def test_without_dates_the_file_that_was_there_first_keeps_it_and_then_the_path_decides(store: Store) -> None:
    first = store.layout.root / put(store, "z.md", memory_bytes(title="First"))
    second = store.layout.root / put(store, "a.md", memory_bytes(title="Second"))
    os.utime(first, ns=(0, 10**18))
    os.utime(second, ns=(0, 2 * 10**18))
    assert [memory.title for memory in load(store).memories if memory.id == "mem_aaaaaa"] == ["First"]
    os.utime(first, ns=(0, 2 * 10**18))
    assert [memory.title for memory in reopened(store)[1].memories if memory.id == "mem_aaaaaa"] == ["Second"]


def test_a_copy_comes_and_goes(store: Store) -> None:
    more = "created: 2026-01-01\n"
    path = put(store, "a.md", memory_bytes(more=more))
    load(store)
    copy = put(store, "b.md", memory_bytes(title="Copy", more=more))
    change = refresh(store, copy)
    assert (titles(change.put), change.removed) == (["Copy"], ())
    assert [problem.code for problem in change.problems] == ["duplicateId"]
    (copied,) = change.put
    (store.layout.root / path).unlink()
    change = refresh(store, path)
    # The copy is the only one with the id now, and has it: its path was not looked at, but it changed.
    assert ([memory.id for memory in change.put], change.removed) == (["mem_aaaaaa"], (copied.id,))
    assert (change.paths, change.problems) == ((path, copy), ())


NAMES = ("a.md", "b.md", "sub/c.md", "notes.md", "sub")
CONTENTS = (
    *(memory_bytes(id_, title=title) for id_ in ("mem_aaaaaa", "mem_bbbbbb") for title in ("One", "Two")),
    memory_bytes(more="created: 2020-01-01\n"),
    b"# Plain\n",
    b"---\nkind: [\n---\n",
    b'## 2026-01-02T03:04:05Z\n- metadata: {"id": "mem_aaaaaa"}\n\nA\n## 2026-01-02T03:04:06Z\n\nB\n',
    None,
)


@given(st.lists(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(CONTENTS)), max_size=4), max_size=6))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_refreshing_step_by_step_gives_what_loading_afresh_gives(
    tmp_path_factory: pytest.TempPathFactory, steps: list[list[tuple[str, bytes | None]]]
) -> None:
    store = workspace(tmp_path_factory.mktemp("steps"))
    known = {memory.id: memory for memory in load(store).memories}
    problems: dict[str, list[Problem]] = {}
    for number, step in enumerate(steps):
        named: set[str] = set()
        for name, data in step:
            path = f".memofs/memory/{name}"
            named.add(path)
            if name == "sub":
                shutil.rmtree(store.layout.root / path, ignore_errors=True)
            elif data is None:
                (store.layout.root / path).unlink(missing_ok=True)
            else:
                put(store, name, data)
                os.utime(store.layout.root / path, ns=(0, (number + 1) * 10**18))
        change = refresh(store, *named) if named else refresh(store)
        for id_ in change.removed:
            del known[id_]
        known.update({memory.id: memory for memory in change.put})
        for path in change.paths:
            problems.pop(path, None)
        for problem in change.problems:
            problems.setdefault(problem.path, []).append(problem)
    fresh = Records(store.layout, store.git, kinds=known_kinds()).load(now_ms=NOW_MS)
    assert sorted(known.values(), key=lambda memory: memory.id) == sorted(fresh.memories, key=lambda memory: memory.id)
    assert [problem for path in sorted(problems) for problem in problems[path]] == list(fresh.problems)
    assert len({memory.id for memory in fresh.memories}) == len(fresh.memories)
