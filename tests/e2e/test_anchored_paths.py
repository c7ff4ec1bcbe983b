"""Paths name memories by where their code is now as well as by where it was, in every command that takes paths."""

import pytest

from e2e.anchored import Anchored
from e2e.memofs_program import Workspace

ABOUT_OPEN, ABOUT_TRIES = "Opening a tenant is lazy", "Tries wait with full jitter"


@pytest.fixture
def code(workspace: Workspace) -> Anchored:
    """Code that has moved from src to lib, with two memories about it."""
    made = Anchored(workspace)
    made.remember(ABOUT_OPEN, "src/store.py#TenantStore.open")
    made.remember(ABOUT_TRIES, "src/retry.py#backoff")
    made.repo.git("mv", "src", "lib")
    return made


@pytest.mark.parametrize(
    ("path", "all_of_it"), [("lib", True), ("src", True), ("lib/store.py", False), ("*/store.py", False)]
)
def test_every_command_finds_moved_code(code: Anchored, path: str, all_of_it: bool) -> None:
    ws = code.workspace
    wanted = {ABOUT_OPEN, ABOUT_TRIES} if all_of_it else {ABOUT_OPEN}
    assert {each["title"] for each in ws.json("list", "--path", path)["memories"]} == wanted
    assert {each["title"] for each in ws.json("recall", "--path", path)["hits"]} == wanted
    assert {each["title"] for each in ws.json("anchors", path)["anchors"]} == wanted
    assert ws.json("check", path)["memories"] == len(wanted)
    assert {each["title"] for each in ws.json("verify", path)["memories"]} == wanted


def test_why_not_and_unanchor_know_moved_code(code: Anchored) -> None:
    ws = code.workspace
    found = {each["title"]: each["id"] for each in ws.json("list")["memories"]}
    absent = ws.json("recall", "--path", "lib/store.py", "--why-not", found[ABOUT_TRIES])["absent"]
    assert "not anchored in any of the paths" in absent[0]["reason"]
    ws.ok("unanchor", found[ABOUT_OPEN], "lib/store.py")
    ws.ok("unanchor", found[ABOUT_TRIES], "src/retry.py")
    assert code.rows() == []


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("gone", "'gone' names no memory, and no file or folder that one is tied to"),
        ("zz", "'zz' names no memory, and no file or folder that one is tied to"),
        ("gone/deep.py", "no memory is tied to gone/deep.py, and there is no such file or folder"),
        ("docs", "no memory is tied to docs"),
        ("mem_aaaaaaaaaaaa", "no memory has the id 'mem_aaaaaaaaaaaa'"),
    ],
)
def test_what_is_nothing_is_told(code: Anchored, named: str, said: str) -> None:
    ran = code.workspace.memofs("verify", named)
    assert (ran.code, ran.out) == (1, "")
    assert said in ran.err


def test_a_file_of_a_memory_is_that_memory(code: Anchored) -> None:
    ws = code.workspace
    memory = next(each for each in ws.json("list")["memories"] if each["title"] == ABOUT_OPEN)
    for named in (memory["path"], f"./{memory['path']}", str(code.root / memory["path"])):
        assert [each["id"] for each in ws.json("verify", named)["memories"]] == [memory["id"]]
    both = ws.json("verify", memory["id"], "src/retry.py")["memories"]
    assert [each["title"] for each in both] == [ABOUT_OPEN, ABOUT_TRIES]
