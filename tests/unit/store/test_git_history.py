"""What became of files: renames commit by commit, what changed beside them, and no program of the repository run."""

import stat
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from memofs.store.code_files import blob_id
from memofs.store.git_history import FileChange, GitHistory, Step
from unit.store.repository import Repository, repository

LONG = "".join(f"line {number} of a file that is long enough to be known again\n" for number in range(40))


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    """A repository with the workspace in a folder of it."""
    made = repository(tmp_path / "top")
    made.write("ws/src/a.py", LONG)
    made.write("ws/other.py", "def g(): ...\n")
    made.write("outside.py", "outside\n")
    made.commit("first")
    return made


@pytest.fixture
def history(repo: Repository) -> GitHistory:
    return GitHistory(repo.root / "ws")


def test_a_committed_rename_is_one_step(repo: Repository, history: GitHistory) -> None:
    repo.git("mv", "ws/src/a.py", "ws/src/é b.py")
    repo.write("ws/other.py", "def h(): ...\n")
    repo.write("ws/new.py", "new\n")
    repo.write("outside.py", "changed\n")
    commit = repo.commit("moved")
    repo.write("ws/later.py", "later\n")
    repo.commit("later")
    assert history.removed_in("src/a.py") == commit
    assert set(history.step(commit).changes) == {
        FileChange(status="renamed", path="src/é b.py", before="src/a.py"),
        FileChange(status="changed", path="other.py"),
        FileChange(status="added", path="new.py"),
    }


def test_renames_one_after_the_other_are_followed_by_asking_again(repo: Repository, history: GitHistory) -> None:
    names = ["src/a.py", "src/b.py", "lib/c.py"]
    (repo.root / "ws" / "lib").mkdir()
    for old, new in pairwise(names):
        repo.git("mv", f"ws/{old}", f"ws/{new}")
        repo.commit()
    path, hops = names[0], 0
    while (commit := history.removed_in(path)) is not None and hops < 5:
        (path,) = (each.path for each in history.step(commit).changes if each.before == path)
        hops += 1
    assert (path, hops) == (names[-1], 2)


def test_a_rename_on_a_merged_branch_is_found_there(repo: Repository, history: GitHistory) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.git("mv", "ws/src/a.py", "ws/src/b.py")
    commit = repo.commit("moved on the side")
    repo.git("checkout", "-q", "main")
    repo.write("ws/other.py", "changed on main\n")
    repo.commit("main goes on")
    repo.git("merge", "-q", "--no-edit", "side")
    assert history.removed_in("src/a.py") == commit


def test_the_first_commit_is_a_step_too(repo: Repository, history: GitHistory) -> None:
    first = repo.git("rev-parse", "HEAD")
    assert {change.status for change in history.step(first).changes} == {"added"}


def test_what_is_not_committed(repo: Repository, history: GitHistory) -> None:
    assert history.uncommitted() == Step(commit=None)
    repo.git("mv", "ws/src/a.py", "ws/src/staged.py")
    repo.write("ws/other.py", "changed\n")
    repo.write("ws/untracked.py", "new\n")
    repo.write("ws/.gitignore", "ignored.py\n")
    repo.write("ws/ignored.py", "ignored\n")
    assert set(history.uncommitted().changes) == {
        FileChange(status="renamed", path="src/staged.py", before="src/a.py"),
        FileChange(status="changed", path="other.py"),
        FileChange(status="added", path="untracked.py"),
        FileChange(status="added", path=".gitignore"),
    }


def test_a_plain_move_is_a_deletion_and_an_untracked_file(repo: Repository, history: GitHistory) -> None:
    (repo.root / "ws/src/a.py").rename(repo.root / "ws/src/b.py")
    assert set(history.uncommitted().changes) == {
        FileChange(status="deleted", path="src/a.py"),
        FileChange(status="added", path="src/b.py"),
    }
    assert history.removed_in("src/a.py") is None


def test_versions_of_a_file_newest_first(repo: Repository, history: GitHistory) -> None:
    repo.write("ws/other.py", "def g(): return 1\n")
    second = repo.commit()
    repo.write("ws/src/a.py", LONG + "more\n")
    repo.commit()
    repo.git("rm", "-q", "ws/other.py")
    third = repo.commit()
    found = history.versions("other.py")
    assert [each.commit for each in found][:2] == [third, second]
    blobs = [blob_id(text) for text in (b"def g(): ...\n", b"def g(): return 1\n")]
    assert [(each.before, each.after) for each in found] == [(blobs[1], None), (blobs[0], blobs[1]), (None, blobs[0])]
    assert len(history.versions("other.py", most=1)) == 1
    assert history.versions("never.py") == ()


