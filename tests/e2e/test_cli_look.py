"""`memofs show`, `list`, `history` and `status` on a small library."""

import re

import pytest

from e2e.memofs_program import MEMORIES, Workspace

D1, OLD, JWT, RETRY, GONE, PENDING = (f"mem_aaaaaaaa{end}" for end in ("d100", "old1", "jwt1", "ret1", "gone", "pend"))


def listed(workspace: Workspace, *args: str) -> list[str]:
    return [line.split()[0] for line in workspace.ok("list", *args).splitlines()]


def test_show_gives_facts_and_body(library: Workspace) -> None:
    text = library.ok("show", D1)
    lines = text.splitlines()
    assert lines[:4] == [
        "Use D1 for tenant metadata",
        f"  id          {D1}",
        "  kind        decision",
        "  status      active",
    ]
    assert re.search(r"^  created     2026-01-10 09:30Z \(.+ ago\)$", text, re.MULTILINE)
    assert f"  supersedes  {OLD}" in lines
    assert "  anchors     src/db/tenants.py:2 TenantStore.open" in lines
    assert lines[-2:] == [
        "",
        "Tenant metadata is read on every request from the edge, so it lives in Cloudflare's D1 database.",
    ]


def test_show_takes_the_end_of_an_id_and_says_who_superseded(library: Workspace) -> None:
    text = library.ok("show", "old1")
    assert f"  superseded by  {D1}\n" in text
    assert library.json("show", "old1")["memory"]["supersededBy"] == D1


def test_show_raw_is_the_file(library: Workspace) -> None:
    assert library.ok("show", "d100", "--raw") == MEMORIES["use-d1-d100.md"]
    assert library.json("show", "d100", "--raw")["text"] == MEMORIES["use-d1-d100.md"]


@pytest.mark.parametrize(
    ("given", "message"),
    [("mem_zzzzzzzzzzzz", "no memory has the id"), ("ab", "too short"), ("aaaaaaaa", "fits 6 memories")],
)
def test_show_says_why_an_id_names_no_memory(library: Workspace, given: str, message: str) -> None:
    ran = library.memofs("show", given)
    assert (ran.code, ran.out) == (1, "")
    assert message in ran.err
    assert "\nhint: " in ran.err


def test_list_is_one_line_a_memory_for_grep(library: Workspace) -> None:
    lines = library.ok("list", "--sort", "title").splitlines()
    assert [line.split()[0] for line in lines] == [JWT, RETRY, D1, PENDING]
    assert lines[2] == f"{D1}  decision    2026-01-10  Use D1 for tenant metadata  [database, tenants]"
    assert lines[3] == f"{PENDING}  preference  2026-01-13  缓存必须先预热  (unverified, pending)"


def test_list_filters(library: Workspace) -> None:
    assert listed(library, "-k", "note") == [RETRY]
    assert set(listed(library, "--kind", "note,decision", "-t", "auth,uploads")) == {JWT, RETRY}
    assert listed(library, "--path", "src/**/*.py") == [D1]
    assert listed(library, "--status", "retired") == [GONE]
    assert set(listed(library, "--status", "retired", "--status", "pending")) == {GONE, PENDING}
    assert listed(library, "--flag", "superseded") == [OLD]
    assert set(listed(library, "--include-retired", "--all")) == {D1, OLD, JWT, RETRY, GONE, PENDING}


def test_list_sorts(library: Workspace) -> None:
    assert listed(library, "--sort", "created") == [PENDING, JWT, D1, RETRY]
    assert listed(library, "--sort", "updated") == [PENDING, JWT, D1, RETRY]
    assert listed(library, "--sort", "kind") == [JWT, D1, RETRY, PENDING]
    assert library.memofs("list", "--sort", "mood").code == 2


def test_list_pages_for_the_person_and_says_what_it_left_out(library: Workspace) -> None:
    ran = library.memofs("list", "-n", "2", "--sort", "title")
    assert len(ran.out.splitlines()) == 2
    assert ran.err == "2 of 4 memories; --all lists every one, --limit N more\n"
    first = library.json("list", "-n", "2", "--sort", "title")
    assert (first["total"], len(first["memories"])) == (4, 2)
    rest = library.json("list", "-n", "1000", "--sort", "title", "--page", first["page"])
    assert [memory["id"] for memory in first["memories"] + rest["memories"]] == [JWT, RETRY, D1, PENDING]
    assert rest["page"] is None
    ran = library.memofs("list", "--page", "nonsense")
    assert (ran.code, ran.out) == (1, "")


def test_list_bodies(library: Workspace) -> None:
    assert library.json("list", "-k", "note")["memories"][0]["body"] is None
    assert "backoff" in library.json("list", "-k", "note", "--bodies")["memories"][0]["body"]


def test_list_all_reads_every_page(workspace: Workspace) -> None:
    for number in range(1003):
        workspace.write(f".memofs/memory/n{number}.md", f"# Number {number}\n")
    assert len(workspace.ok("list", "--all").splitlines()) == 1003
    many = workspace.json("list", "-n", "1002")
    assert len(many["memories"]) == 1002
    assert many["page"] is not None
    assert len({memory["id"] for memory in many["memories"]}) == 1002


def test_an_empty_list_says_so_beside_the_output(workspace: Workspace) -> None:
    ran = workspace.memofs("list")
    assert (ran.code, ran.out) == (0, "")
    assert "no memories fit" in ran.err
    assert workspace.json("list")["memories"] == []


def test_status_counts(library: Workspace) -> None:
    document = library.json("status")
    assert document["memories"] == 6
    assert document["byStatus"] == {"active": 4, "pending": 1, "retired": 1}
    assert document["byKind"] == {"decision": 3, "note": 1, "constraint": 1, "preference": 1}
    text = library.ok("status")
    assert re.search(r"^memories    6 · 4 active, 1 pending, 1 retired$", text, re.MULTILINE), text
    assert re.search(r"^workspace   .+ \(Tenants\)$", text, re.MULTILINE)


def test_history_of_a_workspace_that_wrote_nothing(library: Workspace) -> None:
    assert library.ok("history") == "No writes on this machine yet.\n"
    assert library.json("history", "d100")["events"] == []


def test_history_is_newest_first_and_can_be_narrowed(workspace: Workspace) -> None:
    first = workspace.json("remember", "The first thing to know about lighthouses")["memory"]["id"]
    second = workspace.json("remember", "Another thing, about harbour pilots")["memory"]["id"]
    workspace.ok("retire", first)
    events = workspace.json("history")["events"]
    assert [(event["type"], event["memory"]) for event in events] == [
        ("retire", first),
        ("remember", second),
        ("remember", first),
    ]
    assert len(workspace.json("history", "-n", "1")["events"]) == 1
    lines = workspace.ok("history", first[-4:]).splitlines()
    assert [line.split()[2] for line in lines] == ["retire", "remember"]
    assert all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\dZ  ", line) for line in lines)
