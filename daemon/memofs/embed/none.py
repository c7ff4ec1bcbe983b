"""The embedder and the reranker of a workspace that has none: every call says why."""

from collections.abc import Sequence

from memofs.embed.protocol import EmbedderError, Kind, Matrix, Scores

__all__ = ["NoEmbedder", "NoReranker"]


class NoEmbedder:
    """An Embedder that never embeds. `why` is the reason, such as a model that is missing; None if none was wanted."""

    identity = "none"
    dimension: int | None = None
    warm = True

    def __init__(self, why: EmbedderError | None = None) -> None:
        self._why = why or EmbedderError("disabled", "the settings ask for no embedder")

    def warm_up(self) -> None:
        """Nothing to start."""

    def embed(self, texts: Sequence[str], *, kind: Kind, deadline_s: float) -> Matrix:  # noqa: ARG002 - the protocol's
        """Never returns. Raises EmbedderError."""
        raise self._why.again()

    def end_if_idle(self, idle_s: float) -> bool:  # noqa: ARG002 - the protocol's
        """False: there is nothing to end."""
        return False

    def close(self) -> None:
        """Nothing to end."""


class NoReranker:
    """A Reranker that never scores. `why` is the reason."""

    identity = "none"

    def __init__(self, why: EmbedderError) -> None:
        self._why = why

    def rerank(self, query: str, texts: Sequence[str], *, deadline_s: float) -> Scores:  # noqa: ARG002 - the protocol's
        """Never returns. Raises EmbedderError."""
        raise self._why.again()

    def end_if_idle(self, idle_s: float) -> bool:  # noqa: ARG002 - the protocol's
        """False: there is nothing to end."""
        return False

    def close(self) -> None:
        """Nothing to end."""
