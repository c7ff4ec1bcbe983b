"""Editors on one daemon: what pygls alone gets wrong, live warnings while typing, sessions that see their own text."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from e2e.daemon_program import Daemons, daemons, is_running, until
from e2e.editor_client import EditorClient, editor
from e2e.memofs_program import Workspace
from e2e.tenants import CLOSE_LINE, CODE, OPEN_LINE, PATH


def anything(found: object) -> bool:
    return found is not None


def codes(found: list[dict[str, Any]]) -> list[str]:
    return [each["code"] for each in found]


def test_every_request_is_answered_once_whatever_it_holds(user: Daemons) -> None:
    with editor(user) as client:
        early = client.ask("textDocument/hover", client.at("src/store.py", 1, 1))
        assert early["error"]["code"] == -32002
        assert client.ask("memofs/recall", {"query": "x"})["error"]["code"] == -32002
        client.initialize()
        assert client.ask("initialize", {"capabilities": {}})["error"]["code"] == -32600
        for method in ("textDocument/hover", "textDocument/codeLens", "textDocument/codeAction"):
            every: list[Any] = [None, {}, [], {"textDocument": 5}, {"textDocument": {}}]
            for params in every:
                assert client.ask(method, params)["error"]["code"] == -32602, (method, params)
        told = client.ask("textDocument/hover", {"textDocument": {"uri": client.uri(PATH)}})["error"]["message"]
        assert "position" in told
        assert client.ask("no/such", {})["error"]["code"] == -32601
        assert client.ask("memofs/nothing", {})["error"]["code"] == -32601
        assert client.ask("memofs/recall", {"quer": "x"})["error"]["code"] == -32602
        assert client.ask("memofs/recall")["error"]["code"] == -32602
        assert client.ask("workspace/executeCommand", {"command": "no"})["error"]["code"] == -32602
        failed = client.ask("workspace/executeCommand", {"command": "memofs.verify", "arguments": ["mem_zzzzzzzz"]})
        assert failed["error"]["code"] == -31001
        assert "Traceback" not in json.dumps(failed)
        client.raw(b"Content-Length: 3\r\n\r\nnot")
        assert client.receive()["error"]["code"] == -32700
        client.raw(b"content-length: 2\r\n\r\n[]")
        assert client.receive()["error"]["code"] == -32600
        client.send({"jsonrpc": "1.0", "id": 70, "method": "textDocument/hover", "params": {}})
        assert client.receive()["error"]["code"] == -32600
        assert client.result("shutdown") is None
        assert client.ask("textDocument/hover", client.at("src/store.py", 1, 1))["error"]["code"] == -32600


def test_exit_ends_the_session_and_not_the_daemon(user: Daemons) -> None:
    with editor(user) as client:
        client.initialize()
        pid = user.notice["pid"]
        assert client.leave() == 0
        assert is_running(pid)
    user.ok("recall", "tenant")
    assert user.pids() == {pid}


def test_a_killed_daemon_ends_the_pump_so_that_the_editor_starts_it_again(user: Daemons) -> None:
    with editor(user) as client:
        client.initialize()
        os.kill(user.notice["pid"], signal.SIGKILL)
        assert client.process.wait(30) == 1
    with editor(user) as client:
        client.initialize()
        client.open("src/store.py")
        assert len(client.result("textDocument/codeLens", {"textDocument": {"uri": client.uri("src/store.py")}})) == 2


def test_nonsense_in_the_stream_ends_that_session_only(user: Daemons) -> None:
    with editor(user) as client, editor(user) as other:
        client.initialize()
        other.initialize()
        client.raw(b"Content-Length: nonsense\r\n\r\n")
        client.process.wait(30)
        assert other.result("memofs/status")["memories"] == 2


def test_what_is_typed_is_judged_while_it_is_typed_and_undo_is_current_again(user: Daemons) -> None:
    with editor(user) as client:
        client.initialize()
        client.open("src/store.py")
        assert client.diagnostics("src/store.py", anything) == []
        line = OPEN_LINE + 2
        client.edit("src/store.py", (line, 29), (line, 31), "sqlite")
        found = client.diagnostics("src/store.py", bool)
        assert codes(found) == ["memofs.changed"]
        assert found[0]["range"]["start"] == {"line": OPEN_LINE, "character": 4}
        assert found[0]["relatedInformation"][0]["location"]["uri"].endswith(".md")
        assert "One file per tenant" in found[0]["message"]
        client.edit("src/store.py", (line, 29), (line, 35), "db")
        assert client.diagnostics("src/store.py", lambda found: not found) == []


def test_undo_is_current_again_where_the_edit_had_ended_the_code_early(user: Daemons) -> None:
    with editor(user) as client:
        client.initialize()
        client.open("src/store.py")
        assert client.diagnostics("src/store.py", anything) == []
        line = OPEN_LINE + 2
        client.edit("src/store.py", (line, 0), (line, 0), "x")  # before the indentation: the function ends here
        assert codes(client.diagnostics("src/store.py", bool)) == ["memofs.changed"]
        client.edit("src/store.py", (line, 0), (line, 1), "")
        assert client.diagnostics("src/store.py", lambda found: not found) == []


def test_formatting_moving_and_comments_are_silent(user: Daemons) -> None:
    with editor(user) as client:
        client.initialize()
        client.open("src/store.py")
        client.diagnostics("src/store.py", anything)
        client.edit("src/store.py", (0, 0), (0, 0), "# a comment\n" * 10)
        client.edit("src/store.py", (OPEN_LINE + 11, 0), (OPEN_LINE + 11, 0), "        # how it is done\n")
        version = client.edit("src/store.py", (OPEN_LINE + 12, 15), (OPEN_LINE + 12, 16), "  =  ")
        while True:
            message = client.receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                assert message["params"]["diagnostics"] == []
                if message["params"].get("version") == version:
                    break
        lenses = client.result("textDocument/codeLens", {"textDocument": {"uri": client.uri("src/store.py")}})
        assert [lens["range"]["start"]["line"] for lens in lenses] == [OPEN_LINE + 10, CLOSE_LINE + 11]


def test_hover_says_what_the_code_is_tied_to_and_acts_on_nothing(user: Daemons) -> None:
    with editor(user) as client:
        client.initialize()
        client.open("src/store.py")
        hover = client.result("textDocument/hover", client.at("src/store.py", OPEN_LINE + 2, 10))
        text = hover["contents"]["value"]
        assert "One file per tenant" in text
        assert r"a \*file\* of its own" in text
        assert hover["range"]["start"]["line"] == OPEN_LINE
        assert client.result("textDocument/hover", client.at("src/store.py", 2, 1)) is None
        assert client.result("textDocument/hover", client.at("src/elsewhere.py", 2, 1)) is None


def test_each_session_sees_its_own_text_and_the_command_line_the_disk(user: Daemons) -> None:
    with editor(user) as one, editor(user) as other:
        for client in (one, other):
            client.initialize()
            client.open("src/store.py")
            client.diagnostics("src/store.py", anything)
        one.edit("src/store.py", (OPEN_LINE + 3, 8), (OPEN_LINE + 3, 19), "return None")
        one.diagnostics("src/store.py", bool)
        asked = {"query": "one file per tenant"}
        assert "stale" in one.result("memofs/recall", asked)["hits"][0]["flags"]
        assert "stale" not in other.result("memofs/recall", asked)["hits"][0]["flags"]
        assert user.memofs("check").code == 0
        one.close("src/store.py")
        one.diagnostics("src/store.py", lambda found: not found)
        assert "stale" not in one.result("memofs/recall", asked)["hits"][0]["flags"]


def test_a_save_is_what_everybody_sees(user: Daemons) -> None:
    with editor(user) as one, editor(user) as other:
        for client in (one, other):
            client.initialize()
        one.open("src/store.py")
        one.diagnostics("src/store.py", anything)
        changed = CODE.replace("return path", "return None")
        user.workspace.write("src/store.py", changed)
        one.edit("src/store.py", (OPEN_LINE + 3, 15), (OPEN_LINE + 3, 19), "None")
        one.notify("textDocument/didSave", {"textDocument": {"uri": one.uri("src/store.py")}})
        one.diagnostics("src/store.py", bool)
        asked = {"query": "one file per tenant"}
        until(lambda: "stale" in other.result("memofs/recall", asked)["hits"][0]["flags"], "the other sees it too")
        assert user.memofs("check").code == 1


def test_a_quick_fix_verifies_and_the_warning_goes(user: Daemons) -> None:
    with editor(user) as client:
        client.initialize()
        user.workspace.write("src/store.py", CODE.replace("return path", "return None"))
        client.open("src/store.py")
        found = client.diagnostics("src/store.py", bool)
        place = found[0]["range"]
        params = {
            "textDocument": {"uri": client.uri("src/store.py")},
            "range": place,
            "context": {"diagnostics": found},
        }
        offered = client.result("textDocument/codeAction", params)
        titles = [action["title"] for action in offered]
        assert titles[0].startswith("Still true: verify")
        assert any(title.startswith("Retire memory") for title in titles)
        assert "Show what changed" in titles
        verify = offered[0]["command"]
        client.result("workspace/executeCommand", {"command": verify["command"], "arguments": verify["arguments"]})
        client.diagnostics("src/store.py", lambda found: not found)
    assert user.memofs("check").code == 0


def test_a_client_that_asks_for_diagnostics_is_not_sent_any(user: Daemons) -> None:
    capabilities: dict[str, Any] = {
        "textDocument": {"diagnostic": {}},
        "workspace": {"diagnostics": {"refreshSupport": True}, "codeLens": {"refreshSupport": True}},
    }
    with editor(user) as client:
        assert client.initialize(capabilities)["capabilities"]["diagnosticProvider"]["identifier"] == "memofs"
        client.open("src/store.py")
        params = {"textDocument": {"uri": client.uri("src/store.py")}}
        first = client.result("textDocument/diagnostic", params)
        assert (first["kind"], first["items"]) == ("full", [])
        again = client.result("textDocument/diagnostic", {**params, "previousResultId": first["resultId"]})
        assert again["kind"] == "unchanged"
        client.edit("src/store.py", (OPEN_LINE + 3, 15), (OPEN_LINE + 3, 19), "None")
        changed = client.result("textDocument/diagnostic", params)
        assert codes(changed["items"]) == ["memofs.changed"]
        until_refreshed(client, "workspace/diagnostic/refresh")
        assert not [each for each in client.notifications if each["method"] == "textDocument/publishDiagnostics"]
        count = len(client.requests)
        client.edit("src/store.py", (0, 3), (0, 3), "x")
        client.result("textDocument/diagnostic", params)
        assert len(client.requests) == count, "nothing that is shown has changed"


def until_refreshed(client: EditorClient, method: str) -> None:
    while not any(request["method"] == method for request in client.requests):
        client.receive()


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 12), ("utf-16", 9), ("utf-32", 8)])
def test_columns_are_in_the_agreed_encoding(user: Daemons, encoding: str, column: int) -> None:
    user.workspace.write("src/emoji.py", 'x = "é😀"; y = 1\n')
    user.ok("remember", "y is one", "--anchor", "src/emoji.py:1:11-1:16")
    with editor(user) as client:
        result = client.initialize({"general": {"positionEncodings": [encoding]}})
        assert result["capabilities"]["positionEncoding"] == encoding
        client.open("src/emoji.py")
        hover = client.result("textDocument/hover", client.at("src/emoji.py", 0, column + 2))
        assert hover["range"]["start"] == {"line": 0, "character": column + 2}
        client.edit("src/emoji.py", (0, column + 6), (0, column + 7), "2")
        found = client.diagnostics("src/emoji.py", bool)
        assert found[0]["range"]["start"] == {"line": 0, "character": column + 2}


def test_a_folder_without_a_memory_is_served_quietly_until_one_is_made(empty: Workspace, runtime: Path) -> None:
    empty.write("a.py", "x = 1\n")
    with daemons(empty, runtime=runtime) as user, editor(user) as client:
        client.initialize()
        client.open("a.py")
        assert client.result("textDocument/codeLens", {"textDocument": {"uri": client.uri("a.py")}}) == []
        assert client.result("textDocument/hover", client.at("a.py", 0, 0)) is None
        assert not (empty.root / ".memofs").exists()
        client.result("workspace/executeCommand", {"command": "memofs.init"})
        assert (empty.root / ".memofs" / "memory" / "core.md").exists()
        user.ok("remember", "x is one", "--anchor", "a.py:1")
        until(
            lambda: client.result("textDocument/codeLens", {"textDocument": {"uri": client.uri("a.py")}}) != [],
            "the lens of the new memory",
        )
        until(lambda: len(user.pids()) == 1, "one daemon serves both")


@pytest.mark.parametrize("name", ["with space.py", "ha#sh.py", "100%.py", "émoji😀.py", "a+b&c.py"])
def test_names_of_every_kind(user: Daemons, name: str) -> None:
    user.workspace.write(f"src/{name}", "x = 1\n")
    user.ok("remember", "x is one, here", "--anchor", f"src/{name}:1")
    with editor(user) as client:
        client.initialize()
        client.open(f"src/{name}")
        lenses = client.result("textDocument/codeLens", {"textDocument": {"uri": client.uri(f"src/{name}")}})
        assert len(lenses) == 1


MEMORY = """\
---
id: mem_1k000000aaaa
kind: deci
title: By hand
tags: [data, ]
supersedes: []
anchors:
  - path: src/
    symbol: Store.
