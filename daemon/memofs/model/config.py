"""`config.json` as a value. Its JSON Schema is generated from these types.

Invariant: every field has a default, so an empty file, a missing one and one of an older version are all valid.
Unknown keys are kept in the file and ignored here.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

__all__ = [
    "FLOORS_DAYS",
    "AgentSettings",
    "AnchorSettings",
    "Config",
    "EmbedSettings",
    "Layer",
    "Precision",
    "Ranking",
    "RerankSettings",
    "Rewrite",
]

Ranking = Literal["adaptive", "classic"]
Precision = Literal["strict", "balanced", "all"]
Rewrite = Literal["weighted", "original"]
"""What the vector of a question is made of: the person's own words, or the whole rewritten query."""
Layer = Literal[
    "typos",
    "fragments",
    "expansions",
    "entities",
    "sections",
    "title",
    "neighbours",
    "named",
    "decision",
    "hop",
    "drift",
    "decay",
    "folding",
]
"""A layer of ranking that can be left out, to see what it is worth; recall/layers.py says what each one does."""

FLOORS_DAYS: Mapping[str, int] = {
    "decision": 365,
    "constraint": 180,
    "reference": 180,
    "goal": 120,
    "preference": 90,
    "summary": 60,
    "note": 30,
}
"""Days since the last verification after which a memory of the kind counts as unverified."""

Days = Annotated[int, msgspec.Meta(ge=1, le=36_500)]


class EmbedSettings(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Which model makes the vectors.

    `model` is, for `local`, the built-in one's name, a folder's name among the user's models, or a path; for the
    others the provider's name for it. `endpoint` and the prefixes belong to `compatible` alone.
    """

    provider: Literal["local", "none", "openai", "compatible", "voyage", "workersAi"] = "local"
    model: str | None = None
    dimension: Annotated[int, msgspec.Meta(ge=1, le=16_384)] | None = None
    endpoint: str | None = None
    query_prefix: str = ""
    passage_prefix: str = ""


class RerankSettings(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Which model scores pairs; `rules` is the deterministic reranker, which needs none."""

    provider: Literal["rules", "local", "voyage", "cohere"] = "rules"
    model: str | None = None


class AnchorSettings(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """`probable` says what a place counts as where an anchor probably went: missing, and offered, or accepted."""

    probable: Literal["missing", "accept"] = "missing"


class AgentSettings(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """`writes` says what becomes of what agents write: it holds at once (direct), or waits for a person (review)."""

    writes: Literal["direct", "review"] = "direct"


class Config(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Settings of one workspace, all optional.

    `kinds` are the project's own, beside the built-in ones. `lexicon` maps a word to its expansions. `floors_days`
    overrides single entries of `FLOORS_DAYS`. `without` names layers of ranking to leave out. `rewrite: original`
    embeds the question together with its expansions and the task's phrase.
    """

    format: Annotated[int, msgspec.Meta(ge=1, le=1)] = 1
    project_name: str | None = None
    kinds: tuple[str, ...] = ()
    ranking: Ranking = "adaptive"
    precision: Precision = "balanced"
    rewrite: Rewrite = "weighted"
    without: tuple[Layer, ...] = ()
    lexicon: Mapping[str, tuple[str, ...]] = {}
    floors_days: Mapping[str, Days] = {}
    embedding: EmbedSettings = EmbedSettings()
    reranking: RerankSettings = RerankSettings()
    anchors: AnchorSettings = AnchorSettings()
    agents: AgentSettings = AgentSettings()