def test_changed_since_a_revision(repo: Repository, history: GitHistory) -> None:
    base = repo.git("rev-parse", "HEAD")
    repo.git("checkout", "-q", "-b", "elsewhere")
    repo.write("ws/elsewhere.py", "not ours\n")
    repo.commit()
    repo.git("checkout", "-q", "-b", "topic", base)
    repo.write("ws/other.py", "changed\n")
    repo.commit()
    repo.git("mv", "ws/src/a.py", "ws/src/b.py")
    repo.write("ws/untracked.py", "new\n")
    assert history.merge_base("elsewhere") == base
    assert history.changed_since(base) == {"other.py", "src/a.py", "src/b.py", "untracked.py"}
    assert history.merge_base("HEAD~1") == base
    for odd in ("no-such-branch", "--output=/tmp/x", "", "a\0b", "HEAD -- x"):
        assert history.merge_base(odd) is None, odd


def test_histories_without_a_common_start_are_compared_as_they_are(repo: Repository, history: GitHistory) -> None:
    repo.git("checkout", "-q", "--orphan", "other")
    repo.git("rm", "-rqf", "--cached", ".")
    repo.write("ws/new.py", "new\n")
    other = repo.commit("another root")
    repo.git("checkout", "-q", "-f", "main")
    assert history.merge_base("other") == other


def test_files_that_hold_a_word(repo: Repository, history: GitHistory) -> None:
    repo.write("ws/untracked.py", "g = 1\n")
    repo.write("ws/longer.py", "gg = 1\n")
    repo.write("ws/binary", b"g\0g\n")
    assert history.holding("g") == ("other.py", "untracked.py")
    assert history.holding("g", most=1) == ("other.py",)
    assert history.holding("-e") == ()
    assert history.holding("nothing_like_it") == ()


def test_files_of_the_workspace(repo: Repository, history: GitHistory) -> None:
    repo.write("ws/untracked é.py", "x\n")
    assert history.files() == {"src/a.py", "other.py", "untracked é.py"}
    assert history.untracked() == {"untracked é.py"}


def test_outside_of_a_repository_the_answers_are_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    history = GitHistory(tmp_path)
    assert (history.head(), history.files(), history.untracked(), history.merge_base("HEAD")) == (None,) * 4
    assert (history.removed_in("a.py"), history.versions("a.py"), history.holding("x")) == (None, (), ())
    assert history.uncommitted() == Step(commit=None)
    assert history.step("0" * 40) == Step(commit="0" * 40)
    assert history.changed_since("HEAD") is None


def test_before_the_first_commit(tmp_path: Path) -> None:
    made = repository(tmp_path / "top")
    made.write("a.py", "x\n")
    history = GitHistory(made.root)
    assert (history.head(), history.removed_in("a.py"), history.files()) == (None, None, {"a.py"})
    assert history.uncommitted() == Step(commit=None, changes=(FileChange(status="added", path="a.py"),))


def test_no_program_of_the_repository_is_run(repo: Repository, history: GitHistory, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho ran >> {ran}\ncat\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    repo.write(".gitattributes", "*.py diff=evil filter=evil\n")
    for key in ("diff.external", "diff.evil.command", "diff.evil.textconv", "core.fsmonitor", "filter.evil.clean"):
        repo.git("config", key, str(program))
    repo.write("ws/other.py", "changed\n")
    history.uncommitted()
    history.changed_since("HEAD")
    history.step(repo.git("rev-parse", "HEAD"))
    history.versions("other.py")
    history.holding("g")
    history.files()
    assert not ran.exists()
    subprocess.run(["git", "diff"], cwd=repo.root, capture_output=True, check=False)
    assert ran.exists(), "git itself would run it"


def test_where_the_history_of_a_shallow_clone_ends(repo: Repository, history: GitHistory, tmp_path: Path) -> None:
    repo.write("ws/other.py", "changed\n")
    second = repo.commit()
    repo.write("ws/other.py", "changed again\n")
    repo.commit()
    assert history.cut() == frozenset()
    repo.git("clone", "-q", "--depth", "2", repo.root.as_uri(), str(tmp_path / "clone"))
    assert GitHistory(tmp_path / "clone" / "ws").cut() == {second}
    assert GitHistory(tmp_path).cut() == frozenset()