---
# By hand

See mem_
"""


def labels(items: dict[str, Any]) -> list[str]:
    return [item["label"] for item in items["items"]]


def test_a_memory_file_is_completed_linked_and_checked(user: Daemons) -> None:
    id_ = json.loads(user.ok("list", "-k", "constraint", "--json"))["memories"][0]["id"]
    path = ".memofs/memory/by-hand.md"
    text = MEMORY.replace("path: src/", "path: src/store.py").replace("mem_\n", f"{id_}\n")
    user.workspace.write(path, text)
    with editor(user) as client:
        client.initialize()
        client.open(path, MEMORY)
        found = client.diagnostics(path, bool)
        assert "unknownKind" in codes(found)
        assert next(each for each in found if each["code"] == "unknownKind")["range"]["start"]["line"] == 2

        def offered(line: int, character: int) -> list[str]:
            return labels(client.result("textDocument/completion", client.at(path, line, character)))

        assert "decision" in offered(2, 10)
        assert "src/store.py" in offered(7, 14)
        assert "Closing is idempotent" in offered(5, 13)
        assert "Closing is idempotent" in offered(12, 8)
        assert offered(3, 8) == []
        client.edit(path, (7, 14), (7, 14), "store.py")
        assert "Store.close" in offered(8, 18)
        client.edit(path, (12, 4), (12, 8), id_)
        definition = client.result("textDocument/definition", client.at(path, 12, 8))
        assert definition["uri"].endswith(".md")
        links = client.result("textDocument/documentLink", {"textDocument": {"uri": client.uri(path)}})
        assert {link["range"]["start"]["line"] for link in links} == {7, 8, 12}
        symbols = client.result("textDocument/documentSymbol", {"textDocument": {"uri": client.uri(path)}})
        assert [child["name"] for child in symbols[0]["children"]] == ["By hand"]
        folds = client.result("textDocument/foldingRange", {"textDocument": {"uri": client.uri(path)}})
        assert (folds[0]["startLine"], folds[0]["endLine"]) == (0, 9)
        assert (folds[1]["startLine"], folds[1]["endLine"]) == (6, 8)
        hover = client.result("textDocument/hover", client.at(path, 12, 8))
        assert "Closing is idempotent" in hover["contents"]["value"]
        references = client.result(
            "textDocument/references", {**client.at(path, 12, 8), "context": {"includeDeclaration": False}}
        )
        assert any(each["uri"].endswith("store.py") for each in references)
        assert any(each["uri"].endswith("by-hand.md") for each in references)
        found = client.result("workspace/symbol", {"query": "closing idempotent"})
        assert [each["name"] for each in found][:1] == ["Closing is idempotent"]


@pytest.mark.parametrize(
    "text", ["", "---", "---\n", "---\nkind", "---\nanchors:\n  - path:\n", "\ufeff---\n---\n", "# x\r\n"]
)
def test_whatever_a_memory_file_holds_it_is_answered(user: Daemons, text: str) -> None:
    path = ".memofs/memory/odd.md"
    with editor(user) as client:
        client.initialize()
        client.open(path, text)
        for line in range(4):
            for method in ("completion", "definition", "hover"):
                client.result(f"textDocument/{method}", client.at(path, line, 3))
        for method in ("documentLink", "documentSymbol", "foldingRange"):
            client.result(f"textDocument/{method}", {"textDocument": {"uri": client.uri(path)}})


def test_a_path_that_goes_round_in_a_circle_completes_to_nothing(user: Daemons) -> None:
    (user.root / "src" / "loop").symlink_to("loop")
    with editor(user) as client:
        client.initialize()
        path = ".memofs/memory/by-hand.md"
        client.open(path, MEMORY.replace("path: src/", "path: src/loop/"))
        found = client.result("textDocument/completion", client.at(path, 7, 19))
        assert found is None or labels(found) == []


def test_every_cancelled_request_is_answered_once(user: Daemons) -> None:
    with editor(user) as client:
        client.initialize()
        client.open(PATH)
        asked = {
            "memofs/recall": {"query": "one file per tenant"},
            "memofs/anchors": {},
            "textDocument/hover": client.at(PATH, OPEN_LINE, 10),
            "memofs/verify": {"all": True},
        }
        ids: list[str] = []
        for number in range(50):
            for method, params in asked.items():
                ids.append(f"{method} {number}")
                client.send({"id": ids[-1], "method": method, "params": params})
                client.send({"method": "$/cancelRequest", "params": {"id": ids[-1]}})
        client.send({"method": "$/cancelRequest", "params": {"id": "nobody asked"}})
        client.send({"method": "$/cancelRequest", "params": {"id": None}})
        client.send({"method": "$/cancelRequest"})
        answers: dict[str, list[dict[str, Any]]] = {id_: [] for id_ in ids}
        while not all(answers.values()):
            message = client.receive()
            if message.get("id") in answers:
                answers[message["id"]].append(message)
        assert client.result("memofs/status")["memories"] == 2
        assert {len(each) for each in answers.values()} == {1}
        for [answer] in answers.values():
            assert "result" in answer or answer["error"]["code"] == -32800, answer


def test_a_session_survives_a_large_document_and_is_ended_by_a_message_beyond_all_bounds(user: Daemons) -> None:
    with editor(user) as client, editor(user) as other:
        client.initialize()
        other.initialize()
        client.open("src/large.py", "x = 1\n" * 2_000_000)
        client.edit("src/large.py", (1_999_999, 5), (1_999_999, 5), "0")
        assert client.result("textDocument/hover", client.at("src/large.py", 1_999_999, 1)) is None
        client.raw(b"Content-Length: 99999999999\r\n\r\n")
        assert client.process.wait(60) == 1
        assert other.result("memofs/status")["memories"] == 2


def test_edits_of_a_document_that_is_not_open_are_no_fault(user: Daemons) -> None:
    with editor(user) as client:
        client.initialize()
        place = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
        uri = client.uri(PATH)
        for changes in ([{"range": place, "text": "x"}], [], [{"text": CODE.replace("return path", "return None")}]):
            params = {"textDocument": {"uri": uri, "version": 5}, "contentChanges": changes}
            client.notify("textDocument/didChange", params)
        client.notify("textDocument/didClose", {"textDocument": {"uri": client.uri("src/other.py")}})
        client.notify("textDocument/didSave", {"textDocument": {"uri": client.uri("src/other.py")}})
        assert len(client.diagnostics(PATH, bool)) == 1  # a whole text counts as opened
