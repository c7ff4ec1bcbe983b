"""From settings to the embedder and the reranker they name.

Nothing is chosen because a key happens to be set: a provider is used only when the settings name it. Opening starts no
process and touches no network; of a model in a folder it reads the files, to know their hashes.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

from memofs.embed.client import WorkerClient
from memofs.embed.cohere import cohere_reranker
from memofs.embed.local import LocalEmbedder, LocalReranker
from memofs.embed.model_files import ModelFiles
from memofs.embed.models import BUILT_IN, built_in, read_folder
from memofs.embed.none import NoEmbedder
from memofs.embed.openai import compatible_embedder, openai_embedder
from memofs.embed.protocol import Embedder, EmbedderError, Reranker
from memofs.embed.voyage import voyage_embedder, voyage_reranker
from memofs.embed.workers_ai import workers_ai_embedder
from memofs.model.config import EmbedSettings, RerankSettings

__all__ = ["embedding_service", "open_embedder", "open_reranker", "reranking_service", "services_in"]

_OWN = frozenset({"local", "none", "rules"})
"""Providers that send nothing anywhere."""


def embedding_service(settings: EmbedSettings) -> str | None:
    """Where the texts of memories and questions go: a provider's name or an endpoint's address; None: nowhere."""
    if settings.provider == "compatible":
        return _address(settings.endpoint or "")
    return None if settings.provider in _OWN else settings.provider


def reranking_service(settings: RerankSettings) -> str | None:
    """Where questions and the texts of the likeliest memories go; None: nowhere."""
    return None if settings.provider in _OWN else settings.provider


def services_in(key: str, value: object) -> tuple[str, ...]:
    """The services that somebody named who set this setting to this value.

    Who sets a provider to `compatible` has not said which address, and who sets a model has not said which provider.
    """
    group, _, part = key.partition(".")
    if group not in ("embedding", "reranking"):
        return ()
    fields: Mapping[str, object] = {part: value}
    if not part:
        fields = cast("Mapping[str, object]", value) if isinstance(value, dict) else {}
    provider, endpoint = fields.get("provider"), fields.get("endpoint")
    found: list[str] = []
    if isinstance(provider, str) and provider not in {*_OWN, "compatible"}:
        found.append(provider)
    if isinstance(endpoint, str):
        found.append(_address(endpoint))
    return tuple(found)


def open_embedder(settings: EmbedSettings, models_folder: Path, client: WorkerClient) -> Embedder:
    """The embedder; a local one runs in the client's worker. Raises EmbedderError if the settings cannot be met."""
    model = settings.model
    match settings.provider:
        case "local":
            return LocalEmbedder(_local_model(model or BUILT_IN, models_folder), client)
        case "none":
            return NoEmbedder()
        case "openai":
            return openai_embedder(**_named(model), dimension=settings.dimension)
        case "voyage":
            return voyage_embedder(**_named(model), dimension=settings.dimension)
        case "workersAi":
            return workers_ai_embedder(**_named(model), dimension=settings.dimension)
        case "compatible":
            if not settings.endpoint or not model:
                raise EmbedderError("settings", "an OpenAI-compatible embedder needs `endpoint` and `model`")
            return compatible_embedder(
                settings.endpoint,
                model,
                dimension=settings.dimension,
                query_prefix=settings.query_prefix,
                passage_prefix=settings.passage_prefix,
            )


def open_reranker(settings: RerankSettings, models_folder: Path, client: WorkerClient) -> Reranker | None:
    """The reranker, or None for the deterministic one. Raises EmbedderError if the settings cannot be met."""
    model = settings.model
    match settings.provider:
        case "rules":
            return None
        case "local":
            if not model:
                raise EmbedderError("settings", "a local reranker needs `model`: a folder with model.onnx")
            return LocalReranker(_local_model(model, models_folder), client)
        case "voyage":
            return voyage_reranker(**_named(model))
        case "cohere":
            return cohere_reranker(**_named(model))


def _address(endpoint: str) -> str:
    return endpoint.strip().rstrip("/")


def _named(model: str | None) -> dict[str, str]:
    """The argument `model`, left out where the provider's default is meant."""
    return {"model": model} if model else {}


def _local_model(name: str, models_folder: Path) -> ModelFiles:
    if name == BUILT_IN:
        return built_in()
    among = models_folder / name
    is_name = Path(name).name == name and name not in ("", ".", "..")
    return read_folder(among if is_name and among.is_dir() else Path(name))
