"""One daemon a workspace: started by whoever needs it, shared by all, and gone when nobody does."""

import fcntl
import json
import os
import shutil
import signal
import socket
import stat
import threading
from collections.abc import Generator
from pathlib import Path

import pytest

from e2e.daemon_program import Daemons, daemons, is_running, until
from e2e.memofs_program import Workspace
from memofs.wire.framing import FrameBuffer, frame


@pytest.fixture
def user(own_library: Workspace, runtime: Path) -> Generator[Daemons]:
    with daemons(own_library, runtime=runtime) as found:
        yield found


def test_the_first_command_starts_it_and_the_next_ones_share_it(user: Daemons) -> None:
    assert "running" not in user.memofs("daemon", "status").out.lower().splitlines()[0]
    user.ok("recall", "tenant metadata")
    pid = user.notice["pid"]
    user.ok("remember", "Sessions are kept for a day")
    assert "Sessions are kept" in user.ok("recall", "sessions kept")
    assert user.pids() == {pid}
    assert f"pid {pid}" in user.ok("daemon", "status")
    assert json.loads(user.ok("daemon", "list", "--json"))["daemons"][0]["root"] == str(user.root)


def test_of_many_that_start_it_at_once_one_wins_and_all_are_answered(user: Daemons) -> None:
    runs = [user.spawn("recall", "tenant", "--json") for _ in range(8)]
    outs = [run.communicate(timeout=60) for run in runs]
    assert [run.returncode for run in runs] == [0] * 8, outs
    until(lambda: len(user.pids()) == 1, "the losers have left")
    assert sum(line["message"] == "listening" for line in user.log()) == 1


def test_it_ends_by_itself_when_nobody_is_there(own_library: Workspace, runtime: Path) -> None:
    with daemons(own_library, runtime=runtime, more={"MEMOFS_IDLE_EXIT_S": "0.2"}) as user:
        user.ok("recall", "tenant")
        until(lambda: not user.pids(), "the idle daemon has ended")
        assert not (user.root / ".memofs" / "tmp" / "daemon.json").exists()
        assert list((runtime / "memofs").iterdir()) == []


def test_a_client_keeps_it_and_twenty_killed_ones_do_not(own_library: Workspace, runtime: Path) -> None:
    with daemons(own_library, runtime=runtime, more={"MEMOFS_IDLE_EXIT_S": "1"}) as user:
        pid = user.start()
        pumps = [user.spawn("lsp", "--root", ".") for _ in range(20)]
        watcher = user.client()
        until(lambda: watcher.ask("memofs/status")["result"]["sessions"] == 21, "all are connected")
        assert is_running(pid)
        for pump in pumps:
            pump.kill()
        for pump in pumps:
            pump.communicate()
        until(lambda: watcher.ask("memofs/status")["result"]["sessions"] == 1, "the killed ones are struck off")
        watcher.close()
        until(lambda: not is_running(pid), "the idle daemon has ended")
        assert user.pids() == set()


def test_killed_it_loses_nothing_acknowledged_and_the_next_command_starts_another(user: Daemons) -> None:
    pid = user.start()
    written: list[str] = []
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            ran = user.memofs("remember", f"Fact number {number} about harbour {number * 7}", "--json")
            if ran.code == 0:
                written.append(ran.json()["memory"]["id"])

    writer = threading.Thread(target=write)
    writer.start()
    until(lambda: len(written) >= 3, "some writes were acknowledged")
    os.kill(pid, signal.SIGKILL)
    until(lambda: user.pids() - {pid} != set(), "another daemon was started")
    before = len(written)
    until(lambda: len(written) > before, "writing goes on")
    stop.set()
    writer.join()
    listed = {memory["id"] for memory in json.loads(user.ok("list", "--all", "--json"))["memories"]}
    assert set(written) <= listed
    assert user.notice["pid"] != pid


