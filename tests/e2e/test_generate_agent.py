"""`memofs generate agent`, the hooks that it writes, and a scripted agent's life from one session to the next."""

import json
import os
import shutil
import signal
import stat
import subprocess
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

import pytest

from e2e.daemon_program import Daemons, daemons
from e2e.mcp_client import agent, run, text_of
from e2e.memofs_program import PROGRAM, Ran, Workspace

PATIENCE_S = 60
"""A hook that waits for ever is found by this; how long one takes is not asserted."""


@pytest.fixture
def user(own_library: Workspace, runtime: Path) -> Generator[Daemons]:
    git(own_library, "init", "-q", "-b", "main")
    own_library.write(".gitignore", ".memofs/\n")
    git(own_library, "add", "-A")
    git(own_library, "commit", "-qm", "begin")
    with daemons(own_library, runtime=runtime) as found:
        yield found


def git(workspace: Workspace, *args: str) -> None:
    env = workspace.environment(
        {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@b"}
    )
    subprocess.run(["git", *args], cwd=workspace.root, env=env, check=True, capture_output=True)


PATIENT = {"MEMOFS_HOOK_S": "60"}


def hook(user: Daemons, *args: str, said: object, env: Mapping[str, str] = PATIENT) -> Ran:
    """A run of a hook with what the agent says on standard input; with time enough for a busy machine."""
    data = said if isinstance(said, bytes) else json.dumps(said).encode()
    ran = user.workspace.memofs(*args, stdin=data, env={**user.env, **env})
    assert ran.code == 0, ran
    assert ran.err == "", ran
    return ran


def start(user: Daemons, session: str = "s1", **more: object) -> dict[str, Any]:
    return {
        "session_id": session,
        "cwd": str(user.root),
        "hook_event_name": "SessionStart",
        "source": "startup",
        **more,
    }


def stop(user: Daemons, session: str = "s1", **more: object) -> dict[str, Any]:
    return {"session_id": session, "cwd": str(user.root), "hook_event_name": "Stop", **more}


def context_of(ran: Ran) -> str:
    return json.loads(ran.out)["hookSpecificOutput"]["additionalContext"]


def test_it_writes_says_what_and_changes_nothing_the_second_time(user: Daemons) -> None:
    user.workspace.write("CLAUDE.md", "# House rules\n")
    user.workspace.write(".mcp.json", '{"mcpServers": {"other": {"command": "x"}}}')
    dry = user.ok("generate", "agent", "claude", "--project-name", "My API", "--dry-run")
    assert "+## The memory of My API" in dry
    assert "would create .claude/settings.json" in dry
    assert (user.root / "CLAUDE.md").read_text() == "# House rules\n"
    (user.root / "CLAUDE.md").chmod(0o600)
    first = user.ok("generate", "agent", "claude", "--project-name", "My API")
    assert "updated CLAUDE.md" in first
    assert "created .claude/settings.json" in first
    assert stat.S_IMODE((user.root / "CLAUDE.md").stat().st_mode) == 0o600
    assert set(json.loads((user.root / ".mcp.json").read_text())["mcpServers"]) == {"other", "memofs"}
    second = json.loads(user.ok("--json", "generate", "agent", "claude", "--project-name", "My API"))
    assert [file["state"] for file in second["files"]] == ["unchanged"] * 3
    assert "set up" in user.ok("generate", "agent", "--list")
    removed = user.ok("generate", "agent", "claude", "--remove")
    assert "removed .claude/settings.json" in removed
    assert (user.root / "CLAUDE.md").read_text() == "# House rules\n"
    assert json.loads((user.root / ".mcp.json").read_text()) == {"mcpServers": {"other": {"command": "x"}}}


def test_json_that_is_none_is_left_alone_and_told(user: Daemons) -> None:
    user.workspace.write(".mcp.json", "{broken")
    ran = user.memofs("generate", "agent", "claude")
    assert ran.code == 1
    assert "left alone .mcp.json: it is not JSON that can be merged (line 1:" in ran.out
    assert (user.root / ".mcp.json").read_text() == "{broken"
    assert (user.root / "CLAUDE.md").exists()
    user.workspace.write("GEMINI.md", b"\xff\xfe\x00")
    assert "it is not UTF-8" in user.memofs("generate", "agent", "gemini").out


def test_all_agents_and_the_users_own_files(user: Daemons) -> None:
    (user.root / "AGENTS.md").write_text("# One file for all\n")
    (user.root / "CLAUDE.md").symlink_to("AGENTS.md")
    user.ok("generate", "agent", "all", "--project-name", "X")
    assert (user.root / "CLAUDE.md").is_symlink()
    assert (user.root / "AGENTS.md").read_text().count("memofs:begin") == 1
    home = user.workspace.home
    assert "[mcp_servers.memofs]" in (home / ".codex" / "config.toml").read_text()
    user.ok("generate", "agent", "all", "--scope", "user")
    assert "memofs" in json.loads((home / ".claude.json").read_text())["mcpServers"]
    for scope in ("user", "project"):
        user.ok("generate", "agent", "all", "--remove", "--scope", scope)
    left = [path for path in home.rglob("*") if path.is_file() and "memofs" not in str(path.relative_to(home))]
    assert left == [], left
    assert (user.root / "AGENTS.md").read_text() == "# One file for all\n"
    folders = {path.name for path in (*user.root.iterdir(), *home.iterdir()) if path.is_dir()}
    assert folders <= {".git", ".memofs", "src", "tmp", ".local", ".config"}, folders


@pytest.mark.parametrize(
    ("args", "part"),
    [
        ((), "name an agent"),
        (("clippy",), "clippy"),
        (("claude", "--scope", "world"), "project"),
    ],
)
def test_wrong_usage_says_what_there_is(user: Daemons, args: tuple[str, ...], part: str) -> None:
    ran = user.memofs("generate", "agent", *args)
    assert ran.code == 2
    assert part in ran.err
    assert "hint: " in ran.err


def test_what_is_outside_of_the_project_is_said_and_stays_while_others_need_it(user: Daemons, tmp_path: Path) -> None:
    for args in (("--dry-run",), ()):
        said = user.ok("generate", "agent", "codex", "claude", *args)
        (line,) = [
            line for line in said.splitlines() if "config.toml" in line and not line.startswith(("note", "+", "-"))
        ]
        assert "outside of this project: it is yours, for all your projects" in line
        assert said.count("outside of this project") == 1
    other = Workspace(tmp_path / "other", user.workspace.home)
    other.root.mkdir()
    assert other.memofs("generate", "agent", "codex", "opencode", env=user.env).code == 0
    removed = user.ok("generate", "agent", "codex", "--remove")
    assert f"config.toml: our part of it stays, it is needed for {other.root}" in removed
    config = user.workspace.home / ".codex" / "config.toml"
    assert "[mcp_servers.memofs]" in config.read_text()
    assert "not set up" in next(line for line in user.ok("generate", "agent", "--list").splitlines() if "Codex" in line)
    said = other.memofs("generate", "agent", "codex", "--remove", env=user.env).out
    assert "AGENTS.md: our part of it stays, it is needed for opencode" in said
    assert not config.exists()
    listed = other.memofs("generate", "agent", "--list", env=user.env).out.splitlines()
    assert [" set up" in line and "not set up" not in line for line in listed if "AGENTS.md" in line] == [False, True]


def test_a_name_for_the_project_is_kept(user: Daemons) -> None:
    user.ok("generate", "agent", "claude", "--project-name", "My API")
    assert "created AGENTS.md" in user.ok("generate", "agent", "claude", "opencode")
    for name in ("CLAUDE.md", "AGENTS.md"):
        assert "## The memory of My API\n" in (user.root / name).read_text()


def test_what_is_no_file_is_left_alone(user: Daemons) -> None:
    os.mkfifo(user.root / "CLAUDE.md")
    (user.root / ".mcp.json").mkdir()
    for args in ((), ("--remove",)):
        ran = user.memofs("generate", "agent", "claude", *args)
        assert ran.code == 1
        assert "left alone CLAUDE.md: it is no file" in ran.out
        assert "left alone .mcp.json: it is no file" in ran.out


def test_a_briefing_is_for_what_is_being_worked_on(user: Daemons) -> None:
    git(user.workspace, "checkout", "-qb", "feature/tenant-metadata")
    user.ok(
        "remember", "Tenants open their store lazily.", "-k", "constraint", "--anchor", "src/db/tenants.py#TenantStore"
    )
    code = user.root / "src" / "db" / "tenants.py"
    code.write_text(code.read_text() + "\n# changed\n")
    text = context_of(hook(user, "context", "--hook", "claude", said=start(user)))
    assert text.startswith("[git: branch feature/tenant-metadata; changed: src/db/tenants.py]")
    assert "Tenants open their store lazily" in text
    assert "## For the branch feature/tenant-metadata" in text
    assert len(text.encode()) <= 8_192
    sub = hook(user, "context", "--hook", "claude", said=start(user, hook_event_name="SubagentStart", source=""))
    assert json.loads(sub.out)["hookSpecificOutput"]["hookEventName"] == "SubagentStart"
    assert len(context_of(sub).encode()) < 4_096
    below = hook(user, "context", "--hook", "codex", said=start(user, cwd=str(code.parent)))
    assert "Tenants open" in context_of(below)


def test_every_agent_gets_what_it_reads(user: Daemons) -> None:
    cursor = {"conversation_id": "c1", "hook_event_name": "sessionStart", "workspace_roots": [str(user.root)]}
    assert (
        "tenant" in json.loads(hook(user, "context", "--hook", "cursor", said=cursor).out)["additional_context"].lower()
    )
    copilot = {"sessionId": "p1", "cwd": str(user.root), "source": "new", "timestamp": 5}
    assert "recall" in json.loads(hook(user, "context", "--hook", "copilot", said=copilot).out)["additionalContext"]
    assert "memofs.recall(" in context_of(hook(user, "context", "--hook", "gemini", said=start(user, "g1")))
    codex = context_of(hook(user, "context", "--hook", "codex", said=start(user, "x1")))
    assert "memofs_recall(" in codex
    assert "memofs.recall" not in codex
    (user.root / "new.py").write_text("x = 1\n")
    reminded = hook(user, "status", "--hook", "cursor", said={**cursor, "loop_count": 0}).out
    assert "call memofs_remember" in json.loads(reminded)["followup_message"]
    assert json.loads(hook(user, "status", "--hook", "copilot", said=copilot).out)["decision"] == "block"
    assert json.loads(hook(user, "status", "--hook", "gemini", said=stop(user, "g1")).out)["decision"] == "deny"


def test_the_reminder_comes_once_and_only_to_who_changed_code_and_wrote_nothing(user: Daemons) -> None:
    hook(user, "context", "--hook", "claude", said=start(user))
    assert hook(user, "status", "--hook", "claude", said=stop(user)).out == "", "nothing was changed yet"
    (user.root / "new.py").write_text("x = 1\n")
    assert hook(user, "status", "--hook", "claude", said=stop(user, stop_hook_active=True)).out == ""
    reminder = json.loads(hook(user, "status", "--hook", "claude", said=stop(user)).out)
    assert reminder["decision"] == "block"
    assert "new.py" in reminder["reason"]
    assert "memofs.remember" in reminder["reason"]
    for _ in range(3):
        assert hook(user, "status", "--hook", "claude", said=stop(user)).out == "", "once is enough"
    shown = user.ok("status", "--hook")
    assert "persisted  no" in shown
    assert "was reminded" in shown


def test_who_wrote_by_the_command_line_is_not_reminded(user: Daemons) -> None:
    hook(user, "context", "--hook", "claude", said=start(user))
    (user.root / "new.py").write_text("x = 1\n")
    user.ok("remember", "An agent in a shell writes by the command line.")
    assert hook(user, "status", "--hook", "claude", said=stop(user)).out == ""


@pytest.mark.parametrize("command", [("context",), ("status",)])
@pytest.mark.parametrize(
    "said",
    [b"", b"not json", b"[]", b"{}", b'{"session_id": 5, "cwd": {}}', b"\xff\xfe", b"[" * 100_000, b'{"cwd": "/no"}'],
)
def test_a_hook_takes_anything(user: Daemons, command: tuple[str, ...], said: bytes) -> None:
    ran = hook(user, *command, "--hook", "claude", said=said)
    assert ran.out == "" or json.loads(ran.out)


def test_a_hook_breaks_nothing_where_there_is_no_memory_or_no_answer(user: Daemons, tmp_path: Path) -> None:
    empty = Workspace(tmp_path / "empty", user.workspace.home)
    empty.root.mkdir()
    for command in ("context", "status"):
        ran = empty.memofs(command, "--hook", "claude", stdin=b'{"session_id": "x"}', env=user.env)
        assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert not (empty.root / ".memofs").exists()
    pid = user.start()
    os.kill(pid, signal.SIGSTOP)
    try:
        assert hook(user, "context", "--hook", "claude", said=start(user), env={}).out == ""
    finally:
        os.kill(pid, signal.SIGCONT)


def test_a_hook_waits_for_no_standard_input_that_does_not_end(user: Daemons) -> None:
    user.start()
    for said in (
        b"",
        json.dumps(start(user)).encode(),
        json.dumps(start(user, "late")).encode() + b"\n",
        b'{"cwd": "/',
    ):
        process = user.spawn("context", "--hook", "claude", env=PATIENT)
        assert process.stdin is not None
        process.stdin.write(said)
        process.stdin.flush()
        assert process.wait(PATIENCE_S) == 0
        out, err = process.communicate()
        assert err == b""
        assert "tenant" in json.loads(out)["hookSpecificOutput"]["additionalContext"].lower(), said
    assert '"late"' in user.ok("--json", "log", "session", "-n", "9"), "what it said was read"


def test_the_command_of_a_hook_does_nothing_where_memofs_is_not_installed(user: Daemons) -> None:
    user.ok("generate", "agent", "claude")
    settings = json.loads((user.root / ".claude" / "settings.json").read_text())
    shell = shutil.which("sh") or "/bin/sh"
    for event in ("SessionStart", "SubagentStart", "Stop"):
        command = settings["hooks"][event][0]["hooks"][0]["command"]
        absent = subprocess.run(
            [shell, "-c", command], env={"PATH": "/nowhere"}, capture_output=True, check=False, input=b""
        )
        assert (absent.returncode, absent.stdout, absent.stderr) == (0, b"", b"")
        there = subprocess.run(
            [shell, "-c", command],
            cwd=user.root,
            env={
                **user.workspace.environment({**user.env, **PATIENT}),
                "PATH": f"{Path(PROGRAM[0]).parent}:{os.environ['PATH']}",
            },
            input=json.dumps(start(user) if event != "Stop" else stop(user)).encode(),
            capture_output=True,
            check=False,
        )
        assert (there.returncode, there.stderr) == (0, b"")
        assert bool(there.stdout) == (event != "Stop")


def test_an_agents_life_from_one_session_to_the_next(user: Daemons) -> None:
    """Remember in one session; the code changes; the next session is told that what it knows is stale."""
    user.ok("generate", "agent", "claude", "--project-name", "Tenants")
    configured = json.loads((user.root / ".mcp.json").read_text())["mcpServers"]["memofs"]
    assert configured["args"] == ["mcp"]
    hook(user, "context", "--hook", "claude", said=start(user, "monday"))
    made: list[str] = []

    async def monday() -> None:
        async with agent(user) as client:
            await client.call_tool("memofs.context", {"query": "open a tenant's store", "taskType": "coding"})
            written = await client.call_tool(
                "memofs.remember",
                {
                    "body": "Opening a store takes no argument: the tenant is known from the connection.",
                    "kind": "decision",
                    "anchors": [{"path": "src/db/tenants.py", "symbol": "TenantStore.open"}],
                },
            )
            assert written.structured_content is not None
            made.append(written.structured_content["memory"]["id"])

    run(monday())
    code = user.root / "src" / "db" / "tenants.py"
    assert hook(user, "status", "--hook", "claude", said=stop(user, "monday")).out == ""
    log = json.loads(user.ok("--json", "log", "session"))["sessions"][0]
    assert (log["session"], log["consulted"], log["persisted"], log["wrote"]) == ("monday", True, True, made)

    code.write_text("class TenantStore:\n    def open(self, tenant: str) -> int:\n        return len(tenant)\n")
    text = context_of(hook(user, "context", "--hook", "claude", said=start(user, "tuesday")))
    assert made[0] in text
    assert "stale" in next(line for line in text.splitlines() if line.startswith(f"- {made[0]}"))

    async def tuesday() -> None:
        async with agent(user) as client:
            found = await client.call_tool("memofs.recall", {"query": "argument of opening a store"})
            assert made[0] in text_of(found)
            assert "stale" in text_of(found)
            stale = await client.call_tool("memofs.stale", {})
            assert made[0] in text_of(stale)
            changes = await client.call_tool("memofs.changes", {"id": made[0]})
            assert "tenant: str" in text_of(changes)
            updated = await client.call_tool(
                "memofs.update",
                {"id": made[0], "body": "Opening a store takes the tenant's name since the pool is shared."},
            )
            assert not updated.is_error
            await client.call_tool("memofs.verify", {"ids": made})
            assert "Nothing is stale" in text_of(await client.call_tool("memofs.stale", {}))

    run(tuesday())
    assert hook(user, "status", "--hook", "claude", said=stop(user, "tuesday")).out == "", "it has persisted"
    shown = user.ok("log", "session", "-n", "5")
    assert shown.index("tuesday") < shown.index("monday")
    assert "takes the tenant's name" in user.ok("recall", "argument of opening a store")
