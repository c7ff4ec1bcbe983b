"""The requests about entities, as a client sends them: what they find, and with thousands of entities."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from e2e.raw_client import Raw

MANY = 3_000


@pytest.fixture
def raw(tmp_path: Path) -> Iterator[Raw]:
    client = Raw(tmp_path)
    client.hello()
    client.ask("memofs/init")
    client.ask("memofs/config", {"action": "set", "key": "embedding", "value": {"provider": "none"}})
    yield client
    client.close()


def result(answer: dict[str, Any]) -> dict[str, Any]:
    assert "result" in answer, answer
    found: dict[str, Any] = answer["result"]
    return found


def test_a_text_finds_the_entities_that_it_speaks_of(raw: Raw) -> None:
    raw.ask("memofs/remember", {"body": "TokenStore uses Valkey."})
    raw.ask("memofs/link", {"from": "Old Vault", "relation": "uses", "to": "Rack 7"})
    raw.ask("memofs/link", {"from": "TokenStore", "relation": "supersedes", "to": "Old Vault"})
    found = result(raw.ask("memofs/entities", {"query": "why does the token store, TokenStore, need Rack 7?"}))
    assert {each["label"] for each in found["entities"]} == {"TokenStore", "Rack 7"}
    assert {(each["from"]["label"], each["relation"]) for each in found["statements"]} == {
        ("TokenStore", "uses"),
        ("TokenStore", "supersedes"),
        ("Old Vault", "uses"),
    }
    assert len(found["memories"]) == 1
    assert result(raw.ask("memofs/entities", {"query": "old vault"}))["entities"] == [], "superseded"
    assert result(raw.ask("memofs/entities", {"query": "the of"}))["entities"] == []


def test_an_entity_comes_before_a_memory_whose_id_ends_so(raw: Raw, tmp_path: Path) -> None:
    memory = "---\nid: mem_aaaaaaaaw1ng\ntitle: Wings\n---\nNothing.\n"
    (tmp_path / ".memofs" / "memory" / "wings-w1ng.md").write_text(memory)
    linked = result(raw.ask("memofs/link", {"from": "w1ng", "relation": "uses", "to": "W1NG part"}))
    assert [each["id"] for each in linked["entities"]] == ["mem_aaaaaaaaw1ng", "concept:w1ng-part"]
    linked = result(raw.ask("memofs/link", {"from": "concept:w1ng", "relation": "uses", "to": "Rack 7"}))
    assert linked["entities"][0]["id"] == "concept:w1ng"
    for name, found in (("w1ng", "concept:w1ng"), ("mem_aaaaaaaaw1ng", "mem_aaaaaaaaw1ng")):
        assert result(raw.ask("memofs/entities", {"name": name}))["entities"][0]["id"] == found


@pytest.mark.parametrize(
    ("method", "params", "says"),
    [
        ("memofs/entities", {"name": "A1", "query": "B1"}, "not both"),
        ("memofs/entities", {"limit": 0}, "limit"),
        ("memofs/link", {"from": "A1", "relation": "likes", "to": "B1"}, "relation"),
        ("memofs/link", {"from": "A1", "to": "B1"}, "relation"),
        ("memofs/link", {"from": "", "relation": "uses", "to": "B1"}, "no name"),
        ("memofs/link", {"from": "A1\u0000", "relation": "uses", "to": "B1"}, "no name"),
        ("memofs/exportGraph", {"format": "svg"}, "svg"),
        ("memofs/exportGraph", {"around": "A1", "steps": 11}, "steps"),
    ],
)
def test_wrong_params_are_told(raw: Raw, method: str, params: dict[str, object], says: str) -> None:
    answer = raw.ask(method, params)
    assert answer["error"]["code"] == -32602
    assert says in answer["error"]["message"]


def test_a_wrong_relation_names_all_there_are(raw: Raw) -> None:
    answer = raw.ask("memofs/link", {"from": "A1", "relation": "likes", "to": "B1"})
    for relation in ("uses", "prefers", "depends_on", "supersedes", "blocks", "owns", "related_to"):
        assert relation in answer["error"]["data"]["hint"]


def test_thousands_of_entities_are_listed_joined_and_drawn(raw: Raw, tmp_path: Path) -> None:
    lines = [{"from": f"Part {at}", "to": f"Part {at + 1}", "type": "uses"} for at in range(MANY)]
    edges = tmp_path / ".memofs" / "graph" / "edges.jsonl"
    edges.parent.mkdir(exist_ok=True)
    edges.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = result(raw.ask("memofs/link", {"from": "Part 0", "relation": "blocks", "to": f"Part {MANY}"}))
    assert (done["changed"], done["created"]) == (True, [])
    listed = result(raw.ask("memofs/entities", {"limit": 5}))
    assert (listed["total"], listed["totalStatements"], listed["totalCurated"]) == (MANY + 1, MANY + 1, MANY + 1)
    assert (len(listed["entities"]), listed["more"]) == (5, MANY - 4)
    way = result(raw.ask("memofs/path", {"from": f"Part {MANY // 2}", "to": "Part 1"}))
    assert len(way["steps"]) == MANY // 2 - 1
    assert [step["forward"] for step in way["steps"][:2]] == [False, False]
    drawn = result(raw.ask("memofs/exportGraph", {"format": "dot"}))
    assert drawn["text"].count(" -> ") == MANY + 1
    spoken = result(raw.ask("memofs/entities", {"query": "part", "limit": 3}))
    assert (len(spoken["entities"]), spoken["more"]) == (3, MANY - 2)
