"""Bringing in what was written elsewhere: decision records, markdown files, the entries of notes.md.

What is to be written is decided by pure functions (importing.py, and here for notes.md); this module reads the
sources, checks for secrets and writes everything as one batch that undo takes back as a whole.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import cast

import msgspec

from memofs.engine.clock import now_ms
from memofs.engine.draft import checked_kind, checked_labels
from memofs.engine.engine import Engine
from memofs.engine.importing import (
    Existing,
    ImportPlan,
    Options,
    Planned,
    SkippedSource,
    Source,
    What,
    plan,
    source_name,
)
from memofs.engine.places import ARCHIVE
from memofs.engine.secrecy import found_secret
from memofs.model.cancel import CancelToken
from memofs.model.memory import Memory
from memofs.store.edit import Edit
from memofs.store.git import CommitTimes
from memofs.store.layout import memory_path
from memofs.store.source_files import SkippedFile, read_sources
from memofs.text.fields import Changes, changes_of
from memofs.text.identity import digest
from memofs.text.memory_file import LOG_NAME, print_memory, rewrite

__all__ = ["Brought", "Migrated", "Request", "import_records", "migrate"]

Report = Callable[[str, int, int], None]
"""Called with what is being done, how many are done and how many there are (0: not known)."""

READ_STEP = 50


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What to import, as a person asked for it."""

    what: What
    path: str
    kind: str | None = None
    tags: tuple[str, ...] = ()
    dry_run: bool = False
    force: bool = False
    allow_secrets: bool = False


class Brought(msgspec.Struct, frozen=True, kw_only=True):
    """What was, or would be, written."""

    plan: ImportPlan
    skipped: tuple[SkippedSource, ...]


class Migrated(msgspec.Struct, frozen=True, kw_only=True):
    """The memories that are files now, and where the log is kept."""

    memories: tuple[Memory, ...] = ()
    kept: str | None = None


def import_records(engine: Engine, request: Request, *, actor: str, cancel: CancelToken, report: Report) -> Brought:
    """Import the folder or file. Raises NotFound, InvalidRequest, Conflict, Unavailable, Cancelled."""
    engine.refresh()
    options = Options(
        what=request.what,
        kind=checked_kind(request.kind, engine.world.config.kinds) if request.kind else None,
        tags=checked_labels("tags", request.tags),
        force=request.force,
    )
    sources, skipped = _read(engine, request, cancel=cancel, report=report)
    existing = _existing(engine, request.what)

    def planned_from(sources: Sequence[Source]) -> ImportPlan:
        return plan(sources, existing, options, now_ms=now_ms(), new_id=engine.store.ids.next, cancel=cancel)

    planned = planned_from(sources)
    if not request.allow_secrets and (refused := _with_secrets(planned, cancel=cancel, report=report)):
        # Planned anew without them, so that what a refused record would have replaced is told as well.
        names = {each.path for each in refused}
        planned = planned_from([source for source in sources if source.path not in names])
        skipped = (*skipped, *refused)
    if not request.dry_run:
        _write(engine, planned, request, actor=actor, report=report)
    return Brought(plan=planned, skipped=(*planned.skipped, *skipped))


def migrate(engine: Engine, *, dry_run: bool, actor: str, report: Report) -> Migrated:
    """Turn the entries of notes.md into files and keep the log beside the memory folder. Raises Conflict, Unavailable.

    Ids, times and whatever else an entry says stay, so links to the entries hold.
    """
    engine.refresh([LOG_NAME])
    entries = sorted((m for m in engine.world.memories.values() if m.origin == "log"), key=lambda memory: memory.line)
    if not entries:
        return Migrated()
    data = engine.store.read_bytes(LOG_NAME)
    day = datetime.fromtimestamp(now_ms() / 1000, tz=UTC).date().isoformat()
    kept = _free(engine, f"{ARCHIVE}/notes-{day}.md")
    taken: set[str] = set()
    edits = [
        Edit(path=LOG_NAME, before_digest=digest(data), after=None, summary="notes.md"),
        Edit(path=kept, before_digest=None, after=data, summary="notes.md"),
    ]
    for memory in entries:
        path = memory_path(engine.store.layout, memory.title, memory.id, taken=taken)
        taken.add(path)
        edits.append(_new_file(path, msgspec.structs.replace(memory, origin="file", line=0)))
    if not dry_run:
        engine.commit(
            edits,
            kind="migrate",
            actor=actor,
            summary=f"{len(entries)} entries of notes.md to files",
            progress=lambda done, total: report("writing", done, total),
        )
    return Migrated(memories=tuple(entries), kept=kept)


