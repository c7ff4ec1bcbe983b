"""Settings that came with a clone send nothing anywhere before somebody has allowed it on this machine."""

import json
from collections.abc import Generator
from pathlib import Path
from typing import cast

import pytest

from e2e.memofs_program import Workspace
from unit.embed.http_server import Answer, Asked, Server, serving


@pytest.fixture
def server() -> Generator[Server]:
    def answer(asked: Asked) -> Answer:
        texts = cast("list[str]", asked.body["input"])
        return Answer({"data": [{"index": index, "embedding": [1.0, 0.0]} for index, _ in enumerate(texts)]})

    with serving(answer) as found:
        yield found


@pytest.fixture
def cloned(workspace: Workspace, server: Server) -> Workspace:
    """A workspace whose config.json was written by somebody else."""
    workspace.ok("remember", "Postgres pooling")
    settings = {"format": 1, "embedding": {"provider": "compatible", "model": "any", "endpoint": f"{server.url}/v1/"}}
    (workspace.root / ".memofs" / "config.json").write_text(json.dumps(settings))
    return workspace


def _recorded(workspace: Workspace) -> Path:
    return workspace.home / ".local" / "state" / "memofs" / "allowed.json"


def _files(workspace: Workspace) -> dict[Path, bytes]:
    """What may come with a clone."""
    private = {"logs", "tmp", "indexes", "events"}
    paths = (path for path in workspace.root.rglob("*") if path.is_file() and not private & set(path.parts))
    return {path: path.read_bytes() for path in paths}


def test_nothing_is_sent_and_everybody_says_so(cloned: Workspace, server: Server) -> None:
    found = cloned.json("recall", "postgres")
    assert [hit["title"] for hit in found["hits"]] == ["Postgres pooling"]
    assert found["degraded"] == ["notAllowed"]
    assert "memofs model allow" in cloned.ok("recall", "postgres")
    state = cloned.json("status")["embedder"]
    assert state["state"] == "failed"
    assert f"{server.url}/v1," in state["problem"]
    assert "memofs model allow" in cloned.ok("status")
    assert "memofs model allow" in cloned.memofs("index").out
    assert any("memofs model allow" in (each["hint"] or "") for each in cloned.json("doctor")["findings"])
    assert server.asked == []


def test_allowing_it_names_it_and_is_recorded_outside(cloned: Workspace, server: Server) -> None:
    before = _files(cloned)
    said = cloned.ok("model", "allow")
    assert f"Allowed to read this project's memories and questions: {server.url}/v1\n" in said
    assert str(_recorded(cloned)) in said
    assert _files(cloned) == before
    assert cloned.json("recall", "postgres")["degraded"] == []
    assert server.asked
    cloned.ok("model", "allow", "--revoke")
    count = len(server.asked)
    assert cloned.json("recall", "postgres")["degraded"] == ["notAllowed"]
    assert len(server.asked) == count


def test_a_pull_that_names_another_address_is_asked_about_anew(cloned: Workspace, server: Server) -> None:
    cloned.ok("model", "allow")
    path = cloned.root / ".memofs" / "config.json"
    path.write_text(path.read_text().replace("/v1/", "/v2"))
    assert cloned.json("recall", "postgres")["degraded"] == ["notAllowed"]
    assert server.asked == []


@pytest.mark.parametrize(
    ("key", "value", "allows"),
    [
        ("embedding.endpoint", "{url}/v1", True),
        ("embedding", '{{"provider": "compatible", "model": "any", "endpoint": "{url}/v1"}}', True),
        ("embedding.provider", "compatible", False),
        ("embedding.model", "other", False),
        ("precision", "strict", False),
    ],
)
def test_naming_it_oneself_allows_it_and_naming_something_else_does_not(
    cloned: Workspace, server: Server, key: str, value: str, allows: bool
) -> None:
    cloned.ok("config", "set", key, value.format(url=server.url))
    assert cloned.json("recall", "postgres")["degraded"] == ([] if allows else ["notAllowed"])
    assert bool(server.asked) == allows


def test_the_environment_allows_it_and_records_nothing(cloned: Workspace, server: Server) -> None:
    ran = cloned.memofs("--json", "recall", "postgres", env={"MEMOFS_ALLOW_PROVIDERS": f"{server.url}/v1"})
    assert ran.json()["degraded"] == []
    assert not _recorded(cloned).exists()


def test_a_reranker_is_asked_about_too(workspace: Workspace) -> None:
    workspace.ok("remember", "Postgres pooling")
    settings = {"format": 1, "embedding": {"provider": "none"}, "reranking": {"provider": "voyage"}}
    (workspace.root / ".memofs" / "config.json").write_text(json.dumps(settings))
    assert workspace.json("recall", "postgres")["degraded"] == ["notAllowed"]
    workspace.ok("model", "allow")
    assert workspace.json("recall", "postgres")["degraded"] == ["reranker"], "there is no key"


def test_without_a_service_there_is_nothing_to_allow(workspace: Workspace) -> None:
    assert "stay on this machine" in workspace.ok("model", "allow")
    assert not _recorded(workspace).exists()
