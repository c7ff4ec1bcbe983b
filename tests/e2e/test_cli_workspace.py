"""`memofs init`, `doctor`, `config`, `snapshot` and `completion`."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from e2e.daemon_program import Daemons
from e2e.memofs_program import PROGRAM, Workspace, memory_file


def test_init_sets_up_and_a_second_one_changes_nothing(empty: Workspace) -> None:
    text = empty.ok("init", "--project-name", "Tenant API")
    assert text.splitlines()[0] == f"Set up {empty.root}:"
    assert "  .memofs/config.json" in text.splitlines()
    assert json.loads((empty.root / ".memofs/config.json").read_text())["projectName"] == "Tenant API"
    assert empty.ok("init") == f"{empty.root} is set up already; nothing was changed.\n"
    assert empty.json("init")["created"] == []
    assert (empty.root / ".memofs/.gitignore").exists()


def test_init_goes_to_the_top_of_the_repository_or_exactly_to_root(empty: Workspace) -> None:
    subprocess.run(["git", "init", "-q"], cwd=empty.root, env=empty.environment(), check=True)
    (empty.root / "packages/api").mkdir(parents=True)
    (empty.root / "packages/web").mkdir()
    empty.ok("-C", "packages/api", "init")
    assert (empty.root / "packages/api/.memofs").is_dir()
    assert not (empty.root / ".memofs").exists()
    assert empty.memofs("init", cwd="packages/web").code == 0
    assert (empty.root / ".memofs").is_dir()
    assert not (empty.root / "packages/web/.memofs").exists()


def test_nothing_is_left_in_home(workspace: Workspace) -> None:
    workspace.ok("remember", "Home stays as it is")
    workspace.ok("recall", "home")
    assert [path for path in workspace.home.rglob("*") if path.is_file()] == []


def test_doctor_of_a_healthy_workspace(own_library: Workspace) -> None:
    ran = own_library.memofs("doctor")
    assert (ran.code, ran.err) == (0, "")
    assert "No faults found" in ran.out
    facts = own_library.json("doctor")["facts"]
    assert facts
    assert all(isinstance(value, str) for value in facts.values())


def test_doctor_names_faults_with_file_and_line_and_exits_1_for_errors(own_library: Workspace) -> None:
    own_library.write(".memofs/memory/broken.md", "---\nid: [unclosed\ntitle: x\n---\nbody\n")
    own_library.write(".memofs/memory/odd.md", memory_file("id: mem_aaaaaaodd1\ntitle: Odd\nconfidence: high", "Body."))
    ran = own_library.memofs("doctor")
    assert (ran.code, ran.err) == (1, "")
    assert "error: .memofs/memory/broken.md:" in ran.out
    assert "warning: .memofs/memory/odd.md:4: " in ran.out
    document = own_library.memofs("doctor", "--json")
    assert document.code == 1
    assert {finding["path"] for finding in document.json()["findings"]} == {
        ".memofs/memory/broken.md",
        ".memofs/memory/odd.md",
    }
    (own_library.root / ".memofs/memory/broken.md").unlink()
    assert own_library.memofs("doctor").code == 0, "a warning alone is no failure"


def test_doctor_mends_what_can_be_mended(workspace: Workspace) -> None:
    (workspace.root / ".memofs/.gitignore").unlink()
    found = [finding for finding in workspace.json("doctor")["findings"] if finding["fixable"]]
    assert found
    mended = workspace.json("doctor", "--fix")["findings"]
    assert all(finding["fixed"] for finding in mended if finding["fixable"])
    assert (workspace.root / ".memofs/.gitignore").exists()
    assert [finding for finding in workspace.json("doctor")["findings"] if finding["fixable"]] == []


def test_config_get_set_unset_path(workspace: Workspace) -> None:
    assert workspace.ok("config", "get", "precision") == "balanced\n"
    assert workspace.ok("config", "set", "precision", "strict") == 'precision is "strict"\n'
    assert workspace.ok("config", "get", "precision") == "strict\n"
    assert workspace.json("config", "get", "precision")["value"] == "strict"
    assert workspace.ok("config", "unset", "precision") == "precision is the default\n"
    assert workspace.json("config", "get", "precision")["isDefault"] is True
    path = workspace.ok("config", "path").rstrip("\n")
    assert path.endswith(".memofs/config.json")
    assert workspace.json("config", "path")["path"] == path
    settings = dict(line.split(maxsplit=1) for line in workspace.ok("config", "get").splitlines())
    assert settings["projectName"] == '"Tenants"'
    assert settings["precision"] == '"balanced"'


def test_config_values_are_json_where_they_read_as_json(workspace: Workspace) -> None:
    assert workspace.json("config", "set", "kinds", '["incident"]')["value"] == ["incident"]
    assert workspace.json("config", "get", "kinds")["value"] == ["incident"]
    assert workspace.json("remember", "The night of the full disk", "-k", "incident")["memory"]["kind"] == "incident"
    workspace.ok("config", "set", "floorsDays.note", "60")
    assert workspace.ok("config", "get", "floorsDays.note") == "60\n"
    workspace.ok("config", "set", "projectName", '"2048"')
    assert workspace.ok("config", "get", "projectName") == "2048\n"
    assert workspace.json("config", "unset", "kinds")["isDefault"] is True


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["set", "precision", "sharp"], "precision"),
        (["set", "precison", "strict"], "precison"),
        (["set", "projectName", "2048"], "projectName"),
        (["get", "nothing.here"], "nothing.here"),
    ],
)
def test_config_says_what_is_wrong(workspace: Workspace, args: list[str], message: str) -> None:
    before = (workspace.root / ".memofs/config.json").read_bytes()
    ran = workspace.memofs("config", *args)
    assert (ran.code, ran.out) == (1, "")
    assert message in ran.err
    assert (workspace.root / ".memofs/config.json").read_bytes() == before


def test_snapshots_are_made_listed_compared_and_put_back(own_library: Workspace) -> None:
    assert "memofs snapshot create" in own_library.ok("snapshot", "list")
    first = own_library.json("snapshot", "create", "before the change")["snapshot"]
    assert first["label"] == "before the change"
    before = own_library.files()
    own_library.ok("remember", "Something new under the sun")
    own_library.ok("retire", "d100")
    changed = own_library.files()
    text = own_library.ok("snapshot", "diff", first["id"])
    assert "changed .memofs/memory/use-d1-d100.md\n" in text
    assert "\n+status: retired" in text
    assert "\n-status: active" in text
    second = own_library.ok("snapshot", "create").split()[1]
    assert own_library.json("snapshot", "diff", first["id"], second)["files"]
    assert [made["id"] for made in own_library.json("snapshot", "list")["snapshots"]] == [second, first["id"]]
    listed = own_library.ok("snapshot", "list").splitlines()
    assert [line.split()[0] for line in listed] == [second, first["id"]]
    assert listed[1].endswith("before the change")
    dry = own_library.ok("snapshot", "restore", first["id"], "--dry-run")
    assert dry.startswith("Would put back 1 file, would remove 1, ")
    assert own_library.files() == changed
    assert own_library.ok("snapshot", "restore", first["id"]).startswith("Put back 1 file, removed 1, ")
    assert own_library.files() == before
    own_library.ok("undo")
    assert own_library.files() == changed
    assert len(own_library.json("snapshot", "restore", first["id"])["restored"]) == 1
    ran = own_library.memofs("snapshot", "diff", "no-such-snapshot")
    assert (ran.code, ran.out) == (1, "")


def test_version_and_help(empty: Workspace) -> None:
    assert empty.ok("--version") == empty.ok("recall", "-V")
    assert empty.ok("--help").startswith("Usage: memofs [OPTIONS] COMMAND")
    assert list(empty.root.iterdir()) == []


def complete(workspace: Workspace, *words: str) -> list[str]:
    """What the shell would offer for the last of `words`."""
    env = {"_MEMOFS_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    ran = workspace.memofs(env=env)
    assert (ran.code, ran.err) == (0, "")
    return [line.partition(",")[2] for line in ran.out.splitlines() if line]


def test_completion_offers_commands_options_and_ids(library: Workspace) -> None:
    assert complete(library, "memofs", "re") == ["recall", "remember", "reanchor", "retire", "restore", "reject"]
    assert "--why-not" in complete(library, "memofs", "recall", "--wh")
    assert complete(library, "memofs", "list", "-k", "de") == ["decision"]
    assert complete(library, "memofs", "list", "--sort", "t") == ["title"]
    assert "mem_aaaaaaaad100" in complete(library, "memofs", "show", "mem_aaaaaaaad")
    assert complete(library, "memofs", "snapshot", "re") == ["restore"]


def test_completion_is_silent_where_there_is_no_memory(empty: Workspace) -> None:
    assert complete(empty, "memofs", "show", "mem") == []


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_the_bash_script_works_when_sourced(library: Workspace) -> None:
    if len(PROGRAM) != 1:
        pytest.skip("the memofs program is not installed beside this Python")
    script = (
        "source <(memofs completion bash); COMP_WORDS=(memofs snap); COMP_CWORD=1; _memofs_completion memofs; "
        'echo "${COMPREPLY[@]}"; complete -p memofs'
    )
    env = library.environment()
    env["PATH"] = f"{Path(PROGRAM[0]).parent}:{env['PATH']}"
    ran = subprocess.run(
        ["bash", "--norc", "-c", script], cwd=library.root, env=env, capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines()[0] == "snapshot"
    assert "-F _memofs_completion memofs" in ran.stdout
    assert library.json("completion", "bash")["script"] == library.ok("completion", "bash")


@pytest.mark.parametrize("git", [True, False])
def test_init_below_a_workspace_says_which_it_set_up_and_how_to_nest(empty: Workspace, *, git: bool) -> None:
    if git:
        (empty.root / ".git").mkdir()
    else:
        assert empty.memofs("init").err == ""
    below = empty.root / "packages" / "api"
    below.mkdir(parents=True)
    ran = empty.memofs("init", cwd=below)
    around = "the git repository" if git else "the workspace"
    assert ran.code == 0
    assert f"that is {around} around this folder; for a memory of this folder alone: memofs init --root ." in ran.err
    assert not (below / ".memofs").exists()
    assert empty.memofs("init", "--root", ".", cwd=below).err == ""
    assert (below / ".memofs").is_dir()
    assert empty.memofs("init", "--json", cwd=below.parent).err == ""


@pytest.mark.parametrize(("value", "by_daemon"), [("0", 1), ("false", 1), ("No", 1), ("", 1), ("1", 0), ("yes", 0)])
def test_a_no_in_the_environment_leaves_the_daemon_on(user: Daemons, value: str, by_daemon: int) -> None:
    ran = user.memofs("status", "--json", env={"MEMOFS_NO_DAEMON": value})
    assert ran.json()["sessions"] == by_daemon
