"""What a briefing left out: all of it, once, in this process and in others, today and later, or an error that helps."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from e2e.memofs_program import LATELY, PROGRAM, Workspace, memory_file
from e2e.raw_client import Raw

NOW = "2026-12-01T12:00:00Z"
LATER = {"MEMOFS_NOW": "2026-12-01T12:01:01Z"}
MUCH_LATER = {"MEMOFS_NOW": "2026-12-31T12:00:00Z"}
SENTENCE = "The gateway number {0} answers within {0} milliseconds, and its owner is team {0}. "


def gateway(number: int, *, times: int = 4, kind: str = "note", more: str = "") -> str:
    """A memory about gateways that is like no other."""
    words = " ".join(f"w{number}x{place}" for place in range(12))
    front = f"id: mem_{number:012d}\nkind: {kind}\ntitle: Gateway {number}\ncreated: {LATELY}{more}"
    return memory_file(front, f"{SENTENCE.format(number) * times}{words}")


@pytest.fixture
def gateways(workspace: Workspace) -> Workspace:
    """Twenty memories that answer one question, and twenty more that do not."""
    for number in range(20):
        workspace.write(f".memofs/memory/g{number}.md", gateway(number))
    for number in range(20, 40):
        text = memory_file(
            f"id: mem_{number:012d}\nkind: note\ntitle: Chart {number}", f"The palette {number} is fixed."
        )
        workspace.write(f".memofs/memory/c{number}.md", text)
    return workspace


def sections(answer: Any) -> dict[str, Any]:
    return {section["name"]: section for section in answer["sections"]}


def everything(workspace: Workspace, cursor: str | None) -> list[str]:
    """The ids behind a cursor, page after page, each page a process."""
    found: list[str] = []
    while cursor is not None:
        page = workspace.json("expand", cursor)
        assert page["bytes"] == len(page["text"].encode()) <= 65_536
        found += page["items"]
        cursor = page["cursor"]
    return found


# --- all of it, once ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("max_bytes", ["1024", "2048", "8192"])
def test_what_was_left_out_is_given_exactly_once(gateways: Workspace, max_bytes: str) -> None:
    answer = gateways.json("context", "gateway", "--max-bytes", max_bytes, "--section", "recall,recent")
    shown = [id_ for section in answer["sections"] for id_ in section["items"]]
    left = [id_ for section in answer["sections"] for id_ in everything(gateways, section["cursor"])]
    assert len(left) == sum(section["omitted"] for section in answer["sections"])
    assert len({*shown, *left}) == len(shown) + len(left)
    answering = {f"mem_{number:012d}" for number in range(20)}
    assert answering <= {*shown, *left}
    assert {id_ for section in answer["sections"] for id_ in section["cut"]} <= set(left)


def test_pages_follow_one_another(workspace: Workspace) -> None:
    for number in range(20):
        workspace.write(f".memofs/memory/g{number}.md", gateway(number, times=130))
    answer = workspace.json("context", "gateway")
    recall = sections(answer)["recall"]
    first = workspace.json("expand", recall["cursor"])
    assert 0 < first["omitted"] < recall["omitted"], "they do not fit on one page"
    assert f"memofs expand {first['cursor']}" in first["text"]
    left = everything(workspace, recall["cursor"])
    assert len(left) == len(set(left)) == recall["omitted"]
    assert "w7x11" in first["text"] or "mem_000000000007" not in first["items"], "whole, to the last word"


def test_without_a_query_every_section_leads_to_its_rest(gateways: Workspace) -> None:
    answer = gateways.json("context", "--max-bytes", "2048")
    found = sections(answer)
    left = everything(gateways, found["recent"]["cursor"])
    assert len(left) == found["recent"]["omitted"]
    assert not set(left) & set(found["recent"]["items"])


def test_the_text_says_how_and_that_works(gateways: Workspace) -> None:
    text = gateways.ok("context", "gateway")
    command = re.search(r"memofs expand ([A-Za-z0-9_-]+)$", text, re.MULTILINE)
    assert command is not None
    assert gateways.ok("expand", command[1]).startswith("## Recall\n- mem_")
    assert gateways.ok("expand", f" '{command[1]}' \n") == gateways.ok("expand", command[1]), "as it is pasted"


def test_a_long_query_is_answered_and_leads_on(gateways: Workspace) -> None:
    query = "why does the gateway not answer within milliseconds, and which team is its owner? " * 1_000
    answer = gateways.json("context", "--query", query, "--max-bytes", "2048")
    recall = sections(answer)["recall"]
    assert answer["bytes"] <= 2_048
    assert len(everything(gateways, recall["cursor"])) == recall["omitted"] > 0


# --- later, and elsewhere -------------------------------------------------------------------------------------------


def test_a_cursor_lasts(gateways: Workspace) -> None:
    ran = gateways.memofs("--json", "context", "gateway", env={"MEMOFS_NOW": NOW})
    recall = sections(ran.json())["recall"]
    for env in (LATER, MUCH_LATER):
        later = gateways.memofs("--json", "expand", recall["cursor"], env=env)
        assert (later.code, later.json()["warnings"]) == (0, [])
        assert len(later.json()["items"]) == recall["omitted"]


def test_the_same_briefing_has_the_same_cursors(gateways: Workspace) -> None:
    first, second = (sections(gateways.json("context", "gateway"))["recall"]["cursor"] for _ in range(2))
    assert first == second


def test_what_has_changed_since_is_said_and_shown_as_it_is_today(gateways: Workspace) -> None:
    recall = sections(gateways.json("context", "gateway"))["recall"]
    before = gateways.json("expand", recall["cursor"])
    changed, retired, removed, replaced = before["items"][:4]
    gateways.write(
        f".memofs/memory/g{int(changed[-3:])}.md",
        memory_file(f"id: {changed}\nkind: note\ntitle: Gateway, renamed", "Another text."),
    )
    gateways.ok("retire", retired)
    gateways.ok("forget", removed, "--yes")
    gateways.write(".memofs/memory/new.md", gateway(99, more=f"\nsupersedes: [{replaced}]"))
    after = gateways.json("expand", recall["cursor"])
    assert after["items"] == [changed, *before["items"][4:]]
    said = "1 of these has changed since the briefing, 3 hold no longer and are left out"
    assert after["warnings"] == [said]
    assert f"\n[{said}]\n" in after["text"]
    assert "Gateway, renamed" in after["text"]
    assert SENTENCE.format(int(removed[-3:])).strip() not in after["text"], "what is forgotten is nowhere"


def test_all_of_it_gone(gateways: Workspace) -> None:
    recall = sections(gateways.json("context", "gateway"))["recall"]
    gateways.ok("retire", *gateways.json("expand", recall["cursor"])["items"])
    after = gateways.json("expand", recall["cursor"])
    assert (after["items"], after["cursor"]) == ([], None)
    assert "hold no longer" in after["text"]


# --- what leads nowhere ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cursor", ["", "abc", "not a cursor at all", "../../etc/passwd", "x" * 5_000, "\x1b[2J", "AAAAAAAAAAAAAAAA"]
)
def test_what_is_no_cursor(gateways: Workspace, cursor: str) -> None:
    ran = gateways.memofs("expand", cursor)
    assert (ran.code, ran.out) == (1, "")
    assert "is not a cursor" in ran.err
    assert "hint: copy all of" in ran.err
    assert "\x1b" not in ran.err
    assert len(ran.err) < 300


def test_a_slip_in_a_cursor_is_noticed(gateways: Workspace) -> None:
    cursor = sections(gateways.json("context", "gateway"))["recall"]["cursor"]
    for wrong in (cursor[:-1], f"{cursor}A", f"{cursor[:4]}{'A' if cursor[4] != 'A' else 'B'}{cursor[5:]}"):
        error = gateways.memofs("--json", "expand", wrong).json()["error"]
        assert (error["family"], error["code"]) == ("InvalidRequest", "badCursor")


def test_a_cursor_of_another_workspace(gateways: Workspace, library: Workspace) -> None:
    cursor = sections(gateways.json("context", "gateway"))["recall"]["cursor"]
    error = library.memofs("--json", "expand", cursor).json()["error"]
    assert (error["family"], error["code"]) == ("NotFound", "otherWorkspace")
    assert "memofs -C" in error["hint"]


def test_a_cursor_that_is_no_longer_kept(gateways: Workspace) -> None:
    cursor = sections(gateways.json("context", "gateway"))["recall"]["cursor"]
    shutil.rmtree(gateways.root / ".memofs" / "indexes")
    error = gateways.memofs("--json", "expand", cursor).json()["error"]
    assert (error["family"], error["code"]) == ("Conflict", "expiredCursor")
    assert "memofs context" in error["hint"]
    assert sections(gateways.json("context", "gateway"))["recall"]["cursor"] == cursor
    assert gateways.json("expand", cursor)["items"], "asking again brings it back"


@pytest.mark.parametrize(
    "damage", [b"", b"\x00\xff", b"{}", b"[1, 2", b'{"section": "recall", "keys": 5}', b"[" * 100_000]
)
def test_damage_is_as_good_as_gone_and_heals(gateways: Workspace, damage: bytes) -> None:
    cursor = sections(gateways.json("context", "gateway"))["recall"]["cursor"]
    for path in (gateways.root / ".memofs" / "indexes" / "briefings").iterdir():
        path.write_bytes(damage)
    assert gateways.memofs("--json", "expand", cursor).json()["error"]["code"] == "expiredCursor"
    gateways.ok("context", "gateway")
    assert gateways.json("expand", cursor)["items"]


def test_many_processes_at_once(gateways: Workspace) -> None:
    command = [*PROGRAM, "--json", "context", "--section", "recall", "--max-bytes", "2048"]
    running = [
        subprocess.Popen(
            [*command, f"gateway number {number % 4}"],
            cwd=gateways.root,
            env=gateways.environment({"MEMOFS_NOW": NOW}),
            stdout=subprocess.PIPE,
        )
        for number in range(8)
    ]
    answers = [json.loads(process.communicate(timeout=120)[0]) for process in running]
    for answer in answers:
        recall = sections(answer)["recall"]
        assert len(everything(gateways, recall["cursor"])) == recall["omitted"]


# --- one session ----------------------------------------------------------------------------------------------------


@pytest.fixture
def session(gateways: Workspace, monkeypatch: pytest.MonkeyPatch) -> Iterator[Raw]:
    monkeypatch.setenv("MEMOFS_NOW", NOW)
    client = Raw(gateways.root)
    client.hello()
    yield client
    client.close()


def context(session: Raw, query: str, **more: object) -> Any:
    return session.ask("memofs/context", {"query": query, "sections": ["recall"], **more})["result"]


def test_a_session_needs_no_table(session: Raw, gateways: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    recall = sections(context(session, "gateway"))["recall"]
    shutil.rmtree(gateways.root / ".memofs" / "indexes" / "briefings")
    monkeypatch.setenv("MEMOFS_NOW", "2026-12-01T12:09:59Z")
    answer = session.ask("memofs/expand", {"cursor": recall["cursor"]})["result"]
    assert len(answer["items"]) == recall["omitted"]
    monkeypatch.setenv("MEMOFS_NOW", "2026-12-01T12:10:01Z")
    error = session.ask("memofs/expand", {"cursor": recall["cursor"]})["error"]
    assert (error["code"], error["data"]["code"]) == (-31002, "expiredCursor")


def test_what_a_session_has_let_go_is_in_the_table(session: Raw, gateways: Workspace) -> None:
    def eight_others() -> None:
        for number in range(8):
            other = sections(context(session, "gateway", maxBytes=1_500 + 100 * number))["recall"]["cursor"]
            assert other not in (None, recall["cursor"])

    recall = sections(context(session, "gateway"))["recall"]
    eight_others()
    answer = session.ask("memofs/expand", {"cursor": recall["cursor"]})["result"]
    assert len(answer["items"]) == recall["omitted"]
    eight_others()
    shutil.rmtree(gateways.root / ".memofs" / "indexes" / "briefings")
    assert session.ask("memofs/expand", {"cursor": recall["cursor"]})["error"]["data"]["code"] == "expiredCursor"


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"taskType": "cooking"}, "coding, debug, docs, general, refactor"),
        ({"maxBytes": 1_023}, "maxBytes"),
        ({"maxBytes": 262_145}, "maxBytes"),
        ({"sections": ["nothing"]}, "recall"),
        ({"here": {}}, "path or a uri"),
        ({"here": {"path": "a.py", "uri": "file:///a.py"}}, "path or a uri"),
        ({"here": {"uri": "https://example.invalid/a.py"}}, "names no file"),
        (
            {
                "here": {
                    "path": "a.py",
                    "range": {"start": {"line": -5, "character": 0}, "end": {"line": 1, "character": 0}},
                }
            },
            "first line",
        ),
    ],
)
def test_params_that_are_wrong(session: Raw, params: dict[str, object], says: str) -> None:
    error = session.ask("memofs/context", params)["error"]
    assert error["code"] == -32602
    assert says in f"{error['message']} {error['data'].get('hint')}"


@pytest.mark.parametrize("path", ["../outside.py", "/etc/passwd", "src/../../x"])
def test_a_place_outside_is_refused(session: Raw, path: str) -> None:
    assert session.ask("memofs/context", {"here": {"path": path}})["error"]["code"] == -31004


def test_a_place_by_uri(session: Raw, gateways: Workspace) -> None:
    anchors = "\nanchors:\n  - path: src/a b.py\n    lines: 4-6"
    gateways.write(".memofs/memory/tied.md", gateway(77, more=anchors))
    uri = (gateways.root / "src" / "a b.py").as_uri()
    zero_based = {"start": {"line": 2, "character": 5}, "end": {"line": 5, "character": 0}}
    answer = session.ask("memofs/context", {"here": {"uri": uri, "range": zero_based}})["result"]
    assert '## Here: "src/a b.py":3-5' in answer["text"]
    assert sections(answer)["here"]["items"] == ["mem_000000000077"]
