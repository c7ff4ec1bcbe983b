"""Code that is in another file now: taken where nothing else can be meant, offered where something can."""

import shutil
from pathlib import Path

import pytest

from e2e.anchored import CODE, Anchored
from e2e.memofs_program import Workspace

RETRY = "src/retry.py"
ABOUT = "Full jitter, or all clients come back at once"
BACKOFF = CODE[RETRY][CODE[RETRY].index("def backoff") : CODE[RETRY].index("def attempts")]
ATTEMPTS = CODE[RETRY][CODE[RETRY].index("def attempts") :]


@pytest.fixture
def code(workspace: Workspace) -> Anchored:
    return Anchored(workspace)


def offered(code: Anchored, id_: str) -> list[str]:
    return sorted({each["path"] for each in code.row(id_)["candidates"]})


@pytest.mark.parametrize("how", ["no git", "not committed", "added", "one of them added", "committed"])
@pytest.mark.parametrize("anchor", [RETRY, f"{RETRY}#backoff", f"{RETRY}:6-9"])
@pytest.mark.parametrize("copy", ["src/a.py", "zz.py"])
def test_of_two_files_that_hold_all_of_a_lost_one_none_is_taken(
    workspace: Workspace, how: str, anchor: str, copy: str
) -> None:
    code = Anchored(workspace, git=how != "no git")
    id_ = code.remember(ABOUT, anchor, commit=how != "no git")
    shutil.copy(code.path(RETRY), code.path(copy))
    code.path("z").mkdir()
    code.path(RETRY).rename(code.path("z/retry.py"))
    if how == "added":
        code.repo.git("add", "--all")
    elif how == "one of them added":
        code.repo.git("add", copy)
    elif how == "committed":
        code.repo.commit("moved and copied")
    assert code.where(id_)[0] == "missing"
    assert offered(code, id_) == sorted([copy, "z/retry.py"])


def test_the_other_of_two_is_taken_once_one_is_gone(code: Anchored) -> None:
    id_ = code.remember(ABOUT, f"{RETRY}#backoff")
    shutil.copy(code.path(RETRY), code.path("src/a.py"))
    code.path(RETRY).rename(code.path("src/z.py"))
    assert code.where(id_)[0] == "missing"
    code.path("src/a.py").unlink()
    assert code.where(id_) == ("moved", "src/z.py", 6)


def test_a_copy_that_git_knew_before_is_not_where_the_file_went(code: Anchored) -> None:
    shutil.copy(code.path(RETRY), code.path("src/a.py"))
    code.repo.commit("a copy")
    id_ = code.remember(ABOUT, f"{RETRY}#backoff")
    code.path("z").mkdir()
    code.path(RETRY).rename(code.path("z/retry.py"))
    assert code.where(id_) == ("moved", "z/retry.py", 6)
    code.repo.commit("moved")
    assert code.where(id_) == ("moved", "z/retry.py", 6)
    code.path("z/retry.py").unlink()
    assert code.where(id_)[0] == "missing", "the copy was there all the time"


@pytest.mark.parametrize("committed", [False, True])
@pytest.mark.parametrize("anchor", [f"{RETRY}#backoff", f"{RETRY}:9"])
def test_a_backup_is_not_where_a_deleted_function_went(code: Anchored, anchor: str, committed: bool) -> None:
    id_ = code.remember(ABOUT, anchor)
    shutil.copy(code.path(RETRY), code.path("src/retry.bak.py"))
    code.replace(RETRY, BACKOFF, "")
    if committed:
        code.repo.commit("gone")
    assert code.where(id_)[0] == "missing"
    assert offered(code, id_) == ["src/retry.bak.py"]


def test_a_copy_made_between_the_mark_and_the_loss_is_offered(code: Anchored) -> None:
    id_ = code.remember(ABOUT, f"{RETRY}#backoff")
    code.workspace.write("src/other.py", f"import random\n\n\n{BACKOFF}")
    code.replace(RETRY, "range(limit)", "range(1, limit)")
    code.repo.commit("a copy, and an edit of something else")
    assert code.where(id_)[:2] == ("current", RETRY)
    code.replace(RETRY, BACKOFF, "")
    code.repo.commit("gone")
    assert code.where(id_)[0] == "missing"
    assert offered(code, id_) == ["src/other.py"]


def test_a_file_taken_apart_in_two_is_followed_into_both(code: Anchored) -> None:
    ids = [code.remember(f"{ABOUT} {name}", f"{RETRY}#{name}") for name in ("backoff", "attempts")]
    code.workspace.write("src/tries.py", f'"""Tries."""\n\n\n{ATTEMPTS}')
    code.replace(RETRY, ATTEMPTS, "")
    code.repo.commit("split")
    assert [code.where(id_) for id_ in ids] == [("current", RETRY, 6), ("moved", "src/tries.py", 4)]


