"""Models in folders, in the real process: what the settings beside them do, and every way they can be broken."""

from collections.abc import Generator
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
import pytest
from numpy.testing import assert_allclose

from memofs.embed.client import WorkerClient
from memofs.embed.local import LocalEmbedder, LocalReranker
from memofs.embed.model_files import ModelFiles
from memofs.embed.models import read_folder
from memofs.embed.protocol import EmbedderError, Matrix
from unit.embed.tiny_models import cross_encoder_folder, embedder_folder

DEADLINE_S = 60.0
COMPASS = {"north": [0.0, 1.0], "east": [1.0, 0.0], "south": [0.0, -1.0], "west": [-1.0, 0.0]}


@pytest.fixture(scope="module")
def client() -> Generator[WorkerClient]:
    client = WorkerClient()
    yield client
    client.close()


def rows_of(client: WorkerClient, folder: Path, *texts: str, kind: Literal["query", "passage"] = "passage") -> Matrix:
    return LocalEmbedder(read_folder(folder), client).embed(texts, kind=kind, deadline_s=DEADLINE_S)


def failure_of(client: WorkerClient, model: ModelFiles) -> EmbedderError:
    with pytest.raises(EmbedderError) as caught:
        LocalEmbedder(model, client).embed(["north"], kind="query", deadline_s=DEADLINE_S)
    return caught.value


def test_a_folder_without_settings_pools_the_mean(client: WorkerClient, tmp_path: Path) -> None:
    folder = embedder_folder(tmp_path / "compass", COMPASS)
    embedder = LocalEmbedder(read_folder(folder), client)
    assert embedder.dimension is None
    rows = embedder.embed(["north east", "north", "unheard", "north south"], kind="passage", deadline_s=DEADLINE_S)
    assert_allclose(rows, [[0.5**0.5, 0.5**0.5], [0, 1], [0, 0], [0, 0]], atol=1e-6)
    assert embedder.dimension == 2


def test_the_first_token_can_stand_for_the_text(client: WorkerClient, tmp_path: Path) -> None:
    folder = embedder_folder(tmp_path / "cls", {**COMPASS, "[CLS]": [3.0, 4.0]}, pooling="cls", dimension=2)
    assert_allclose(rows_of(client, folder, "north", "west"), [[0.6, 0.8], [0.6, 0.8]], atol=1e-6)


def test_prefixes_are_put_in_front(client: WorkerClient, tmp_path: Path) -> None:
    folder = embedder_folder(
        tmp_path / "prefixed",
        {"query": [1.0, 0.0], "passage": [0.0, 1.0]},
        queryPrefix="query ",
        passagePrefix="passage ",
    )
    assert_allclose(rows_of(client, folder, "north", kind="query"), [[1, 0]], atol=1e-6)
    assert_allclose(rows_of(client, folder, "north", kind="passage"), [[0, 1]], atol=1e-6)


def test_tokens_beyond_the_limit_are_not_read(client: WorkerClient, tmp_path: Path) -> None:
    folder = embedder_folder(tmp_path / "short", COMPASS, maxTokens=8)
    assert_allclose(rows_of(client, folder, "north " * 6 + "south " * 9), [[0, 1]], atol=1e-6)


def test_two_models_live_in_one_worker(client: WorkerClient, tmp_path: Path) -> None:
    one = embedder_folder(tmp_path / "one", COMPASS)
    other = embedder_folder(tmp_path / "other", {"north": [1.0, 0.0, 0.0]})
    assert rows_of(client, one, "north").shape == (1, 2)
    pid = client.pid
    assert rows_of(client, other, "north").shape == (1, 3)
    assert rows_of(client, one, "north").shape == (1, 2)
    assert client.pid == pid


def test_a_dimension_that_is_not_the_models_is_named_once(client: WorkerClient, tmp_path: Path) -> None:
    embedder = LocalEmbedder(read_folder(embedder_folder(tmp_path / "wrong", COMPASS, dimension=3)), client)
    errors: list[EmbedderError] = []
    for _ in range(3):
        with pytest.raises(EmbedderError, match="vectors of 2 numbers, not of 3") as caught:
            embedder.embed(["north"], kind="query", deadline_s=DEADLINE_S)
        errors.append(caught.value)
    assert [error.repeated for error in errors] == [False, True, True]
    assert {error.reason for error in errors} == {"dimension"}


def test_a_number_that_is_not_finite_is_no_vector(client: WorkerClient, tmp_path: Path) -> None:
    folder = embedder_folder(tmp_path / "nan", {**COMPASS, "bad": [np.nan, 0.0]})
    embedder = LocalEmbedder(read_folder(folder), client)
    with pytest.raises(EmbedderError) as caught:
        embedder.embed(["bad north"], kind="query", deadline_s=DEADLINE_S)
    assert caught.value.reason == "notFinite"
    assert_allclose(embedder.embed(["north"], kind="query", deadline_s=DEADLINE_S), [[0, 1]], atol=1e-6)


