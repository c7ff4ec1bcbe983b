"""`memofs graph`: what memories say of entities is shown, what persons link is written down, counts and is undone."""

import json
import subprocess

import pytest

from e2e.memofs_program import LATELY, PROGRAM, Ran, Workspace, bound_by_permissions, memory_file

NODES, EDGES = ".memofs/graph/nodes.jsonl", ".memofs/graph/edges.jsonl"


@pytest.fixture
def shop(workspace: Workspace) -> Workspace:
    """Memories that say what uses what."""
    workspace.write(
        ".memofs/memory/cache-va1k.md",
        memory_file(
            f"id: mem_aaaaaaaava1k\nkind: decision\ntitle: Caching\ncreated: 2026-01-11\nverified: {LATELY}",
            "TokenStore uses Valkey.",
        ),
    )
    workspace.write(
        ".memofs/memory/billing-b1ng.md",
        memory_file(
            f"id: mem_aaaaaaaab1ng\nkind: note\ntitle: Billing\ncreated: 2026-01-12\nverified: {LATELY}",
            "InvoiceService depends on TokenStore. It is old.",
        ),
    )
    return workspace


def written(workspace: Workspace, path: str) -> list[dict[str, object]]:
    file = workspace.root / path
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def refused(ran: Ran, *says: str, code: int = 1) -> None:
    assert (ran.code, ran.out) == (code, ""), ran
    assert "Traceback" not in ran.err
    for each in says:
        assert each in ran.err, ran.err


def test_an_entity_is_shown_with_what_is_said_of_it_and_where(shop: Workspace) -> None:
    assert shop.ok("graph", "show", "TokenStore") == (
        "TokenStore  concept  concept:tokenstore\n"
        "  currently: uses Valkey\n"
        "\n"
        "What is said:\n"
        "  TokenStore uses Valkey                mem_aaaaaaaava1k  Caching\n"
        "  InvoiceService depends on TokenStore  mem_aaaaaaaab1ng  Billing\n"
        "\n"
        "Memories that name it:\n"
        "  mem_aaaaaaaab1ng  note      Billing\n"
        "  mem_aaaaaaaava1k  decision  Caching\n"
    )
    overview = shop.ok("graph", "show")
    assert overview.startswith("3 entities, 2 statements\n  TokenStore      concept  2 statements  in 2 memories")
    shown = shop.json("graph", "show", "tokenstore")
    assert [each["id"] for each in shown["entities"]] == ["concept:tokenstore"]
    assert shown["statements"][0]["path"] == ".memofs/memory/cache-va1k.md"
    assert shown["statements"][0]["from"] == {"id": "concept:tokenstore", "type": "concept", "label": "TokenStore"}
    assert "TokenStore uses Valkey" in shop.ok("graph", "show", "va1k"), "a memory shows what it says"


def test_a_link_is_written_shown_in_a_briefing_and_taken_back(shop: Workspace) -> None:
    said = shop.ok("graph", "link", "TokenStore", "depends on", "b1ng")
    assert said == f"Linked: TokenStore depends on “Billing”\n  {EDGES}\n`memofs undo` takes it back.\n"
    assert written(shop, EDGES) == [{"from": "TokenStore", "to": "mem_aaaaaaaab1ng", "type": "depends_on"}]
    said = shop.ok("graph", "link", "TokenStore", "blocks", "Night shift")
    assert "new: Night shift, concept concept:night-shift" in said
    assert "currently: uses Valkey; depends on" in shop.ok("context", "TokenStore", "--section", "entities")
    assert "blocks Night shift" in shop.ok("context", "TokenStore", "--section", "entities")
    before = (shop.root / EDGES).read_bytes()
    again = shop.ok("graph", "link", "tokenstore", "blocks", "night shift")
    assert again.startswith("It says so already; nothing was written:")
    assert (shop.root / EDGES).read_bytes() == before
    assert "link TokenStore blocks Night shift" in shop.ok("undo")
    assert "there is no entity" in shop.memofs("graph", "show", "Night shift").err
    assert [each["type"] for each in shop.json("history")["events"]][:2] == ["undo", "link"]


def test_unlink_takes_a_line_out_and_denies_what_memories_say(shop: Workspace) -> None:
    shop.ok("graph", "link", "Valkey", "owns", "Cache room")
    assert shop.ok("graph", "unlink", "Valkey", "owns", "Cache room").startswith("Unlinked: Valkey owns Cache room\n")
    assert written(shop, EDGES) == []
    said = shop.ok("graph", "unlink", "TokenStore", "Valkey")
    assert "memories still say so; it no longer counts:\n    TokenStore uses Valkey  mem_aaaaaaaava1k" in said
    assert written(shop, EDGES) == [{"from": "TokenStore", "to": "Valkey", "type": "uses", "status": "deleted"}]
    assert "What no longer holds:" in shop.ok("graph", "show", "Valkey")
    assert shop.ok("graph", "path", "TokenStore", "Valkey").startswith("Nothing that holds now joins")
    assert "already; nothing was written" in shop.ok("graph", "unlink", "TokenStore", "uses", "Valkey")
    turned = shop.memofs("graph", "unlink", "TokenStore", "InvoiceService")
    refused(turned, "nothing says that TokenStore is related in any way to InvoiceService", "turn the two round")
    refused(shop.memofs("graph", "unlink", "Valkey"), "A [REL] B", code=2)
    shop.ok("undo")
    assert "What no longer holds:" not in shop.ok("graph", "show", "Valkey")


