"""What a newcomer who tried to break the program found, each as a test of its kind."""

import subprocess
import sys
from pathlib import Path

import pytest

from e2e.memofs_program import PROGRAM, Workspace


def _editor(workspace: Workspace, script: str) -> dict[str, str]:
    path = workspace.home / "editor.sh"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return {"EDITOR": str(path)}


@pytest.mark.parametrize("left", ["Only a body now", "junk", "## A heading\n\nbody"])
def test_an_edit_that_loses_the_front_matter_is_refused(workspace: Workspace, left: str) -> None:
    memory = workspace.json("remember", "Keep logs 30 days", "-k", "decision", "-t", "logs")["memory"]
    before = (workspace.root / memory["path"]).read_bytes()
    ran = workspace.memofs("edit", memory["id"], env=_editor(workspace, f"printf '{left}' > \"$1\""))
    assert ran.code == 1
    assert "front matter" in ran.err
    assert (workspace.root / memory["path"]).read_bytes() == before


def test_a_record_without_a_date_is_not_new(workspace: Workspace) -> None:
    workspace.write("adr/0001-use-postgres.md", "# 1. Use Postgres\n\n## Status\n\nAccepted\n\n## Context\n\nWhy.\n")
    workspace.ok("import", "adr", "adr")
    (memory,) = workspace.json("list")["memories"]
    assert (memory["created"], memory["updated"]) == (None, None)


def test_one_text_from_several_processes_at_once_is_one_memory(workspace: Workspace) -> None:
    running = [
        subprocess.Popen(
            [*PROGRAM, "remember", "exactly the same text"],
            cwd=workspace.root,
            env=workspace.environment(),
            stdout=subprocess.DEVNULL,
        )
        for _ in range(5)
    ]
    assert [process.wait(60) for process in running] == [0] * 5
    assert workspace.json("list")["total"] == 1


def test_a_notes_md_of_plain_prose_is_a_memory(workspace: Workspace) -> None:
    workspace.write(".memofs/memory/notes.md", "# Notes\n\nJust plain prose about marmots\n")
    assert workspace.json("recall", "marmots")["hits"][0]["title"] == "Notes"


def test_a_blank_line_below_a_log_entrys_heading_changes_nothing(workspace: Workspace) -> None:
    workspace.write(".memofs/memory/notes.md", "## 2026-09-01T00:00:00Z — T\n\n- kind: decision\n- tags: a\n\nBody.\n")
    (memory,) = workspace.json("list", "--bodies")["memories"]
    assert (memory["kind"], memory["body"]) == ("decision", "Body.")


def test_undo_gets_past_a_file_that_was_changed_by_hand(workspace: Workspace) -> None:
    written = [workspace.json("remember", f"Fact number {number} about port {number}")["memory"] for number in range(3)]
    newest = workspace.root / written[2]["path"]
    newest.write_text(newest.read_text() + "by hand\n")
    ran = workspace.memofs("undo")
    assert ran.code == 1
    assert "memofs undo --skip" in ran.err
    assert workspace.json("undo", "--skip")["summary"].startswith("Fact number 1")
    assert newest.read_text().endswith("by hand\n")
    assert workspace.json("list")["total"] == 2


def test_a_file_that_cannot_be_read_is_told_wherever_it_is_missed(workspace: Workspace) -> None:
    memory = workspace.json("remember", "Keep logs 30 days")["memory"]
    path = workspace.root / memory["path"]
    path.write_text(path.read_text() + "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n")
    for command in ("show", "verify", "retire"):
        ran = workspace.memofs(command, memory["id"])
        assert ran.code == 1
        assert f"{memory['path']} cannot be read: merge conflict markers" in ran.err
    assert "memofs doctor" in workspace.memofs("list").err
    assert "memofs doctor" in workspace.memofs("recall", "logs").out


def test_settings_with_faults_are_told(workspace: Workspace) -> None:
    workspace.write(".memofs/config.json", '{"precision": "sharp"}')
    assert "memofs doctor" in workspace.memofs("list").err


@pytest.mark.parametrize("redirection", [">&-", "2>&-", "<&-", "> /dev/full"])
@pytest.mark.parametrize("command", ["list", "list --json", "recall nothing", "show nothing"])
def test_broken_streams_bring_no_traceback(library: Workspace, command: str, redirection: str) -> None:
    if redirection == "> /dev/full" and not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    ran = subprocess.run(
        ["/bin/sh", "-c", f"{sys.executable} -m memofs {command} {redirection}"],
        cwd=library.root,
        env=library.environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "Traceback" not in ran.stderr + ran.stdout
    assert ran.returncode in (0, 1)


def test_a_repository_below_another_workspace_gets_its_own(workspace: Workspace) -> None:
    below = workspace.root / "work" / "new"
    below.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(below)], check=True)
    assert workspace.memofs("init", cwd="work/new").code == 0
    assert (below / ".memofs" / "config.json").exists()


def test_verify_by_a_path_that_no_memory_is_tied_to_says_so(own_library: Workspace) -> None:
    id_ = own_library.json("list")["memories"][0]["id"]
    for arguments in (["src/nope.py"], [id_, "src/nope.py"]):
        ran = own_library.memofs("verify", *arguments)
        assert ran.code == 1
        assert "no memory is tied to src/nope.py" in ran.err


def test_settings_take_no_secrets(workspace: Workspace) -> None:
    secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    ran = workspace.memofs("config", "set", "projectName", secret)
    assert ran.code == 1
    assert secret not in ran.err + (workspace.root / ".memofs" / "config.json").read_text()
    assert secret not in workspace.memofs("remember", "text", "-k", secret).err


def test_a_kind_that_nothing_is_of_is_a_slip(workspace: Workspace) -> None:
    for command in (["list"], ["recall", "x"]):
        ran = workspace.memofs(*command, "-k", "decsion")
        assert ran.code == 1
        assert "did you mean decision?" in ran.err


def test_what_is_piped_in_is_remembered(workspace: Workspace) -> None:
    ran = workspace.memofs("remember", stdin=b"From a pipe\n")
    assert ran.code == 0
    assert workspace.json("list")["memories"][0]["title"] == "From a pipe"


def test_status_counts_what_list_shows(library: Workspace) -> None:
    counted = library.json("status")["byFlag"].get("unverified", 0)
    assert counted == library.json("list", "--flag", "unverified")["total"]
