"""The entry: picks the command, runs it, and turns whatever happens into an exit code and words.

Exit codes: 0 done, 1 an error, 2 wrong usage, 130 interrupted. A closed pipe is no error. Anything that is raised and
not caught here is a bug and shows its traceback.
"""

import contextlib
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from memofs.cli import output
from memofs.cli.catalog import COMMANDS, HEADINGS, SYNONYMS
from memofs.cli.command import Group
from memofs.cli.failure import (
    EXIT_ERROR,
    EXIT_INTERRUPTED,
    EXIT_USAGE,
    ErrorView,
    Failure,
    of_os_error,
    of_remote,
    of_usage,
    render_error,
    to_json,
)
from memofs.cli.session import Connect, Session
from memofs.cli.style import Style
from memofs.link.client import RemoteError

__all__ = ["Program", "program", "run"]


class Program(Group):
    """`memofs` itself: its commands come from the catalog, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Every command, in the catalog's order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """The command of that name, its module imported."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        found = getattr(import_module(f"memofs.cli.commands.{entry.module}"), entry.attribute or cmd_name)
        if not isinstance(found, click.Command):
            raise TypeError(f"{entry.module} holds no command {cmd_name}")
        return found

    def near(self, ctx: click.Context, name: str) -> Sequence[str]:
        """What other programs call it, else names spelled alike."""
        return SYNONYMS.get(name.lower()) or super().near(ctx, name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """The commands under their headings; imports none of them."""
        for heading in HEADINGS:
            rows = [(name, entry.summary) for name, entry in COMMANDS.items() if entry.heading == heading]
            with formatter.section(heading):
                formatter.write_dl(rows)


program = Program(
    name="memofs",
    help=(
        "A codebase's memory: decisions, constraints, preferences and notes as markdown files in .memofs/, "
        "found again by what they say.\n\n"
        "Exit codes: 0 done, 1 an error (it says what to do), 2 wrong usage, 130 interrupted. With --json every "
        "command prints one JSON document on standard output, errors too."
    ),
    examples=(
        "memofs init",
        "memofs remember 'Tenant metadata lives in D1: it is read on every request' -k decision",
        "memofs recall why did we choose D1",
        "memofs recall --help",
    ),
)


def run(argv: Sequence[str], connect: Connect) -> int:
    """The exit code after doing what `argv` (without the program's name) says."""
    output.prepare_streams()
    session: Session | None = None
    try:
        session = Session(connect)
        return _dispatch(argv, session)
    except output.OutputClosed:
        output.close_quietly()
        return 0
    except (KeyboardInterrupt, click.Abort):
        return EXIT_INTERRUPTED
    except click.UsageError as error:
        return _usage(error, argv, session)
    except Failure as failure:
        return _report(failure.error, argv, session, failure.exit_code)
    except RemoteError as error:
        return _report(of_remote(error), argv, session, EXIT_ERROR)
    except OSError as error:
        return _report(of_os_error(error), argv, session, EXIT_ERROR)
    finally:
        if session is not None:
            session.close()
        output.settle()


def _dispatch(argv: Sequence[str], session: Session) -> int:
    for place, argument in enumerate(argv, start=1):
        if not argument.isascii() and any("\ud800" <= char <= "\udfff" for char in argument):
            raise click.UsageError(f"argument {place} is not UTF-8")
    args = [*argv[1:], "--help"] if argv[:1] == ["help"] else list(argv)
    outcome: Any = program.main(args, prog_name="memofs", standalone_mode=False, obj=session)
    return outcome if isinstance(outcome, int) else 0


def _usage(error: click.UsageError, argv: Sequence[str], session: Session | None) -> int:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        output.write_error(f"{error.format_message()}\n")
        return EXIT_USAGE
    return _report(of_usage(error), argv, session, EXIT_USAGE)


def _report(error: ErrorView, argv: Sequence[str], session: Session | None, code: int) -> int:
    try:
        if _wants_json(argv, session):
            output.write_json(to_json(error))
        else:
            style = session.style(error=True) if session is not None else Style(now_ms=0)
            output.write_error(render_error(error, style))
    except output.OutputClosed:
        output.close_quietly()
    except OSError as broken:  # standard output itself cannot be written, on a full disk for instance
        with contextlib.suppress(OSError):
            output.write_error(f"error: {broken.strerror}\n")
        output.close_quietly()
    return code


def _wants_json(argv: Sequence[str], session: Session | None) -> bool:
    """Also true where `--json` stands behind the mistake that ended the parsing."""
    if session is not None and session.settings.json:
        return True
    ours = argv[: argv.index("--")] if "--" in argv else argv
    return "--json" in ours
