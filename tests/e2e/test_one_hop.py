"""Curated relations, from a line that a person wrote to what the program shows and says of it."""

from e2e.memofs_program import Workspace

EDGES = ".memofs/graph/edges.jsonl"


def test_a_related_memory_comes_along_and_a_lost_one_is_told(workspace: Workspace) -> None:
    pump = workspace.json("remember", "The bilge pump runs on shore power")["memory"]["id"]
    valve = workspace.json("remember", "Seacock: a quarter turn closes it")["memory"]["id"]
    assert [hit["id"] for hit in workspace.json("recall", "bilge pump")["hits"]] == [pump]
    workspace.write(EDGES, f'{{"from": "{pump}", "to": "{valve}", "type": "depends_on"}}\n')
    first, second = workspace.json("recall", "bilge pump", "--explain")["hits"]
    assert (first["id"], second["id"], second["via"], second["signals"]["via"]) == (pump, valve, pump, pump)
    assert "via" in second["flags"]
    assert second["score"] < first["score"]
    text = workspace.ok("recall", "bilge pump", "--explain")
    assert "by relation" in text
    assert f"by relation to {pump}" in text
    without = workspace.ok("config", "set", "without", '["hop"]') + workspace.ok("recall", "bilge pump")
    assert valve not in without
    assert "left out by the settings (`without`): hop" in without
    workspace.ok("forget", valve, "--yes")
    assert "danglingLink" in [finding["code"] for finding in workspace.memofs("doctor", "--json").json()["findings"]]


def test_a_bad_line_is_a_finding_with_its_place(workspace: Workspace) -> None:
    workspace.write(EDGES, "<<<<<<< HEAD\n")
    findings = workspace.memofs("doctor", "--json").json()["findings"]
    assert [(each["path"], each["line"]) for each in findings if each["code"] == "badRelation"] == [(EDGES, 0)]
