"""Requests that change memory files: remember, update, verify, retire, restore, forget, undo."""

from typing import Annotated, Literal

import msgspec

from memofs.wire.anchors import AnchorSpec
from memofs.wire.memory import MemoryView
from memofs.wire.values import Params, Result

__all__ = [
    "Fields",
    "ForgetResult",
    "IdsParams",
    "MemoriesResult",
    "MemoryResult",
    "RememberParams",
    "RememberResult",
    "UndoParams",
    "UndoResult",
    "UpdateParams",
]

Confidence = Annotated[float, msgspec.Meta(ge=0, le=1)]


class RememberParams(Params, frozen=True, kw_only=True):
    """A new memory. Without a title, the body's first heading or sentence becomes it.

    The same claim again answers `duplicateOf` unless `allowDuplicate`; `allowSecrets` is for people.
    """

    body: str
    kind: str = "note"
    title: str | None = None
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    confidence: Confidence | None = None
    supersedes: tuple[str, ...] = ()
    anchors: tuple[AnchorSpec, ...] = ()
    source: str | None = None
    allow_duplicate: bool = False
    allow_secrets: bool = False


class RememberResult(Result, frozen=True, kw_only=True):
    """Either the memory that was written, or the one that already says it; `remarks` are about its anchors."""

    memory: MemoryView | None = None
    duplicate_of: MemoryView | None = None
    remarks: tuple[str, ...] = ()


class Fields(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """The fields to set; what is left out stays. A change of body or anchors also sets `verified`."""

    title: str | msgspec.UnsetType = msgspec.UNSET
    body: str | msgspec.UnsetType = msgspec.UNSET
    kind: str | msgspec.UnsetType = msgspec.UNSET
    tags: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    aliases: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    confidence: Confidence | msgspec.UnsetType | None = msgspec.UNSET
    supersedes: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    anchors: tuple[AnchorSpec, ...] | msgspec.UnsetType = msgspec.UNSET
    status: Literal["active", "pending", "retired"] | msgspec.UnsetType = msgspec.UNSET


class UpdateParams(Params, frozen=True, kw_only=True):
    """Change fields, or put in the whole file `text` as an editor left it (one of the two)."""

    id: str
    expected_hash: str | None = None
    fields: Fields | None = None
    text: str | None = None
    allow_secrets: bool = False


class MemoryResult(Result, frozen=True, kw_only=True):
    """The memory after the change; `changed` is false where there was nothing to do, `remarks` are about anchors."""

    memory: MemoryView
    changed: bool = True
    remarks: tuple[str, ...] = ()


class IdsParams(Params, frozen=True, kw_only=True):
    """Which memories: by id (or unique prefix), by anchored path, or all of them."""

    ids: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    all: bool = False


class MemoriesResult(Result, frozen=True, kw_only=True):
    """The memories that were changed, as they are now, and the ids of those that were so already.

    `remarks` say which anchors a verification could not confirm: their memories stay stale.
    """

    memories: tuple[MemoryView, ...]
    unchanged: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


class ForgetResult(Result, frozen=True, kw_only=True):
    """What was removed for good.

    `inGit` names the files that git history still has, `inArchives` the migrated logs that still say it.
    """

    forgotten: tuple[MemoryView, ...]
    in_git: tuple[str, ...] = ()
    in_archives: tuple[str, ...] = ()


class UndoParams(Params, frozen=True, kw_only=True):
    """With `skip`, writes whose files were changed since are passed over."""

    skip: bool = False


class UndoResult(Result, frozen=True, kw_only=True):
    """What was taken back: the request's type and what happened to each file."""

    type: str
    summary: str
    timestamp: str
    files: tuple[str, ...]
    memories: tuple[MemoryView, ...] = ()
