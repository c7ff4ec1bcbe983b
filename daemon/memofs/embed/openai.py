"""Vectors from OpenAI, and from any server that speaks its format (Ollama, vLLM, llama.cpp, LM Studio, …).

A compatible server has a key variable of its own: OpenAI's key is never sent to an address that a settings file names.
"""

import hashlib
import os
from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from memofs.embed.endpoint import Endpoint, key_from
from memofs.embed.protocol import Kind
from memofs.embed.remote import EmbedFormat, NumberedVectors, RemoteEmbedder

__all__ = ["COMPATIBLE_KEY", "OPENAI_URL", "OpenAIEmbedder", "compatible_embedder", "openai_embedder"]

OPENAI_URL = "https://api.openai.com/v1"
COMPATIBLE_KEY = "MEMOFS_EMBEDDINGS_KEY"
DIMENSIONS: Mapping[str, int] = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}
MAX_TEXTS = 128
"""Well below the service's 2,048 texts and 300,000 tokens a request, chunks being short."""


class _Body(msgspec.Struct, frozen=True, kw_only=True):
    model: str
    input: list[str]
    encoding_format: str = "float"
    dimensions: int | msgspec.UnsetType = msgspec.UNSET


class _Item(msgspec.Struct, frozen=True, kw_only=True):
    index: int
    embedding: list[float | None]


class _Answer(msgspec.Struct, frozen=True, kw_only=True):
    data: list[_Item]


OpenAIEmbedder: TypeAlias = RemoteEmbedder[_Answer]


def openai_embedder(
    model: str = "text-embedding-3-small", *, dimension: int | None = None, url: str = OPENAI_URL
) -> OpenAIEmbedder:
    """The embedder for a model of OpenAI, with the key in OPENAI_API_KEY. Raises EmbedderError `key`.

    A dimension that is not the model's own is asked for, which only its newer models accept.
    """
    own = DIMENSIONS.get(model)
    asked = dimension if dimension not in (None, own) else None
    return RemoteEmbedder(
        Endpoint("OpenAI", url, key=key_from("OpenAI", ("OPENAI_API_KEY",))),
        _format(model, asked, {}),
        identity=f"openai:{model}" + (f":{asked}" if asked else ""),
        dimension=dimension or own,
    )


def compatible_embedder(
    url: str, model: str, *, dimension: int | None = None, query_prefix: str = "", passage_prefix: str = ""
) -> OpenAIEmbedder:
    """The embedder for any server with OpenAI's format; a key, if it wants one, is in MEMOFS_EMBEDDINGS_KEY.

    Raises EmbedderError `settings` for an address that is none, or plain HTTP to another machine with a key.
    """
    endpoint = Endpoint("the embedding server", url, key=os.environ.get(COMPATIBLE_KEY, "").strip() or None)
    identity = f"compatible:{endpoint.host}:{model}"
    if query_prefix or passage_prefix:
        digest = hashlib.sha256(msgspec.json.encode((query_prefix, passage_prefix))).hexdigest()
        identity += f":{digest[:8]}"
    prefixes: Mapping[Kind, str] = {"query": query_prefix, "passage": passage_prefix}
    return RemoteEmbedder(endpoint, _format(model, None, prefixes), identity=identity, dimension=dimension)


def _format(model: str, asked: int | None, prefixes: Mapping[Kind, str]) -> EmbedFormat[_Answer]:
    def body(texts: list[str], kind: Kind) -> _Body:
        prefix = prefixes.get(kind, "")
        return _Body(model=model, input=[prefix + text for text in texts], dimensions=asked or msgspec.UNSET)

    return EmbedFormat(path="/embeddings", max_texts=MAX_TEXTS, body=body, answer=_Answer, vectors=_vectors)


def _vectors(answer: _Answer) -> NumberedVectors:
    return [(item.index, item.embedding) for item in answer.data]
