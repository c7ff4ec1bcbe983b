"""Text that only an editor has: what its own requests make of it, and that nobody else sees it."""

from typing import Any

import pytest

from e2e.daemon_program import Daemons
from e2e.editor_client import EditorClient, editor
from e2e.tenants import CODE, OPEN_LINE, PATH


def changed_in(client: EditorClient) -> list[dict[str, Any]]:
    """What is warned of after the function was changed, but not saved."""
    client.initialize()
    client.open(PATH)
    client.diagnostics(PATH, lambda _: True)
    client.edit(PATH, (OPEN_LINE + 3, 15), (OPEN_LINE + 3, 19), "None")
    return client.diagnostics(PATH, bool)


def test_verifying_holds_for_what_the_editor_shows(user: Daemons) -> None:
    with editor(user) as client:
        [found] = changed_in(client)
        verified = client.result("memofs/verify", {"ids": [found["data"]["memory"]]})
        assert verified["memories"][0]["anchors"][0]["verdict"] == "current"
        assert client.diagnostics(PATH, lambda left: not left) == []
        assert user.memofs("check").code == 1  # the disk has the old text still
        user.workspace.write(PATH, CODE.replace("return path", "return None"))
        assert user.memofs("check").code == 0


def test_what_changed_is_told_of_the_text_that_the_editor_has(user: Daemons) -> None:
    with editor(user) as client:
        [found] = changed_in(client)
        asked = {"id": found["data"]["memory"], "anchorIndex": found["data"]["anchorIndex"]}
        told = client.result("memofs/changes", asked)
        assert "return path" in told["before"]
        assert "return None" in told["after"]
        assert "+        return None" in told["diff"]
        with editor(user) as other:
            other.initialize()
            assert other.result("memofs/changes", asked)["diff"] == ""


def test_a_memory_is_tied_to_lines_as_the_editor_has_them(user: Daemons) -> None:
    with editor(user) as client:
        client.initialize()
        client.open(PATH)
        client.edit(PATH, (0, 0), (0, 0), "# head\n" * 50)
        place = {"start": {"line": OPEN_LINE + 52, "character": 0}, "end": {"line": OPEN_LINE + 53, "character": 0}}
        anchor = {"uri": client.uri(PATH), "range": place}
        made = client.result("memofs/remember", {"body": "The path ends in db", "anchors": [anchor]})
        [tied] = made["memory"]["anchors"]
        assert tied["range"]["start"]["line"] == OPEN_LINE + 52
        assert tied["verdict"] == "current"
        told = user.json("anchors", PATH)["anchors"]
        [on_disk] = [each for each in told if each["memory"] == made["memory"]["id"]]
        assert (on_disk["verdict"], on_disk["range"]["start"]["line"]) == ("moved", OPEN_LINE + 2)


def test_an_anchor_is_moved_to_where_the_editor_shows_it(user: Daemons) -> None:
    with editor(user) as client:
        [found] = changed_in(client)
        client.edit(PATH, (0, 0), (0, 0), "# head\n" * 3)
        place = {"start": {"line": OPEN_LINE + 5, "character": 8}, "end": {"line": OPEN_LINE + 5, "character": 31}}
        target = {"uri": client.uri(PATH), "range": place}
        asked = {"id": found["data"]["memory"], "anchorIndex": 0, "target": target}
        moved = client.result("memofs/reanchor", asked)["memory"]
        assert moved["anchors"][0]["range"]["start"]["line"] == OPEN_LINE + 5
        assert client.diagnostics(PATH, lambda left: not left) == []


def test_a_file_that_is_not_on_disk_yet_can_be_remembered(user: Daemons) -> None:
    with editor(user) as client:
        client.initialize()
        client.open("src/new.py", "LIMIT = 7\n")
        anchor = {
            "path": "src/new.py",
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}},
        }
        made = client.result("memofs/remember", {"body": "Seven is enough for anybody", "anchors": [anchor]})
        assert made["memory"]["anchors"][0]["verdict"] == "current"
        client.close("src/new.py")
        found = user.json("anchors")["anchors"]
        assert [each["verdict"] for each in found if each["path"] == "src/new.py"] == ["missing"]


@pytest.mark.parametrize("text", ["# @generated\nx = 1\n", "a\x00b", "x = " + "1+" * 40_000 + "1\n", "", "zzz"])
def test_a_text_that_is_replaced_as_a_whole_and_put_back_is_current_again(user: Daemons, text: str) -> None:
    user.ok("remember", "All of it", "--anchor", PATH)
    with editor(user) as client:
        client.initialize()
        client.open(PATH)
        client.diagnostics(PATH, lambda _: True)
        rows: list[dict[str, Any]] = []
        for number, each in enumerate((text, CODE), start=2):
            named = {"uri": client.uri(PATH), "version": number}
            client.notify("textDocument/didChange", {"textDocument": named, "contentChanges": [{"text": each}]})
            rows = client.result("memofs/anchors", {"textDocument": {"uri": client.uri(PATH)}})["anchors"]
        assert [row["verdict"] for row in rows] == ["current"] * 3
        told = [each["params"] for each in client.notifications if each["method"] == "textDocument/publishDiagnostics"]
        assert told[-1]["diagnostics"] == []
