"""Daemons in places that are not as they should be, and among others: disks, users, repositories, silent clients."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from e2e.daemon_program import Daemons, RawClient, daemons, is_running, until
from e2e.editor_client import editor
from e2e.memofs_program import Workspace, bound_by_permissions
from e2e.tenants import PATH

FOLDERS = (".memofs/indexes", ".memofs/tmp", ".memofs/logs", ".memofs/memory", ".memofs")


@pytest.fixture
def read_only(own_library: Workspace, runtime: Path) -> Generator[Daemons]:
    """A workspace in which nothing can be written, by a user whom permissions bind."""
    prefix = bound_by_permissions()
    if prefix is None:
        pytest.skip("runs as root, and setpriv is not there to give up root's rights")
    own_library.memofs("status")
    for folder in FOLDERS:
        (own_library.root / folder).chmod(0o555)
    try:
        with daemons(own_library._replace(prefix=prefix), runtime=runtime) as user:
            yield user
    finally:
        for folder in reversed(FOLDERS):
            (own_library.root / folder).chmod(0o755)


def test_on_a_read_only_disk_one_daemon_answers_and_says_that_it_cannot_write(read_only: Daemons) -> None:
    found = json.loads(read_only.ok("recall", "tenant metadata", "--json"))
    assert found["hits"]
    assert "readOnly" in found["degraded"]
    refused = read_only.memofs("remember", "Something new")
    assert refused.code == 1
    assert "hint:" in refused.err
    pids = read_only.pids()
    assert len(pids) == 1
    read_only.ok("recall", "tenant")
    assert read_only.pids() == pids
    assert f"pid {pids.copy().pop()}" in read_only.ok("daemon", "status")


LISTENER = """
import os, socket, sys
os.setgid(65534)
os.setuid(65534)
sock = socket.socket(socket.AF_UNIX)
sock.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o666)
sock.listen()
print("ready", flush=True)
while True:
    other, _ = sock.accept()
    print(other.recv(1 << 16).decode(errors="replace"), flush=True)