@pytest.mark.parametrize("edited", [False, True])
def test_a_file_renamed_before_the_history_of_a_shallow_clone(code: Anchored, tmp_path: Path, edited: bool) -> None:
    ids = [code.remember(f"{ABOUT} {anchor}", anchor) for anchor in (RETRY, f"{RETRY}#backoff")]
    code.path("lib").mkdir()
    code.repo.git("mv", RETRY, "lib/waiting.py")
    code.repo.commit("renamed")
    if edited:
        code.workspace.write("lib/other.py", CODE[RETRY])
        code.repo.commit("a copy")
    clone = tmp_path / "clone"
    code.repo.git("clone", "-q", "--depth", "1", code.root.as_uri(), str(clone))
    rows = Workspace(clone, code.workspace.home).json("anchors")["anchors"]
    assert {row["memory"] for row in rows} == set(ids)
    if edited:
        assert {row["verdict"] for row in rows} == {"missing"}
        assert all({each["path"] for each in row["candidates"]} == {"lib/other.py", "lib/waiting.py"} for row in rows)
    else:
        assert {(row["verdict"], row["path"]) for row in rows} == {("moved", "lib/waiting.py")}


def test_a_function_gone_before_the_history_of_a_shallow_clone_is_offered(code: Anchored, tmp_path: Path) -> None:
    code.remember(ABOUT, f"{RETRY}#backoff")
    code.workspace.write("src/waiting.py", f"import random\n\n\n{BACKOFF}")
    code.replace(RETRY, BACKOFF, "")
    code.repo.commit("moved")
    clone = tmp_path / "clone"
    code.repo.git("clone", "-q", "--depth", "1", code.root.as_uri(), str(clone))
    (row,) = Workspace(clone, code.workspace.home).json("anchors")["anchors"]
    assert row["verdict"] == "missing", "its commit seems to add every file"
    assert [each["path"] for each in row["candidates"]] == ["src/waiting.py"]


@pytest.mark.parametrize("committed", [False, True])
@pytest.mark.parametrize("seen", [False, True])
def test_renamed_then_taken_apart(code: Anchored, committed: bool, seen: bool) -> None:
    anchors = {
        "Herds of clients came back together": f"{RETRY}#backoff",
        "Attempts are counted from zero for the dashboard": f"{RETRY}#attempts",
        "The draw is uniform": f"{RETRY}:9:12-9:26",
        "Doubling, as the bank throttles": f"{RETRY}:8:27-8:46",
    }
    ids = [code.remember(text, anchor) for text, anchor in anchors.items()]
    code.path("lib").mkdir()
    code.repo.git("mv", RETRY, "lib/retry.py")
    code.repo.commit("renamed")
    if seen:
        assert {code.where(id_)[:2] for id_ in ids} == {("moved", "lib/retry.py")}
    code.repo.git("rm", "-q", "lib/retry.py")
    code.workspace.write("lib/retry/__init__.py", "from .model import *\n")
    code.workspace.write("lib/retry/model.py", f'"""Waiting before the next try."""\n\nimport random\n\n\n{ATTEMPTS}')
    code.workspace.write("lib/retry/pricing.py", f"from .model import *\n\n\n{BACKOFF}")
    if committed:
        code.repo.commit("split")
    assert [code.where(id_) for id_ in ids] == [
        ("moved", "lib/retry/pricing.py", 4),
        ("moved", "lib/retry/model.py", 6),
        ("moved", "lib/retry/pricing.py", 7),
        ("moved", "lib/retry/pricing.py", 6),
    ]
    assert code.stale() == []


def test_a_function_that_leaves_a_renamed_file(code: Anchored) -> None:
    id_ = code.remember(ABOUT, f"{RETRY}#backoff")
    code.repo.git("mv", RETRY, "src/tries.py")
    code.repo.commit("renamed")
    code.replace("src/tries.py", BACKOFF, "")
    code.workspace.write("src/waiting.py", f"import random\n\n\n{BACKOFF}")
    assert code.where(id_) == ("moved", "src/waiting.py", 4)
    code.repo.commit("moved")
    assert code.where(id_) == ("moved", "src/waiting.py", 4)


def test_a_part_that_its_function_holds_twice_is_not_guessed(code: Anchored) -> None:
    id_ = code.remember(ABOUT, f"{RETRY}:8:19-8:25")
    code.workspace.write("src/waiting.py", f"import random\n\n\n{BACKOFF.replace('0.0, ', 'most_s - most_s, ')}")
    code.replace(RETRY, BACKOFF, "")
    assert code.where(id_)[0] == "missing"
