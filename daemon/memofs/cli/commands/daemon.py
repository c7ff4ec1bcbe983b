"""`memofs daemon` and `memofs lsp`: the process behind everything, and an editor's way to it."""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click

from memofs import __version__
from memofs.cli import output
from memofs.cli.command import Command, Group, session_of
from memofs.cli.failure import EXIT_ERROR, Failure
from memofs.cli.session import Session
from memofs.cli.views.daemon import render_daemons, render_log, render_running, render_stopped
from memofs.link.census import daemon_of, daemons, stop
from memofs.link.find import Reach, daemon_command, find
from memofs.link.workspace import find_root
from memofs.wire.daemon import DaemonsResult, LogResult, StoppedResult

__all__ = ["daemon", "lsp"]

FOLLOW_S = 0.2
TAIL_BYTES = 1 << 20


@click.group(
    "daemon",
    cls=Group,
    invoke_without_command=True,
    examples=("memofs daemon", "memofs daemon status", "memofs daemon stop", "memofs daemon --foreground"),
)
@click.option("--foreground", is_flag=True, help="Run it here, its log on standard error, until Ctrl-C.")
@click.option(
    "--trace",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --foreground: record every message in FILE (it will hold memory text).",
)
@click.pass_context
def daemon(ctx: click.Context, foreground: bool, trace: Path | None) -> None:
    """Start the workspace's daemon if none runs, and say where it is.

    Editors, agents and the command line share it; it is started when one of them needs it and ends by itself ten
    minutes after the last has left. So there is seldom a reason to call this.
    """
    if ctx.invoked_subcommand is not None:
        return
    session = session_of(ctx)
    if trace is not None and not foreground:
        raise click.UsageError("--trace needs --foreground")
    _check_set_up(session)
    if foreground:
        further = ["--foreground", *(["--trace", str(trace.absolute())] if trace is not None else [])]
        if (there := daemon_of(session.root, build=__version__)) is not None and there.answers:
            raise Failure(
                "running",
                f"a daemon runs already (pid {there.pid})",
                "memofs daemon stop ends it",
                family="Conflict",
            )
        output.settle()
        command = daemon_command(session.root, *further)
        os.execv(command[0], command)  # noqa: S606 - this program's own server, in the place of this process
    find(Reach(session.root, role="cli", build=__version__)).close()
    _show(session)


@daemon.command("status", examples=("memofs daemon status", "memofs daemon status --json"))
@click.pass_context
def status(ctx: click.Context) -> None:
    """Say whether a daemon runs for this workspace; exits 1 if none does."""
    if not _show(session_of(ctx)):
        ctx.exit(EXIT_ERROR)


@daemon.command("list", examples=("memofs daemon list",))
@click.pass_obj
def list_daemons(session: Session) -> None:
    """List your daemons, of all workspaces."""
    session.show(DaemonsResult(daemons=tuple(daemons(build=__version__))), render_daemons)


@daemon.command("stop", examples=("memofs daemon stop", "memofs daemon stop --all"))
@click.option("--all", "every", is_flag=True, help="The daemons of all workspaces.")
@click.pass_context
def stop_daemon(ctx: click.Context, every: bool) -> None:
    """End the workspace's daemon, once it has answered what it is asked; the next client starts another."""
    session = session_of(ctx)
    found = tuple(daemons(build=__version__))
    if not every:
        own = daemon_of(session.root, build=__version__)
        found = (own,) if own is not None and own.answers else ()
    ended = {view.pid for view in found if stop(view, build=__version__)}
    stopped = tuple(view for view in found if view.pid in ended)
    late = tuple(view for view in found if view.pid not in ended)
    session.show(StoppedResult(stopped=stopped, late=late), render_stopped)
    if late:
        ctx.exit(EXIT_ERROR)


@daemon.command("logs", examples=("memofs daemon logs", "memofs daemon logs -n 100", "memofs daemon logs --follow"))
@click.option("-n", "--lines", metavar="N", type=click.IntRange(1, 100_000), default=20, help="The last N lines (20).")
@click.option("-f", "--follow", is_flag=True, help="Go on printing what is added, until Ctrl-C.")
@click.pass_obj
def logs(session: Session, lines: int, follow: bool) -> None:
    """Print the end of the daemon's log: JSON, one line a request or event, and no memory text."""
    path = session.root / ".memofs" / "logs" / "daemon.log"
    _check_set_up(session)
    if follow and session.settings.json:
        raise click.UsageError("--follow prints lines as they come, --json one document")
    session.show(LogResult(path=str(path), lines=tuple(_tail(path, lines))), render_log)
    if follow:
        for line in _added(path):
            output.write_text(line)


@click.command(
    "lsp",
    cls=Command,
    examples=("memofs lsp", "memofs lsp --root ~/work/api"),
)
@click.option("--stdio", is_flag=True, help="Accepted and ignored: standard input and output are the only way.")
@click.pass_context
def lsp(ctx: click.Context, stdio: bool) -> None:
    """Connect an editor: LSP on standard input and output, passed to the workspace's daemon and back.

    For the editor's configuration, not for a terminal. The workspace is the one of --root, else of the first folder
    that the editor names, else of the current folder. Ends with 1 when the daemon goes, so that the editor starts it
    again.
    """
    del stdio
    from memofs.link.editor_root import first_message, folder_of
    from memofs.link.pump import pump

    session = session_of(ctx)
    root, first = session.root, b""
    if session.settings.start is None:
        first, body = first_message(sys.stdin.fileno())
        folder = folder_of(body) if body is not None else None
        root = find_root(folder) if folder is not None else root
    client = find(Reach(root, role="editor", build=__version__, position_encoding="utf-16"))
    code, has_ended = pump(client.socket, first=first)
    if not has_ended:
        output.write_error(
            f"the daemon of {root} has closed the connection; start this again to go on\nmemofs daemon logs says why\n"
        )
    ctx.exit(code)


def _show(session: Session) -> bool:
    found = daemon_of(session.root, build=__version__)
    running = found is not None and found.answers
    session.show(DaemonsResult(daemons=(found,) if running and found is not None else ()), render_running)
    return running


def _check_set_up(session: Session) -> None:
    if not (session.root / ".memofs").is_dir():
        raise Failure(
            "workspace",
            f"there is no memory in {session.root} or above it",
            "memofs init makes one here",
            family="NotFound",
        )


def _tail(path: Path, lines: int) -> list[str]:
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - TAIL_BYTES))
            found = file.read().decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return []
    return found[-lines:]


def _added(path: Path) -> Iterator[str]:
    """What is written to the log from now on, also where it is replaced by a new one."""
    place = path.stat().st_size if path.exists() else 0
    while True:
        try:
            size = path.stat().st_size
            if size < place:
                place = 0
            if size > place:
                with path.open("rb") as file:
                    file.seek(place)
                    data = file.read()
                place += len(data)
                yield data.decode("utf-8", "replace")
                sys.stdout.flush()
        except FileNotFoundError:
            place = 0
        time.sleep(FOLLOW_S)
