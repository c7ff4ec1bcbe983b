"""`memofs mcp` when things go wrong: daemons that die, clients that leave, many at once, and what the process loads."""

import asyncio
import json
import os
import re
import signal
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.client.subscriptions import ResourceUpdated
from mcp.shared.exceptions import MCPDeprecationWarning

from e2e.daemon_program import Daemons, daemons, is_running, until
from e2e.editor_client import editor
from e2e.mcp_client import ERAS, TOKEN, Era, RawAgent, agent, http_agent, http_server, raw_agent, run, text_of
from e2e.memofs_program import Workspace
from memofs import __version__
from memofs.link.client import RemoteError
from memofs.mcp import daemon as mcp_daemon
from memofs.wire.read import StatusResult
from memofs.wire.values import Empty

CALLS = 10_000


@pytest.fixture
def user(own_library: Workspace, runtime: Path) -> Generator[Daemons]:
    with daemons(own_library, runtime=runtime) as found:
        yield found


def test_a_daemon_that_dies_is_replaced_by_the_next_call(user: Daemons) -> None:
    async def test() -> None:
        async with agent(user) as client:
            assert not (await client.call_tool("memofs.recall", {"query": "tenant"})).is_error
            for _ in range(2):
                old = user.notice["pid"]
                os.kill(old, signal.SIGKILL)
                until(lambda old=old: not is_running(old), "the daemon is dead")
                found = await client.call_tool("memofs.recall", {"query": "tenant"})
                assert not found.is_error, text_of(found)
                assert user.notice["pid"] != old
            user.ok("daemon", "stop")
            written = await client.call_tool("memofs.remember", {"body": "Written after the daemon was stopped."})
            assert not written.is_error, text_of(written)
            assert len(user.pids()) == 1

    run(test())


def in_flight(user: Daemons, client: RawAgent, tool: str, arguments: object) -> int:
    """The id of a call that has reached a daemon which does not answer, and is killed then."""
    client.initialize()
    client.call("memofs.recall", {"query": "tenant"})
    pid = user.notice["pid"]
    os.kill(pid, signal.SIGSTOP)
    asked = client.begin("tools/call", {"name": tool, "arguments": arguments})
    assert client.answer(client.begin("ping", {}))["result"] == {}  # requests begin in their order
    os.kill(pid, signal.SIGKILL)
    until(lambda: not is_running(pid), "the daemon is dead")
    return asked


def test_a_read_in_flight_is_asked_again_when_the_daemon_dies(user: Daemons) -> None:
    with raw_agent(user) as client:
        asked = in_flight(user, client, "memofs.recall", {"query": "tenant metadata"})
        found = client.answer(asked)["result"]
        assert not found.get("isError"), found
        assert found["structuredContent"]["hits"]


def test_a_write_in_flight_is_not_and_asking_again_writes_it_once(user: Daemons) -> None:
    memory = {"body": "The tablets are charged at night, in the office."}
    with raw_agent(user) as client:
        failed = client.answer(in_flight(user, client, "memofs.remember", memory))["result"]
        assert failed["isError"]
        assert "ask again" in failed["content"][0]["text"]
        assert not client.call("memofs.remember", memory).get("isError")
    assert sum(b"tablets are charged" in data for data in user.workspace.files().values()) == 1


def test_a_call_that_is_cancelled_is_cancelled_in_the_daemon_and_the_next_one_is_answered(user: Daemons) -> None:
    with raw_agent(user) as client:
        client.initialize()
        client.call("memofs.recall", {"query": "tenant"})
        pid = user.notice["pid"]
        os.kill(pid, signal.SIGSTOP)
        asked = client.begin("tools/call", {"name": "memofs.stale", "arguments": {}})
        client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": asked}})
        pinged = client.begin("ping", {})
        assert client.answer(pinged)["result"] == {}
        os.kill(pid, signal.SIGCONT)
        assert not client.call("memofs.recall", {"query": "tenant"}).get("isError")