def test_what_a_dead_one_left_is_in_nobodys_way(user: Daemons) -> None:
    pid = user.start()
    notice = user.notice
    os.kill(pid, signal.SIGKILL)
    until(lambda: not is_running(pid), "the daemon is dead")
    endpoint = Path(notice["endpoint"].removeprefix("unix:"))
    assert endpoint.exists(), "its socket is still there"
    # Its process id belongs to somebody else now, and so may its socket's place.
    path = user.root / ".memofs" / "tmp" / "daemon.json"
    path.write_text(json.dumps({**notice, "pid": os.getpid()}))
    assert "Use" in user.ok("recall", "tenant metadata")
    assert user.notice["pid"] not in (pid, os.getpid())


@pytest.mark.parametrize("left", ["", "{", "[]", '{"pid": "x"}', "\x00" * 100, "x" * 20_000])
def test_a_notice_that_says_nothing_is_passed_over(user: Daemons, left: str) -> None:
    (user.root / ".memofs" / "tmp").mkdir(exist_ok=True)
    (user.root / ".memofs" / "tmp" / "daemon.json").write_text(left)
    user.ok("recall", "tenant metadata")
    assert user.notice["pid"] in user.pids()


def test_a_socket_that_was_cleaned_away_comes_back(user: Daemons) -> None:
    pid = user.start()
    Path(user.notice["endpoint"].removeprefix("unix:")).unlink()
    user.ok("recall", "tenant metadata")
    assert user.pids() == {pid}


def test_it_leaves_a_workspace_that_was_removed(user: Daemons) -> None:
    pid = user.start()
    shutil.rmtree(user.root / ".memofs")
    until(lambda: not is_running(pid), "the daemon of a removed workspace has ended")
    assert not (user.root / ".memofs").exists()


def test_draining_answers_what_runs_and_refuses_what_comes(user: Daemons) -> None:
    pid = user.start()
    client = user.client()
    for number in range(5):
        client.send({"jsonrpc": "2.0", "id": f"r{number}", "method": "memofs/recall", "params": {"query": "tenant"}})
    client.send({"jsonrpc": "2.0", "id": "d", "method": "memofs/drain", "params": {}})
    answers: dict[str, object] = {}
    try:
        while len(answers) < 6:
            message = client.receive()
            if "id" in message:
                answers[message["id"]] = message
    except EOFError:
        pass
    assert set(answers) == {"r0", "r1", "r2", "r3", "r4", "d"}
    until(lambda: not is_running(pid), "the drained daemon has ended")
    user.ok("recall", "tenant metadata")
    assert user.notice["pid"] != pid


def test_stop_waits_until_it_has_ended(user: Daemons) -> None:
    pid = user.start()
    assert f"pid {pid}" in user.ok("daemon", "stop")
    assert not is_running(pid)
    assert "No daemon runs" in user.ok("daemon", "stop")
    assert user.memofs("daemon", "status").code == 1


def test_a_hand_edit_on_disk_reaches_it(user: Daemons) -> None:
    user.start()
    client = user.client()
    client.ask("memofs/list")
    user.workspace.write(".memofs/memory/by-hand.md", "# Zebra crossings are painted in May\n\nBy hand.\n")
    told = client.notified("memofs/didChangeMemories")
    assert len(told["added"]) == 1
    hits = client.ask("memofs/recall", {"query": "zebra crossings"})["result"]["hits"]
    assert hits[0]["title"] == "Zebra crossings are painted in May"
    (user.root / ".memofs" / "memory" / "by-hand.md").unlink()
    while not client.notified("memofs/didChangeMemories")["removed"]:
        pass
    assert client.ask("memofs/recall", {"query": "zebra crossings"})["result"]["hits"] == []


def test_a_write_is_told_to_the_others_once(user: Daemons) -> None:
    user.start()
    client = user.client()
    client.ask("memofs/list")
    id_ = json.loads(user.ok("remember", "Kites fly in autumn", "--json"))["memory"]["id"]
    assert client.notified("memofs/didChangeMemories")["added"] == [id_]
    user.ok("remember", "Boats sleep in winter")
    told = client.notified("memofs/didChangeMemories")
    assert len(told["added"]) == 1
    assert id_ not in (*told["added"], *told["changed"]), "its own write was seen again on disk and is the same"


