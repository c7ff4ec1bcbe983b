"""Recall by meaning, with the real model in a real worker: what it finds, and what happens when it fails."""

import base64
import json
import os
import shutil
import struct
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from e2e.conftest import SAMPLE
from e2e.memofs_program import Workspace
from unit.embed.tiny_models import embedder_folder

STYLE = "how do we style components"
TAILWIND = "Tailwind with CSS variables for theming"


@pytest.fixture(scope="module")
def _indexed(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    folder = tmp_path_factory.mktemp("indexed")
    (folder / "home" / "tmp").mkdir(parents=True)
    shutil.copytree(SAMPLE, folder / "project")
    workspace = Workspace(folder / "project", folder / "home")
    workspace.ok("index")
    return workspace


@pytest.fixture
def indexed(_indexed: Workspace, tmp_path: Path) -> Iterator[Workspace]:
    """A copy of the sample workspace with all its vectors."""
    shutil.copytree(_indexed.root, tmp_path / "project")
    (tmp_path / "home" / "tmp").mkdir(parents=True)
    yield Workspace(tmp_path / "project", tmp_path / "home")
    assert [path for path in (tmp_path / "home").rglob("*") if path.is_file()] == [], "home stays as it is"


def _titles(workspace: Workspace, *args: str) -> list[str]:
    return [hit["title"] for hit in workspace.json("recall", *args)["hits"]]


def test_a_paraphrase_finds_its_answer_without_a_word_in_common(workspace: Workspace) -> None:
    _settings(workspace, {})
    workspace.ok("remember", TAILWIND, "-k", "decision")
    workspace.ok("remember", "Postgres connection pooling with pgBouncer")
    found = workspace.json("recall", STYLE)
    assert found["hits"][0]["title"] == TAILWIND
    assert "wordsOnly" not in found["hits"][0]["flags"]
    assert found["degraded"] == []


def test_the_articles_own_pair(workspace: Workspace) -> None:
    _settings(workspace, {})
    workspace.ok("remember", "JWT tokens are used for stateless authentication with 24-hour expiry", "-k", "decision")
    workspace.ok("remember", "Invoices are numbered per tenant without gaps")
    assert _titles(workspace, "how we handle user sessions")[0].startswith("JWT tokens")


@pytest.mark.parametrize("question", ["recipe for sourdough bread", "how do we train the image classifier"])
def test_a_question_of_another_domain_gets_no_answer(indexed: Workspace, question: str) -> None:
    found = indexed.json("recall", question)
    assert (found["hits"], found["notice"]) == ([], "nothingRelevant")


def test_what_was_written_since_is_found_by_meaning_at_once(indexed: Workspace) -> None:
    indexed.ok("remember", "Passwords are hashed with Argon2id", "-k", "decision")
    found = indexed.json("recall", "how are credentials protected at rest")
    assert found["hits"][0]["title"].startswith("Passwords are hashed")
    assert found["degraded"] == []


def test_vectors_follow_what_they_were_made_from(indexed: Workspace) -> None:
    lines = (indexed.root / ".memofs" / "indexes" / "embeddings.jsonl").read_text().splitlines()
    id_ = json.loads(lines[0])["memory"]
    assert {json.loads(line)["model"] for line in lines} == {json.loads(lines[0])["model"]}
    indexed.ok("forget", id_, "--yes")
    after = (indexed.root / ".memofs" / "indexes" / "embeddings.jsonl").read_text()
    assert id_ not in after
    assert indexed.json("status")["embedder"]["pending"] == 0


def test_processes_that_index_at_once_share_the_work(indexed: Workspace) -> None:
    path = indexed.root / ".memofs" / "indexes" / "embeddings.jsonl"
    chunks = len(path.read_text().splitlines())
    path.unlink()
    with ThreadPoolExecutor(3) as pool:
        ran = [each.result() for each in [pool.submit(indexed.memofs, "--no-daemon", "index") for _ in range(3)]]
    assert {(each.code, each.err) for each in ran} == {(0, "")}
    ids = [json.loads(line)["id"] for line in path.read_text().splitlines()]
    assert len(ids) == len(set(ids)) == chunks


@pytest.mark.parametrize("damage", ["torn", "middle", "empty", "gone", "folder"])
def test_a_damaged_file_of_vectors_heals(indexed: Workspace, damage: str) -> None:
    path = indexed.root / ".memofs" / "indexes" / "embeddings.jsonl"
    data = path.read_bytes()
    if damage == "torn":
        path.write_bytes(data[:-100])
    elif damage == "middle":
        lines = data.splitlines(keepends=True)
        path.write_bytes(b"".join([*lines[:10], b"\x00garbage\n", lines[10][:40] + b"\n", *lines[11:]]))
    elif damage == "empty":
        path.write_bytes(b"")
    else:
        path.unlink()
        if damage == "folder":
            path.mkdir()
    told = indexed.json("recall", STYLE)
    assert TAILWIND in [hit["title"] for hit in told["hits"]]
    assert ("vectors" in told["degraded"]) == (damage in {"torn", "middle", "folder"})
    if damage != "folder":
        indexed.ok("index")
        assert indexed.json("status")["embedder"]["pending"] == 0
        assert _titles(indexed, STYLE)[0] == TAILWIND


@pytest.mark.parametrize(
    ("files", "says"),
    [({}, "model.onnx"), ({"tokenizer.json": b"{}"}, "model.onnx"), ({"model.onnx": b"\x08\x07no model"}, "tokenizer")],
)
def test_a_model_that_cannot_be_used_leaves_recall_by_words(
    indexed: Workspace, files: dict[str, bytes], says: str
) -> None:
    folder = indexed.root / "model"
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    _settings(indexed, {"embedding": {"provider": "local", "model": str(folder)}})
    found = indexed.json("recall", "pgBouncer")
    assert found["hits"][0]["title"] == "Postgres connection pooling with pgBouncer"
    assert "embedder" in found["degraded"]
    state = indexed.json("status")["embedder"]
    assert state["state"] == "failed"
    assert says in state["problem"]
    assert "Not indexed" in indexed.memofs("index").out


def test_another_model_never_meets_the_vectors_of_the_first(indexed: Workspace, tmp_path: Path) -> None:
    folder = embedder_folder(tmp_path / "tiny", {"tailwind": [1.0, 0.0], "style": [1.0, 0.0], "postgres": [0.0, 1.0]})
    assert "tiny" in indexed.ok("model", "use", str(folder))
    assert indexed.json("status")["embedder"]["pending"] > 0
    indexed.ok("index")
    assert indexed.json("status")["embedder"]["pending"] == 0
    indexed.ok("model", "use", "all-MiniLM-L6-v2")
    state = indexed.json("status")["embedder"]
    assert state["name"].startswith("all-MiniLM-L6-v2")


def test_without_vectors_on_request(indexed: Workspace) -> None:
    indexed.ok("config", "set", "embedding.provider", "none")
    found = indexed.json("recall", "pgBouncer")
    assert found["degraded"] == []
    assert found["hits"][0]["flags"].count("wordsOnly") == 1


def test_a_read_only_cache_costs_time_and_nothing_else(indexed: Workspace) -> None:
    path = indexed.root / ".memofs" / "indexes" / "embeddings.jsonl"
    path.unlink()
    path.mkdir()
    (path / "in-the-way").write_text("")
    assert TAILWIND in _titles(indexed, STYLE)


def _settings(workspace: Workspace, settings: dict[str, object]) -> None:
    path = workspace.root / ".memofs" / "config.json"
    path.write_text(json.dumps({"format": 1} | settings))


@pytest.mark.parametrize("way", ["absolute", "relative", "folder"])
def test_a_link_in_place_of_the_vectors_touches_nothing_outside(indexed: Workspace, tmp_path: Path, way: str) -> None:
    victim = tmp_path / "victim"
    indexes = indexed.root / ".memofs" / "indexes"
    if way == "folder":
        indexes.rename(victim)
        indexes.symlink_to(victim)
        victim = victim / "embeddings.jsonl"
        victim.write_bytes(victim.read_bytes() + b"my-token")
    else:
        victim.write_text("my-token")
        (indexes / "embeddings.jsonl").unlink()
        (indexes / "embeddings.jsonl").symlink_to(victim if way == "absolute" else Path("../../../victim"))
    before = victim.read_bytes()
    for command in (["recall", "sessions"], ["status"], ["index"], ["remember", "something new"], ["doctor"]):
        indexed.memofs(*command)
    assert victim.read_bytes() == before


def test_a_pipe_in_place_of_the_vectors_holds_up_nothing(indexed: Workspace) -> None:
    path = indexed.root / ".memofs" / "indexes" / "embeddings.jsonl"
    path.unlink()
    os.mkfifo(path)
    assert TAILWIND in _titles(indexed, STYLE)


def test_vectors_that_no_model_makes_are_not_believed(indexed: Workspace) -> None:
    path = indexed.root / ".memofs" / "indexes" / "embeddings.jsonl"
    huge = base64.b64encode(struct.pack("<384f", *[1e38] * 384)).decode()
    lines = [json.loads(line) | {"vector": huge} for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = indexed.json("recall", "recipe for sourdough bread")
    assert (found["hits"], found["notice"]) == ([], "nothingRelevant")


def test_a_broken_model_is_named_by_index_and_doctor(indexed: Workspace) -> None:
    folder = indexed.root / "model"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(b"\x08\x07no model")
    (folder / "tokenizer.json").write_text("{}")
    _settings(indexed, {"embedding": {"provider": "local", "model": str(folder)}})
    ran = indexed.memofs("index")
    assert ran.code == 1
    assert "Not indexed:" in ran.out
    assert any(finding["code"] == "embedder" for finding in indexed.json("doctor")["findings"])
    assert "memofs doctor" in indexed.memofs("recall", "recipe for sourdough bread").out
