"""What git is asked, and that its absence is an empty answer."""

import os
import subprocess
from pathlib import Path

import pytest

from memofs.store.git import CommitTimes, Git
from memofs.store.store import Store
from unit.store.on_disk import NOW_MS, put

FIRST_S, SECOND_S = 1_500_000_000, 1_600_000_000
NAME = "name with #%é🚀.md"


def git(root: Path, *arguments: str, at_s: int = FIRST_S) -> None:
    # Nothing of the machine's own settings counts, and no hooks or identities are needed.
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_AUTHOR_DATE": f"{at_s} +0000"}
    identity = ["-c", "user.name=Ada L.", "-c", "user.email=ada@example.invalid", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True, env=os.environ | settings)


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)


@pytest.fixture
def tracked(store: Store) -> Store:
    """A workspace below the top of a repository, with one file committed twice and one changed since."""
    root = store.layout.root
    top = root.parent
    git(top, "init")
    put(store, NAME, "# One")
    put(store, "other.md", "# Other")
    git(top, "add", ".")
    git(top, "commit", "-m", "first")
    put(store, NAME, "# Two")
    git(top, "commit", "-am", "second", at_s=SECOND_S)
    put(store, "other.md", "# Changed since")
    put(store, "new.md", "# New")
    return store


def test_times_are_those_of_the_first_and_the_last_commit(tracked: Store) -> None:
    assert Git(tracked.layout.root).commit_times(".memofs/memory") == {
        f".memofs/memory/{NAME}": CommitTimes(first_ms=FIRST_S * 1000, last_ms=SECOND_S * 1000),
        ".memofs/memory/other.md": CommitTimes(first_ms=FIRST_S * 1000, last_ms=None),
        ".memofs/memory/core.md": CommitTimes(first_ms=FIRST_S * 1000, last_ms=FIRST_S * 1000),
    }


def test_plain_markdown_is_as_old_as_git_says(tracked: Store) -> None:
    for name in (NAME, "other.md", "new.md"):
        os.utime(tracked.layout.memory / name, (NOW_MS // 1000, NOW_MS // 1000))
    times = {memory.title: (memory.created_ms, memory.updated_ms) for memory in tracked.load(now_ms=NOW_MS).memories}
    assert times == {
        "Two": (FIRST_S * 1000, SECOND_S * 1000),
        "Changed since": (FIRST_S * 1000, NOW_MS),
        "New": (NOW_MS, NOW_MS),
    }


def test_which_paths_are_tracked(tracked: Store) -> None:
    paths = [f".memofs/memory/{name}" for name in (NAME, "other.md", "new.md", "nothing.md", "*.md")]
    assert Git(tracked.layout.root).tracked(paths) == {paths[0], paths[1]}
    many = [f"{number}.md" for number in range(1_200)]
    assert Git(tracked.layout.root).tracked([*many, paths[0]]) == {paths[0]}


def test_the_author_is_asked_for_once(tracked: Store) -> None:
    root = tracked.layout.root
    asked = Git(root)
    git(root, "config", "user.name", "Ada L.")
    assert asked.author() == "Ada L."
    git(root, "config", "user.name", "Someone Else")
    assert asked.author() == "Ada L."
    assert Git(root).author() == "Someone Else"


def test_the_variables_that_git_sets_around_hooks_do_not_mislead(
    tracked: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "init", "elsewhere")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere" / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "elsewhere" / ".git" / "index"))
    assert Git(tracked.layout.root).tracked([f".memofs/memory/{NAME}"])


def test_nothing_that_the_repository_configures_is_run(tracked: Store, tmp_path: Path) -> None:
    root = tracked.layout.root
    ran = tmp_path / "ran"
    for key in ("core.fsmonitor", "diff.external", "diff.x.textconv", "core.pager"):
        git(root, "config", key, f"touch '{ran}' #")
    (root / ".gitattributes").write_text("*.md diff=x\n")
    asked = Git(root)
    assert asked.tracked([f".memofs/memory/{NAME}"])
    assert asked.commit_times(".memofs/memory")
    assert asked.author() is None
    assert not ran.exists()


def test_outside_a_repository_the_answers_are_empty(store: Store) -> None:
    asked = Git(store.layout.root)
    assert (asked.author(), asked.tracked(["a"]), asked.commit_times(".memofs")) == (None, frozenset(), {})
    assert (asked.version() or "").startswith("2.")


def test_without_git_the_answers_are_empty(tracked: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    asked = Git(tracked.layout.root)
    assert (asked.author(), asked.tracked(["a"]), asked.commit_times(".memofs"), asked.version()) == (
        None,
        frozenset(),
        {},
        None,
    )
    assert len(tracked.load(now_ms=NOW_MS).memories) == 3


def test_what_has_changed_since_the_last_commit(tracked: Store) -> None:
    root = tracked.layout.root
    (root / "src" / "new").mkdir(parents=True)
    (root / "src" / "new" / "a [1].py").write_text("a")
    (root / "src" / "new" / "b.py").write_text("b")
    (root.parent / "outside.py").write_text("above the workspace")
    (tracked.layout.memory / NAME).unlink()
    put(tracked, "staged.md", "# Staged")
    git(root, "add", ".memofs/memory/staged.md")
    assert Git(root).changed() == {
        f".memofs/memory/{NAME}",
        ".memofs/memory/other.md",
        ".memofs/memory/new.md",
        ".memofs/memory/staged.md",
        "src/",
    }


def test_what_has_changed_before_the_first_commit_and_after_a_rename(store: Store) -> None:
    root = store.layout.root
    git(root, "init")
    (root / "a.py").write_text("one line\nand another\n")
    git(root, "add", "a.py")
    assert Git(root).changed() == {"a.py", ".memofs/"}
    git(root, "add", ".")
    git(root, "commit", "-m", "first")
    assert Git(root).changed() == frozenset()
    git(root, "mv", "a.py", "b.py")
    assert Git(root).changed() == {"a.py", "b.py"}


def test_a_workspace_that_is_untracked_as_a_whole_has_changed_as_a_whole(store: Store) -> None:
    root = store.layout.root
    git(root.parent, "init")
    assert Git(root).changed() == {"./"}
    below = root / "packages" / "inner"
    below.mkdir(parents=True)
    (below / "a.py").write_text("a")
    assert Git(below).changed() == {"./"}


def test_nothing_has_changed_outside_of_a_repository(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Git(store.layout.root).changed() == frozenset()
    monkeypatch.setenv("PATH", "")
    assert Git(store.layout.root).changed() == frozenset()


@pytest.mark.parametrize("name", ["plain", "a=b.c"])
def test_looking_at_the_working_tree_runs_no_filter(tracked: Store, tmp_path: Path, name: str) -> None:
    root, mark = tracked.layout.root, tmp_path / "ran"
    git(root, "config", f"filter.{name}.clean", f"touch '{mark}'; cat")
    git(root, "config", f"filter.{name}.required", "true")
    (root / ".gitattributes").write_text(f"*.md filter={name}\n")
    changed = Git(root).changed()
    assert changed is not None
    assert ".memofs/memory/other.md" in changed
    times = Git(root).commit_times(".memofs/memory")
    assert times[".memofs/memory/other.md"].last_ms is None
    assert not mark.exists()
