"""Models and providers that the settings name, from the program to a real worker and a real server and back."""

import json
from pathlib import Path
from typing import cast

from e2e.memofs_program import Workspace
from unit.embed.http_server import Answer, Asked, serving
from unit.embed.tiny_models import cross_encoder_folder

WEIGHTS = {"good": [3.0], "bad": [-3.0]}


def _settings(workspace: Workspace, settings: dict[str, object]) -> None:
    path = workspace.root / ".memofs" / "config.json"
    path.write_text(json.dumps({"format": 1, "embedding": {"provider": "none"}} | settings))


def test_a_cross_encoder_in_a_folder_takes_a_second_look(workspace: Workspace, tmp_path: Path) -> None:
    for title in ("north bad", "north good", "north query"):
        workspace.ok("remember", f"{title} and something about the north", "--title", title)
    folder = cross_encoder_folder(tmp_path / "cross", WEIGHTS)
    _settings(workspace, {"reranking": {"provider": "local", "model": str(folder)}})
    found = workspace.json("recall", "north", "--explain")
    assert found["degraded"] == []
    assert found["hits"][0]["title"] == "north good"
    coverage = {hit["title"]: hit["signals"]["coverage"]["raw"] for hit in found["hits"]}
    assert coverage["north good"] > 0.9 > 0.1 > coverage["north bad"]


def test_a_reranker_that_fails_leaves_the_deterministic_one(workspace: Workspace, tmp_path: Path) -> None:
    workspace.ok("remember", "Something about the north")
    _settings(workspace, {"reranking": {"provider": "local", "model": str(tmp_path / "nothing")}})
    found = workspace.json("recall", "north")
    assert found["degraded"] == ["reranker"]
    assert len(found["hits"]) == 1


def _vectors(asked: Asked) -> Answer:
    texts = cast("list[str]", asked.body["input"])
    rows = [[1.0, 0.0] if "style" in text or "Tailwind" in text else [0.0, 1.0] for text in texts]
    return Answer(body={"data": [{"index": place, "embedding": row} for place, row in enumerate(rows)]})


def test_an_openai_compatible_server_makes_the_vectors(workspace: Workspace) -> None:
    workspace.ok("remember", "Tailwind with CSS variables")
    workspace.ok("remember", "Postgres pooling")
    with serving(_vectors) as server:
        compatible = {"provider": "compatible", "model": "any", "endpoint": server.url}
        _settings(workspace, {"embedding": compatible})
        workspace.ok("model", "allow")
        found = workspace.json("recall", "how do we style components")
        assert found["hits"][0]["title"] == "Tailwind with CSS variables"
        assert found["degraded"] == []


def test_a_provider_that_fails_later_leaves_recall_by_words(workspace: Workspace) -> None:
    workspace.ok("remember", "Postgres pooling")
    answers = [_vectors]

    def once(asked: Asked) -> Answer:
        return answers.pop()(asked) if answers else Answer(status=500)

    with serving(once) as server:
        _settings(workspace, {"embedding": {"provider": "compatible", "model": "any", "endpoint": server.url}})
        workspace.ok("model", "allow")
        found = workspace.json("recall", "postgres")
    assert found["hits"][0]["title"] == "Postgres pooling"
    assert set(found["degraded"]) <= {"embedder", "indexing"}
    assert found["degraded"]
    again = workspace.json("recall", "postgres")
    assert again["hits"][0]["title"] == "Postgres pooling"
    assert again["degraded"] == ["embedder"]
