"""Vectors and scores from Voyage AI."""

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from memofs.embed.endpoint import Endpoint, key_from
from memofs.embed.protocol import Kind
from memofs.embed.remote import (
    EmbedFormat,
    NumberedScores,
    NumberedVectors,
    RemoteEmbedder,
    RemoteReranker,
    RerankFormat,
)

__all__ = ["VOYAGE_URL", "VoyageEmbedder", "VoyageReranker", "voyage_embedder", "voyage_reranker"]

VOYAGE_URL = "https://api.voyageai.com/v1"
DEFAULT_DIMENSION = 1024
DIMENSIONS: Mapping[str, int] = {"voyage-3-lite": 512, "voyage-code-2": 1536, "voyage-large-2": 1536}
"""Models whose own dimension is not the default one."""
MAX_TEXTS = 128
"""Below the service's 1,000 texts, and the 120,000 tokens of the models with the lowest limit, chunks being short."""
MAX_DOCUMENTS = 1_000
_INPUT_TYPES: Mapping[Kind, str] = {"query": "query", "passage": "document"}


class _EmbedBody(msgspec.Struct, frozen=True, kw_only=True):
    model: str
    input: list[str]
    input_type: str
    truncation: bool = True
    output_dimension: int | msgspec.UnsetType = msgspec.UNSET


class _Embedded(msgspec.Struct, frozen=True, kw_only=True):
    index: int
    embedding: list[float | None]


class _EmbedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    data: list[_Embedded]


class _RerankBody(msgspec.Struct, frozen=True, kw_only=True):
    model: str
    query: str
    documents: list[str]
    truncation: bool = True


class _Ranked(msgspec.Struct, frozen=True, kw_only=True):
    index: int
    relevance_score: float | None


class _RerankAnswer(msgspec.Struct, frozen=True, kw_only=True):
    data: list[_Ranked]


VoyageEmbedder: TypeAlias = RemoteEmbedder[_EmbedAnswer]
VoyageReranker: TypeAlias = RemoteReranker[_RerankAnswer]


def voyage_embedder(
    model: str = "voyage-code-3", *, dimension: int | None = None, url: str = VOYAGE_URL
) -> VoyageEmbedder:
    """The embedder for a model of Voyage, with the key in VOYAGE_API_KEY. Raises EmbedderError `key`.

    The service itself tells queries and documents apart. A dimension that is not the model's own is asked for.
    """
    own = DIMENSIONS.get(model, DEFAULT_DIMENSION)
    asked = dimension if dimension not in (None, own) else None

    def body(texts: list[str], kind: Kind) -> _EmbedBody:
        return _EmbedBody(
            model=model, input=texts, input_type=_INPUT_TYPES[kind], output_dimension=asked or msgspec.UNSET
        )

    def vectors(answer: _EmbedAnswer) -> NumberedVectors:
        return [(item.index, item.embedding) for item in answer.data]

    return RemoteEmbedder(
        _endpoint(url),
        EmbedFormat(path="/embeddings", max_texts=MAX_TEXTS, body=body, answer=_EmbedAnswer, vectors=vectors),
        identity=f"voyage:{model}" + (f":{asked}" if asked else ""),
        dimension=dimension or own,
    )


def voyage_reranker(model: str = "rerank-2.5", *, url: str = VOYAGE_URL) -> VoyageReranker:
    """The reranker for a model of Voyage, with the key in VOYAGE_API_KEY. Raises EmbedderError `key`."""

    def body(query: str, texts: list[str]) -> _RerankBody:
        return _RerankBody(model=model, query=query, documents=texts)

    def scores(answer: _RerankAnswer) -> NumberedScores:
        return [(item.index, item.relevance_score) for item in answer.data]

    return RemoteReranker(
        _endpoint(url),
        RerankFormat(path="/rerank", max_texts=MAX_DOCUMENTS, body=body, answer=_RerankAnswer, scores=scores),
        identity=f"voyage:{model}",
    )


def _endpoint(url: str) -> Endpoint:
    return Endpoint("Voyage", url, key=key_from("Voyage", ("VOYAGE_API_KEY",)))
