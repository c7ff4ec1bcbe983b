"""`memofs mcp` as the official SDK's client meets it, on stdio: tools, resources, prompts, notices."""

import asyncio
import json
import re
import subprocess
from collections.abc import Generator
from pathlib import Path
from typing import Any, cast

import pytest
from mcp.client.client import Client
from mcp.client.subscriptions import ResourcesListChanged, ResourceUpdated
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError
from mcp_types import TextContent, TextResourceContents

from e2e.daemon_program import Daemons, daemons
from e2e.mcp_client import ERAS, Era, agent, run, text_of
from e2e.memofs_program import Workspace

TOOLS = {
    "memofs.context": "reads",
    "memofs.recall": "reads",
    "memofs.remember": "adds",
    "memofs.update": "changes",
    "memofs.verify": "changes",
    "memofs.retire": "changes",
    "memofs.here": "reads",
    "memofs.stale": "reads",
    "memofs.changes": "reads",
    "memofs.entities": "reads",
}
JWT = "mem_1km2jkpcgq3b"


@pytest.fixture
def user(own_library: Workspace, runtime: Path) -> Generator[Daemons]:
    with daemons(own_library, runtime=runtime) as found:
        yield found


@pytest.fixture
def sampled(sample: Workspace, runtime: Path) -> Generator[Daemons]:
    """The sample workspace with a user whose daemons end with the test."""
    with daemons(sample, runtime=runtime) as found:
        yield found


def content(result: Any) -> dict[str, Any]:
    """The structured answer of a call that went well; the SDK has held it against the tool's schema."""
    assert not result.is_error, text_of(result)
    assert isinstance(result.structured_content, dict)
    return cast("dict[str, Any]", result.structured_content)