def test_a_daemon_that_hangs_is_told_and_asked_again_once_it_goes_on(
    user: Daemons, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in user.workspace.environment(user.env).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(mcp_daemon, "SILENT_S", 0.3)
    pid = user.start()

    async def test() -> None:
        daemon = mcp_daemon.Daemon(user.root, build=__version__)
        await daemon.connect()
        for _ in range(2):
            os.kill(pid, signal.SIGSTOP)
            try:
                with pytest.raises(RemoteError, match="does not answer") as caught:
                    await daemon.ask("memofs/status", Empty(), StatusResult)
            finally:
                os.kill(pid, signal.SIGCONT)
            assert (caught.value.family, caught.value.code) == ("Unavailable", "silent")
            assert not daemon.is_busy
            assert await daemon.ask("memofs/status", Empty(), StatusResult)
        await daemon.close()

    run(test())


def test_a_client_that_leaves_in_the_middle_of_calls_takes_only_its_own_process_along(user: Daemons) -> None:
    pid = user.start()
    for kill in (False, True):
        with raw_agent(user) as client:
            client.initialize()
            for number in range(20):
                client.begin(
                    "tools/call", {"name": "memofs.remember", "arguments": {"body": f"Fact {number}, {kill}."}}
                )
            if kill:
                client.process.kill()
            else:
                assert client.process.stdin is not None
                client.process.stdin.close()
            client.process.wait(30)
    assert is_running(pid)
    user.ok("recall", "tenant")
    assert json.loads(user.ok("--json", "status"))["problems"] == 0
    watcher = user.client()
    until(lambda: watcher.ask("memofs/status")["result"]["sessions"] == 1, "those that left are struck off")


def test_messages_that_are_none_are_answered_or_passed_over(user: Daemons) -> None:
    with raw_agent(user) as client:
        client.initialize()
        assert client.process.stdin is not None
        for line in (b"not json\n", b"[]\n", b'{"jsonrpc": "2.0"}\n', b"\xff\xfe\n", b"\n"):
            client.process.stdin.write(line)
        client.process.stdin.flush()
        for method, params in (
            ("no/such", {}),
            ("tools/call", {"name": 5}),
            ("tools/call", {}),
            ("resources/read", {}),
        ):
            assert "error" in client.answer(client.begin(method, params)), method
        wrong = client.answer(client.begin("tools/call", {"name": "memofs.recall", "arguments": []}))
        assert "error" in wrong
        assert not client.call("memofs.recall", {"query": "tenant"}).get("isError")


@pytest.mark.slow
def test_many_calls_in_a_loop_leave_nothing_behind(user: Daemons) -> None:
    with raw_agent(user) as client:
        client.initialize()
        for number in range(500):
            client.call("memofs.here", {"path": f"{number}.py"})
        before_kb = client.resident_kb()
        for number in range(CALLS):
            assert not client.call("memofs.here", {"path": f"{number}.py"}).get("isError")
        assert client.resident_kb() < before_kb + 4_000
        assert len(os.listdir(f"/proc/{client.process.pid}/fd")) < 30  # noqa: PTH208 - numbers, not paths
    logs = user.root / ".memofs" / "logs"
    assert sum(path.stat().st_size for path in logs.glob("agents.jsonl*")) < 3 << 20


def test_the_process_loads_neither_engine_nor_model(user: Daemons) -> None:
    with raw_agent(user) as client:
        client.initialize()
        client.call("memofs.recall", {"query": "tenant"})
        maps = Path(f"/proc/{client.process.pid}/maps").read_text(encoding="utf-8")
        assert not re.search(r"numpy|onnxruntime|tokenizers|tree_sitter|libonnx", maps)


def test_two_agents_and_an_editor_lose_nothing(user: Daemons) -> None:
    each = 12

    async def writes(name: str) -> None:
        async with agent(user, name=name) as client:
            for number in range(each):
                memory = {"body": f"{name} found out that gate {number} opens at {number} o'clock."}
                result = await client.call_tool("memofs.remember", memory)
                assert not result.is_error, text_of(result)

    def edits() -> None:
        with editor(user) as client:
            client.initialize()
            for number in range(each):
                said = {"body": f"The person at the editor wants berth {number} painted in colour {number}."}
                assert "result" in client.ask("memofs/remember", said)

    async def test() -> None:
        await asyncio.gather(writes("alpha"), writes("beta"), asyncio.to_thread(edits))

    before = len(user.workspace.files())
    run(test())
    files = user.workspace.files()
    assert len(files) == before + 3 * each
    assert len(user.pids()) == 1
    for name, source in (("alpha", b"agent:alpha"), ("beta", b"agent:beta"), ("The person at the editor", b"user")):
        assert sum(name.encode() in data and source in data for data in files.values()) == each, name
    assert "none" in user.ok("status")


@pytest.mark.parametrize("era", ERAS)
def test_over_http_several_agents_are_told_apart(user: Daemons, era: Era) -> None:
    with http_server(user) as url:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/mcp", url)

        async def writes(name: str) -> str:
            async with http_agent(url, name=name, era=era) as client:
                assert len((await client.list_tools()).tools) == 10
                written = await client.call_tool("memofs.remember", {"body": f"{name} likes short functions a lot."})
                assert not written.is_error, text_of(written)
                assert written.structured_content is not None
                return written.structured_content["memory"]["source"]

        async def test() -> None:
            assert await asyncio.gather(writes("cursor"), writes("codex")) == ["agent:cursor", "agent:codex"]

        run(test())


@pytest.mark.parametrize("era", ERAS)
def test_over_http_what_one_agent_writes_is_not_held_against_another(user: Daemons, era: Era) -> None:
    async def write(client: Client, text: str) -> bool:
        return not (await client.call_tool("memofs.remember", {"body": text})).is_error

    async def test(url: str) -> None:
        async with http_agent(url, name="busy", era=era) as busy, http_agent(url, name="calm", era=era) as calm:
            number = 0
            while await write(busy, f"Room {number} of the harbour office is numbered {number * 7919}."):
                number += 1
                assert number < CALLS, "nothing stops it"
            assert await write(calm, "The calm one still may.")

    with http_server(user) as url:
        run(test(url))


def test_over_http_nothing_is_answered_without_the_token_or_to_another_host(user: Daemons) -> None:
    import httpx2

    with http_server(user) as url, httpx2.Client(timeout=30) as web:
        asked = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "x", "version": "1"},
            },
        }
        accept = {"Accept": "application/json, text/event-stream"}
        ours = {**accept, "Authorization": f"Bearer {TOKEN}"}
        for headers in (
            accept,
            {**accept, "Authorization": "Bearer wrong"},
            {**accept, "Authorization": f"bearer {TOKEN}x"},
            {**accept, "Authorization": TOKEN},
            {**accept, "Authorization": ""},
        ):
            for method in ("POST", "GET", "DELETE", "OPTIONS"):
                refused = web.request(method, url, headers=headers, json=asked)
                assert refused.status_code == 401, (method, headers)
                assert refused.headers["www-authenticate"] == "Bearer"
        assert web.post(url, headers=ours, json=asked).status_code == 200
        other_case = {**accept, "Authorization": f"bEARER {TOKEN}"}
        assert web.post(url, headers=other_case, json=asked).status_code == 200, "schemes have no case"
        assert web.post(url, headers={**ours, "Host": "evil.example"}, json=asked).status_code == 421
        assert web.post(url, headers={**ours, "Origin": "http://evil.example"}, json=asked).status_code == 403
        assert web.post(url.replace("/mcp", "/other"), headers=ours, json=asked).status_code == 404
        big = {**asked, "params": {"x": "y" * (5 << 20)}}
        assert web.post(url, headers=ours, json=big).status_code == 413