def test_what_is_said_of_a_merged_name_is_said_of_the_other(shop: Workspace) -> None:
    shop.ok("graph", "link", "the fast store", "blocks", "Moving day")
    said = shop.ok("graph", "merge", "Valkey", "the fast store")
    assert said.startswith("Merged: the fast store is another name of Valkey\n  also called the fast store\n")
    (node,) = written(shop, NODES)
    assert (node["id"], node["aliases"]) == ("tool:valkey", ["the fast store"])
    assert "Valkey blocks Moving day" in shop.ok("graph", "show", "the fast store")
    shop.ok("graph", "merge", "Valkey", "TokenStore")
    path = shop.ok("graph", "path", "InvoiceService", "Moving day")
    assert path == (
        "InvoiceService to Moving day, 2 steps:\n"
        "  InvoiceService depends on Valkey  mem_aaaaaaaab1ng  Billing\n"
        "  Valkey blocks Moving day          by hand           edges.jsonl:1\n"
    )
    refused(shop.memofs("graph", "merge", "Valkey", "the fast store"), "one entity already")
    shop.ok("undo")
    assert "InvoiceService depends on TokenStore" in shop.ok("graph", "show", "TokenStore")


def test_the_graph_is_drawn_and_written_to_a_file(shop: Workspace) -> None:
    drawn = shop.ok("graph", "export", "--format", "mermaid")
    assert drawn.startswith("flowchart LR\n")
    assert "|depends on|" in drawn
    assert shop.ok("graph", "export", "--format", "dot").startswith("digraph memofs {\n")
    near = json.loads(shop.ok("graph", "export", "--around", "Valkey", "--steps", "1"))
    assert {each["id"] for each in near["nodes"]} == {"tool:valkey", "concept:tokenstore"}
    said = shop.ok("graph", "export", "-f", "json", "--output", "graph.json")
    assert said == "Wrote 3 entities and 2 statements to graph.json\n"
    assert len(json.loads((shop.root / "graph.json").read_text())["edges"]) == 2
    refused(shop.memofs("graph", "export", "--output", "no/such/folder.json"), "no/such/folder.json")
    refused(shop.memofs("graph", "export", "--steps", "1"), "--steps goes with --around", code=2)


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["show", "TokenStor"], 1, ["there is no entity 'TokenStor'", "did you mean TokenStore?"]),
        (["path", "TokenStore", "Nowhere"], 1, ["there is no entity 'Nowhere'"]),
        (["merge", "TokenStore", "Nowhere"], 1, ["there is no entity 'Nowhere'"]),
        (["unlink", "TokenStore", "Nowhere"], 1, ["there is no entity 'Nowhere'"]),
        (["link", "mem_zzzzzz", "uses", "Valkey"], 1, ["no memory has the id 'mem_zzzzzz'"]),
        (["show", "mem_aaaaaa"], 1, ["fits 2 memories", "(Billing)", "(Caching)"]),
        (["link", "A1", "likes", "B1"], 2, ["uses, prefers, depends_on, supersedes, blocks, owns, related_to"]),
        (["link", "Valkey", "uses", "VALKEY"], 1, ["are the same"]),
        (["link", "va1k", "blocks", "va1k"], 1, ["are the same"]),
        (["link", "two\nlines", "uses", "Valkey"], 1, ["is no name of an entity"]),
        (["link", "\x1b[31mred", "uses", "Valkey"], 1, ["is no name of an entity"]),
        (["link", "left\u202eright", "uses", "Valkey"], 1, ["is no name of an entity"]),
        (["link", b"\xff\xfe".decode("utf-8", "surrogateescape"), "uses", "Valkey"], 2, ["is not UTF-8"]),
        (["link", "…", "uses", "Valkey"], 1, ["is no name of an entity"]),
        (["link", "x" * 161, "uses", "Valkey"], 1, ["at most 160 characters"]),
        (["link", "AKIAQ3EGTMYKZPL5VWXN", "uses", "Valkey"], 1, ["secret"]),
        (["link", "A1", "uses", "B1", "--confidence", "2"], 2, ["0 to 1"]),
    ],
)
def test_what_cannot_be_meant_is_said_clearly_and_nothing_is_written(
    shop: Workspace, arguments: list[str], code: int, says: list[str]
) -> None:
    refused(shop.memofs("graph", *arguments), *says, code=code)
    assert written(shop, EDGES) == written(shop, NODES) == []