@pytest.mark.parametrize(
    ("file", "content", "reason"),
    [
        ("model.onnx", None, "modelMissing"),
        ("model.onnx", b"short", "modelTruncated"),
        ("model.onnx", b"x" * 100_000, "modelHash"),
        ("tokenizer.json", None, "tokenizerMissing"),
        ("tokenizer.json", b"{}", "tokenizerHash"),
    ],
)
def test_a_file_that_changed_after_it_was_chosen(
    client: WorkerClient, tmp_path: Path, file: str, content: bytes | None, reason: str
) -> None:
    folder = embedder_folder(tmp_path / "model", COMPASS)
    model = read_folder(folder)
    (folder / file).unlink()
    if content is not None:
        (folder / file).write_bytes(content)
    error = failure_of(client, model)
    assert error.reason == reason
    assert error.lasting


@pytest.mark.parametrize(("file", "reason"), [("model.onnx", "modelBroken"), ("tokenizer.json", "tokenizerBroken")])
def test_a_file_that_is_something_else(client: WorkerClient, tmp_path: Path, file: str, reason: str) -> None:
    folder = embedder_folder(tmp_path / "model", COMPASS)
    (folder / file).write_bytes(b"this is neither")
    assert failure_of(client, read_folder(folder)).reason == reason


def test_a_model_without_a_vector_a_token_is_no_embedder(client: WorkerClient, tmp_path: Path) -> None:
    folder = cross_encoder_folder(tmp_path / "scores", {"good": [1.0]})
    error = failure_of(client, msgspec.structs.replace(read_folder(folder), role="embedder"))
    assert (error.reason, "not a vector a token" in error.message) == ("modelBroken", True)


def test_a_broken_model_does_not_disturb_a_good_one(client: WorkerClient, tmp_path: Path) -> None:
    good = LocalEmbedder(read_folder(embedder_folder(tmp_path / "good", COMPASS)), client)
    good.embed(["north"], kind="query", deadline_s=DEADLINE_S)
    broken = embedder_folder(tmp_path / "broken", COMPASS)
    (broken / "model.onnx").write_bytes(b"no")
    pid = client.pid
    failure_of(client, read_folder(broken))
    assert_allclose(good.embed(["east"], kind="query", deadline_s=DEADLINE_S), [[1, 0]], atol=1e-6)
    assert client.pid == pid


def test_a_cross_encoder_scores_each_text(client: WorkerClient, tmp_path: Path) -> None:
    folder = cross_encoder_folder(tmp_path / "cross", {"good": [2.0], "bad": [-2.0]})
    reranker = LocalReranker(read_folder(folder), client)
    scores = reranker.rerank("north", ["bad", "good good", "south", "good"], deadline_s=DEADLINE_S)
    assert_allclose(scores, 1 / (1 + np.exp([2.0, -4.0, 0.0, -2.0])), atol=1e-6)
    assert reranker.rerank("north", [], deadline_s=DEADLINE_S).shape == (0,)


def test_of_two_classes_the_second_is_relevant(client: WorkerClient, tmp_path: Path) -> None:
    folder = cross_encoder_folder(tmp_path / "classes", {"good": [0.0, 3.0], "bad": [3.0, 0.0]})
    scores = LocalReranker(read_folder(folder), client).rerank("north", ["good", "bad"], deadline_s=DEADLINE_S)
    assert_allclose(scores, [1 / (1 + np.exp(-3.0)), 1 / (1 + np.exp(3.0))], atol=1e-6)


def test_a_model_of_many_classes_is_no_reranker(client: WorkerClient, tmp_path: Path) -> None:
    folder = cross_encoder_folder(tmp_path / "many", {"good": [0.0, 3.0, 1.0]})
    with pytest.raises(EmbedderError, match="3 numbers a pair"):
        LocalReranker(read_folder(folder), client).rerank("north", ["good"], deadline_s=DEADLINE_S)


def test_late_interaction_matches_token_by_token(client: WorkerClient, tmp_path: Path) -> None:
    vectors = {**COMPASS, "[CLS]": [1.0, 0.0], "[SEP]": [1.0, 0.0]}
    folder = embedder_folder(tmp_path / "late", vectors, role="lateInteraction")
    scores = LocalReranker(read_folder(folder), client).rerank(
        "north west", ["north west", "north", "south"], deadline_s=DEADLINE_S
    )
    # Two of the four query tokens are special and always match; a passage without "west" offers it north at best.
    assert_allclose(scores, [1.0, (2 + 1 + 0) / 4, (2 + 0 + 0) / 4], atol=1e-6)


def test_a_late_interaction_query_is_filled_up_with_mask_tokens(client: WorkerClient, tmp_path: Path) -> None:
    vectors = {**COMPASS, "[CLS]": [1.0, 0.0], "[SEP]": [1.0, 0.0], "[MASK]": [0.0, 1.0]}
    folder = embedder_folder(tmp_path / "filled", vectors, role="lateInteraction", queryTokens=6)
    scores = LocalReranker(read_folder(folder), client).rerank("east", ["north", "east"], deadline_s=DEADLINE_S)
    # [CLS] east [SEP] and three masks, which look north.
    assert_allclose(scores, [1.0, 3 / 6], atol=1e-6)


def test_a_role_is_not_mistaken_for_another(client: WorkerClient, tmp_path: Path) -> None:
    embedding = read_folder(embedder_folder(tmp_path / "e", COMPASS))
    scoring = read_folder(cross_encoder_folder(tmp_path / "c", {"good": [1.0]}))
    with pytest.raises(EmbedderError, match="e is an embedder, not a reranker"):
        LocalReranker(embedding, client)
    with pytest.raises(EmbedderError, match="c is a crossEncoder, not an embedder"):
        LocalEmbedder(scoring, client)
