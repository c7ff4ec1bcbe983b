"""Requests for a briefing: context, and expand for what a briefing left out. They change no memory."""

from typing import Annotated, Literal

import msgspec

from memofs.wire.read import TaskType
from memofs.wire.values import Params, Range, Result

__all__ = [
    "ContextParams",
    "ContextResult",
    "Detail",
    "ExpandParams",
    "ExpandResult",
    "HereParams",
    "SectionName",
    "SectionView",
]

Detail = Literal["compact", "full"]
SectionName = Literal["directive", "core", "here", "stale", "constraints", "entities", "recall", "recent", "notes"]
MaxBytes = Annotated[int, msgspec.Meta(ge=1_024, le=262_144)]


class HereParams(Params, frozen=True, kw_only=True):
    """The place somebody is at: a file by `path` or `uri`, and the lines of `range` in it if there is one."""

    path: str | None = None
    uri: str | None = None
    range: Range | None = None


class ContextParams(Params, frozen=True, kw_only=True):
    """What the briefing is for. Without a query it is for the start of a session.

    `sections` empty means all that belong to it. `wait=false` does not wait for a starting embedder.
    """

    query: str | None = None
    task_type: TaskType | None = None
    max_bytes: MaxBytes = 8_192
    detail: Detail = "compact"
    here: HereParams | None = None
    sections: tuple[SectionName, ...] = ()
    wait: bool = True


class SectionView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One section. `items` are the ids of what it shows whole, `cut` of what it shows in part.

    `omitted` counts what it does not show whole, `cursor` leads to that. `folded` are ids of what nearly repeats
    something that is shown.
    """

    name: SectionName
    bytes: int
    items: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    omitted: int = 0
    folded: tuple[str, ...] = ()
    cursor: str | None = None


class ContextResult(Result, frozen=True, kw_only=True):
    """The briefing: `text` is for an agent as it is, `bytes` its size in UTF-8, `estimatedTokens` a rough guess."""

    text: str
    sections: tuple[SectionView, ...]
    bytes: int
    estimated_tokens: int
    warnings: tuple[str, ...] = ()


class ExpandParams(Params, frozen=True, kw_only=True):
    """`cursor` as a briefing or an earlier expansion gave it."""

    cursor: str


class ExpandResult(Result, frozen=True, kw_only=True):
    """What was left out: `items` are the ids shown; `omitted` counts what is still left, `cursor` leads to it."""

    text: str
    items: tuple[str, ...]
    bytes: int
    omitted: int = 0
    cursor: str | None = None
    warnings: tuple[str, ...] = ()
