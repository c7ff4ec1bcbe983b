"""`memofs snapshot`: restore points of the memory files."""

import click

from memofs.cli.command import Group
from memofs.cli.session import Session
from memofs.cli.views.admin import render_restored_snapshot, render_snapshot, render_snapshot_diff, render_snapshots
from memofs.wire import admin
from memofs.wire.values import Empty

__all__ = ["snapshot"]


@click.group(
    "snapshot",
    cls=Group,
    examples=("memofs snapshot create 'before the clean-up'", "memofs snapshot list", "memofs snapshot restore ID"),
)
def snapshot() -> None:
    """Make, compare and put back restore points of the memory files. They stay on this machine."""


@snapshot.command("create", examples=("memofs snapshot create", "memofs snapshot create 'before the clean-up'"))
@click.argument("label", required=False, metavar="[LABEL]")
@click.pass_obj
def create(session: Session, label: str | None) -> None:
    """Make a restore point of all memory files as they are now."""
    session.show(
        session.ask("memofs/snapshot", admin.SnapshotParams(label=label), admin.SnapshotResult), render_snapshot
    )


@snapshot.command("list", examples=("memofs snapshot list",))
@click.pass_obj
def list_snapshots(session: Session) -> None:
    """List the restore points, newest first."""
    session.show(session.ask("memofs/snapshots", Empty(), admin.SnapshotsResult), render_snapshots)


@snapshot.command("diff", examples=("memofs snapshot diff OLD", "memofs snapshot diff OLD NEW"))
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="[NEW]", required=False)
@click.pass_obj
def diff(session: Session, old: str, new: str | None) -> None:
    """Show what changed from the restore point OLD to NEW, or to what is on disk now."""
    params = admin.DiffSnapshotsParams(old=old, new=new)
    session.show(session.ask("memofs/diffSnapshots", params, admin.DiffSnapshotsResult), render_snapshot_diff)


@snapshot.command("restore", examples=("memofs snapshot restore ID --dry-run", "memofs snapshot restore ID"))
@click.argument("snapshot_id", metavar="ID")
@click.option("--dry-run", is_flag=True, help="Say what would be done, write nothing.")
@click.pass_obj
def restore(session: Session, snapshot_id: str, dry_run: bool) -> None:
    """Put the memory files back as they were; `memofs undo` takes that back."""
    params = admin.RestoreSnapshotParams(id=snapshot_id, dry_run=dry_run)
    result = session.ask("memofs/restoreSnapshot", params, admin.RestoreSnapshotResult)
    session.show(result, render_restored_snapshot)