def test_two_processes_write_twenty_memories_each(user: Daemons) -> None:
    before = len(user.workspace.files())

    def write(name: str) -> None:
        for number in range(20):
            user.ok("remember", f"{name} saw ship {number} at pier {number * 3}", "--allow-duplicate")

    threads = [threading.Thread(target=write, args=(name,)) for name in ("Ada", "Grace")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(user.workspace.files()) == before + 40
    assert len(user.pids()) == 1


@pytest.mark.parametrize("long", [False, True])
def test_without_a_runtime_folder_the_state_folder_serves(own_library: Workspace, tmp_path: Path, long: bool) -> None:
    runtime = tmp_path / ("long" * 30) if long else None
    with daemons(own_library, runtime=runtime) as user:
        user.ok("recall", "tenant metadata")
        endpoint = user.notice["endpoint"].removeprefix("unix:")
        assert len(endpoint.encode()) <= 100
        folder = Path(endpoint).parent
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE(Path(endpoint).stat().st_mode) == 0o600


def test_over_tcp_only_who_has_the_token_is_let_in(own_library: Workspace, runtime: Path) -> None:
    with daemons(own_library, runtime=runtime, more={"MEMOFS_TRANSPORT": "tcp"}) as user:
        assert "Use" in user.ok("recall", "tenant metadata")
        notice = user.notice
        assert notice["endpoint"].startswith("tcp:127.0.0.1:")
        assert stat.S_IMODE((user.root / ".memofs" / "tmp" / "daemon.json").stat().st_mode) == 0o600
        for token in (None, "", "wrong", notice["token"][:-1]):
            stranger = user.stranger()
            assert stranger.hello(token=token)["error"]["data"]["family"] == "Refused"
            assert stranger.ask("memofs/recall", {"query": "tenant"})["error"]["data"]["code"] == "helloFirst"
            assert "error" in stranger.ask("memofs/drain", {"token": token})
        friend = user.stranger()
        assert "result" in friend.hello(token=notice["token"])


def test_a_client_of_another_protocol_is_told_what_to_do(user: Daemons) -> None:
    user.start()
    client = user.stranger()
    error = client.hello(wireVersion="9.0")["error"]
    assert error["data"]["code"] == "wireVersion"
    assert "update the older" in error["data"]["hint"]


def test_a_daemon_of_a_newer_protocol_is_left_alone_and_named(user: Daemons) -> None:
    pid = user.start()
    path = user.root / ".memofs" / "tmp" / "daemon.json"
    path.write_text(json.dumps({**user.notice, "wireVersion": "9.0"}))
    ran = user.memofs("recall", "tenant")
    assert ran.code == 1
    assert "version 9.0" in ran.err
    assert "hint: update this program" in ran.err
    assert is_running(pid)


def test_a_daemon_of_an_older_protocol_is_asked_to_leave(user: Daemons, runtime: Path) -> None:
    """Played by this test: it holds the lock, refuses every hello, and lets go when it is asked to drain."""
    tmp = user.root / ".memofs" / "tmp"
    tmp.mkdir(exist_ok=True)
    lock = os.open(tmp / "daemon.lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    place = runtime / "old.sock"
    asked: list[str] = []
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place))
        listener.listen()
        notice = {"pid": os.getpid(), "root": str(user.root), "endpoint": f"unix:{place}", "wireVersion": "0.9"}
        (tmp / "daemon.json").write_text(json.dumps(notice))

        def serve() -> None:
            while "memofs/drain" not in asked:
                connection, _ = listener.accept()
                with connection:
                    frames = FrameBuffer()
                    while data := connection.recv(1 << 16):
                        for body in frames.feed(data):
                            message = json.loads(body)
                            asked.append(message["method"])
                            data = {"family": "InvalidRequest", "code": "wireVersion", "correlationId": ""}
                            error = {"code": -32602, "message": "other version", "data": data}
                            said = {"jsonrpc": "2.0", "id": message["id"], "error": error}
                            connection.sendall(frame(json.dumps(said).encode()))
                        break
            (tmp / "daemon.json").unlink()
            os.close(lock)

        server = threading.Thread(target=serve)
        server.start()
        user.ok("recall", "tenant metadata")
        server.join()
    assert asked == ["memofs/hello", "memofs/drain"]
    assert user.notice["pid"] in user.pids()


