"""Entities through the whole program: what persons wrote down in graph/ follows the disk and shapes answers."""

from e2e.memofs_program import Workspace

NODES, EDGES = ".memofs/graph/nodes.jsonl", ".memofs/graph/edges.jsonl"


def test_another_name_that_a_person_wrote_down_finds_a_memory(workspace: Workspace) -> None:
    kept = workspace.json("remember", "Quartermaster keeps the spare impellers")["memory"]["id"]
    assert workspace.json("recall", "blue shed")["hits"] == []
    workspace.write(NODES, '{"id": "tool:quartermaster", "label": "Quartermaster", "aliases": ["blue shed"]}\n')
    (hit,) = workspace.json("recall", "blue shed", "--explain")["hits"]
    assert hit["id"] == kept
    assert "speaks of the entity asked for: Quartermaster" in hit["signals"]["why"]
    workspace.ok("config", "set", "without", '["entities"]')
    assert workspace.json("recall", "blue shed")["hits"] == []


def test_bad_lines_and_lost_memories_are_findings(workspace: Workspace) -> None:
    workspace.write(NODES, '{"id": "tool:a1", "label": "A1"}\n{"label": "B1"}\n')
    workspace.write(EDGES, '{"from": "mem_gone00", "to": "A1", "type": "uses"}\n')
    findings = workspace.memofs("doctor", "--json").json()["findings"]
    found = {(each["path"], each["code"], each["line"]) for each in findings}
    assert {(NODES, "badNode", 1), (EDGES, "danglingLink", 0)} <= found
