"""From settings to the embedder and the reranker they name.

Nothing is chosen because a key happens to be set: a provider is used only when the settings name it. Opening starts no
process and touches no network; of a model in a folder it reads the files, to know their hashes.
"""

from pathlib import Path

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

__all__ = ["open_embedder", "open_reranker"]


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


def _named(model: str | None) -> dict[str, str]:
    """The argument `model`, left out where the provider's default is meant."""
    return {"model": model} if model else {}


def _local_model(name: str, models_folder: Path) -> ModelFiles:
    if name == BUILT_IN:
        return built_in()
    among = models_folder / name
    is_name = Path(name).name == name and name not in ("", ".", "..")
    return read_folder(among if is_name and among.is_dir() else Path(name))
