"""`memofs model list` and `use`: a model that cannot be used is named with its fault, before it is relied on."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from e2e.memofs_program import Workspace
from unit.embed.tiny_models import cross_encoder_folder, embedder_folder

VECTORS = {"north": [1.0, 0.0], "east": [0.0, 1.0]}


def _edit(path: Path, change: Callable[[Any], None]) -> None:
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


def _no_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()


def _empty_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text("{}")


def _torn_tokenizer(folder: Path) -> None:
    path = folder / "tokenizer.json"
    path.write_bytes(path.read_bytes()[:200])


def _no_weights(folder: Path) -> None:
    (folder / "model.onnx").unlink()


def _torn_weights(folder: Path) -> None:
    path = folder / "model.onnx"
    path.write_bytes(path.read_bytes()[:40])


def _other_weights(folder: Path) -> None:
    (folder / "memofs.json").write_text(json.dumps({"sha256": "0" * 64}))


def _bad_settings(folder: Path) -> None:
    (folder / "memofs.json").write_text('{"pooling": "median"}')


def _wrong_dimension(folder: Path) -> None:
    (folder / "memofs.json").write_text('{"dimension": 3}')


def _ids_beyond_the_table(folder: Path) -> None:
    def shift(tokenizer: Any) -> None:
        tokenizer["model"]["vocab"] = {word: id_ + 1000 for word, id_ in tokenizer["model"]["vocab"].items()}
        tokenizer["post_processor"]["special_tokens"]["[CLS]"]["ids"] = [1002]
        tokenizer["post_processor"]["special_tokens"]["[SEP]"]["ids"] = [1003]

    _edit(folder / "tokenizer.json", shift)


FAULTS = [
    (_no_tokenizer, "tokenizer.json"),
    (_empty_tokenizer, "is not a tokenizer"),
    (_torn_tokenizer, "is not a tokenizer"),
    (_no_weights, "model.onnx"),
    (_torn_weights, "cannot be loaded"),
    (_other_weights, "SHA-256"),
    (_bad_settings, "memofs.json"),
    (_wrong_dimension, "not of 3"),
    (_ids_beyond_the_table, "does not run"),
]


def _models(workspace: Workspace) -> Path:
    return workspace.home / ".local" / "share" / "memofs" / "models"


def test_each_fault_is_named_in_the_list_and_by_use(workspace: Workspace) -> None:
    folder = _models(workspace)
    embedder_folder(folder / "good", VECTORS)
    for damage, _ in FAULTS:
        damage(embedder_folder(folder / damage.__name__, VECTORS))
    listed = {each["name"]: each for each in workspace.json("model", "list")["models"]}
    assert listed["good"]["problem"] is None
    assert listed["all-MiniLM-L6-v2"]["problem"] is None
    for damage, says in FAULTS:
        assert says in listed[damage.__name__]["problem"], damage.__name__
    text = workspace.ok("model", "list")
    assert text.count("cannot be used: ") == len(FAULTS)


@pytest.mark.parametrize(("damage", "says"), [FAULTS[1], FAULTS[7]])
def test_a_model_that_does_not_work_is_not_taken(
    workspace: Workspace, damage: Callable[[Path], None], says: str
) -> None:
    damage(embedder_folder(_models(workspace) / "bad", VECTORS))
    before = (workspace.root / ".memofs" / "config.json").read_text()
    ran = workspace.memofs("model", "use", "bad")
    assert ran.code == 1
    assert says in ran.err
    assert (workspace.root / ".memofs" / "config.json").read_text() == before


def test_a_reranker_is_listed_and_makes_no_vectors(workspace: Workspace) -> None:
    cross_encoder_folder(_models(workspace) / "cross", {"good": [3.0]})
    (listed,) = [each for each in workspace.json("model", "list")["models"] if each["name"] == "cross"]
    assert (listed["role"], listed["problem"]) == ("crossEncoder", None)
    ran = workspace.memofs("model", "use", "cross")
    assert ran.code == 1
    assert "makes no vectors" in ran.err
