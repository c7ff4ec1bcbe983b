"""What was asked about anchors and was not done is told, with the command that does it, and never dropped silently."""

import shlex
from pathlib import Path

import pytest

from e2e.anchored import Anchored, insert_above
from e2e.memofs_program import Workspace
from memofs.link.client import RemoteError

STORE, RETRY = "src/store.py", "src/retry.py"
SAID = "Opening a tenant is lazy"


@pytest.fixture
def code(workspace: Workspace) -> Anchored:
    return Anchored(workspace)


@pytest.mark.parametrize(
    "wanted",
    [
        f"{STORE}#TenantStore.close",
        f"{STORE}:5",
        f"{STORE}:28-31",
        f"{STORE}:5:1-5:16",
        RETRY,
        "src/with space.py#name",
    ],
)
def test_an_anchor_of_what_is_remembered_already_is_told_and_can_be_added(code: Anchored, wanted: str) -> None:
    ws = code.workspace
    ws.write("src/with space.py", "def name():\n    return 1\n")
    id_ = code.remember(SAID, f"{STORE}#TenantStore.open")
    before = ws.files()
    again = ws.json("remember", SAID, "--anchor", f"{STORE}#TenantStore.open", "--anchor", wanted)
    assert (again["memory"], again["duplicateOf"]["id"]) == (None, id_)
    assert len(again["remarks"]) == 1, again["remarks"]
    text = ws.ok("remember", SAID, "--anchor", wanted)
    assert f"note: {again['remarks'][0]}" in text
    assert ws.files() == before
    command = again["remarks"][0].split("`")[1]
    ws.ok(*shlex.split(command)[1:])
    assert len(code.rows()) == 2
    assert ws.json("remember", SAID, "--anchor", wanted)["remarks"] == []


def test_an_anchor_that_has_moved_is_no_other(code: Anchored) -> None:
    ws = code.workspace
    code.remember(SAID, f"{STORE}#TenantStore.open", f"{STORE}:5")
    ws.write(STORE, insert_above(code.read(STORE), 10))
    code.path("lib").mkdir()
    code.path(STORE).rename(code.path("lib/store.py"))
    again = ("--anchor", "lib/store.py#TenantStore.open", "--anchor", "lib/store.py:15")
    assert ws.json("remember", SAID, *again)["remarks"] == []


def test_what_verify_cannot_confirm_is_told_with_what_can_be_done(code: Anchored) -> None:
    ws = code.workspace
    id_ = code.remember(SAID, f"{STORE}#TenantStore.open", RETRY)
    whole = code.remember("The pool waits five seconds", f"{STORE}:5")
    code.path(RETRY).unlink()
    done = ws.json("verify", id_, whole)
    assert [each["id"] for each in done["memories"]] == [id_, whole]
    (remark,) = done["remarks"]
    assert remark.startswith(f"anchor 2 of {id_}, {RETRY}, is not found, so the memory stays stale: ")
    assert f"memofs reanchor {id_} 2 FILE:LINES" in remark
    text = ws.ok("verify", id_)
    assert f"note: {remark}" in text
    assert ws.json("retire", whole)["remarks"] == []
    checked = ws.memofs("check", "--format", "github")
    sarif = ws.memofs("check", "--format", "sarif").out
    for said in (checked.out, sarif, ws.ok("stale")):
        assert "memofs verify" not in said
        assert "memofs reanchor" in said
        assert "memofs retire" in said
    code.replace(STORE, "return self.opened[tenant]", "return self.opened.get(tenant)")
    both = ws.memofs("check", "--format", "github").out
    assert both.count("memofs verify") == both.count("memofs reanchor") == 1


def test_a_long_list_of_lost_anchors_is_cut(code: Anchored) -> None:
    code.workspace.write("src/gone.py", "".join(f"VALUE_{number} = {number}\n\n\n" for number in range(25)))
    code.remember("Values of old", *(f"src/gone.py#VALUE_{number}" for number in range(25)))
    code.path("src/gone.py").unlink()
    *told, more = code.workspace.json("verify", "--all")["remarks"]
    assert len(told) == 20
    assert more == "and 5 more anchors were not found"


def test_changes_shows_missing_code_as_it_was_and_what_stands_there_now(code: Anchored) -> None:
    ws = code.workspace
    id_ = code.remember("Tries wait", f"{RETRY}#backoff")
    ws.write(RETRY, '"""Colours."""\n\nRED = 1\nGREEN = 2\n\nBLUE = 3\nPINK = 4\n\nGREY = 5\n')
    found = ws.json("changes", id_)
    assert found["anchor"]["verdict"] == "missing"
    assert (found["after"], found["beforeLines"]) == (None, [6, 9])
    assert (found["there"], found["thereLines"]) == ("BLUE = 3\nPINK = 4\n\nGREY = 5", [6, 9])
    text = ws.ok("changes", id_)
    assert "It is not found; other code stands there now, in src/retry.py:6-9." in text
    removed = [line[1:] for line in text.splitlines() if line.startswith("-") and not line.startswith("---")]
    assert removed == found["before"].split("\n")
    assert removed[0].startswith("def backoff(")
    assert found["diff"].splitlines()[:3] == ["--- src/retry.py:6-9", "+++ /dev/null", "@@ -6,4 +0,0 @@"]
    assert "There stands now:\n  BLUE = 3\n" in text
    code.path(RETRY).unlink()
    text = ws.ok("changes", id_)
    assert "There is nothing in its place now." in text
    assert "-def backoff(" in text
    assert "There stands now:" not in text


def test_a_file_whose_name_begins_like_a_drive_is_anchored(code: Anchored) -> None:
    code.workspace.write("e:1.py", "def f():\n    return 1\n")
    id_ = code.remember("The value of f is one", "e:1.py#f")
    assert code.where(id_) == ("current", "e:1.py", 1)


def test_anchors_can_be_asked_for_by_verdict(code: Anchored) -> None:
    ws = code.workspace
    code.remember(SAID, f"{STORE}#TenantStore.open", f"{RETRY}#backoff")
    code.replace(STORE, "return self.opened[tenant]", "return self.opened.get(tenant)")
    (row,) = ws.json("anchors", "--verdict", "changed")["anchors"]
    assert row["symbol"] == "TenantStore.open"
    assert len(ws.json("anchors", "--verdict", "changed", "--verdict", "current")["anchors"]) == 2
    none = ws.memofs("anchors", "--verdict", "missing")
    assert (none.out, none.err) == ("", "no anchors there that are missing\n")


def test_an_unknown_revision_names_shallow_clones_only_in_one(code: Anchored, tmp_path: Path) -> None:
    ws = code.workspace
    empty = ws.memofs("check", "--since", " ")
    assert (empty.code, empty.out) == (2, "")
    assert "--since is empty" in empty.err
    with pytest.raises(RemoteError, match="to compare with is empty"):
        code.ask("check", since="")
    unknown = ws.memofs("check", "--since", "nope")
    assert unknown.code == 2
    assert "git knows no commit 'nope'" in unknown.err
    assert "shallow" not in unknown.err
    code.remember(SAID, STORE)
    shallow = tmp_path / "shallow"
    code.repo.git("clone", "--quiet", "--depth=1", code.root.as_uri(), str(shallow))
    assert "this clone is shallow" in Workspace(shallow, ws.home).memofs("check", "--since", "nope").err