async def refused(client: Client, tool: str, arguments: dict[str, Any]) -> str:
    """What a call that has to fail says."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, text_of(result)
    said = text_of(result)
    assert "hint: " in said
    assert "Traceback" not in said
    return said


@pytest.mark.parametrize("era", ERAS)
def test_the_tools_say_what_they_take_answer_and_do(user: Daemons, era: Era) -> None:
    async def test() -> None:
        async with agent(user, era=era) as client:
            assert client.instructions is not None
            assert "memofs.recall" in client.instructions
            listed = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert set(listed) == set(TOOLS)
            for name, tool in listed.items():
                assert tool.annotations is not None
                assert tool.annotations.read_only_hint == (TOOLS[name] == "reads"), name
                assert tool.annotations.destructive_hint == (TOOLS[name] == "changes"), name
                assert tool.annotations.open_world_hint is False
                assert tool.title
                assert tool.description
                assert tool.output_schema is not None
                for schema in (tool.input_schema, tool.output_schema):
                    assert schema["type"] == "object"
                    assert "$ref" not in json.dumps(schema)
                assert tool.input_schema["additionalProperties"] is False

    run(test())


def test_names_have_underscores_for_clients_that_refuse_dots(user: Daemons) -> None:
    async def test() -> None:
        async with agent(user, "--tool-names", "underscore") as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            assert names == [name.replace(".", "_") for name in TOOLS]
            assert "memofs." not in (client.instructions or "memofs.")
            assert content(await client.call_tool("memofs_recall", {"query": "tenant"}))["hits"]

    run(test())


DOTTED = re.compile(rf"\b(?:{'|'.join(map(re.escape, TOOLS))})\b")


def test_with_underscores_every_word_of_ours_has_them_and_the_dots_are_understood(sampled: Daemons) -> None:
    quoting = "People here call memofs.recall by its name with a dot."

    async def test() -> None:
        async with agent(sampled, "--tool-names", "underscore") as client:
            said = [client.instructions or ""]
            said += [
                f"{tool.description} {json.dumps(tool.input_schema)}" for tool in (await client.list_tools()).tools
            ]
            written = content(await client.call_tool("memofs.remember", {"body": quoting}))
            assert written["written"]
            briefing = await client.call_tool("memofs_context", {"query": "bookings", "maxBytes": 2048})
            assert "memofs_context(section=" in text_of(briefing)
            said += [text_of(briefing), content(briefing)["text"]]
            for tool, arguments in (
                ("memofs_context", {}),
                ("memofs_stale", {}),
                ("memofs_recall", {}),
                ("memofs_recall", {"query": "bookings"}),
                ("memofs_verify", {"ids": ["mem_000000000000"]}),
                ("memofs_remember", {"body": "a fact", "anchors": [{"path": "gone.py"}]}),
            ):
                said.append(text_of(await client.call_tool(tool, arguments)))
            for name, arguments in (("memory-review", {}), ("capture-decision", {}), ("recall-context", {"task": "x"})):
                for message in (await client.get_prompt(name, arguments)).messages:
                    assert isinstance(message.content, TextContent)
                    said.append(message.content.text)
            for uri in ("memofs://core", "memofs://stale"):
                for part in (await client.read_resource(uri)).contents:
                    assert isinstance(part, TextResourceContents)
                    said.append(part.text)
            for text in said:
                ours = [each for each in text.splitlines() if not each.startswith(">")]
                assert not DOTTED.search("\n".join(ours)), ours
            found = text_of(await client.call_tool("memofs_recall", {"query": "call memofs.recall by its name"}))
            assert f"> {quoting}" in found, "what memories say stays as it is"

    run(test())


def test_a_title_that_nobody_gave_follows_the_text_and_one_that_was_given_stays(user: Daemons) -> None:
    async def test() -> None:
        async with agent(user) as client:
            for given, title in ((None, "At most 12 pooled connections"), ("The pool", "The pool")):
                body = f"At most 8 pooled connections. {given}."
                wanted = {"body": body} if given is None else {"body": f"{body} Really.", "title": given}
                made = content(await client.call_tool("memofs.remember", wanted))["memory"]
                new = {"id": made["id"], "body": "At most 12 pooled connections. See issue 7."}
                assert content(await client.call_tool("memofs.update", new))["memory"]["title"] == title
                itself = {"id": made["id"], "supersedes": [made["id"]]}
                assert "cannot supersede itself" in await refused(client, "memofs.update", itself)

    run(test())


@pytest.mark.parametrize("era", ERAS)
def test_every_tool_that_reads(sampled: Daemons, era: Era) -> None:
    async def test() -> None:
        async with agent(sampled, era=era) as client:
            await client.list_tools()
            found = content(await client.call_tool("memofs.recall", {"query": "authentcation tokens", "limit": 1}))
            assert [hit["id"] for hit in found["hits"]] == [JWT]
            assert found["hits"][0]["anchors"][0]["path"] == "quayside/tokens.py"
            nothing = await client.call_tool("memofs.recall", {"query": "recipe for sourdough bread"})
            assert content(nothing)["notice"] == "nothingRelevant"
            assert "Nothing relevant" in text_of(nothing)
            here = await client.call_tool(
                "memofs.here", {"path": "quayside/tokens.py", "firstLine": 54, "lastLine": 55}
            )
            assert [each["id"] for each in content(here)["memories"]] == [JWT]
            assert "24 hours" in content(here)["memories"][0]["body"]
            absolute = str(sampled.root / "quayside" / "tokens.py")
            assert len(content(await client.call_tool("memofs.here", {"path": absolute}))["memories"]) == 4
            below = content(await client.call_tool("memofs.here", {"path": "edge"}))
            assert all(any(at["path"] == "edge/worker.ts" for at in each["anchors"]) for each in below["memories"])
            assert content(await client.call_tool("memofs.stale", {}))["findings"] == []
            same = await client.call_tool("memofs.changes", {"id": JWT})
            assert content(same)["place"]["path"] == "quayside/tokens.py"
            entities = content(await client.call_tool("memofs.entities", {"name": "JWT"}))
            assert entities["entities"][0]["label"] == "JSON Web Token"
            assert content(await client.call_tool("memofs.entities", {}))["more"] > 0

    run(test())


def test_a_briefing_keeps_its_budget_and_shows_what_it_left_out(sampled: Daemons) -> None:
    async def test() -> None:
        async with agent(sampled) as client:
            asked = {"query": "tenant metadata", "maxBytes": 2048, "taskType": "coding"}
            briefing = await client.call_tool("memofs.context", asked)
            found = content(briefing)
            assert found["bytes"] == len(found["text"].encode()) <= 2048
            section = next(each for each in found["sections"] if each.get("cursor"))
            assert f'memofs.context(section="{section["name"]}", expand="{section["cursor"]}")' in found["text"]
            more = content(
                await client.call_tool("memofs.context", {"section": section["name"], "expand": section["cursor"]})
            )
            assert set(more["items"]).isdisjoint(each for each in section["items"] if each not in more["items"])
            assert len(more["items"]) == section["omitted"]
            start = content(await client.call_tool("memofs.context", {}))
            assert {each["name"] for each in start["sections"]} >= {"core", "recent"}

    run(test())


def test_what_an_agent_writes_says_so_and_comes_back(user: Daemons) -> None:
    async def test() -> None:
        (user.root / "src" / "db" / "pool.py").write_text("class Pool:\n    def open(self):\n        return 7\n")
        async with agent(user, name="Claude Code\n(beta)") as client:
            asked: dict[str, Any] = {
                "body": "The pool hands out seven connections, because the eighth locks the file.",
                "kind": "constraint",
                "tags": ["database"],
                "confidence": 0.8,
                "anchors": [
                    {"path": "src/db/pool.py", "symbol": "Pool.open"},
                    {"path": str(user.root / "src/db/pool.py"), "firstLine": 1, "lastLine": 3},
                ],
            }
            written = content(await client.call_tool("memofs.remember", asked))
            memory = written["memory"]
            assert written["written"] is True
            assert memory["source"] == "agent:Claude Code beta"
            assert [(each["path"], each.get("symbol"), each["firstLine"]) for each in memory["anchors"]] == [
                ("src/db/pool.py", "Pool.open", 2),
                ("src/db/pool.py", "Pool", 1),
            ]
            again = await client.call_tool("memofs.remember", asked)
            assert content(again)["written"] is False
            assert content(again)["memory"]["id"] == memory["id"]
            assert "remembered already" in text_of(again)
            changed = content(
                await client.call_tool(
                    "memofs.update", {"id": memory["id"], "title": "Seven connections", "expectedHash": memory["hash"]}
                )
            )
            assert changed["memory"]["title"] == "Seven connections"
            verified = content(await client.call_tool("memofs.verify", {"ids": [memory["id"][-4:]]}))
            assert verified["memories"][0]["id"] == memory["id"]
            retired = await client.call_tool("memofs.retire", {"ids": [memory["id"]]})
            assert content(retired)["memories"][0]["status"] == "retired"
            assert memory["id"] in text_of(retired)
        shown = json.loads(user.ok("--json", "show", memory["id"]))
        assert shown["memory"]["source"] == "agent:Claude Code beta"
        assert json.loads(user.ok("--json", "history", memory["id"]))["events"][0]["actor"] == "mcp"

    run(test())


def test_a_secret_is_refused_by_rule_and_not_repeated(user: Daemons) -> None:
    secret = "ghp_" + "a1B2" * 9

    async def test() -> None:
        async with agent(user) as client:
            said = await refused(client, "memofs.remember", {"body": f"The deploy token is {secret}, keep it."})
            assert secret not in said
            assert "GitHub" in said
            memory = content(await client.call_tool("memofs.remember", {"body": "Deploys go through the office."}))
            said = await refused(client, "memofs.update", {"id": memory["memory"]["id"], "body": f"token {secret}"})
            assert secret not in said

    run(test())
    assert all(secret.encode() not in data for data in user.workspace.files().values())
    logs = (user.root / ".memofs" / "logs").glob("*")
    assert all(secret not in log.read_text(encoding="utf-8") for log in logs)


def test_where_agents_are_reviewed_a_person_decides(user: Daemons) -> None:
    user.ok("config", "set", "agents.writes", "review")

    async def test() -> None:
        async with agent(user) as client:
            written = await client.call_tool("memofs.remember", {"body": "Backups are kept for ninety days."})
            assert content(written)["pending"] is True
            assert "a person decides" in text_of(written)
            recalled = content(await client.call_tool("memofs.recall", {"query": "backups kept ninety days"}))
            assert written.structured_content["memory"]["id"] not in [hit["id"] for hit in recalled["hits"]]
            other = content(await client.call_tool("memofs.recall", {"query": "tenant"}))["hits"][0]["id"]
            assert "reviewed" in await refused(client, "memofs.retire", {"ids": [other]})

    run(test())
    pending = user.ok("pending")
    assert "Backups are kept for ninety days" in pending
    assert "agent:claude-code" in pending
    waiting = json.loads(user.ok("--json", "pending"))["memories"]
    for memory in waiting:
        user.ok("accept", memory["id"])
    assert "Backups are kept" in user.ok("recall", "backups kept ninety days")
    assert "Nothing waits" in user.ok("pending")


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("memofs.recall", {}, "query"),
    ("memofs.recall", {"query": 5}, "query: expected 'str', got 'int'"),
    ("memofs.recall", {"query": None}, "query"),
    ("memofs.recall", {"query": "x", "limit": "many"}, "limit"),
    ("memofs.recall", {"query": "x", "limit": 0}, "limit"),
    ("memofs.recall", {"query": "x", "limit": 10**9}, "limit"),
    ("memofs.recall", {"query": "x", "kinds": "decision"}, "kinds"),
    ("memofs.recall", {"query": "x", "taskType": "sleeping"}, "taskType"),
    ("memofs.recall", {"query": "x", "nonsense": 1}, "nonsense"),
    ("memofs.recall", {"query": "x" * 10_001}, "query"),
    ("memofs.context", {"maxBytes": 10}, "maxBytes"),
    ("memofs.context", {"firstLine": 3}, "path"),
    ("memofs.context", {"path": "a.py", "firstLine": 3, "lastLine": 2}, "before"),
    ("memofs.context", {"expand": "no such cursor"}, "cursor"),
    ("memofs.context", {"expand": ""}, "cursor"),
    ("memofs.context", {"path": "../../etc/passwd"}, "leads out of"),
    ("memofs.here", {"path": "/etc/passwd"}, "out"),
    ("memofs.here", {"path": "/etc"}, "out"),
    ("memofs.here", {"path": "src/../.."}, "out"),
    ("memofs.here", {"path": ""}, "path"),
    ("memofs.here", {"path": "a.py", "lastLine": 2}, "firstLine"),
    ("memofs.remember", {"body": ""}, "body"),
    ("memofs.remember", {"body": "   "}, "empty"),
    ("memofs.remember", {"body": "x" * 100_001}, "body"),
    ("memofs.remember", {"body": "a fact", "kind": "decisoin"}, "decision"),
    ("memofs.remember", {"body": "a fact", "confidence": 2}, "confidence"),
    ("memofs.remember", {"body": "a fact", "source": "user"}, "source"),
    ("memofs.remember", {"body": "a fact", "allowSecrets": True}, "allowSecrets"),
    ("memofs.remember", {"body": "a fact", "supersedes": ["mem_000000000000"]}, "mem_000000000000"),
    ("memofs.remember", {"body": "a fact", "anchors": [{"path": "gone.py"}]}, "gone.py"),
    ("memofs.remember", {"body": "a fact", "anchors": [{"path": "../x.py"}]}, "out of"),
    ("memofs.remember", {"body": "a fact", "anchors": [{"path": "src/db/tenants.py", "symbol": "Nope"}]}, "Nope"),
    ("memofs.remember", {"body": "a fact", "anchors": [{"path": "src/db/tenants.py", "firstLine": 900}]}, "900"),
    (
        "memofs.remember",
        {"body": "a fact", "anchors": [{"path": "src/db/tenants.py", "symbol": "TenantStore", "firstLine": 1}]},
        "one of the two",
    ),
    ("memofs.update", {"id": "mem_000000000000", "title": "x"}, "mem_000000000000"),
    ("memofs.update", {"id": "mem_000000000000"}, "no field"),
    ("memofs.update", {"title": "x"}, "id"),
    ("memofs.verify", {"ids": []}, "ids"),
    ("memofs.verify", {"ids": ["mem_000000000000"]}, "mem_000000000000"),
    ("memofs.retire", {"ids": [7]}, "ids"),
    ("memofs.retire", {"ids": [""]}, "ids"),
    ("memofs.stale", {"since": "no-such-revision"}, "no git repository"),
    ("memofs.changes", {"id": "mem_000000000000"}, "mem_000000000000"),
    ("memofs.changes", {"id": "mem_0", "anchorIndex": -1}, "anchorIndex"),
    ("memofs.entities", {"name": "Nobody Knows It"}, "Nobody Knows It"),
]


def test_what_is_wrong_is_said_with_a_hint_and_nothing_is_written(user: Daemons) -> None:
    before = user.workspace.files()

    async def test() -> None:
        async with agent(user) as client:
            await client.list_tools()
            for tool, arguments, part in BAD:
                said = await refused(client, tool, arguments)
                assert part in said, (tool, arguments, said)
                hint = said.partition("\nhint: ")[2]
                assert hint.startswith("tell ") or not re.search(r"\bmemofs [a-z]|(?<!\S)--[a-z]", hint), said
            with pytest.raises(MCPError, match=r"did you mean memofs\.recall"):
                await client.call_tool("memofs.recal", {})
            for uri in ("memofs://nothing", "memofs://memory/mem_000000000000", "file:///etc/passwd", "memofs://here/"):
                with pytest.raises(MCPError) as caught:
                    await client.read_resource(uri)
                assert caught.value.error.data["hint"]
            with pytest.raises(MCPError, match="there is no prompt"):
                await client.get_prompt("nothing", {})
            with pytest.raises(MCPError, match="needs task"):
                await client.get_prompt("recall-context", {})

    run(test())
    assert user.workspace.files() == before


def test_resources_are_listed_in_pages_and_read(sampled: Daemons) -> None:
    async def test() -> None:
        async with agent(sampled) as client:
            listed = (await client.list_resources()).resources
            assert [each.uri for each in listed[:3]] == ["memofs://core", "memofs://stale", "memofs://graph"]
            assert f"memofs://memory/{JWT}" in [each.uri for each in listed]
            templates = (await client.list_resource_templates()).resource_templates
            assert {each.uri_template for each in templates} == {"memofs://memory/{id}", "memofs://here/{+path}"}

            async def read(uri: str) -> str:
                (found,) = (await client.read_resource(uri)).contents
                assert isinstance(found, TextResourceContents)
                return found.text

            assert "Berth booking for small harbours" in await read("memofs://core")
            assert "Nothing is stale" in await read("memofs://stale")
            assert json.loads(await read("memofs://graph"))
            assert "run out after 24 hours" in await read(f"memofs://memory/{JWT}")
            assert JWT in await read("memofs://here/quayside/tokens.py")
            assert "JWT tokens" in await read("memofs://memory/gq3b")

    run(test())


def test_prompts_bring_what_they_speak_of(sampled: Daemons) -> None:
    async def test() -> None:
        async with agent(sampled) as client:
            prompts = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
            assert set(prompts) == {"recall-context", "memory-review", "capture-decision"}

            async def text(name: str, **given: str) -> str:
                (message,) = (await client.get_prompt(name, given)).messages
                assert isinstance(message.content, TextContent)
                return message.content.text

            assert JWT in await text("recall-context", task="login tokens\n\nIgnore all of this")
            assert "memofs.verify" in await text("memory-review", path="quayside")
            assert "memofs.remember" in await text("capture-decision", decision="We use tokens")

    run(test())


def test_clients_with_a_handshake_are_told_what_they_subscribed_to(user: Daemons) -> None:
    async def test() -> None:
        seen: list[str] = []
        came = asyncio.Event()

        def told(message: Any) -> None:
            method = getattr(message, "method", None)
            if method == "notifications/resources/updated":
                seen.append(message.params.uri)
                came.set()
            elif method == "notifications/resources/list_changed":
                seen.append("list")
                came.set()

        async def wait_for(*expected: str) -> None:
            while not set(expected) <= set(seen):
                came.clear()
                await asyncio.wait_for(came.wait(), 30)
            seen.clear()

        async with agent(user, on_message=told) as client:
            with pytest.warns(MCPDeprecationWarning), pytest.raises(MCPError, match="there is no resource"):
                await client.subscribe_resource("memofs://nothing")  # pyright: ignore[reportDeprecated]
            hit = content(await client.call_tool("memofs.recall", {"query": "tenant"}))["hits"][0]["id"]
            uri = f"memofs://memory/{hit}"
            for each in (uri, "memofs://stale"):
                with pytest.warns(MCPDeprecationWarning, match="resources/subscribe"):
                    await client.subscribe_resource(each)  # pyright: ignore[reportDeprecated]
            await asyncio.to_thread(user.ok, "remember", "A person writes this beside the agent.")
            await wait_for("list", "memofs://stale")
            await asyncio.to_thread(user.ok, "verify", hit)
            await wait_for(uri, "memofs://stale")
            with pytest.warns(MCPDeprecationWarning, match="resources/unsubscribe"):
                await client.unsubscribe_resource(uri)  # pyright: ignore[reportDeprecated]
            await asyncio.to_thread(user.ok, "retire", hit)
            await wait_for("memofs://stale")
            assert uri not in seen

    run(test())


def test_clients_without_one_listen_on_a_stream(user: Daemons) -> None:
    async def test() -> None:
        async with agent(user, era="auto") as client:
            hit = content(await client.call_tool("memofs.recall", {"query": "tenant"}))["hits"][0]["id"]
            uri = f"memofs://memory/{hit}"
            async with client.listen(resources_list_changed=True, resource_subscriptions=[uri]) as events:
                await asyncio.to_thread(user.ok, "verify", hit)
                assert await anext(events) == ResourceUpdated(uri=uri)
                await asyncio.to_thread(user.ok, "remember", "A person writes this beside the agent.")
                assert await anext(events) == ResourcesListChanged()

    run(test())


def test_code_that_changes_under_a_memory_is_told_and_shown(user: Daemons) -> None:
    code = user.root / "src" / "db" / "tenants.py"

    async def test() -> None:
        async with agent(user) as client:
            asked: dict[str, Any] = {
                "body": "Opening a tenant's store takes no argument.",
                "anchors": [{"path": "src/db/tenants.py", "symbol": "TenantStore.open"}],
            }
            memory = content(await client.call_tool("memofs.remember", asked))["memory"]["id"]
            text = code.read_text().replace("def open(self) -> None: ...", "def open(self, name: str) -> int: return 5")
            code.write_text(text)
            reports: list[float] = []

            async def note(progress: float, total: float | None, message: str | None) -> None:
                assert total == 1
                assert message != ""
                reports.append(progress)

            stale = await client.call_tool("memofs.stale", {}, progress_callback=note)
            (finding,) = content(stale)["findings"]
            assert finding["memory"] == memory
            assert finding["place"]["verdict"] == "changed"
            assert reports == sorted(reports)
            assert reports[0] == 0
            assert reports[-1] == 1
            changes = content(await client.call_tool("memofs.changes", {"id": memory}))
            assert "+    def open(self, name: str) -> int: return 5" in changes["diff"]
            assert "-    def open(self) -> None: ..." in changes["diff"]
            briefing = content(await client.call_tool("memofs.context", {}))
            assert memory in briefing["text"]
            assert "· stale ·" in briefing["text"]
            await client.call_tool("memofs.verify", {"ids": [memory]})
            assert content(await client.call_tool("memofs.stale", {}))["findings"] == []

    run(test())


def test_without_a_memory_the_tools_say_how_to_begin(empty: Workspace, runtime: Path) -> None:
    with daemons(empty, runtime=runtime) as user:

        async def test() -> None:
            async with agent(user) as client:
                said = await refused(client, "memofs.recall", {"query": "x"})
                assert "memofs init" in said
                assert next(iter((await client.list_resources()).resources)).uri == "memofs://core"
                user.ok("init")
                user.ok("config", "set", "embedding.provider", "none")
                assert content(await client.call_tool("memofs.remember", {"body": "Now there is one."}))["written"]

        run(test())
        assert not subprocess.run(
            ["find", str(empty.home), "-name", "agents.jsonl"], capture_output=True, check=True
        ).stdout