def test_no_daemon_works_beside_one(user: Daemons) -> None:
    user.start()
    client = user.client()
    client.ask("memofs/list")
    user.ok("--no-daemon", "remember", "Gulls nest on the crane")
    client.notified("memofs/didChangeMemories")
    assert "Gulls nest" in user.ok("recall", "gulls nest")


def test_a_folder_without_a_memory_gets_no_daemon_from_the_command_line(empty: Workspace, runtime: Path) -> None:
    with daemons(empty, runtime=runtime) as user:
        ran = user.memofs("recall", "x")
        assert ran.code == 1
        assert "memofs init" in ran.err
        assert user.memofs("daemon").code == 1
        assert user.pids() == set()
        user.ok("init")
        assert user.pids() == set()


def test_a_trace_holds_every_frame_and_is_the_users_alone(user: Daemons, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    run = user.spawn("daemon", "--foreground", "--trace", str(trace))
    until(lambda: (user.root / ".memofs" / "tmp" / "daemon.json").exists(), "it listens")
    user.ok("recall", "tenant metadata")
    user.ok("daemon", "stop")
    _, err = run.communicate(timeout=30)
    assert b'"message": "listening"' in err
    lines = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    said = [json.loads(line["body"]) for line in lines if line["direction"] == "in"]
    assert {"memofs/hello", "memofs/recall", "memofs/drain"} <= {message.get("method") for message in said}
    assert stat.S_IMODE(trace.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"Content-Length: 99999999999\r\n\r\n",
        b"Content-Length: -5\r\n\r\n{}",
        b"x" * 100_000,
        b"Content-Length: 2\r\n\r\n[]",
        b"Content-Length: 3\r\n\r\nnot",
        b"Content-Length: 50\r\n\r\n{",
    ],
)
def test_nonsense_on_the_socket_harms_nobody(user: Daemons, sent: bytes) -> None:
    pid = user.start()
    place = user.notice["endpoint"].removeprefix("unix:")
    with socket.socket(socket.AF_UNIX) as sock:
        sock.connect(place)
        sock.sendall(sent)
        sock.shutdown(socket.SHUT_WR)
        sock.settimeout(30)
        while sock.recv(1 << 16):
            pass
    user.ok("recall", "tenant metadata")
    assert user.pids() == {pid}
    assert not [line for line in user.log() if line["level"] == "error"]


def test_a_command_sees_what_a_script_has_written_just_before(user: Daemons) -> None:
    """Sooner than the watch can tell: a merge with a conflict, a file written, changed and removed."""
    user.ok("recall", "tenant")
    folder = user.root / ".memofs" / "memory"
    new = folder / "written-by-a-script.md"
    for number in range(5):
        new.write_text(f"# Written by a script {number}\n\nArchives are kept for {number} years.\n", encoding="utf-8")
        assert f"Written by a script {number}" in user.ok("list", "--all")
        new.unlink()
        assert "Written by a script" not in user.ok("list", "--all")
    broken = next(path for path in folder.glob("*.md") if path.read_text(encoding="utf-8").startswith("---"))
    text = broken.read_text(encoding="utf-8")
    broken.write_text(text.replace("---\n", "---\n<<<<<<< HEAD\n", 1), encoding="utf-8")
    assert user.memofs("check").code == 2
    broken.write_text(text, encoding="utf-8")
    assert user.memofs("check").code == 0


def test_a_command_after_another_reads_no_memory_file_again(user: Daemons) -> None:
    user.ok("recall", "tenant")
    before = user.json("status")["revision"]
    user.ok("list")
    assert user.json("status")["revision"] == before
