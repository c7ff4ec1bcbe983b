"""A local model as a value: which files it is made of, what they must hash to, and how its answers are read."""

from typing import Literal

import msgspec

__all__ = ["ModelFiles", "Pooling", "Role", "identity"]

Role = Literal["embedder", "crossEncoder", "lateInteraction"]
Pooling = Literal["mean", "cls"]


class ModelFiles(msgspec.Struct, frozen=True, kw_only=True):
    """What the worker needs to load a model, and to know that it is the one meant.

    `weights` are absolute paths, the graph first, then its external data; `weights_sha256` and `weights_bytes` are of
    all of them, one after the other. `tokenizer_format` is a WordPiece vocabulary (lower case) or a tokenizer.json.
    `dimension` is 0 when nobody says. `query_tokens` pads a query with mask tokens to that length (late interaction
    only). `variant` tells apart models of equal weights that are read differently.
    """

    name: str
    role: Role
    weights: tuple[str, ...]
    weights_sha256: str
    weights_bytes: int
    tokenizer: str
    tokenizer_sha256: str
    tokenizer_format: Literal["vocabulary", "json"] = "json"
    pooling: Pooling = "mean"
    max_tokens: int = 256
    dimension: int = 0
    query_prefix: str = ""
    passage_prefix: str = ""
    query_tokens: int = 0
    variant: str = ""


def identity(model: ModelFiles) -> str:
    """The name and the SHA-256 of the weights, and the variant where there is one.

    Vectors of models with different identities never compare.
    """
    parts = (model.name, model.weights_sha256, model.variant)
    return ":".join(part for part in parts if part)