def test_labels_that_other_hands_wrote_cannot_drive_a_terminal(shop: Workspace) -> None:
    label = 'Evil "x" \x1b[31m\u202e<b>'
    shop.write(NODES, json.dumps({"id": "tool:evil", "label": label, "aliases": ["a\nb"]}) + "\n")
    shop.write(EDGES, json.dumps({"from": "tool:evil", "to": "Valkey", "type": "uses"}) + "\n")
    for command in (["show", "tool:evil"], ["show"], ["path", "tool:evil", "TokenStore"], ["export", "-f", "mermaid"]):
        shown = shop.ok("graph", *command)
        assert "Evil" in shown
        assert not {"\x1b", "\u202e"} & set(shown), shown
        assert "\n<b>" not in shown


def test_lines_that_cannot_be_read_are_named_and_outlive_every_write(shop: Workspace) -> None:
    broken = b'{"from": "A1"\r\n\xff\xfe\n[1, 2]\n{"from": "Valkey", "to": "X9", "type": "likes"}'
    shop.write(EDGES, broken)
    shop.ok("graph", "link", "Valkey", "uses", "Rack 7")
    shop.ok("graph", "unlink", "Valkey", "uses", "Rack 7")
    shop.ok("graph", "link", "Valkey", "owns", "Rack 7")
    assert (shop.root / EDGES).read_bytes().startswith(broken)
    found = {(each["path"], each["line"]) for each in shop.memofs("doctor", "--json").json()["findings"]}
    assert {(EDGES, line) for line in range(4)} <= found
    assert "Valkey owns Rack 7" in shop.ok("graph", "show", "Rack 7")


def test_a_circle_of_what_supersedes_what_is_told_at_once_and_by_doctor(shop: Workspace) -> None:
    shop.ok("graph", "link", "Alpha9", "supersedes", "Beta9")
    shop.ok("graph", "link", "Beta9", "supersedes", "Gamma9")
    assert "not current: superseded by Alpha9" in shop.ok("graph", "show", "Gamma9")
    said = shop.ok("graph", "link", "Gamma9", "supersedes", "Alpha9")
    assert "note: Alpha9 and Beta9 and Gamma9 supersede each other in a circle now" in said
    findings = shop.memofs("doctor", "--json").json()["findings"]
    circle = [each["line"] for each in findings if each["code"] == "supersedesCircle" and each["path"] == EDGES]
    assert circle == [0, 1, 2]
    assert "not current" not in shop.ok("graph", "show", "Gamma9")


def test_links_that_are_written_at_the_same_time_are_all_kept(shop: Workspace) -> None:
    running = [
        subprocess.Popen(
            [*PROGRAM, "graph", "link", "Valkey", "uses", f"Rack {number}"],
            cwd=shop.root,
            env=shop.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for number in range(3)
    ]
    for process in running:
        _, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, b"")
    assert {each["to"] for each in written(shop, EDGES)} == {"Rack 0", "Rack 1", "Rack 2"}


def test_a_read_only_memory_is_shown_and_not_written(shop: Workspace) -> None:
    prefix = bound_by_permissions()
    if prefix is None:
        pytest.skip("root writes to read-only folders, and setpriv is not there to hold it back")
    folders = [path for path in (shop.root / ".memofs").rglob("*") if path.is_dir()] + [shop.root / ".memofs"]
    for folder in folders:
        folder.chmod(0o555)
    try:
        bound = shop._replace(prefix=prefix)
        assert "TokenStore uses Valkey" in bound.ok("graph", "show", "Valkey")
        refused(bound.memofs("graph", "link", "Valkey", "uses", "Rack 7"), "error:")
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert written(shop, EDGES) == []


def test_long_statements_stay_readable_on_a_narrow_terminal(shop: Workspace) -> None:
    shop.ok("graph", "link", "va1k", "depends_on", "The second rack of the cold store behind the harbour office")
    shown = shop.terminal("--no-color", "graph", "show", "va1k", columns=60).out
    assert (
        "\n  depends on The second rack of the cold store behind the\n  harbour office\n    by hand  edges.jsonl:1\n"
        in shown
    )
    assert max(map(len, shown.splitlines())) <= 60
    piped = shop.ok("graph", "show", "va1k")
    assert "  depends on The second rack of the cold store behind the harbour office  by hand" in piped


def test_nothing_is_said_where_nothing_is_named(workspace: Workspace) -> None:
    assert workspace.ok("graph", "show").startswith("No entities yet")
    assert json.loads(workspace.ok("graph", "export")) == {"nodes": [], "edges": []}
