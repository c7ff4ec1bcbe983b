"""The embedder and the reranker whose model runs in the worker process.

Invariant: a lasting failure of a model (a missing file, another hash) is found once; after that every call raises it at
once, marked `repeated`, and no process is started for it. Both may share one worker, which then ends with either.
"""

from collections.abc import Sequence

import numpy as np

from memofs.embed.batches import MAX_TEXTS
from memofs.embed.client import WorkerClient
from memofs.embed.messages import Embed, Rerank, Rows
from memofs.embed.model_files import ModelFiles, identity
from memofs.embed.protocol import EmbedderError, Kind, Matrix, Scores, encodable

__all__ = ["LocalEmbedder", "LocalReranker"]

_CHARACTERS_PER_TOKEN = 32
"""More characters than this times the token limit are cut before they travel: nothing of them would be read."""


class LocalEmbedder:
    """A local model as an Embedder."""

    def __init__(self, model: ModelFiles, client: WorkerClient) -> None:
        if model.role != "embedder":
            raise EmbedderError("settings", f"{model.name} is a {model.role}, not an embedder")
        self._model = model
        self._client = client
        self._dimension = model.dimension or None
        self._failure = _Failure()

    @property
    def identity(self) -> str:
        """The model and everything that changes its vectors."""
        return identity(self._model)

    @property
    def dimension(self) -> int | None:
        """The length of a vector; None until the first answer if the settings do not say."""
        return self._dimension

    @property
    def warm(self) -> bool:
        """Whether the worker runs and has answered before."""
        return self._client.warm

    def warm_up(self) -> None:
        """Start the worker and load the model, without waiting. Raises EmbedderError if that is known to fail."""
        self._failure.raise_again()
        self._client.warm_up(Embed(id=0, model=self._model, texts=(), kind="query"))

    def embed(self, texts: Sequence[str], *, kind: Kind, deadline_s: float) -> Matrix:
        """(n, dimension) unit rows, in the order of the texts. Raises EmbedderError.

        Sent in groups of like length, so that a failure or a deadline leaves little work behind.
        """
        self._failure.raise_again()
        sent = _readable(texts, self._model)
        order = sorted(range(len(sent)), key=lambda index: len(sent[index]))
        groups = [order[start : start + MAX_TEXTS] for start in range(0, len(order), MAX_TEXTS)]
        requests = [
            Embed(id=0, model=self._model, texts=tuple(sent[index] for index in group), kind=kind) for group in groups
        ]
        rows = np.empty((len(sent), self._dimension or 0), np.float32)
        try:
            replies = self._client.ask_all(requests, deadline_s=deadline_s)
            for group, reply in zip(groups, replies, strict=True):
                if rows.shape[1] == 0:
                    self._dimension = reply.dimension
                    rows = np.empty((len(sent), reply.dimension), np.float32)
                rows[group] = _matrix(reply, self._model, len(group), rows.shape[1])
        except EmbedderError as error:
            self._failure.keep(error)
            raise
        return rows

    def end_if_idle(self, idle_s: float) -> bool:
        """Whether the worker was ended because nobody asked for so many seconds."""
        return self._client.end_if_idle(idle_s)

    def close(self) -> None:
        """End the worker."""
        self._client.close()


class LocalReranker:
    """A local cross-encoder or late-interaction model as a Reranker."""

    def __init__(self, model: ModelFiles, client: WorkerClient) -> None:
        if model.role == "embedder":
            raise EmbedderError("settings", f"{model.name} is an embedder, not a reranker")
        self._model = model
        self._client = client
        self._failure = _Failure()

    @property
    def identity(self) -> str:
        """The model and everything that changes its scores."""
        return identity(self._model)

    def rerank(self, query: str, texts: Sequence[str], *, deadline_s: float) -> Scores:
        """(n,) scores in [0, 1], in the order of the texts. Raises EmbedderError."""
        self._failure.raise_again()
        sent = _readable([query, *texts], self._model)
        request = Rerank(id=0, model=self._model, query=sent[0], texts=tuple(sent[1:]))
        try:
            (reply,) = self._client.ask_all([request], deadline_s=deadline_s)
            return _matrix(reply, self._model, len(texts), 1)[:, 0]
        except EmbedderError as error:
            self._failure.keep(error)
            raise

    def end_if_idle(self, idle_s: float) -> bool:
        """Whether the worker was ended because nobody asked for so many seconds."""
        return self._client.end_if_idle(idle_s)

    def close(self) -> None:
        """End the worker."""
        self._client.close()


class _Failure:
    """The lasting failure of one model, if it has one."""

    def __init__(self) -> None:
        self._error: EmbedderError | None = None

    def keep(self, error: EmbedderError) -> None:
        if error.lasting:
            self._error = error

    def raise_again(self) -> None:
        if self._error is not None:
            raise self._error.again()


def _readable(texts: Sequence[str], model: ModelFiles) -> list[str]:
    limit = model.max_tokens * _CHARACTERS_PER_TOKEN
    return [encodable(text[:limit]) for text in texts]


def _matrix(reply: Rows, model: ModelFiles, count: int, dimension: int) -> Matrix:
    if (reply.count, reply.dimension) != (count, dimension):
        raise EmbedderError(
            "badAnswer",
            f"{model.name} answered with {reply.count} × {reply.dimension} numbers, not {count} × {dimension}",
        )
    return np.frombuffer(reply.data, "<f4").reshape(count, dimension).astype(np.float32)
