"""snapshot, snapshots, diffSnapshots, restoreSnapshot."""

from memofs.engine.clock import now_ms
from memofs.engine.engine import Engine
from memofs.engine.view import View
from memofs.server.call import Call
from memofs.store import snapshots
from memofs.wire.admin import (
    DiffSnapshotsParams,
    DiffSnapshotsResult,
    FileDiff,
    RestoreSnapshotParams,
    RestoreSnapshotResult,
    SnapshotInfo,
    SnapshotParams,
    SnapshotResult,
    SnapshotsResult,
)
from memofs.wire.values import Empty

__all__ = ["create", "diff", "list_snapshots", "restore"]


def create(engine: Engine, params: SnapshotParams, call: Call) -> SnapshotResult:
    """Make a restore point of what is on disk."""
    del call
    store = engine.store
    info = snapshots.create(store.layout, store.ids, label=params.label, now_ms=now_ms())
    return SnapshotResult(revision=engine.world.revision, snapshot=_info(info))


def list_snapshots(view: View, params: Empty, call: Call) -> SnapshotsResult:
    """All restore points, newest first."""
    del params, call
    return SnapshotsResult(
        revision=view.world.revision, snapshots=tuple(_info(each) for each in snapshots.infos(view.store.layout))
    )


def diff(view: View, params: DiffSnapshotsParams, call: Call) -> DiffSnapshotsResult:
    """What differs from a restore point to another, or to now."""
    del call
    found = snapshots.diff(view.store.layout, params.old, params.new)
    return DiffSnapshotsResult(
        revision=view.world.revision,
        files=tuple(FileDiff(path=each.path, change=each.change, diff=each.diff) for each in found),
    )


def restore(engine: Engine, params: RestoreSnapshotParams, call: Call) -> RestoreSnapshotResult:
    """Put the memory files back as they were, as one write."""
    ids_of = {memory.path: memory.id for memory in engine.world.memories.values() if memory.origin != "log"}
    plan = snapshots.plan_restore(engine.store.layout, params.id, ids_of=ids_of)
    if not params.dry_run and plan.edits:
        engine.commit(plan.edits, kind="restoreSnapshot", actor=call.session.role, summary=f"snapshot {params.id}")
        engine.reconfigure()
    return RestoreSnapshotResult(
        revision=engine.world.revision,
        restored=plan.restored,
        removed=plan.removed,
        unchanged=plan.unchanged,
        dry_run=params.dry_run,
    )


def _info(info: snapshots.SnapshotInfo) -> SnapshotInfo:
    return SnapshotInfo(id=info.id, created=info.created, label=info.label, files=info.count, bytes=info.bytes)
