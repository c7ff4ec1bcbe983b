"""An embedder and a reranker behind an HTTP endpoint, whatever the provider's format.

A provider is a value: how a request is written and how its answer is read (`EmbedFormat`, `RerankFormat`). What all
have in common is here: batches, one deadline over them, and the checks of the count, the order, the dimension and
every number, so that a wrong answer is an error and never a wrong vector.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from memofs.embed.endpoint import Endpoint, Urgency
from memofs.embed.pooling import clamped, require_finite, unit_rows
from memofs.embed.protocol import EmbedderError, Kind, Matrix, Scores, encodable

__all__ = ["EmbedFormat", "NumberedScores", "NumberedVectors", "RemoteEmbedder", "RemoteReranker", "RerankFormat"]

T = TypeVar("T")

ASKED_WITHIN_S = 10.0
"""Who gives no more than this waits for the answer."""

Vector = list[float | None]
"""As it comes: a NaN that went through a JSON writer may arrive as null."""
NumberedVectors = list[tuple[int, Vector]]
NumberedScores = list[tuple[int, float | None]]


@dataclass(frozen=True, kw_only=True)
class EmbedFormat(Generic[T]):
    """How one provider is asked for vectors: the path, the body for some texts, and the answer's type and reading."""

    path: str
    max_texts: int
    body: Callable[[list[str], Kind], object]
    answer: type[T]
    vectors: Callable[[T], NumberedVectors]


@dataclass(frozen=True, kw_only=True)
class RerankFormat(Generic[T]):
    """How one provider is asked for scores."""

    path: str
    max_texts: int
    body: Callable[[str, list[str]], object]
    answer: type[T]
    scores: Callable[[T], NumberedScores]


class RemoteEmbedder(Generic[T]):
    """A provider's model as an Embedder."""

    def __init__(self, endpoint: Endpoint, asking: EmbedFormat[T], *, identity: str, dimension: int | None) -> None:
        self.identity = identity
        self.dimension = dimension
        self.warm = True
        self._endpoint = endpoint
        self._format = asking

    def warm_up(self) -> None:
        """Nothing: a connection is opened with the first request."""

    def embed(self, texts: Sequence[str], *, kind: Kind, deadline_s: float) -> Matrix:
        """(n, dimension) unit rows, in the order of the texts. Raises EmbedderError.

        With a short deadline the provider is tried once; if it failed a moment ago, not at all.
        """
        asking, end_s = self._format, self._endpoint.now_s() + deadline_s
        urgency = _urgency(deadline_s)
        parts: list[Matrix] = []
        for sent in _batches(texts, asking.max_texts):
            left_s = end_s - self._endpoint.now_s()
            answer = self._endpoint.post(
                asking.path, asking.body(sent, kind), asking.answer, deadline_s=left_s, urgency=urgency
            )
            rows = self._rows(_in_order(self._endpoint.provider, asking.vectors(answer), len(sent)))
            self.dimension = rows.shape[1]
            parts.append(rows)
        return np.concatenate(parts) if parts else np.empty((0, self.dimension or 0), np.float32)

    def end_if_idle(self, idle_s: float) -> bool:  # noqa: ARG002 - the protocol's
        """False: an idle connection holds next to nothing."""
        return False

    def close(self) -> None:
        """Give the connections back."""
        self._endpoint.close()

    def _rows(self, vectors: list[Vector]) -> Matrix:
        lengths = {len(vector) for vector in vectors}
        expected = self.dimension if self.dimension is not None else len(vectors[0])
        if lengths != {expected} or not expected:
            got = ", ".join(str(length) for length in sorted(lengths))
            raise EmbedderError(
                "dimension",
                f"{self._endpoint.provider} returned vectors of {got} numbers, not of {expected}",
                "Correct the model or its dimension in the settings.",
            )
        rows = np.array(vectors, np.float64)
        with np.errstate(over="ignore"):
            require_finite(rows.astype(np.float32), self._endpoint.provider)
        if not rows.any(axis=1).all():
            message = f"{self._endpoint.provider} returned a vector of zeros, which is similar to nothing"
            raise EmbedderError("badAnswer", message)
        return unit_rows(rows)


class RemoteReranker(Generic[T]):
    """A provider's model as a Reranker."""

    def __init__(self, endpoint: Endpoint, asking: RerankFormat[T], *, identity: str) -> None:
        self.identity = identity
        self._endpoint = endpoint
        self._format = asking

    def rerank(self, query: str, texts: Sequence[str], *, deadline_s: float) -> Scores:
        """(n,) scores in [0, 1], in the order of the texts. Raises EmbedderError.

        With a short deadline the provider is tried once; if it failed a moment ago, not at all.
        """
        asking, end_s = self._format, self._endpoint.now_s() + deadline_s
        urgency = _urgency(deadline_s)
        parts: list[Scores] = []
        for sent in _batches(texts, asking.max_texts):
            left_s = end_s - self._endpoint.now_s()
            body = asking.body(_sendable(query), sent)
            answer = self._endpoint.post(asking.path, body, asking.answer, deadline_s=left_s, urgency=urgency)
            scores = np.array(_in_order(self._endpoint.provider, asking.scores(answer), len(sent)), np.float64)
            require_finite(scores, self._endpoint.provider)
            parts.append(clamped(scores))
        return np.concatenate(parts) if parts else np.empty(0, np.float32)

    def end_if_idle(self, idle_s: float) -> bool:  # noqa: ARG002 - the protocol's
        """False: an idle connection holds next to nothing."""
        return False

    def close(self) -> None:
        """Give the connections back."""
        self._endpoint.close()


def _urgency(deadline_s: float) -> Urgency:
    """What a deadline says: somebody waits, or there is time for several tries."""
    return "asked" if deadline_s <= ASKED_WITHIN_S else "background"


def _sendable(text: str) -> str:
    """The text as providers accept it: they refuse empty ones."""
    return encodable(text) or " "


def _batches(texts: Sequence[str], size: int) -> list[list[str]]:
    return [[_sendable(text) for text in texts[start : start + size]] for start in range(0, len(texts), size)]


def _in_order(provider: str, numbered: Sequence[tuple[int, T]], count: int) -> list[T]:
    """The values in the order of the texts. Raises EmbedderError `badAnswer` unless each text has exactly one."""
    if sorted(index for index, _ in numbered) != list(range(count)):
        raise EmbedderError("badAnswer", f"{provider} did not answer for each of the {count} texts")
    return [value for _, value in sorted(numbered, key=lambda pair: pair[0])]
