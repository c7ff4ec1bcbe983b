"""The model that comes with MemoFS, in its real process."""

import hashlib
import threading
from collections.abc import Generator
from importlib.resources import files

import numpy as np
import pytest

from memofs.embed.client import WorkerClient
from memofs.embed.local import LocalEmbedder
from memofs.embed.models import BUILT_IN, built_in
from memofs.embed.protocol import EmbedderError

DEADLINE_S = 60.0
LONG = "The tenant service reads its metadata on every request and keeps it near the edge. " * 40


@pytest.fixture(scope="module")
def client() -> Generator[WorkerClient]:
    client = WorkerClient()
    yield client
    client.close()


@pytest.fixture(scope="module")
def embedder(client: WorkerClient) -> LocalEmbedder:
    return LocalEmbedder(built_in(), client)


def cosine(embedder: LocalEmbedder, one: str, other: str) -> float:
    rows = embedder.embed([one, other], kind="passage", deadline_s=DEADLINE_S)
    return float(rows[0] @ rows[1])


def test_the_published_example_has_its_cosine(embedder: LocalEmbedder) -> None:
    found = cosine(embedder, "This is an example sentence", "Each sentence is converted")
    assert found == pytest.approx(0.4046, abs=0.002)


def test_meaning_is_found_without_a_common_word(embedder: LocalEmbedder) -> None:
    asked = "how do we style components"
    assert cosine(embedder, asked, "Styling\nTailwind with CSS variables for theming") == pytest.approx(0.375, abs=0.01)
    assert cosine(embedder, asked, "Postgres vacuum runs every night") < 0


def test_identity_and_dimension_are_known_without_a_process() -> None:
    client = WorkerClient()
    embedder = LocalEmbedder(built_in(), client)
    assert embedder.identity == f"{BUILT_IN}:8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
    assert embedder.dimension == 384
    assert client.pid is None
    client.close()


def test_rows_are_unit_vectors_in_the_order_of_the_texts(embedder: LocalEmbedder) -> None:
    texts = [LONG, "short", "of middle length, this one", "", "short"]
    rows = embedder.embed(texts, kind="passage", deadline_s=DEADLINE_S)
    assert rows.shape == (5, 384)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    for text, row in zip(texts, rows, strict=True):
        alone = embedder.embed([text], kind="query", deadline_s=DEADLINE_S)[0]
        np.testing.assert_allclose(row, alone, atol=2e-5)


def test_nothing_beyond_256_tokens_is_read(embedder: LocalEmbedder) -> None:
    cut = " ".join(["edge"] * 254)  # and two special tokens
    assert cosine(embedder, cut, cut + " zebra" * 200) == pytest.approx(1, abs=1e-5)
    assert cosine(embedder, cut, cut.replace("edge", "zebra", 1)) < 0.9999


def test_case_and_accents_do_not_matter(embedder: LocalEmbedder) -> None:
    assert cosine(embedder, "Café SETTINGS", "cafe settings") == pytest.approx(1, abs=1e-6)


def test_text_that_is_not_quite_text_is_embedded(embedder: LocalEmbedder) -> None:
    rows = embedder.embed(
        ["\ud800 broken", "\0\0", "🙂" * 5000, "x" * 2_000_000], kind="passage", deadline_s=DEADLINE_S
    )
    assert np.isfinite(rows).all()


def test_no_texts_are_no_rows(embedder: LocalEmbedder) -> None:
    assert embedder.embed([], kind="query", deadline_s=DEADLINE_S).shape == (0, 384)


def test_a_query_does_not_wait_for_passages(embedder: LocalEmbedder) -> None:
    embedder.embed(["warm"], kind="query", deadline_s=DEADLINE_S)
    passages = threading.Thread(
        target=embedder.embed, args=([LONG] * 24,), kwargs={"kind": "passage", "deadline_s": DEADLINE_S}
    )
    passages.start()
    for _ in range(3):
        embedder.embed(["how do we style components"], kind="query", deadline_s=DEADLINE_S)
    assert passages.is_alive()
    passages.join()


def test_a_deadline_that_has_passed_is_named(embedder: LocalEmbedder) -> None:
    with pytest.raises(EmbedderError) as caught:
        embedder.embed([LONG] * 16, kind="passage", deadline_s=0.001)
    assert caught.value.reason == "deadline"
    assert not caught.value.lasting
    assert embedder.embed(["still there"], kind="query", deadline_s=DEADLINE_S).shape == (1, 384)


def test_the_vocabulary_is_the_models_own_and_says_whose_it_is() -> None:
    data = files("memofs.embed") / "data"
    vocabulary = (data / "vocab.txt").read_bytes()
    assert hashlib.sha256(vocabulary).hexdigest() == "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
    assert vocabulary.count(b"\n") == 30_522
    assert "Apache License" in (data / "LICENSE-vocab.txt").read_text(encoding="utf-8")
