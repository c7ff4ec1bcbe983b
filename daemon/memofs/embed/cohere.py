"""Scores from Cohere's reranker."""

from typing import TypeAlias

import msgspec

from memofs.embed.endpoint import Endpoint, key_from
from memofs.embed.remote import NumberedScores, RemoteReranker, RerankFormat

__all__ = ["COHERE_URL", "CohereReranker", "cohere_reranker"]

COHERE_URL = "https://api.cohere.com"
MAX_DOCUMENTS = 1_000


class _Body(msgspec.Struct, frozen=True, kw_only=True):
    model: str
    query: str
    documents: list[str]
    top_n: int


class _Ranked(msgspec.Struct, frozen=True, kw_only=True):
    index: int
    relevance_score: float | None


class _Answer(msgspec.Struct, frozen=True, kw_only=True):
    results: list[_Ranked]


CohereReranker: TypeAlias = RemoteReranker[_Answer]


def cohere_reranker(model: str = "rerank-v3.5", *, url: str = COHERE_URL) -> CohereReranker:
    """The reranker for a model of Cohere, with the key in COHERE_API_KEY or CO_API_KEY. Raises EmbedderError `key`."""

    def body(query: str, texts: list[str]) -> _Body:
        return _Body(model=model, query=query, documents=texts, top_n=len(texts))

    def scores(answer: _Answer) -> NumberedScores:
        return [(item.index, item.relevance_score) for item in answer.results]

    return RemoteReranker(
        Endpoint("Cohere", url, key=key_from("Cohere", ("COHERE_API_KEY", "CO_API_KEY"))),
        RerankFormat(path="/v2/rerank", max_texts=MAX_DOCUMENTS, body=body, answer=_Answer, scores=scores),
        identity=f"cohere:{model}",
    )
