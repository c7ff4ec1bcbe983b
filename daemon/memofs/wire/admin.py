"""Requests about the workspace: hello, init, import, migrate, doctor, config, snapshots."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from memofs.wire.memory import ProblemView
from memofs.wire.read import EmbedderView
from memofs.wire.values import WIRE_VERSION, Json, Params, PositionEncoding, Result

__all__ = [
    "AllowModelParams",
    "AllowModelResult",
    "Capabilities",
    "ConfigParams",
    "ConfigResult",
    "DiffSnapshotsParams",
    "DiffSnapshotsResult",
    "DoctorParams",
    "DoctorResult",
    "DrainParams",
    "DrainResult",
    "FileDiff",
    "HelloParams",
    "HelloResult",
    "IdleParams",
    "IdleResult",
    "ImportParams",
    "ImportResult",
    "Imported",
    "InitParams",
    "InitResult",
    "LexiconParams",
    "LexiconResult",
    "MigrateParams",
    "MigrateResult",
    "ModelView",
    "ModelsResult",
    "PullModelParams",
    "PullModelResult",
    "RestoreSnapshotParams",
    "RestoreSnapshotResult",
    "Skipped",
    "SnapshotInfo",
    "SnapshotParams",
    "SnapshotResult",
    "SnapshotsResult",
    "SuggestionView",
    "UseModelParams",
]


class HelloParams(Params, frozen=True, kw_only=True):
    """The first message of a connection."""

    role: Literal["editor", "cli", "mcp"]
    wire_version: str = WIRE_VERSION
    build: str = ""
    token: str | None = None
    position_encoding: PositionEncoding = "utf-16"


class Capabilities(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What the other side can rely on."""

    methods: tuple[str, ...]
    position_encoding: PositionEncoding
    read_only: bool = False


class HelloResult(Result, frozen=True, kw_only=True):
    """Who answers, and for which workspace."""

    wire_version: str
    build: str
    root: str
    initialized: bool
    capabilities: Capabilities


class DrainParams(Params, frozen=True, kw_only=True):
    """Understood without a hello too, so that a daemon of any version can be asked; `token` as in hello."""

    token: str | None = None


class DrainResult(Result, frozen=True, kw_only=True):
    """The daemon takes no further request, finishes those it has, and ends."""

    pid: int


class IdleParams(Params, frozen=True, kw_only=True):
    """`workDoneToken` asks for progress of what is embedded meanwhile."""

    work_done_token: str | None = None


class IdleResult(Result, frozen=True, kw_only=True):
    """Answered once all queued work is done: every write, and every memory embedded that can be.

    `embedder` says what is left, and why; null without a memory here.
    """

    embedder: EmbedderView | None = None


class ModelView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A model that vectors can be made with. `path` is null for the built-in one."""

    name: str
    role: str | None = None
    dimension: int | None = None
    path: str | None = None
    used: bool = False
    problem: str | None = None


class ModelsResult(Result, frozen=True, kw_only=True):
    """The local models there are, and where `pull` puts more."""

    models: tuple[ModelView, ...]
    folder: str
    embedder: EmbedderView


class UseModelParams(Params, frozen=True, kw_only=True):
    """`name` of a known model, or a folder with model.onnx and tokenizer.json; null goes back to the built-in one."""

    name: str | None = None


class AllowModelParams(Params, frozen=True, kw_only=True):
    """Allow what the settings name, or with `revoke` nothing any more."""

    revoke: bool = False


class AllowModelResult(Result, frozen=True, kw_only=True):
    """The services that the settings name, whether they may be used now, and where that is recorded."""

    services: tuple[str, ...]
    allowed: bool
    path: str


class PullModelParams(Params, frozen=True, kw_only=True):
    """`repository` on the model hub, as owner/name; `revision` a branch, tag or commit; `sha256` pins the weights."""

    repository: str
    revision: str = "main"
    sha256: str | None = None
    work_done_token: str | None = None


class PullModelResult(Result, frozen=True, kw_only=True):
    """The model that was fetched; `useModel` makes it the one in use."""

    model: ModelView


class InitParams(Params, frozen=True, kw_only=True):
    """Set up `.memofs/`; what is there already stays."""

    project_name: str | None = None


class InitResult(Result, frozen=True, kw_only=True):
    """The paths that were created, relative to the workspace."""

    root: str
    created: tuple[str, ...]


class ImportParams(Params, frozen=True, kw_only=True):
    """`path` is a folder or file, absolute or relative to the workspace.

    `force` also updates memories that were edited here since they were imported. `workDoneToken` asks for progress.
    """

    what: Literal["adr", "markdown"]
    path: str
    kind: str | None = None
    tags: tuple[str, ...] = ()
    dry_run: bool = False
    force: bool = False
    allow_secrets: bool = False
    work_done_token: str | None = None


class Imported(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One source file that became, or already was, a memory."""

    path: str
    id: str
    title: str
    status: str


