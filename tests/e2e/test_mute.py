"""Muting in editors: a lens or a warning goes, and nothing else; on this machine only."""

from typing import Any

import pytest

from e2e.daemon_program import Daemons
from e2e.editor_client import EditorClient, editor
from e2e.tenants import CODE, OPEN_LINE, PATH

STALE = CODE.replace("return path", "return None")


def lens_lines(client: EditorClient) -> list[int]:
    lenses = client.result("textDocument/codeLens", {"textDocument": {"uri": client.uri(PATH)}})
    return [lens["range"]["start"]["line"] for lens in lenses]


def warned(client: EditorClient) -> dict[str, Any]:
    """The warning about the function that was changed on disk."""
    client.initialize()
    client.open(PATH)
    return client.diagnostics(PATH, bool)[0]


def test_a_warning_is_muted_for_every_editor_until_the_code_changes_again(user: Daemons) -> None:
    user.workspace.write(PATH, STALE)
    with editor(user) as one, editor(user) as other:
        memory = warned(one)["data"]["memory"]
        warned(other)
        asked = {"id": memory, "anchorIndex": 0, "scope": "diagnostics", "until": "changed"}
        [told] = one.result("memofs/mute", asked)["muted"]
        assert (told["memory"], told["scope"], told["until"]) == (memory, "diagnostics", "changed")
        for client in (one, other):
            client.diagnostics(PATH, lambda left: not left)
            assert len(lens_lines(client)) == 2
        [row] = [each for each in one.result("memofs/anchors", {})["anchors"] if each["memory"] == memory]
        assert (row["verdict"], row["muted"]) == ("changed", ["diagnostics"])
        assert user.memofs("check").code == 1
        assert "stale" in one.result("memofs/recall", {"query": "one file per tenant"})["hits"][0]["flags"]
        one.edit(PATH, (OPEN_LINE + 3, 15), (OPEN_LINE + 3, 19), "...")
        assert one.diagnostics(PATH, bool)[0]["data"]["memory"] == memory


def test_blanks_are_no_change_of_the_code(user: Daemons) -> None:
    user.workspace.write(PATH, STALE)
    with editor(user) as client:
        memory = warned(client)["data"]["memory"]
        client.result("memofs/mute", {"id": memory, "until": "changed"})
        client.diagnostics(PATH, lambda left: not left)
        client.edit(PATH, (OPEN_LINE + 3, 0), (OPEN_LINE + 3, 0), "\n\n")
        version = client.edit(PATH, (0, 0), (0, 0), "# above\n")
        while True:
            message = client.receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                assert message["params"]["diagnostics"] == []
                if message["params"]["version"] == version:
                    break


def test_lenses_of_a_file_are_muted_and_come_back(user: Daemons) -> None:
    with editor(user) as client:
        client.initialize()
        client.open(PATH)
        assert len(lens_lines(client)) == 2
        client.result("memofs/mute", {"uri": client.uri(PATH), "scope": "lens"})
        assert lens_lines(client) == []
        assert client.result("textDocument/hover", client.at(PATH, OPEN_LINE, 10)) is not None
        with editor(user) as later:
            later.initialize()
            later.open(PATH)
            assert lens_lines(later) == []
            assert later.result("memofs/unmute", {"path": PATH})["muted"] == []
            assert later.result("memofs/mutes")["muted"] == []
            assert len(lens_lines(later)) == 2


def test_muting_the_same_again_replaces_the_wish(user: Daemons) -> None:
    with editor(user) as client:
        memory = warned_or_first(client)
        client.result("memofs/mute", {"id": memory, "until": "2999-01-01T00:00:00Z"})
        muted = client.result("memofs/mute", {"id": memory})["muted"]
        assert [(each["scope"], each["until"]) for each in muted] == [("diagnostics", None), ("lens", None)]
        assert client.result("memofs/unmute", {"all": True})["muted"] == []


def warned_or_first(client: EditorClient) -> str:
    client.initialize()
    return client.result("memofs/anchors", {})["anchors"][0]["memory"]


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("mute", {}, "nothingNamed"),
        ("mute", {"id": "mem_nothing_like_it"}, "memory"),
        ("mute", {"path": "../else.py"}, "outside"),
        ("mute", {"path": PATH, "uri": "file:///x"}, "pathOrUri"),
        ("mute", {"path": PATH, "anchorIndex": 0}, "anchorIndex"),
        ("mute", {"path": PATH, "until": "tomorrow"}, "until"),
        ("mute", {"path": PATH, "until": "2001-01-01T00:00:00Z"}, "until"),
        ("unmute", {}, "nothingNamed"),
        ("unmute", {"all": True, "path": PATH}, "all"),
    ],
)
def test_a_wish_that_means_nothing_is_refused(user: Daemons, method: str, params: dict[str, Any], code: str) -> None:
    with editor(user) as client:
        client.initialize()
        error = client.ask(f"memofs/{method}", params)["error"]
        assert error["data"]["code"] == code
        assert client.result("memofs/mutes")["muted"] == []


def test_damaged_mutes_mute_nothing(user: Daemons) -> None:
    path = user.root / ".memofs" / "indexes" / "mutes.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text('[{"scope": "lens"', encoding="utf-8")
    with editor(user) as client:
        client.initialize()
        client.open(PATH)
        assert len(lens_lines(client)) == 2
        assert len(client.result("memofs/mute", {"path": PATH})["muted"]) == 2
