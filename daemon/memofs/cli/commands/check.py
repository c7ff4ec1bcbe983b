"""`memofs check`, `stale` and `changes`: whether memories still fit the code they are about."""

from pathlib import Path

import click
import msgspec

from memofs.cli import output
from memofs.cli.arguments import MEMORY_ID, choices
from memofs.cli.command import Command, session_of
from memofs.cli.failure import EXIT_ERROR, EXIT_UNCHECKED, ErrorView, Failure, of_os_error, of_remote
from memofs.cli.paths import in_workspace
from memofs.cli.session import Session
from memofs.cli.views.anchors import render_changes, render_stale
from memofs.link.client import RemoteError
from memofs.link.workspace import find_repository
from memofs.wire import anchors as wire

__all__ = ["changes", "check", "stale"]

FORMATS = ("text", "json", "github", "sarif")


@click.command(
    "check",
    cls=Command,
    examples=(
        "memofs check",
        "memofs check src/db",
        "memofs check --since origin/main --format github",
        "memofs check --format sarif > memofs.sarif",
    ),
)
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("--since", metavar="REF", help="Only what is anchored in files that differ from this commit or branch.")
@click.option(
    "--format",
    "format_",
    type=choices(FORMATS),
    help="text (the usual), json, github (annotations of a pull request) or sarif.",
)
@click.pass_context
def check(ctx: click.Context, paths: tuple[str, ...], since: str | None, format_: str | None) -> None:
    """Check that memories fit the code they are anchored to; for CI and commit hooks.

    PATH is a file, a folder or a glob. Retired, pending and superseded memories are not checked, and code that only
    moved or was formatted anew is no finding. With --since REF, what REF has been given since it went apart from here
    does not count.

    Exits 1 when something is stale, 2 when something could not be checked, else 0.
    """
    session = session_of(ctx)
    if since is not None and not since.strip():
        raise click.UsageError("--since is empty: name a commit or branch, as in --since origin/main", ctx)
    params = wire.CheckParams(
        paths=tuple(in_workspace(path, here=session.here, root=session.root) for path in paths), since=since
    )
    try:
        result = _checked(session, params)
    except RemoteError as error:
        raise _could_not(of_remote(error)) from error
    except OSError as error:
        raise _could_not(of_os_error(error)) from error
    _show(session, result, format_ or ("json" if session.settings.json else "text"))
    if result.findings or result.unchecked:
        ctx.exit(EXIT_ERROR if result.findings else EXIT_UNCHECKED)


@click.command("stale", cls=Command, examples=("memofs stale", "memofs stale src/db", "memofs stale --json"))
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.pass_obj
def stale(session: Session, paths: tuple[str, ...]) -> None:
    """Show the memories whose code has changed or is gone, and what can be done about each.

    PATH is a file, a folder or a glob. The same as `memofs check`, for people: exits 0.
    """
    params = wire.CheckParams(paths=tuple(in_workspace(path, here=session.here, root=session.root) for path in paths))
    result = _checked(session, params)
    session.show(result, render_stale)
    for unchecked in result.unchecked:
        session.note(f"not checked: {unchecked.path}: {unchecked.message}")


@click.command("changes", cls=Command, examples=("memofs changes q2xh", "memofs changes q2xh 2"))
@click.argument("memory_id", type=MEMORY_ID, metavar="ID")
@click.argument("number", metavar="[NUMBER]", type=click.IntRange(1), required=False)
@click.pass_obj
def changes(session: Session, memory_id: str, number: int | None) -> None:
    """Show what became of the code that a memory is anchored to: as it was when last verified, and as it is.

    NUMBER counts the memory's anchors as `memofs show` does; without it, the first that is stale, else the first.
    """
    params = wire.ChangesParams(id=memory_id, anchor_index=None if number is None else number - 1)
    session.show(session.ask("memofs/changes", params, wire.ChangesResult), render_changes)


def _checked(session: Session, params: wire.CheckParams) -> wire.CheckResult:
    line = session.progress("checking")
    if line is None:
        return session.ask("memofs/check", params, wire.CheckResult)
    with line:
        return session.ask("memofs/check", params, wire.CheckResult, on_progress=line.update)


def _show(session: Session, result: wire.CheckResult, format_: str) -> None:
    from memofs import __version__
    from memofs.cli.views.check import render_check, to_github, to_sarif

    if format_ == "json":
        output.write_json(msgspec.json.encode(result))
        return
    if format_ == "text":
        output.write_text(render_check(result, session.style()))
        return
    top, prefix = _repository(session.root)
    if format_ == "github":
        output.write_text(to_github(result, prefix=prefix))
    else:
        output.write_json(to_sarif(result, version=__version__, root_uri=top.as_uri(), prefix=prefix))


def _repository(root: Path) -> tuple[Path, str]:
    """The folder that paths of a report start from, and what leads from there to the workspace."""
    top = find_repository(root)
    if top is None or top == root:
        return root, ""
    return top, f"{root.relative_to(top).as_posix()}/"


def _could_not(error: ErrorView) -> Failure:
    return Failure(error.code, error.message, error.hint, family=error.family, exit_code=EXIT_UNCHECKED)
