"""Editors and files: renames, changes by others, settings, folders of every kind, the daemon's work as progress."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from e2e.daemon_program import Daemons, daemons, is_running, until
from e2e.editor_client import EditorClient, editor
from e2e.memofs_program import Workspace
from e2e.tenants import CODE, OPEN_LINE, PATH

MOVED = "src/tenants/store.py"


def lens_lines(client: EditorClient, path: str) -> list[int]:
    lenses = client.result("textDocument/codeLens", {"textDocument": {"uri": client.uri(path)}})
    return [lens["range"]["start"]["line"] for lens in lenses]


def anchored_paths(user: Daemons) -> set[str]:
    """What the memory files say, as they are on disk."""
    return {
        line.partition("path:")[2].strip()
        for file in (user.root / ".memofs" / "memory").glob("*.md")
        for line in file.read_text(encoding="utf-8").splitlines()
        if "path:" in line
    }


def rename(client: EditorClient, old: str, new: str) -> None:
    place = client.root / new
    place.parent.mkdir(parents=True, exist_ok=True)
    (client.root / old).rename(place)
    client.notify("workspace/didRenameFiles", {"files": [{"oldUri": client.uri(old), "newUri": client.uri(new)}]})


def test_memories_follow_a_file_that_the_editor_renames_with_what_is_typed_in_it(user: Daemons) -> None:
    with editor(user) as client:
        result = client.initialize({"workspace": {"fileOperations": {"didRename": True}}})
        assert "didRename" in result["capabilities"]["workspace"]["fileOperations"]
        client.open(PATH)
        client.close(PATH)
        rename(client, PATH, MOVED)
        client.open(MOVED, CODE.replace("return path", "return None"))
        assert client.diagnostics(MOVED, bool)[0]["code"] == "memofs.changed"
        assert anchored_paths(user) == {MOVED}
        assert user.memofs("check").code == 0
        assert "rename" in user.ok("history")
        user.ok("undo")
        assert anchored_paths(user) == {PATH}


def test_memories_follow_a_folder(user: Daemons) -> None:
    with editor(user) as client:
        client.initialize()
        client.open(PATH)
        lens_lines(client, PATH)
        rename(client, "src", "lib")
        until(lambda: anchored_paths(user) == {"lib/store.py"}, "the anchors name the new folder")


def test_a_report_of_a_rename_that_did_not_happen_changes_nothing(user: Daemons) -> None:
    files = [
        {"oldUri": "file:///elsewhere/a.py", "newUri": "file:///elsewhere/b.py"},
        {"oldUri": (user.root / PATH).as_uri(), "newUri": (user.root / "src/no.py").as_uri()},
        {"oldUri": "untitled:Untitled-1", "newUri": "nonsense"},
    ]
    with editor(user) as client:
        client.initialize()
        client.open(PATH)
        client.notify("workspace/didRenameFiles", {"files": files})
        assert len(lens_lines(client, PATH)) == 2
        assert anchored_paths(user) == {PATH}


@pytest.mark.parametrize("way", ["mv", "git", "delete and restore"])
def test_what_happens_to_a_file_behind_the_editors_back_is_seen(user: Daemons, way: str) -> None:
    git = ["git", "-C", str(user.root), "-c", "user.name=A", "-c", "user.email=a@b.c"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "one"], check=True)
    with editor(user) as client:
        client.initialize()
        asked = {"query": "one file per tenant"}
        client.result("memofs/recall", asked)
        (user.root / MOVED).parent.mkdir(parents=True)

        def place() -> tuple[str, str]:
            anchor = client.result("memofs/recall", asked)["hits"][0]["anchors"][0]
            return anchor["path"], anchor["verdict"]

        if way == "delete and restore":
            text = (user.root / PATH).read_text(encoding="utf-8")
            (user.root / PATH).unlink()
            until(lambda: place()[1] == "missing", "the deleted file is missed")
            (user.root / PATH).write_text(text, encoding="utf-8")
            until(lambda: place() == (PATH, "current"), "the restored file is found")
            return
        if way == "mv":
            (user.root / PATH).rename(user.root / MOVED)
        else:
            subprocess.run([*git, "mv", PATH, MOVED], check=True)
        until(lambda: place() == (MOVED, "moved"), "the moved file is found")


def test_a_client_is_asked_to_watch_memory_files_if_it_can_be(user: Daemons) -> None:
    with editor(user) as client:
        client.initialize({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}})
        [registration] = client.until_told("client/registerCapability")["registrations"]
        assert registration["method"] == "workspace/didChangeWatchedFiles"
        path = user.root / ".memofs" / "memory" / "note.md"
        path.write_text("# Written by hand\n\nTenants are archived after a year.\n", encoding="utf-8")
        change = {"uri": path.as_uri(), "type": 1}
        client.notify("workspace/didChangeWatchedFiles", {"changes": [change, {"uri": "file:///x", "type": 3}]})
        until(
            lambda: (
                "Written by hand"
                in [hit["title"] for hit in client.result("memofs/recall", {"query": "archived after a year"})["hits"]]
            ),
            "the file is taken in",
        )


def test_a_client_without_dynamic_registration_is_asked_for_nothing(user: Daemons) -> None:
    with editor(user) as client:
        client.initialize()
        client.open(PATH)
        lens_lines(client, PATH)
        assert client.requests == []


def test_settings_are_read_again_when_the_editor_says_so(user: Daemons) -> None:
    with editor(user) as client:
        client.initialize()
        client.result("memofs/recall", {"query": "tenant"})
        path = user.root / ".memofs" / "config.json"
        settings = json.loads(path.read_text(encoding="utf-8")) | {"kinds": ["runbook"]}
        path.write_text(json.dumps(settings), encoding="utf-8")
        client.notify("workspace/didChangeConfiguration", {"settings": {"anything": 1}})
        made = client.ask("memofs/remember", {"body": "Restart twice", "kind": "runbook"})
        assert "error" not in made, made


WITH_PROGRESS: Mapping[str, Any] = {"window": {"workDoneProgress": True}}


def test_indexing_is_shown_as_progress_that_ends(workspace: Workspace, runtime: Path) -> None:
    settings = workspace.root / ".memofs" / "config.json"
    asked = json.loads(settings.read_text(encoding="utf-8"))
    del asked["embedding"]
    settings.write_text(json.dumps(asked), encoding="utf-8")
    for number in range(30):
        workspace.write(f".memofs/memory/m{number}.md", f"# Memory {number}\n\nAbout matter number {number}.\n")
    with daemons(workspace, runtime=runtime) as user, editor(user) as client:
        client.initialize(WITH_PROGRESS)
        client.ask("memofs/recall", {"query": "matter", "wait": False})
        token = client.until_told("window/workDoneProgress/create")["token"]
        told = client.until_told("$/progress", lambda params: params["value"]["kind"] == "begin")
        assert told["token"] == token
        assert "30 memories" in told["value"]["message"]
        client.until_told("$/progress", lambda params: params["value"]["kind"] == "end")
        status = client.until_told("memofs/serverStatus", lambda params: params["quiescent"])
        assert status["health"] == "ok"


def test_who_comes_later_learns_how_the_daemon_is(user: Daemons) -> None:
    with editor(user) as client:
        client.initialize()
        assert client.until_told("memofs/serverStatus") == {
            "health": "ok",
            "quiescent": True,
            "message": None,
            "done": None,
            "total": None,
        }


CAN_SHOW: Mapping[str, Any] = {"window": {"showDocument": {"support": True}}}


def test_what_changed_is_shown_by_a_client_without_a_diff_of_its_own(user: Daemons) -> None:
    user.workspace.write(PATH, CODE.replace("return path", "return None"))
    with editor(user) as client:
        client.answers["window/showDocument"] = {"success": True}
        client.initialize(CAN_SHOW)
        client.open(PATH)
        data = client.diagnostics(PATH, bool)[0]["data"]
        shown = {"command": "memofs.showChanges", "arguments": [data["memory"], data["anchorIndex"]]}
        client.result("workspace/executeCommand", shown)
        uri = client.until_told("window/showDocument")["uri"]
        assert "+        return None" in Path(uri.removeprefix("file://")).read_text(encoding="utf-8")
        client.answers["window/showDocument"] = {"success": False}
        client.result("workspace/executeCommand", shown)
        assert "+        return None" in client.until_told("window/showMessage")["message"]


@pytest.mark.parametrize("named", ["workspaceFolders", "rootUri", "rootPath"])
def test_the_workspace_is_the_one_that_the_editor_names(user: Daemons, tmp_path: Path, named: str) -> None:
    inner = user.root / "src"
    params: dict[str, Any] = {"rootUri": None, "workspaceFolders": None}
    params[named] = {
        "workspaceFolders": [{"uri": inner.as_uri(), "name": "src"}],
        "rootUri": inner.as_uri(),
        "rootPath": str(inner),
    }[named]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with editor(user, cwd=elsewhere) as client:
        client.initialize(**params)
        assert client.result("memofs/status")["memories"] == 2
    assert list(elsewhere.iterdir()) == []


def test_nested_workspaces_and_several_folders_are_served_each_by_its_own(user: Daemons) -> None:
    inner = user.root / "packages" / "api"
    inner.mkdir(parents=True)
    shutil.copytree(user.root / ".memofs", inner / ".memofs", ignore=shutil.ignore_patterns("*.md", "tmp", "indexes"))
    (inner / ".memofs" / "memory" / "inner.md").write_text(
        "# Of the inner one\n\nGateways retry twice.\n", encoding="utf-8"
    )
    with editor(user) as outer, editor(user, "--root", str(inner)) as own:
        outer.initialize()
        own.initialize(rootUri=inner.as_uri())
        assert outer.result("memofs/status")["memories"] == 2
        assert own.result("memofs/status")["memories"] == 1
        assert own.result("memofs/recall", {"query": "gateways retry"})["hits"][0]["title"] == "Of the inner one"
        (inner / "a.py").write_text("x = 1\n", encoding="utf-8")
        anchor = {"uri": (inner / "a.py").as_uri()}
        own.result("memofs/remember", {"body": "x is one", "anchors": [anchor]})
        assert len(list((inner / ".memofs" / "memory").glob("x-is-one-*.md"))) == 1


def test_documents_outside_of_the_workspace_are_left_alone(user: Daemons, tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text(CODE, encoding="utf-8")
    with editor(user) as client:
        client.initialize()
        for uri in (outside.as_uri(), "untitled:Untitled-1", "git:/x?y", "file://host/x.py"):
            document = {"uri": uri, "languageId": "python", "version": 1, "text": CODE}
            client.notify("textDocument/didOpen", {"textDocument": document})
            assert client.result("textDocument/codeLens", {"textDocument": {"uri": uri}}) == []
            place = {"textDocument": {"uri": uri}, "position": {"line": OPEN_LINE, "character": 9}}
            assert client.result("textDocument/hover", place) is None
            client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


def test_a_workspace_behind_a_link_is_answered_in_the_clients_spelling(user: Daemons, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(user.root)
    with editor(user, cwd=link) as client:
        client.root = link
        client.initialize()
        client.open(PATH)
        assert len(lens_lines(client, PATH)) == 2
        client.edit(PATH, (OPEN_LINE + 3, 15), (OPEN_LINE + 3, 19), "None")
        assert len(client.diagnostics(PATH, bool)) == 1


@pytest.mark.parametrize(("asked", "code"), [(True, 0), (False, 1)])
def test_the_exit_code_says_whether_the_session_was_shut_down(user: Daemons, *, asked: bool, code: int) -> None:
    with editor(user) as client:
        client.initialize()
        if asked:
            client.result("shutdown")
        client.notify("exit")
        assert client.process.wait(30) == code
    assert user.pids()


def test_an_editor_can_have_the_daemon_drained_and_is_started_again(user: Daemons) -> None:
    with editor(user) as client:
        client.initialize()
        assert client.result("memofs/hello", {"role": "editor"})["root"] == str(user.root)
        pid = user.notice["pid"]
        assert client.result("memofs/drain", {})["pid"] == pid
        assert client.process.wait(30) == 1
        until(lambda: pid not in user.pids(), "the daemon has ended")


def test_a_killed_daemon_is_no_ended_session_though_another_stands_already(user: Daemons) -> None:
    with editor(user) as client:
        client.initialize()
        pid = user.notice["pid"]
        client.process.send_signal(signal.SIGSTOP)
        os.kill(pid, signal.SIGKILL)
        until(lambda: not is_running(pid), "the daemon is gone")
        assert user.start() != pid
        client.process.send_signal(signal.SIGCONT)
        assert client.process.wait(30) == 1


def test_a_document_is_one_however_its_uri_is_spelled(user: Daemons) -> None:
    user.workspace.write("src/a b.py", CODE)
    user.ok("remember", "Spaces are fine", "--anchor", "src/a b.py#Store.open")
    with editor(user) as client:
        client.initialize()
        client.open("src/a b.py")
        client.diagnostics("src/a b.py", lambda _: True)
        other = client.uri("src/a b.py").replace("%20", " ")
        assert other != client.uri("src/a b.py")
        place = {"start": {"line": OPEN_LINE + 3, "character": 15}, "end": {"line": OPEN_LINE + 3, "character": 19}}
        change = {"textDocument": {"uri": other, "version": 2}, "contentChanges": [{"range": place, "text": "None"}]}
        client.notify("textDocument/didChange", change)
        assert len(client.diagnostics("src/a b.py", bool)) == 1
        hover = {"textDocument": {"uri": other}, "position": {"line": OPEN_LINE, "character": 9}}
        assert "Spaces are fine" in client.result("textDocument/hover", hover)["contents"]["value"]
        client.notify("textDocument/didClose", {"textDocument": {"uri": other}})
        assert client.diagnostics("src/a b.py", lambda left: not left) == []


WATCHES: Mapping[str, Any] = {
    "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}},
    "window": {"showDocument": {"support": True}, "workDoneProgress": True},
}


@pytest.mark.parametrize("way", ["eof", "exit", "shutdown and exit"])
def test_a_client_that_answers_nothing_can_leave(user: Daemons, way: str) -> None:
    with editor(user) as client:
        client.initialize(WATCHES)
        if way == "shutdown and exit":
            client.send({"id": "s", "method": "shutdown"})
        if way == "eof":
            assert client.process.stdin is not None
            client.process.stdin.close()
        else:
            client.notify("exit")
        assert client.process.wait(30) == {"eof": 0, "exit": 1, "shutdown and exit": 0}[way]
    watcher = user.client()
    until(lambda: watcher.ask("memofs/status")["result"]["sessions"] == 1, "the session is gone")


@pytest.mark.parametrize("answer", [None, {}, []])
def test_an_answer_that_cannot_be_read_holds_up_nothing(user: Daemons, answer: object) -> None:
    with editor(user) as client:
        client.answers["window/showDocument"] = answer
        client.initialize(WATCHES)
        memory = client.result("memofs/anchors", {})["anchors"][0]["memory"]
        shown = {"command": "memofs.showMemories", "arguments": [[memory]]}
        client.result("workspace/executeCommand", shown)
        assert client.until_told("window/showMessage")["message"]
        client.send({"id": "later", "method": "workspace/executeCommand", "params": shown})
        assert client.leave() == 0


def test_after_shutdown_nothing_is_answered_any_more(user: Daemons) -> None:
    with editor(user) as client:
        client.initialize()
        client.result("shutdown")
        for method in ("memofs/recall", "memofs/status", "textDocument/hover"):
            assert client.ask(method, {"query": "x"})["error"]["code"] == -32600
