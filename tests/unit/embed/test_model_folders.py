import hashlib
from pathlib import Path

import pytest

from memofs.embed.model_files import identity
from memofs.embed.models import BUILT_IN, FolderSettings, built_in, hash_of, known_models, read_folder
from memofs.embed.protocol import EmbedderError
from unit.embed.plain_folder import folder_of


def failure_of(folder: Path) -> EmbedderError:
    with pytest.raises(EmbedderError) as caught:
        read_folder(folder)
    return caught.value


def test_a_folder_is_read_with_its_hashes(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "mine", pooling="cls", dimension=8, maxTokens=64, queryPrefix="q: ")
    model = read_folder(folder)
    assert (model.name, model.role, model.pooling, model.dimension) == ("mine", "embedder", "cls", 8)
    assert (model.max_tokens, model.query_prefix, model.passage_prefix) == (64, "q: ", "")
    assert model.weights == (str(folder / "model.onnx"),)
    assert model.weights_sha256 == hashlib.sha256(b"weights").hexdigest()
    assert model.weights_bytes == 7
    assert model.tokenizer_sha256 == hashlib.sha256(b"{}").hexdigest()


def test_data_beside_the_graph_is_part_of_the_weights(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "large")
    (folder / "model.onnx_data").write_bytes(b" and more")
    model = read_folder(folder)
    assert model.weights_sha256 == hashlib.sha256(b"weights and more").hexdigest()
    assert model.weights_bytes == 16
    assert len(model.weights) == 2


def test_identity_changes_with_whatever_changes_the_vectors(tmp_path: Path) -> None:
    same = folder_of(tmp_path / "a" / "mine")
    assert identity(read_folder(same)) == identity(read_folder(folder_of(tmp_path / "b" / "mine", dimension=8)))
    others = [
        folder_of(tmp_path / "c" / "mine", weights=b"others"),
        folder_of(tmp_path / "d" / "mine", tokenizer=b"[]"),
        folder_of(tmp_path / "e" / "mine", pooling="cls"),
        folder_of(tmp_path / "f" / "mine", queryPrefix="query: "),
        folder_of(tmp_path / "g" / "mine", passagePrefix="passage: "),
        folder_of(tmp_path / "h" / "mine", maxTokens=512),
        folder_of(tmp_path / "i" / "mine", name="other"),
    ]
    identities = {identity(read_folder(folder)) for folder in (same, *others)}
    assert len(identities) == 1 + len(others)
    assert all(one.startswith(("mine:", "other:")) for one in identities)


@pytest.mark.parametrize(
    ("missing", "reason"), [("model.onnx", "modelMissing"), ("tokenizer.json", "tokenizerMissing")]
)
def test_a_missing_file_is_named(tmp_path: Path, missing: str, reason: str) -> None:
    folder = folder_of(tmp_path / "mine")
    (folder / missing).unlink()
    error = failure_of(folder)
    assert (error.reason, error.lasting) == (reason, True)
    assert missing in error.message


def test_a_folder_that_is_not_there_is_a_missing_model(tmp_path: Path) -> None:
    assert failure_of(tmp_path / "nowhere").reason == "modelMissing"


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[]",
        b'{"pooling": "max"}',
        b'{"dimension": 0}',
        b'{"maxTokens": 1}',
        b'{"prefix": "x"}',
        b'{"name": "\xff"}',
    ],
)
def test_settings_that_do_not_fit_are_named(tmp_path: Path, content: bytes) -> None:
    folder = folder_of(tmp_path / "mine")
    (folder / "memofs.json").write_bytes(content)
    error = failure_of(folder)
    assert error.reason == "settings"
    assert "memofs.json" in error.message


def test_pinned_weights_must_be_the_ones(tmp_path: Path) -> None:
    pinned = hashlib.sha256(b"weights").hexdigest()
    assert read_folder(folder_of(tmp_path / "mine", sha256=pinned)).weights_sha256 == pinned
    assert failure_of(folder_of(tmp_path / "mine", weights=b"changed", sha256=pinned)).reason == "modelHash"


def test_settings_have_the_defaults_of_the_built_in_model() -> None:
    settings = FolderSettings()
    assert (settings.role, settings.pooling, settings.max_tokens) == ("embedder", "mean", 256)


def test_the_hash_is_of_the_files_one_after_the_other(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_bytes(b"a" * 3_000_000)
    other.write_bytes(b"b")
    assert hash_of([one, other]) == hashlib.sha256(b"a" * 3_000_000 + b"b").hexdigest()


def test_the_list_names_usable_and_unusable_models(tmp_path: Path) -> None:
    folder_of(tmp_path / "zeta")
    folder_of(tmp_path / ".pull-left-over")
    (tmp_path / "broken").mkdir()
    (tmp_path / "a file").write_text("")
    found = known_models(tmp_path)
    assert [model.name for model in found] == [BUILT_IN, "broken", "zeta"]
    assert found[1].problem is not None
    assert "model.onnx" in found[1].problem
    assert found[2].problem is None
    assert found[2].folder == str(tmp_path / "zeta")


def test_without_a_models_folder_there_is_the_built_in_one(tmp_path: Path) -> None:
    assert [model.name for model in known_models(tmp_path / "none")] == [BUILT_IN]


def test_an_installation_without_the_models_package_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memofs.embed.models._PACKAGE", "no_such_package_at_all")
    with pytest.raises(EmbedderError, match="no_such_package_at_all") as caught:
        built_in()
    assert caught.value.reason == "modelMissing"
    assert caught.value.hint is not None
