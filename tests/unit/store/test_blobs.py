"""Old versions of code: git's object database and the cache beside it, under every kind of damage."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from memofs.store.blobs import Blobs
from memofs.store.code_files import MOST_TEXT_BYTES, blob_id
from memofs.store.git_objects import GitObjects
from memofs.store.layout import Layout, initialize
from unit.store.repository import Repository, repository


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    made = repository(tmp_path / "top")
    made.write("ws/a.py", "one\n")
    made.write("ws/é b.py", "two\n")
    made.commit()
    made.write("ws/a.py", "one and a half\n")
    made.commit()
    return made


@pytest.fixture
def objects(repo: Repository) -> Iterator[GitObjects]:
    made = GitObjects(repo.root / "ws")
    yield made
    made.close()


@pytest.fixture
def layout(repo: Repository) -> Layout:
    initialize(repo.root / "ws")
    return Layout.of(repo.root / "ws")


def pid_of(objects: GitObjects) -> int:
    process = objects._process  # pyright: ignore[reportPrivateUsage]
    assert process is not None
    return process.pid


def test_blobs_come_from_git_by_id_and_by_place(objects: GitObjects) -> None:
    assert objects.blob(blob_id(b"one\n"), most_bytes=100) == b"one\n"
    assert objects.blob_at("HEAD", "a.py", most_bytes=100) == b"one and a half\n"
    assert objects.blob_at("HEAD~1", "a.py", most_bytes=100) == b"one\n"
    assert objects.blob_at("HEAD", "é b.py", most_bytes=100) == b"two\n"
    assert objects.has(blob_id(b"two\n"))


def test_what_git_has_not_is_not_found(objects: GitObjects) -> None:
    assert objects.blob(blob_id(b"other"), most_bytes=100) is None
    assert not objects.has(blob_id(b"other"))
    assert objects.blob_at("HEAD", "gone.py", most_bytes=100) is None
    assert objects.blob_at("HEAD", ".", most_bytes=100) is None  # a tree
    assert objects.blob_at("-x", "a.py", most_bytes=100) is None
    for odd in ("HEAD:ws/a.py", "short", "", "0" * 39, "\n", "0" * 40):
        assert objects.blob(odd, most_bytes=100) is None
    assert objects.blob(blob_id(b"one\n"), most_bytes=100) == b"one\n", "the process answers in step"


def test_a_blob_above_the_limit_is_not_answered_and_those_after_it_are(objects: GitObjects, repo: Repository) -> None:
    large = b"0123456789abcde\n" * 70_000
    repo.write("large.bin", large)
    repo.commit()
    assert objects.blob(blob_id(large), most_bytes=1_000) is None
    assert objects.blob(blob_id(large), most_bytes=len(large)) == large
    assert objects.blob(blob_id(b"one\n"), most_bytes=4) == b"one\n"
    assert objects.blob(blob_id(b"one\n"), most_bytes=3) is None


def test_one_process_serves_and_a_dead_one_is_replaced(objects: GitObjects) -> None:
    assert objects.has(blob_id(b"one\n"))
    first = pid_of(objects)
    assert objects.has(blob_id(b"two\n"))
    assert pid_of(objects) == first
    os.kill(first, signal.SIGKILL)
    os.waitpid(first, 0)
    found = [objects.has(blob_id(b"one\n")) for _ in range(2)]
    assert found[-1]
    assert pid_of(objects) != first
    objects.close()
    assert objects.has(blob_id(b"one\n"))


def test_an_idle_process_is_ended_and_comes_back(objects: GitObjects) -> None:
    assert objects.has(blob_id(b"one\n"))
    first = pid_of(objects)
    objects.end_if_idle(600.0)
    assert pid_of(objects) == first
    objects.end_if_idle(0.0)
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)
    assert objects.has(blob_id(b"one\n"))


def test_commits_made_since_are_seen(objects: GitObjects, repo: Repository) -> None:
    assert not objects.has(blob_id(b"new\n"))
    repo.write("new.py", "new\n")
    repo.commit()
    assert objects.has(blob_id(b"new\n"))


@pytest.mark.parametrize("how", ["no repository", "no git"])
def test_without_git_nothing_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    if how == "no git":
        monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    objects = GitObjects(tmp_path)
    assert [objects.blob(blob_id(b"one\n"), most_bytes=10) for _ in range(5)] == [None] * 5
    objects.close()


def test_a_shallow_clone_lacks_what_is_older(repo: Repository, tmp_path: Path) -> None:
    subprocess.run(
        ["git", "clone", "--quiet", "--depth", "1", repo.root.as_uri(), str(tmp_path / "shallow")], check=True
    )
    objects = GitObjects(tmp_path / "shallow" / "ws")
    assert objects.blob(blob_id(b"one and a half\n"), most_bytes=100) == b"one and a half\n"
    assert objects.blob(blob_id(b"one\n"), most_bytes=100) is None
    objects.close()


def test_a_partial_clone_fetches_nothing(repo: Repository, tmp_path: Path) -> None:
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "partial"
    subprocess.run(
        ["git", "clone", "--quiet", "--filter=blob:none", "--no-checkout", repo.root.as_uri(), str(clone)], check=True
    )
    objects = GitObjects(clone)
    assert objects.blob(blob_id(b"one\n"), most_bytes=100) is None
    objects.close()
    missing = subprocess.run(
        ["git", "rev-list", "--objects", "--all", "--missing=print"],
        cwd=clone,
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"?{blob_id(b'one' + chr(10).encode())}" in missing.stdout


def test_a_worktree_has_the_objects_of_its_repository(repo: Repository, tmp_path: Path) -> None:
    repo.git("worktree", "add", "--quiet", str(tmp_path / "tree"), "HEAD~1")
    objects = GitObjects(tmp_path / "tree" / "ws")
    assert objects.blob_at("HEAD", "a.py", most_bytes=100) == b"one\n"
    assert objects.has(blob_id(b"one and a half\n"))
    objects.close()


def test_what_is_kept_is_found_without_git(layout: Layout, objects: GitObjects) -> None:
    blobs = Blobs(layout, objects)
    assert blobs.read(blob_id(b"never committed\n")) is None
    blobs.keep(b"never committed\n")
    assert Blobs(layout, objects).read(blob_id(b"never committed\n")) == b"never committed\n"
    assert not blobs.in_git(blob_id(b"never committed\n"))
    assert blobs.read(blob_id(b"two\n")) == b"two\n", "from git"


def test_what_is_too_large_is_not_kept(layout: Layout, objects: GitObjects) -> None:
    blobs = Blobs(layout, objects)
    data = b"x" * (MOST_TEXT_BYTES + 1)
    blobs.keep(data)
    assert blobs.read(blob_id(data)) is None


@pytest.mark.parametrize("damage", ["emptied", "torn", "other", "folder"])
def test_a_damaged_copy_is_as_good_as_none(layout: Layout, objects: GitObjects, damage: str) -> None:
    blobs = Blobs(layout, objects)
    data = b"never committed\n" * 50
    blobs.keep(data)
    (copy,) = (layout.indexes / "blobs").glob("*/*")
    packed = copy.read_bytes()
    copy.unlink()
    if damage == "folder":
        copy.mkdir()
    else:
        blobs.keep(b"another\n")
        (other,) = (layout.indexes / "blobs").glob("*/*")
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes({"emptied": b"", "torn": packed[:9], "other": other.read_bytes()}[damage])
    assert blobs.read(blob_id(data)) is None


def test_the_cache_stays_below_its_limit_and_keeps_what_is_used(layout: Layout, objects: GitObjects) -> None:
    blobs = Blobs(layout, objects, most_bytes=20_000)
    datas = [os.urandom(1_000) for _ in range(60)]
    for number, data in enumerate(datas):
        blobs.keep(data)
        (path,) = (layout.indexes / "blobs").glob(f"*/{blob_id(data)[2:]}")
        os.utime(path, (1_000_000 + number, 1_000_000 + number))
        if number >= 5:
            assert blobs.read(blob_id(datas[5])) == datas[5]
        size = sum(each.stat().st_size for each in (layout.indexes / "blobs").glob("*/*"))
        assert size <= 20_000
    assert blobs.read(blob_id(datas[0])) is None
    assert blobs.read(blob_id(datas[-1])) == datas[-1]


def test_a_cache_that_leads_out_of_the_workspace_is_not_written(
    layout: Layout, objects: GitObjects, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    for child in layout.indexes.iterdir():
        child.unlink()
    layout.indexes.rmdir()
    layout.indexes.symlink_to(tmp_path / "elsewhere")
    Blobs(layout, objects).keep(b"never committed\n")
    assert list((tmp_path / "elsewhere").iterdir()) == []