"""


def test_a_socket_of_another_user_is_sent_nothing(own_library: Workspace, runtime: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can play another user")
    runtime.chmod(0o777)
    place = runtime / "theirs.sock"
    with daemons(own_library, runtime=runtime) as user:
        listener = subprocess.Popen([sys.executable, "-S", "-c", LISTENER, str(place)], stdout=subprocess.PIPE, cwd="/")
        assert listener.stdout is not None
        try:
            assert listener.stdout.readline() == b"ready\n"
            tmp = user.root / ".memofs" / "tmp"
            tmp.mkdir(exist_ok=True)
            notice = {
                "pid": listener.pid,
                "root": str(user.root),
                "endpoint": f"unix:{place}",
                "wireVersion": "1.0",
                "build": "0.1.0",
                "started": "2026-01-01T00:00:00+00:00",
            }
            (tmp / "daemon.json").write_text(json.dumps(notice), encoding="utf-8")
            ran = user.memofs("recall", "a very private question")
            assert ran.code == 1
            assert "another user" in ran.err
            assert "--no-daemon" in ran.err
            assert user.memofs("--no-daemon", "recall", "tenant").code == 0
        finally:
            listener.kill()
            told, _ = listener.communicate()
        assert b"private" not in told


def test_whoever_is_connected_is_told_once_of_a_hand_edit(user: Daemons) -> None:
    user.start()
    agents = [user.client(role="mcp") for _ in range(2)]
    for agent in agents:
        assert "result" in agent.ask("memofs/status")
    with editor(user) as one, editor(user) as other:
        for client in (one, other):
            client.initialize()
            client.result("memofs/status")
            client.notifications.clear()
        file = next((user.root / ".memofs" / "memory").glob("closing-*.md"))
        file.write_text(file.read_text(encoding="utf-8").replace("idempotent", "quick"), encoding="utf-8")
        for client in (one, other):
            client.until_told("memofs/didChangeMemories")
            client.result("memofs/idle")
            told = [each for each in client.notifications if each["method"] == "memofs/didChangeMemories"]
            assert len(told) == 1
            assert len(told[0]["params"]["changed"]) == 1
        for agent in agents:
            assert len(agent.notified("memofs/didChangeMemories")["changed"]) == 1
    assert len(user.pids()) == 1


def test_a_write_goes_into_the_repository_that_it_is_made_in(own_library: Workspace, runtime: Path) -> None:
    """A folder of three repositories, each with a memory, and the folder itself without one."""
    parent = own_library.root / "parent"
    repositories = [parent / name for name in ("one", "two", "three")]
    for repository in repositories:
        shutil.copytree(own_library.root / ".memofs", repository / ".memofs")
        (repository / ".git").mkdir()
        (repository / "src").mkdir()
    shutil.rmtree(own_library.root / ".memofs")
    with daemons(own_library, runtime=runtime) as user:
        for repository in repositories:
            body = f"Only of {repository.name}"
            ran = user.memofs("remember", body, cwd=repository / "src")
            assert ran.code == 0, ran
        for repository in repositories:
            written = [path.name for path in (repository / ".memofs" / "memory").glob("only-of-*.md")]
            assert len(written) == 1
            assert written[0].startswith(f"only-of-{repository.name}-")
        assert not (parent / ".memofs").exists()


def test_worktrees_have_a_daemon_and_a_memory_each(user: Daemons, tmp_path: Path) -> None:
    git = ["git", "-C", str(user.root), "-c", "user.name=A", "-c", "user.email=a@b.c"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "one"], check=True)
    tree = tmp_path / "tree"
    subprocess.run([*git, "worktree", "add", "-q", str(tree)], check=True)
    ran = user.memofs("remember", "Only in the worktree", "--anchor", f"{PATH}:1", cwd=tree)
    assert ran.code == 0, ran
    assert len(list((tree / ".memofs" / "memory").glob("only-in-*.md"))) == 1
    assert not list((user.root / ".memofs" / "memory").glob("only-in-*.md"))
    assert user.memofs("check", cwd=tree).code == 0
    user.ok("recall", "tenant")
    assert len(user.json("daemon", "list")["daemons"]) == 2


def test_clients_that_never_read_or_never_speak_hold_up_nobody(user: Daemons) -> None:
    pid = user.start()
    place = user.notice["endpoint"].removeprefix("unix:")
    silent = [socket.socket(socket.AF_UNIX) for _ in range(5)]
    deaf = RawClient(user.notice["endpoint"])
    try:
        for each in silent:
            each.connect(place)
        deaf.hello()
        for number in range(3_000):
            deaf.send({"jsonrpc": "2.0", "id": number + 10, "method": "memofs/list", "params": {"bodies": True}})
            if number % 1_000 == 0:
                user.ok("recall", "tenant")
    except (BrokenPipeError, TimeoutError, ConnectionError):
        pass  # it was shut out: that is a way to be served, too
    try:
        started_s = time.monotonic()
        assert "One file per tenant" in user.ok("recall", "one file per tenant")
        assert time.monotonic() - started_s < 60
        assert user.notice["pid"] == pid
    finally:
        for each in silent:
            each.close()
        deaf.close()


def test_no_model_stays_in_memory_when_nobody_asks(workspace: Workspace, runtime: Path) -> None:
    settings = workspace.root / ".memofs" / "config.json"
    asked = json.loads(settings.read_text(encoding="utf-8"))
    del asked["embedding"]
    settings.write_text(json.dumps(asked), encoding="utf-8")
    workspace.write(".memofs/memory/m.md", "# Valves\n\nGrease the valves before the season.\n")
    with daemons(workspace, runtime=runtime, more={"MEMOFS_MODEL_REST_S": "0.2"}) as user:
        assert "Valves" in user.ok("recall", "lubricate them in spring")
        pid = user.notice["pid"]

        def children() -> list[int]:
            tasks = Path(f"/proc/{pid}/task").glob("*/children")
            return [int(child) for task in tasks for child in task.read_text(encoding="utf-8").split()]

        until(lambda: not [child for child in children() if is_running(child)], "the worker has ended")
        maps = Path(f"/proc/{pid}/maps").read_text(encoding="utf-8")
        assert "onnxruntime" not in maps
        assert "Valves" in user.ok("recall", "lubricate them in spring")


def test_doctor_says_how_files_are_watched(user: Daemons) -> None:
    user.start()
    until(lambda: user.json("doctor")["facts"]["watching"] == "notified", "the daemon watches")
    assert user.json("--no-daemon", "doctor")["facts"]["watching"] == "no"


def test_what_a_test_starts_ends_with_it_in_whatever_folder(own_library: Workspace, runtime: Path) -> None:
    other = own_library.root.parent / "other"
    shutil.copytree(own_library.root, other)
    with daemons(own_library, runtime=runtime) as user:
        user.ok("recall", "tenant")
        assert user.memofs("recall", "tenant", cwd=other).code == 0
        started = user.every_pid()
        assert len(started) == 2  # the two daemons
    assert not [pid for pid in started if is_running(pid)]
