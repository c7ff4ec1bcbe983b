"""A question, and its answer: hits with the contribution of every signal."""

from typing import Literal

import msgspec

from memofs.model.config import Precision

__all__ = [
    "TASK_TYPES",
    "Absent",
    "Hit",
    "Passage",
    "Query",
    "Recall",
    "Signal",
    "Signals",
    "TaskType",
]

TaskType = Literal["coding", "debug", "refactor", "docs", "general"]
TASK_TYPES: tuple[str, ...] = ("coding", "debug", "refactor", "docs", "general")


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked. Empty tuples mean no restriction; `paths` are workspace-relative files, folders or globs.

    `why_not` names memories whose absence is to be explained. `precision=None` takes the config's.
    """

    text: str
    limit: int = 10
    task_type: TaskType | None = None
    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    precision: Precision | None = None
    include_retired: bool = False
    explain: bool = False
    why_not: tuple[str, ...] = ()


class Signal(msgspec.Struct, frozen=True, kw_only=True):
    """One signal of one hit.

    `raw` is its value, `usual` the mean over the eligible memories, `z` how many deviations above that, `place` its
    1-based place among the eligible ones by this signal, `adds` what it adds to the rank.
    """

    raw: float
    usual: float = 0.0
    z: float = 0.0
    place: int = 0
    adds: float = 0.0


class Signals(msgspec.Struct, frozen=True, kw_only=True):
    """Why a hit stands where it stands; `why` says it in words, `via` is the memory it was reached from.

    `threshold` is what the best evidence had to reach (a cosine where meaning alone answered), set from the store
    itself where `calibrated`.
    """

    why: tuple[str, ...] = ()
    named: str | None = None
    typos: tuple[tuple[str, str], ...] = ()
    matched: tuple[str, ...] = ()
    alpha: float = 0.0
    meaning: Signal | None = None
    words: Signal | None = None
    coverage: Signal | None = None
    title: Signal | None = None
    fuzzy: float = 0.0
    evidence: float = 0.0
    threshold: float = 0.0
    calibrated: bool = False
    relevance: float = 0.0
    recency: float = 0.0
    confidence: float = 0.0
    composite: float = 0.0
    drift: float = 1.0
    decay: float = 1.0
    final: float = 0.0
    via: str | None = None


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of text to show, with what to mark in it: (start, end) in code points, sorted, not overlapping.

    `line` is the 0-based line in the memory's body where the piece begins.
    """

    text: str
    marks: tuple[tuple[int, int], ...] = ()
    line: int = 0


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """One memory of the answer. `score` is rounded to 4 places; order is by score, ties by id.

    `via` is the memory that it belongs to, where only a curated relation brought it.
    """

    id: str
    score: float
    title: Passage
    snippet: Passage
    flags: tuple[str, ...] = ()
    superseded_by: str | None = None
    via: str | None = None
    signals: Signals | None = None


class Absent(msgspec.Struct, frozen=True, kw_only=True):
    """Why a memory that was asked about is not among the hits: the rule, in words."""

    id: str
    reason: str


class Recall(msgspec.Struct, frozen=True, kw_only=True):
    """The answer.

    `more` counts memories that passed the cut and lie beyond the limit, `weaker` those that matched and did not pass
    it; `notice` is emptyQuery, nothingRelevant or none;
    `degraded` names what was missing, `without` the layers of ranking that the settings leave out.
    """

    hits: tuple[Hit, ...]
    revision: int
    weaker: int = 0
    more: int = 0
    absent: tuple[Absent, ...] = ()
    notice: Literal["emptyQuery", "nothingRelevant"] | None = None
    degraded: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
