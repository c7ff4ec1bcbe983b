"""From the settings to what makes vectors and takes second looks in one workspace.

Invariant: a service is opened only if this person has allowed it here; whatever cannot be opened stands for itself
with its reason, so that recall goes on and says what it lacks.
"""

import logging
from collections.abc import Callable

from memofs.embed.choose import embedding_service, open_embedder, open_reranker, reranking_service
from memofs.embed.client import WorkerClient
from memofs.embed.models import BUILT_IN
from memofs.embed.none import NoEmbedder, NoReranker
from memofs.embed.protocol import EmbedderError
from memofs.engine.books import Publish
from memofs.engine.meaning import Meaning
from memofs.engine.places import models_folder
from memofs.engine.reranking import Reranking
from memofs.model.config import EmbedSettings, RerankSettings
from memofs.store.consent import Consent
from memofs.store.layout import Layout
from memofs.world.state import World

__all__ = ["open_meaning", "open_reranking"]

log = logging.getLogger("memofs.engine")


def open_meaning(
    settings: EmbedSettings,
    worker: WorkerClient,
    consent: Consent,
    *,
    layout: Layout,
    world: Callable[[], World],
    publish: Publish,
) -> Meaning | None:
    """The vectors' side, ready to start when it is first needed; None if the settings want none."""
    if settings.provider == "none":
        return None
    failure: EmbedderError | None = None
    try:
        _require(embedding_service(settings), consent)
        embedder = open_embedder(settings, models_folder(), worker)
    except EmbedderError as error:
        log.warning("no vectors: %s", error.message)
        failure, embedder = error, NoEmbedder(error)
    return Meaning(
        embedder,
        layout,
        world=world,
        publish=publish,
        failure=failure,
        calibrates=settings.provider != "local" or settings.model not in (None, BUILT_IN),
    )


def open_reranking(settings: RerankSettings, worker: WorkerClient, consent: Consent) -> Reranking | None:
    """The second look; None for the deterministic reranker."""
    failure: EmbedderError | None = None
    try:
        _require(reranking_service(settings), consent)
        reranker = open_reranker(settings, models_folder(), worker)
    except EmbedderError as error:
        log.warning("no second look: %s", error.message)
        failure, reranker = error, NoReranker(error)
    return None if reranker is None else Reranking(reranker, failure)


def _require(service: str | None, consent: Consent) -> None:
    """Raises EmbedderError `notAllowed` if the service was not allowed."""
    if service is not None and not consent.allows(service):
        raise EmbedderError(
            "notAllowed",
            f"the settings name {service}, which you have not allowed to read this project's memories and questions",
            "memofs model allow, if you trust it with them; or memofs config set embedding.provider local",
        )