class Skipped(msgspec.Struct, frozen=True, kw_only=True):
    """One source file that did not, and why."""

    path: str
    reason: str


class ImportResult(Result, frozen=True, kw_only=True):
    """What an import did, or would do. `links` are the supersedes relations, [new id, old id]."""

    imported: tuple[Imported, ...] = ()
    updated: tuple[Imported, ...] = ()
    unchanged: int = 0
    skipped: tuple[Skipped, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()
    dry_run: bool = False


class MigrateParams(Params, frozen=True, kw_only=True):
    """Turn the entries of notes.md into files."""

    dry_run: bool = False
    work_done_token: str | None = None


class MigrateResult(Result, frozen=True, kw_only=True):
    """The new files; notes.md itself is kept as `kept`."""

    migrated: tuple[Imported, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    kept: str | None = None
    dry_run: bool = False


class DoctorParams(Params, frozen=True, kw_only=True):
    """`fix` mends what can be mended without loss."""

    fix: bool = False


class DoctorResult(Result, frozen=True, kw_only=True):
    """All findings, worst first, and facts about the set-up to paste into a bug report."""

    findings: tuple[ProblemView, ...]
    facts: Mapping[str, str]


class ConfigParams(Params, frozen=True, kw_only=True):
    """Read one setting (`key`, dotted) or all, set one, or remove one."""

    action: Literal["get", "set", "unset"] = "get"
    key: str | None = None
    value: Json = None


class ConfigResult(Result, frozen=True, kw_only=True):
    """The value after the request; `isDefault` where the file does not say."""

    path: str
    key: str | None
    value: Json
    is_default: bool = False


class SnapshotInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A restore point."""

    id: str
    created: str
    label: str | None
    files: int
    bytes: int


class LexiconParams(Params, frozen=True, kw_only=True):
    """At most `limit` suggestions; with 0 none is looked for."""

    limit: Annotated[int, msgspec.Meta(ge=0, le=1_000)] = 20


class SuggestionView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A word and what it may stand for: `why` says who says so; `memories` are some of the `count` that show it.

    `source`: parentheses ("JSON Web Token (JWT)"), alias (of a title), spelledOut (a memory has both), identifier
    (code says shortly what a memory says in full), assignment (code calls a value so).
    """

    word: str
    expansions: tuple[str, ...]
    source: Literal["parentheses", "alias", "spelledOut", "identifier", "assignment"]
    why: str
    memories: tuple[str, ...]
    count: int


class LexiconResult(Result, frozen=True, kw_only=True):
    """The project's own expansions, suggestions for more, surest first, and how many `more` there are."""

    lexicon: Mapping[str, tuple[str, ...]]
    suggestions: tuple[SuggestionView, ...] = ()
    more: int = 0


class SnapshotParams(Params, frozen=True, kw_only=True):
    """Make a restore point."""

    label: str | None = None


class SnapshotResult(Result, frozen=True, kw_only=True):
    """The restore point that was made."""

    snapshot: SnapshotInfo


class SnapshotsResult(Result, frozen=True, kw_only=True):
    """Newest first."""

    snapshots: tuple[SnapshotInfo, ...]


class DiffSnapshotsParams(Params, frozen=True, kw_only=True):
    """From one restore point to another, or to what is on disk now."""

    old: str
    new: str | None = None


class FileDiff(msgspec.Struct, frozen=True, kw_only=True):
    """One file that differs, with a unified diff."""

    path: str
    change: Literal["added", "removed", "changed"]
    diff: str


class DiffSnapshotsResult(Result, frozen=True, kw_only=True):
    """The files that differ, by path."""

    files: tuple[FileDiff, ...]


class RestoreSnapshotParams(Params, frozen=True, kw_only=True):
    """Put the memory files back as they were; undo takes it back."""

    id: str
    dry_run: bool = False


class RestoreSnapshotResult(Result, frozen=True, kw_only=True):
    """What was put back, by path."""

    restored: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int
    dry_run: bool = False