def test_a_token_that_will_not_do_is_said_so(user: Daemons, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("0123456789abcdefghij\n")
    file.chmod(0o644)
    for args, env, part in (
        (("--http",), {"MEMOFS_MCP_TOKEN": "short"}, "MEMOFS_MCP_TOKEN"),
        (("--http",), {"MEMOFS_MCP_TOKEN": "with spaces in between them"}, "without spaces"),
        (("--http", "--token-file", str(file)), {}, "others can read"),
        (("--http", "--token-file", str(tmp_path / "none")), {}, "cannot be read"),
        (("--http", "--token-file", str(tmp_path)), {}, "is no file"),
        (("--port", "80"), {}, "--http"),
        (("--http", "--stdio"), {}, "one of the two"),
        (("--http", "--port", "70000"), {}, "70000"),
    ):
        ran = user.memofs("mcp", *args, env=env)
        assert ran.code in (1, 2), ran
        assert part in ran.err, ran
        assert "Traceback" not in ran.err
    file.chmod(0o600)
    with http_server(user, "--token-file", str(file)) as url:
        assert url.startswith("http://127.0.0.1:")


def test_over_http_changes_are_told_in_both_ways(user: Daemons) -> None:
    uri = "memofs://stale"

    async def test(url: str) -> None:
        seen: list[str] = []
        came = asyncio.Event()

        def told(message: Any) -> None:
            if getattr(message, "method", None) == "notifications/resources/updated":
                seen.append(message.params.uri)
                came.set()

        async with http_agent(url, name="old", on_message=told) as old, http_agent(url, name="new", era="auto") as new:
            with pytest.warns(MCPDeprecationWarning):
                await old.subscribe_resource(uri)  # pyright: ignore[reportDeprecated]
            async with new.listen(resource_subscriptions=[uri]) as events:
                await asyncio.to_thread(user.ok, "remember", "A person writes this while two agents listen.")
                assert await anext(events) == ResourceUpdated(uri=uri)
            await asyncio.wait_for(came.wait(), 30)
            assert set(seen) == {uri}
        async with http_agent(url, name="third") as third:
            await asyncio.to_thread(user.ok, "remember", "Nobody who has left is in the way of this one.")
            assert not (await third.call_tool("memofs.recall", {"query": "tenant"})).is_error

    with http_server(user) as url:
        run(test(url))
