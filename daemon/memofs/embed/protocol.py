"""What every embedder and reranker offers its caller, and the one error they raise.

Invariant: whatever goes wrong (a file, a process, a network, a number), the caller sees an EmbedderError with a named
reason, never a half-answer. What to do without vectors is the caller's business.
"""

from collections.abc import Sequence
from typing import Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from memofs.model.errors import Unavailable

__all__ = [
    "LASTING",
    "Embedder",
    "EmbedderError",
    "Kind",
    "Matrix",
    "Reason",
    "Reranker",
    "Scores",
    "encodable",
]

Kind = Literal["query", "passage"]
Matrix: TypeAlias = NDArray[np.float32]
"""(n, dimension), rows of unit norm; a text without a single token is a row of zeros, similar to nothing."""
Scores: TypeAlias = NDArray[np.float32]
"""(n,), each in [0, 1]."""

Reason = Literal[
    "badAnswer",
    "closed",
    "deadline",
    "dimension",
    "disabled",
    "key",
    "modelBroken",
    "modelHash",
    "modelMissing",
    "modelTruncated",
    "notAllowed",
    "notFinite",
    "providerDown",
    "rateLimited",
    "refused",
    "runtimeMissing",
    "settings",
    "tokenizerBroken",
    "tokenizerHash",
    "tokenizerMissing",
    "unreachable",
    "workerDied",
]

LASTING: frozenset[Reason] = frozenset(
    {
        "closed",
        "dimension",
        "disabled",
        "key",
        "modelBroken",
        "modelHash",
        "modelMissing",
        "modelTruncated",
        "notAllowed",
        "runtimeMissing",
        "settings",
        "tokenizerBroken",
        "tokenizerHash",
        "tokenizerMissing",
    }
)
"""Reasons that stay until a file or a setting changes: asking again is of no use."""


class EmbedderError(Unavailable):
    """No vectors or no scores, and why: `code` is the reason, `lasting` whether asking again is of no use.

    `repeated` is true from the second time on that one embedder raises the same lasting failure, so that a caller
    names it once. `retry_after_s` is set when a provider asked for that pause.
    """

    def __init__(
        self,
        reason: Reason,
        message: str,
        hint: str | None = None,
        *,
        repeated: bool = False,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(reason, message, hint)
        self.reason: Reason = reason
        self.lasting = reason in LASTING
        self.repeated = repeated
        self.retry_after_s = retry_after_s

    def again(self) -> "EmbedderError":
        """The same failure, marked as already named."""
        return EmbedderError(self.reason, self.message, self.hint, repeated=True)


class Embedder(Protocol):
    """Turns texts into vectors. Safe to call from several threads at once."""

    @property
    def identity(self) -> str:
        """The model and everything that changes its vectors: two vectors compare only if these are equal."""
        ...

    @property
    def dimension(self) -> int | None:
        """The length of a vector; None until the first answer if the settings do not say."""
        ...

    @property
    def warm(self) -> bool:
        """Whether an answer needs no start-up, so that a short deadline is fair."""
        ...

    def warm_up(self) -> None:
        """Start what the first answer needs, without waiting for it. Raises EmbedderError if that is known to fail."""
        ...

    def embed(self, texts: Sequence[str], *, kind: Kind, deadline_s: float) -> Matrix:
        """One row a text, in their order. Raises EmbedderError, at the latest when the deadline has passed."""
        ...

    def end_if_idle(self, idle_s: float) -> bool:
        """Whether what the embedder held was given back, because nobody asked for so many seconds."""
        ...

    def close(self) -> None:
        """End it, with everything it started. Calls under way fail with the reason `closed`."""
        ...


class Reranker(Protocol):
    """Says how well each text answers a query. Safe to call from several threads at once."""

    @property
    def identity(self) -> str:
        """The model and everything that changes its scores."""
        ...

    def rerank(self, query: str, texts: Sequence[str], *, deadline_s: float) -> Scores:
        """One score a text, in their order. Raises EmbedderError, at the latest when the deadline has passed."""
        ...

    def end_if_idle(self, idle_s: float) -> bool:
        """Whether what the reranker held was given back, because nobody asked for so many seconds."""
        ...

    def close(self) -> None:
        """End it, with everything it started. Calls under way fail with the reason `closed`."""
        ...


def encodable(text: str) -> str:
    """The text with lone surrogates replaced, since no transport can carry them."""
    return text.encode("utf-8", "replace").decode("utf-8")