def _read(
    engine: Engine, request: Request, *, cancel: CancelToken, report: Report
) -> tuple[tuple[Source, ...], tuple[SkippedSource, ...]]:
    folder = Path(request.path).expanduser()
    folder = folder if folder.is_absolute() else engine.root / folder
    base = _relative(engine.root, folder if folder.is_dir() else folder.parent)
    times: Mapping[str, CommitTimes] = {}
    if not base.startswith(".."):
        times = engine.store.git.commit_times(base)
    sources: list[Source] = []
    skipped: list[SkippedSource] = []
    for count, found in enumerate(read_sources(folder)):
        if count % READ_STEP == 0:
            cancel.check()
            report("reading", count, 0)
        path = str(PurePosixPath(base, found.path))
        if isinstance(found, SkippedFile):
            skipped.append(SkippedSource(path=path, reason=found.reason))
            continue
        commits = times.get(path)
        sources.append(
            Source(
                path=path,
                text=found.text,
                # Without git a file's time is when it was copied here, which says nothing about the record.
                created_ms=commits.first_ms if commits else None,
                changed_ms=commits.last_ms if commits else None,
            )
        )
    return tuple(sources), tuple(skipped)


def _relative(root: Path, folder: Path) -> str:
    """The folder as seen from the workspace, with `../` where it lies outside: the same on every machine."""
    return Path(os.path.relpath(folder.resolve(), root.resolve())).as_posix()


def _existing(engine: Engine, what: What) -> dict[str, Existing]:
    prefix = source_name(what, "")
    return {
        memory.source: Existing(memory=memory, imported=memory.imported)
        for memory in engine.world.memories.values()
        if memory.source and memory.source.startswith(prefix) and memory.origin == "file"
    }


def _with_secrets(planned: ImportPlan, *, cancel: CancelToken, report: Report) -> tuple[SkippedSource, ...]:
    refused: list[SkippedSource] = []
    both = (*planned.new, *planned.updates)
    for count, each in enumerate(both):
        if count % READ_STEP == 0:
            cancel.check()
            report("checking", count, len(both))
        if (found := found_secret(each.memory.title, each.memory.body)) is not None:
            reason = f"looks like it holds a secret ({found.rule}): import it with --allow-secrets if it does not"
            refused.append(SkippedSource(path=each.path, reason=reason))
    return tuple(refused)


def _write(engine: Engine, planned: ImportPlan, request: Request, *, actor: str, report: Report) -> None:
    edits = [*_creations(engine, planned.new), *_updates(engine, planned.updates)]
    if not edits:
        return
    engine.commit(
        edits,
        kind="import",
        actor=actor,
        summary=f"{len(planned.new)} new, {len(planned.updates)} updated from {request.path}",
        progress=lambda done, total: report("writing", done, total),
    )


def _creations(engine: Engine, new: tuple[Planned, ...]) -> Iterator[Edit]:
    taken: set[str] = set()
    author = engine.store.git.author()
    for each in new:
        path = memory_path(engine.store.layout, each.memory.title, each.memory.id, taken=taken)
        taken.add(path)
        yield _new_file(path, msgspec.structs.replace(each.memory, author=author, imported=each.imported))


def _updates(engine: Engine, updates: tuple[Planned, ...]) -> Iterator[Edit]:
    for each in updates:
        before = engine.world.memories[each.memory.id]
        after = msgspec.structs.replace(each.memory, imported=each.imported)
        old, new = changes_of(before), changes_of(after)
        changes = cast("Changes", {name: value for name, value in new.items() if old.get(name) != value})
        data = engine.store.read_bytes(before.path)
        yield Edit(
            path=before.path,
            before_digest=before.digest,
            after=rewrite(before, data, changes),
            memory_id=before.id,
            summary=after.title,
        )


def _new_file(path: str, memory: Memory) -> Edit:
    data = print_memory(memory).encode("utf-8")
    return Edit(path=path, before_digest=None, after=data, memory_id=memory.id, summary=memory.title)


def _free(engine: Engine, path: str) -> str:
    stem, count = path.removesuffix(".md"), 1
    while (engine.root / path).exists():
        count += 1
        path = f"{stem}-{count}.md"
    return path
