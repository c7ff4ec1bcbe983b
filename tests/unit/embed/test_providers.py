"""Each provider's documented wire format, spoken by a real server: what is sent, what is read, what is refused."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import cast

import numpy as np
import pytest
from numpy.testing import assert_allclose

from memofs.embed.cohere import cohere_reranker
from memofs.embed.openai import compatible_embedder, openai_embedder
from memofs.embed.protocol import Embedder, EmbedderError, Kind, Matrix, Reranker, Scores
from memofs.embed.voyage import voyage_embedder, voyage_reranker
from memofs.embed.workers_ai import QUERY_PREFIX, workers_ai_embedder
from unit.embed.http_server import Answer, Asked, serving

DEADLINE_S = 30.0
VECTORS = ([3.0, 4.0], [0.0, 2.0], [-1.0, 0.0])
UNIT = [[0.6, 0.8], [0.0, 1.0], [-1.0, 0.0]]
TEXTS = ("one", "two", "three")
SCORES = (0.25, 0.9, 0.5)


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "VOYAGE_API_KEY", "CLOUDFLARE_API_TOKEN", "COHERE_API_KEY"):
        monkeypatch.setenv(name, f"key of {name}")
    monkeypatch.setenv("CLOUDFLARE_ACCOUNT_ID", "account/1")
    monkeypatch.delenv("MEMOFS_EMBEDDINGS_KEY", raising=False)


def embeddings(vectors: Sequence[object], *, backwards: bool = False) -> dict[str, object]:
    """As OpenAI and Voyage answer."""
    data = [{"object": "embedding", "index": index, "embedding": vector} for index, vector in enumerate(vectors)]
    return {"object": "list", "data": data[::-1] if backwards else data, "model": "m", "usage": {"total_tokens": 5}}


def workers_result(vectors: Sequence[object]) -> dict[str, object]:
    """As Cloudflare answers."""
    result = {"shape": [len(vectors), 2], "data": list(vectors), "pooling": "mean"}
    return {"result": result, "success": True, "errors": [], "messages": []}


def ranked(field: str, scores: Sequence[object]) -> dict[str, object]:
    """As Voyage (`data`) and Cohere (`results`) answer: the best first."""
    found = [{"index": index, "relevance_score": score} for index, score in enumerate(scores)]
    return {field: sorted(found, key=lambda item: -cast("float", item["relevance_score"] or 0)), "id": "x", "meta": {}}


def embed(
    make: Callable[[str], Embedder], answer: Callable[[Asked], Answer], texts: Sequence[str], kind: Kind = "passage"
) -> tuple[Matrix, list[Asked]]:
    with serving(answer) as server:
        embedder = make(server.url)
        try:
            return embedder.embed(texts, kind=kind, deadline_s=DEADLINE_S), server.asked
        finally:
            embedder.close()


def rerank(
    make: Callable[[str], Reranker], answer: Callable[[Asked], Answer], texts: Sequence[str]
) -> tuple[Scores, list[Asked]]:
    with serving(answer) as server:
        reranker = make(server.url)
        try:
            return reranker.rerank("which?", texts, deadline_s=DEADLINE_S), server.asked
        finally:
            reranker.close()


def small_openai(url: str) -> Embedder:
    return openai_embedder(dimension=2, url=url)


def compatible(url: str) -> Embedder:
    return compatible_embedder(url + "/v1", "nomic", query_prefix="search_query: ", passage_prefix="search_document: ")


def small_voyage(url: str) -> Embedder:
    return voyage_embedder(dimension=2, url=url)


def small_workers(url: str) -> Embedder:
    return workers_ai_embedder(dimension=2, url=url)


def voyage_ranks(url: str) -> Reranker:
    return voyage_reranker(url=url)


def cohere_ranks(url: str) -> Reranker:
    return cohere_reranker(url=url)


EMBEDDERS = pytest.mark.parametrize(
    ("make", "wrap"),
    [
        (small_openai, embeddings),
        (compatible, embeddings),
        (small_voyage, embeddings),
        (small_workers, workers_result),
    ],
)
RERANKERS = pytest.mark.parametrize(("make", "field"), [(voyage_ranks, "data"), (cohere_ranks, "results")])
Make = Callable[[str], Embedder]
MakeReranker = Callable[[str], Reranker]
Wrap = Callable[[Sequence[object]], Mapping[str, object]]


@pytest.mark.parametrize(
    ("make", "kind", "path", "key", "body"),
    [
        (
            small_openai,
            "passage",
            "/embeddings",
            "OPENAI_API_KEY",
            {"model": "text-embedding-3-small", "input": ["one"], "encoding_format": "float", "dimensions": 2},
        ),
        (
            small_voyage,
            "passage",
            "/embeddings",
            "VOYAGE_API_KEY",
            {
                "model": "voyage-code-3",
                "input": ["one"],
                "input_type": "document",
                "truncation": True,
                "output_dimension": 2,
            },
        ),
        (
            small_voyage,
            "query",
            "/embeddings",
            "VOYAGE_API_KEY",
            {
                "model": "voyage-code-3",
                "input": ["one"],
                "input_type": "query",
                "truncation": True,
                "output_dimension": 2,
            },
        ),
    ],
)
def test_what_openai_and_voyage_are_asked(
    make: Make, kind: Kind, path: str, key: str, body: Mapping[str, object]
) -> None:
    _, asked = embed(make, lambda _: Answer(embeddings([[1, 0]])), ["one"], kind)
    assert (asked[0].path, asked[0].body) == (path, body)
    assert asked[0].headers["authorization"] == f"Bearer key of {key}"


@pytest.mark.parametrize(("kind", "text"), [("query", QUERY_PREFIX + "one"), ("passage", "one")])
def test_what_cloudflare_is_asked(kind: Kind, text: str) -> None:
    _, asked = embed(small_workers, lambda _: Answer(workers_result([[1, 0]])), ["one"], kind)
    assert asked[0].path == "/accounts/account%2F1/ai/run/@cf/baai/bge-small-en-v1.5"
    assert asked[0].body == {"text": [text]}
    assert asked[0].headers["authorization"] == "Bearer key of CLOUDFLARE_API_TOKEN"


@pytest.mark.parametrize(("kind", "prefix"), [("query", "search_query: "), ("passage", "search_document: ")])
def test_what_a_compatible_server_is_asked(kind: Kind, prefix: str) -> None:
    _, asked = embed(compatible, lambda _: Answer(embeddings([[1, 0]])), ["one"], kind)
    assert asked[0].path == "/v1/embeddings"
    assert asked[0].body == {"model": "nomic", "input": [prefix + "one"], "encoding_format": "float"}
    assert "authorization" not in asked[0].headers, "a key for OpenAI is for OpenAI"


def test_a_compatible_server_may_have_a_key_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMOFS_EMBEDDINGS_KEY", "own")
    _, asked = embed(compatible, lambda _: Answer(embeddings([[1, 0]])), ["one"])
    assert asked[0].headers["authorization"] == "Bearer own"


def test_a_models_own_dimension_is_not_asked_for() -> None:
    _, asked = embed(
        lambda url: openai_embedder("text-embedding-3-small", url=url),
        lambda _: Answer(embeddings([[1.0] * 1536])),
        ["one"],
    )
    assert "dimensions" not in asked[0].body


@EMBEDDERS
def test_vectors_come_back_as_unit_rows(make: Make, wrap: Wrap) -> None:
    rows, _ = embed(make, lambda _: Answer(wrap(VECTORS)), TEXTS)
    assert_allclose(rows, UNIT, atol=1e-6)
    assert rows.dtype == np.float32


@pytest.mark.parametrize("make", [small_openai, compatible, small_voyage])
def test_vectors_are_put_in_the_order_of_the_texts(make: Make) -> None:
    rows, _ = embed(make, lambda _: Answer(embeddings(VECTORS, backwards=True)), TEXTS)
    assert_allclose(rows, UNIT, atol=1e-6)


@EMBEDDERS
def test_many_texts_are_asked_in_batches(make: Make, wrap: Wrap) -> None:
    def answer(asked: Asked) -> Answer:
        texts = cast("list[str]", asked.body.get("input") or asked.body.get("text"))
        assert len(texts) <= 128
        return Answer(wrap([[float(text.rsplit(" ", 1)[-1]), 1.0] for text in texts]))

    rows, asked = embed(make, answer, [f"number {index}" for index in range(300)])
    assert_allclose(rows[:, 0] / rows[:, 1], range(300), rtol=1e-4)
    assert len(asked) == 3


@EMBEDDERS
def test_no_texts_ask_nobody(make: Make, wrap: Wrap) -> None:
    rows, asked = embed(make, lambda _: Answer(wrap([])), [])
    assert len(rows) == 0
    assert asked == []


@EMBEDDERS
def test_an_empty_text_and_a_broken_one_are_sent_as_something_allowed(make: Make, wrap: Wrap) -> None:
    _, asked = embed(make, lambda _: Answer(wrap(VECTORS[:2])), ["", "\ud800"])
    sent = cast("list[str]", asked[0].body.get("input") or asked[0].body.get("text"))
    assert sent[0].strip(" ") == "" or sent[0] == "search_document:  "
    assert sent[1].endswith("?")


@EMBEDDERS
@pytest.mark.parametrize(
    ("vectors", "reason"),
    [
        ([[1, 2], [1, 2]], "badAnswer"),
        ([[1, 2]] * 4, "badAnswer"),
        ([[1, 2], [1, 2, 3], [1, 2]], "dimension"),
        ([[1, 2], [None, 2], [1, 2]], "notFinite"),
        ([[1, 2], [float("nan"), 2], [1, 2]], "notFinite"),
        ([[1, 2], [float("inf"), 2], [1, 2]], "notFinite"),
        ([[1, 2], [1e300, 2], [1, 2]], "notFinite"),
        (["AAAA", "AAAA", "AAAA"], "badAnswer"),
        ([], "badAnswer"),
    ],
)
def test_a_wrong_answer_is_an_error_and_no_vector(make: Make, wrap: Wrap, vectors: list[object], reason: str) -> None:
    with pytest.raises(EmbedderError) as caught:
        embed(make, lambda _: Answer(wrap(vectors)), TEXTS)
    assert caught.value.reason == reason


@pytest.mark.parametrize("make", [small_openai, small_voyage, small_workers])
def test_another_dimension_than_the_settings_say(make: Make) -> None:
    wrap = workers_result if make is small_workers else embeddings
    with pytest.raises(EmbedderError, match="vectors of 3 numbers, not of 2") as caught:
        embed(make, lambda _: Answer(wrap([[1, 2, 3]])), ["one"])
    assert (caught.value.reason, caught.value.lasting) == ("dimension", True)


def test_a_dimension_that_nobody_said_is_the_first_answers() -> None:
    answers = [Answer(embeddings([[1, 0]])), Answer(embeddings([[1, 0, 0]]))]
    with serving(lambda _: answers.pop(0)) as server:
        embedder = compatible(server.url)
        assert embedder.dimension is None
        embedder.embed(["one"], kind="query", deadline_s=DEADLINE_S)
        assert embedder.dimension == 2
        with pytest.raises(EmbedderError) as caught:
            embedder.embed(["one"], kind="query", deadline_s=DEADLINE_S)
        assert caught.value.reason == "dimension"
        embedder.close()


@EMBEDDERS
def test_a_rate_limit_is_waited_out(make: Make, wrap: Wrap) -> None:
    answers = [Answer({"detail": "slow down"}, 429, {"retry-after": "0"}), Answer(wrap(VECTORS))]
    rows, asked = embed(make, lambda _: answers.pop(0), TEXTS)
    assert_allclose(rows, UNIT, atol=1e-6)
    assert len(asked) == 2


@EMBEDDERS
@pytest.mark.parametrize("kind", ["query", "passage"])
@pytest.mark.parametrize(("deadline_s", "tries"), [(5.0, 1), (DEADLINE_S, 2)])
def test_who_waits_is_not_made_to_wait_for_another_try(
    make: Make, wrap: Wrap, kind: Kind, deadline_s: float, tries: int
) -> None:
    answers = [Answer({}, 503), Answer(wrap([VECTORS[0]]))]
    with serving(lambda _: answers.pop(0)) as server:
        embedder = make(server.url)
        with contextlib.suppress(EmbedderError):
            embedder.embed(["one"], kind=kind, deadline_s=deadline_s)
        assert len(server.asked) == tries
        embedder.close()


def test_one_deadline_holds_for_all_batches() -> None:
    def answer(asked: Asked) -> Answer:
        texts = cast("list[str]", asked.body["input"])
        return Answer(embeddings([[1, 0]] * len(texts)) if texts[0] == "0" else {}, 200 if texts[0] == "0" else 503)

    with serving(answer) as server:
        embedder = small_openai(server.url)
        with pytest.raises(EmbedderError) as caught:
            embedder.embed([str(index) for index in range(200)], kind="passage", deadline_s=0.2)
        assert caught.value.reason in ("providerDown", "deadline")
        embedder.close()


def test_cloudflare_can_say_no_with_a_success_status() -> None:
    body = {"result": None, "success": False, "errors": [{"code": 5007, "message": "No such model"}], "messages": []}
    with pytest.raises(EmbedderError, match="refused the request: No such model"):
        embed(small_workers, lambda _: Answer(body), TEXTS)


def test_identities_tell_models_and_dimensions_apart() -> None:
    embedders: list[Embedder] = [
        openai_embedder(),
        openai_embedder("text-embedding-3-large"),
        openai_embedder(dimension=256),
        voyage_embedder(),
        voyage_embedder(dimension=256),
        workers_ai_embedder(),
        compatible_embedder("http://localhost:1/v1", "m"),
        compatible_embedder("http://localhost:2/v1", "m"),
        compatible_embedder("http://localhost:1/v1", "m", query_prefix="q: "),
    ]
    assert len({embedder.identity for embedder in embedders}) == len(embedders)
    assert openai_embedder(dimension=1536).identity == openai_embedder().identity
    assert [embedder.dimension for embedder in embedders[:6]] == [1536, 3072, 256, 1024, 256, 384]
    for embedder in embedders:
        assert embedder.warm
        assert not embedder.end_if_idle(0)
        embedder.close()


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (openai_embedder, "OPENAI_API_KEY"),
        (voyage_embedder, "VOYAGE_API_KEY"),
        (voyage_reranker, "VOYAGE_API_KEY"),
        (workers_ai_embedder, "CLOUDFLARE_API_TOKEN"),
        (workers_ai_embedder, "CLOUDFLARE_ACCOUNT_ID"),
        (cohere_reranker, "COHERE_API_KEY"),
    ],
)
def test_a_missing_key_is_named(make: Callable[[], object], name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(name)
    monkeypatch.delenv("CO_API_KEY", raising=False)
    with pytest.raises(EmbedderError, match=name) as caught:
        make()
    assert caught.value.reason == "key"


def test_what_voyage_is_asked_to_rank() -> None:
    _, asked = rerank(voyage_ranks, lambda _: Answer(ranked("data", SCORES)), TEXTS)
    assert asked[0].path == "/rerank"
    assert asked[0].body == {"model": "rerank-2.5", "query": "which?", "documents": list(TEXTS), "truncation": True}


def test_what_cohere_is_asked_to_rank() -> None:
    _, asked = rerank(cohere_ranks, lambda _: Answer(ranked("results", SCORES)), TEXTS)
    assert asked[0].path == "/v2/rerank"
    assert asked[0].body == {"model": "rerank-v3.5", "query": "which?", "documents": list(TEXTS), "top_n": 3}
    assert asked[0].headers["authorization"] == "Bearer key of COHERE_API_KEY"


@RERANKERS
def test_scores_come_back_in_the_order_of_the_texts(make: MakeReranker, field: str) -> None:
    scores, _ = rerank(make, lambda _: Answer(ranked(field, SCORES)), TEXTS)
    assert_allclose(scores, SCORES, atol=1e-6)


@RERANKERS
def test_scores_are_kept_within_bounds(make: MakeReranker, field: str) -> None:
    scores, _ = rerank(make, lambda _: Answer(ranked(field, (-0.1, 1.2, 0.5))), TEXTS)
    assert_allclose(scores, [0, 1, 0.5], atol=1e-6)


@RERANKERS
def test_nothing_to_rank_asks_nobody(make: MakeReranker, field: str) -> None:
    scores, asked = rerank(make, lambda _: Answer(ranked(field, ())), [])
    assert (scores.shape, asked) == ((0,), [])


@RERANKERS
@pytest.mark.parametrize(
    ("scores", "reason"),
    [((0.5, 0.4), "badAnswer"), ((0.5, None, 0.4), "notFinite"), ((0.5, float("nan"), 0.4), "notFinite")],
)
def test_a_wrong_ranking_is_an_error(make: MakeReranker, field: str, scores: Sequence[object], reason: str) -> None:
    with pytest.raises(EmbedderError) as caught:
        rerank(make, lambda _: Answer(ranked(field, scores)), TEXTS)
    assert caught.value.reason == reason


@RERANKERS
def test_a_reranker_that_fails_is_named(make: MakeReranker, field: str) -> None:
    with pytest.raises(EmbedderError) as caught:
        rerank(make, lambda _: Answer({"message": "invalid"}, 400), TEXTS)
    assert (caught.value.reason, field in ("data", "results")) == ("refused", True)
    assert make("http://localhost:1").identity.startswith(("voyage:rerank", "cohere:rerank"))
