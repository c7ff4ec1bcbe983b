"""Vectors from Cloudflare Workers AI."""

from collections.abc import Mapping
from typing import TypeAlias
from urllib.parse import quote

import msgspec

from memofs.embed.endpoint import Endpoint, key_from
from memofs.embed.protocol import EmbedderError, Kind
from memofs.embed.remote import EmbedFormat, NumberedVectors, RemoteEmbedder

__all__ = ["CLOUDFLARE_URL", "QUERY_PREFIX", "WorkersAIEmbedder", "workers_ai_embedder"]

CLOUDFLARE_URL = "https://api.cloudflare.com/client/v4"
DIMENSIONS: Mapping[str, int] = {
    "@cf/baai/bge-small-en-v1.5": 384,
    "@cf/baai/bge-base-en-v1.5": 768,
    "@cf/baai/bge-large-en-v1.5": 1024,
    "@cf/baai/bge-m3": 1024,
}
QUERY_PREFIX = "Represent this sentence for searching relevant passages: "
"""What the English BGE models were trained to see in front of a query, and nothing in front of a passage."""
MAX_TEXTS = 100
_PROVIDER = "Cloudflare Workers AI"


class _Body(msgspec.Struct, frozen=True, kw_only=True):
    text: list[str]


class _Result(msgspec.Struct, frozen=True, kw_only=True):
    data: list[list[float | None]]


class _Error(msgspec.Struct, frozen=True, kw_only=True):
    message: str = "no reason given"


class _Answer(msgspec.Struct, frozen=True, kw_only=True):
    success: bool
    result: _Result | None = None
    errors: list[_Error] = []


WorkersAIEmbedder: TypeAlias = RemoteEmbedder[_Answer]


def workers_ai_embedder(
    model: str = "@cf/baai/bge-small-en-v1.5", *, dimension: int | None = None, url: str = CLOUDFLARE_URL
) -> WorkersAIEmbedder:
    """The embedder for a model of Workers AI, with CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID.

    Raises EmbedderError `key` if one of them is missing.
    """
    account = key_from(_PROVIDER, ("CLOUDFLARE_ACCOUNT_ID",))
    prefix = QUERY_PREFIX if "/bge-" in model and "-en-" in model else ""

    def body(texts: list[str], kind: Kind) -> _Body:
        return _Body(text=[prefix + text for text in texts] if kind == "query" else texts)

    return RemoteEmbedder(
        Endpoint(_PROVIDER, url, key=key_from(_PROVIDER, ("CLOUDFLARE_API_TOKEN",))),
        EmbedFormat(
            path=f"/accounts/{quote(account, safe='')}/ai/run/{model}",
            max_texts=MAX_TEXTS,
            body=body,
            answer=_Answer,
            vectors=_vectors,
        ),
        identity=f"workersAi:{model}",
        dimension=dimension or DIMENSIONS.get(model),
    )


def _vectors(answer: _Answer) -> NumberedVectors:
    if not answer.success or answer.result is None:
        said = answer.errors[0].message if answer.errors else "no reason given"
        raise EmbedderError("refused", f"{_PROVIDER} refused the request: {said}")
    return list(enumerate(answer.result.data))
