"""Requests that change nothing: recall, get, list, history, status."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from memofs.wire.memory import AnchorView, EventView, MemoryView, ProblemView, Status
from memofs.wire.values import Notice, Params, Result

__all__ = [
    "AbsentView",
    "CalibrationView",
    "EmbedderView",
    "GetParams",
    "GetResult",
    "HistoryParams",
    "HistoryResult",
    "HitView",
    "ListParams",
    "ListResult",
    "Matches",
    "RecallParams",
    "RecallResult",
    "SignalView",
    "SignalsView",
    "StatusResult",
]

Limit = Annotated[int, msgspec.Meta(ge=1, le=1_000)]
TaskType = Literal["coding", "debug", "refactor", "docs", "general"]
Precision = Literal["strict", "balanced", "all"]
Flag = Literal[
    "stale",
    "unverified",
    "superseded",
    "retired",
    "pending",
    "wordsOnly",
    "byMeaning",
    "byLexicon",
    "via",
]


class RecallParams(Params, frozen=True, kw_only=True):
    """What to find. `paths` are workspace-relative files, folders or gitignore-style globs, matched against anchors.

    `precision` null takes the workspace's setting. `wait=false` does not wait for a starting embedder.
    """

    query: str
    limit: Limit = 10
    task_type: TaskType | None = None
    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    flags: tuple[Flag, ...] = ()
    precision: Precision | None = None
    include_retired: bool = False
    explain: bool = False
    why_not: tuple[str, ...] = ()
    wait: bool = True


class SignalView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One signal: its value, the usual one, z, its place (1 is best) and what it adds to the rank."""

    raw: float
    usual: float
    z: float
    place: int
    adds: float


class SignalsView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Why a hit stands where it stands, in words (`why`) and in numbers; `via` is the memory it was reached from.

    `threshold` is what the best evidence had to reach (a cosine where meaning alone answered), set from the store
    itself where `calibrated`.
    """

    why: tuple[str, ...]
    named: str | None
    typos: tuple[tuple[str, str], ...]
    matched: tuple[str, ...]
    alpha: float
    meaning: SignalView | None
    words: SignalView | None
    coverage: SignalView | None
    title: SignalView | None
    fuzzy: float
    evidence: float
    threshold: float
    relevance: float
    recency: float
    confidence: float
    composite: float
    drift: float
    decay: float
    final: float
    via: str | None = None
    calibrated: bool = False


class Matches(msgspec.Struct, frozen=True, kw_only=True):
    """What to mark: [start, end) character offsets in the session's position encoding."""

    title: tuple[tuple[int, int], ...] = ()
    snippet: tuple[tuple[int, int], ...] = ()


class HitView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One memory of an answer; `via` is the memory it belongs to, where only a curated relation brought it."""

    id: str
    title: str
    kind: str
    status: Status
    score: float
    flags: tuple[str, ...]
    snippet: str
    matches: Matches
    uri: str
    path: str
    line: int
    anchors: tuple[AnchorView, ...] = ()
    tags: tuple[str, ...] = ()
    created: str | None = None
    updated: str | None = None
    verified: str | None = None
    confidence: float | None = None
    superseded_by: str | None = None
    via: str | None = None
    signals: SignalsView | None = None


class AbsentView(msgspec.Struct, frozen=True, kw_only=True):
    """Why a memory named in `whyNot` is not among the hits."""

    id: str
    reason: str


class RecallResult(Result, frozen=True, kw_only=True):
    """Hits, best first; `without` names layers that the settings leave out.

    `more` counts matches that lie beyond `limit`, `weaker` those that did not pass the cut of the precision.
    """

    hits: tuple[HitView, ...]
    weaker: int = 0
    more: int = 0
    absent: tuple[AbsentView, ...] = ()
    notice: Notice | None = None
    without: tuple[str, ...] = ()


class GetParams(Params, frozen=True, kw_only=True):
    """`id` is a whole id or a prefix of at least six characters that fits one memory."""

    id: str


class GetResult(Result, frozen=True, kw_only=True):
    """The memory, its file's text as it is on disk, and what is wrong with the file."""

    memory: MemoryView
    text: str
    problems: tuple[ProblemView, ...] = ()


class ListParams(Params, frozen=True, kw_only=True):
    """Filters; `statuses` empty means active and pending. `page` is the cursor of the page before."""

    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    statuses: tuple[Status, ...] = ()
    flags: tuple[Flag, ...] = ()
    include_retired: bool = False
    sort: Literal["updated", "created", "title", "kind"] = "updated"
    limit: Limit = 50
    page: str | None = None
    bodies: bool = False


class ListResult(Result, frozen=True, kw_only=True):
    """One page; `total` counts all that fit the filters; `page` is null on the last one."""

    memories: tuple[MemoryView, ...]
    total: int
    page: str | None = None


class HistoryParams(Params, frozen=True, kw_only=True):
    """The events of one memory, or the newest of all."""

    id: str | None = None
    limit: Limit = 50


class HistoryResult(Result, frozen=True, kw_only=True):
    """Newest first."""

    events: tuple[EventView, ...]


class CalibrationView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Limits that were set from the store for a model that MemoFS does not know; `memories` there were then."""

    memories: int
    tau: float
    cosine_tau: float


class EmbedderView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What makes the vectors. `state`: off (the settings want none), cold, warm or failed; counts are of memories.

    `calibration` is null where the usual limits hold.
    """

    name: str
    state: Literal["off", "cold", "warm", "failed"]
    embedded: int
    pending: int
    problem: str | None = None
    hint: str | None = None
    calibration: CalibrationView | None = None


class StatusResult(Result, frozen=True, kw_only=True):
    """The state of the workspace. `cache` says how the record cache was used; sizes in bytes.

    `byVerdict` counts the anchors of memories that hold now, by verdict, `unmarked` and `unchecked`.
    `sessions` counts the clients of the daemon, `uptime_s` is how long it has served; 0 where there is none.
    """

    root: str
    memories: int
    by_kind: Mapping[str, int]
    by_status: Mapping[str, int]
    by_flag: Mapping[str, int]
    problems: int
    terms: int
    cache: Literal["fresh", "partial", "rebuilt", "none"]
    open_ms: float
    rss_bytes: int
    version: str
    embedder: EmbedderView
    by_verdict: Mapping[str, int] = {}
    project_name: str | None = None
    last_write: EventView | None = None
    sessions: int = 0
    uptime_s: float = 0.0
