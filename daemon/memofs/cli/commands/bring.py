"""`memofs import` and `migrate`: memories from records that are there already."""

from contextlib import nullcontext
from functools import partial
from pathlib import Path

import click

from memofs.cli.arguments import KIND, TAG, split_commas
from memofs.cli.command import Command, Group
from memofs.cli.paths import absolute
from memofs.cli.session import Session
from memofs.cli.views.admin import render_import, render_migrate
from memofs.wire.admin import ImportParams, ImportResult, MigrateParams, MigrateResult

__all__ = ["import_records", "migrate"]


@click.group(
    "import", cls=Group, examples=("memofs import adr docs/adr --dry-run", "memofs import markdown docs/notes -k note")
)
def import_records() -> None:
    """Turn decision records or markdown files into memories.

    Each file becomes one memory that remembers where it came from: importing again updates what changed there, leaves
    alone what you edited here (--force overrides), and writes nothing twice.
    """


@import_records.command(
    "adr", examples=("memofs import adr docs/adr --dry-run", "memofs import adr doc/decisions -t adr")
)
@click.argument("path", metavar="DIR", type=click.Path(exists=True, path_type=Path))
@click.option("-k", "--kind", type=KIND, help="The kind of the memories instead of decision.")
@click.option("-t", "--tag", "tags", type=TAG, multiple=True, help="A tag for each; repeat, or use commas.")
@click.option("--dry-run", is_flag=True, help="Say what would be done, write nothing.")
@click.option("--force", is_flag=True, help="Also update memories that were edited here since.")
@click.option("--allow-secrets", is_flag=True, help="Also import what looks like it holds a key or password.")
@click.pass_obj
def adr(
    session: Session,
    path: Path,
    kind: str | None,
    tags: tuple[str, ...],
    dry_run: bool,
    force: bool,
    allow_secrets: bool,
) -> None:
    """Import architecture decision records (Nygard, MADR, adr-tools) from DIR and the folders in it.

    Title, status, date and text are taken over; "superseded by" and "supersedes" become links between memories.
    """
    params = ImportParams(
        what="adr",
        path=str(absolute(str(path), here=session.here)),
        kind=kind,
        tags=split_commas(tags),
        dry_run=dry_run,
        force=force,
        allow_secrets=allow_secrets,
    )
    _import(session, params)


@import_records.command(
    "markdown", examples=("memofs import markdown docs/notes", "memofs import markdown README.md -k reference")
)
@click.argument("path", metavar="DIR|FILE", type=click.Path(exists=True, path_type=Path))
@click.option("-k", "--kind", type=KIND, help="The kind of the memories instead of note.")
@click.option("-t", "--tag", "tags", type=TAG, multiple=True, help="A tag for each; repeat, or use commas.")
@click.option("--dry-run", is_flag=True, help="Say what would be done, write nothing.")
@click.option("--force", is_flag=True, help="Also update memories that were edited here since.")
@click.option("--allow-secrets", is_flag=True, help="Also import what looks like it holds a key or password.")
@click.pass_obj
def markdown(
    session: Session,
    path: Path,
    kind: str | None,
    tags: tuple[str, ...],
    dry_run: bool,
    force: bool,
    allow_secrets: bool,
) -> None:
    """Import a markdown file, or all of a folder and the folders in it."""
    params = ImportParams(
        what="markdown",
        path=str(absolute(str(path), here=session.here)),
        kind=kind,
        tags=split_commas(tags),
        dry_run=dry_run,
        force=force,
        allow_secrets=allow_secrets,
    )
    _import(session, params)


@click.command("migrate", cls=Command, examples=("memofs migrate --dry-run", "memofs migrate"))
@click.option("--dry-run", is_flag=True, help="Say what would be done, write nothing.")
@click.pass_obj
def migrate(session: Session, dry_run: bool) -> None:
    """Turn the entries of notes.md, the log of the first MemoFS, into files of their own."""
    line = session.progress("Migrating")
    with line or nullcontext():
        result = session.ask(
            "memofs/migrate",
            MigrateParams(dry_run=dry_run),
            MigrateResult,
            on_progress=line.update if line else None,
        )
    session.show(result, partial(render_migrate, full=session.settings.verbose))


def _import(session: Session, params: ImportParams) -> None:
    line = session.progress("Importing")
    with line or nullcontext():
        result = session.ask("memofs/import", params, ImportResult, on_progress=line.update if line else None)
    session.show(result, partial(render_import, full=session.settings.verbose))
