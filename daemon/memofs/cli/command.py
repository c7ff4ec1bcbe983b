"""click's commands with what every command of ours has: the options for everything, examples, sections of help.

Invariant: an option of `GLOBAL_OPTIONS` means the same before and after the name of the command; given twice, the
last one counts.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from memofs.cli.session import Session

__all__ = ["GLOBAL_OPTIONS", "Command", "Group", "global_options", "session_of"]

HELP_NAMES = ("-h", "--help")


def session_of(ctx: click.Context) -> Session:
    """The run that the context belongs to."""
    session = ctx.find_object(Session)
    if session is None:
        raise TypeError("a command ran outside memofs.cli.app.run")
    return session


def _setting(name: str) -> Callable[[click.Context, click.Parameter, object], None]:
    def keep(ctx: click.Context, param: click.Parameter, value: object) -> None:
        if value is None or ctx.get_parameter_source(param.name or "") is not click.core.ParameterSource.COMMANDLINE:
            return
        session = session_of(ctx)
        session.settings = msgspec.structs.replace(session.settings, **{name: value})

    return keep


def _version(ctx: click.Context, _param: click.Parameter, value: object) -> None:
    if value and not ctx.resilient_parsing:
        from memofs import __version__

        click.echo(f"memofs {__version__}")
        ctx.exit()


def _option(*names: str, setting: str, **attributes: Any) -> click.Option:
    return click.Option(list(names), expose_value=False, callback=_setting(setting), **attributes)


GLOBAL_OPTIONS: Sequence[click.Option] = (
    _option(
        "-C",
        "--root",
        setting="start",
        metavar="DIR",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        help="Work on the workspace of DIR instead of the current folder's.",
    ),
    _option(
        "--json",
        setting="json",
        is_flag=True,
        default=None,
        help='Print the result as one JSON document; an error too, as {"error": {family, code, message, hint}}.',
    ),
    _option(
        "--color",
        setting="colour",
        metavar="WHEN",
        type=click.Choice(["auto", "always", "never"]),
        help="Colour: auto (on a terminal; NO_COLOR and FORCE_COLOR count), always or never.",
    ),
    _option("--no-color", setting="colour", flag_value="never", help="The same as --color never."),
    _option(
        "--no-daemon",
        setting="no_daemon",
        is_flag=True,
        default=None,
        help="Do the work in this process, without a daemon.",
    ),
    _option(
        "-v",
        "--verbose",
        setting="verbose",
        is_flag=True,
        default=None,
        help="Say on standard error what is asked of whom and how long it took.",
    ),
    click.Option(
        ["-V", "--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_version,
        help="Print the version and end.",
    ),
)


def global_options() -> frozenset[str]:
    """The names of the options that every command takes."""
    return frozenset(name for option in GLOBAL_OPTIONS for name in option.opts)


class Command(click.Command):
    """A command with examples in its help and the options for everything."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **attributes: Any) -> None:
        attributes["params"] = [*(attributes.get("params") or ()), *GLOBAL_OPTIONS]
        attributes["context_settings"] = {
            "help_option_names": list(HELP_NAMES),
            **(attributes.get("context_settings") or {}),
        }
        super().__init__(*args, **attributes)
        self.examples = tuple(examples)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Its own options; those for everything in one line."""
        _write_options(self, ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples."""
        _write_examples(self.examples, formatter)
        super().format_epilog(ctx, formatter)


class Group(click.Group):
    """A command that only holds others."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **attributes: Any) -> None:
        attributes["params"] = [*(attributes.get("params") or ()), *GLOBAL_OPTIONS]
        attributes["context_settings"] = {
            "help_option_names": list(HELP_NAMES),
            **(attributes.get("context_settings") or {}),
        }
        super().__init__(*args, **attributes)
        self.examples = tuple(examples)
        self.command_class = Command

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """In the order in which they were declared: the one needed first comes first."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of that name; an unknown one is a usage error that names those like it."""
        name = args[0]
        if self.get_command(ctx, name) is None and not ctx.resilient_parsing:
            ctx.fail(f"no such command {name!r}{_suggestion(self.near(ctx, name))}")
        return super().resolve_command(ctx, args)

    def near(self, ctx: click.Context, name: str) -> Sequence[str]:
        """The commands that whoever typed `name` may have meant, best first."""
        from difflib import get_close_matches

        return get_close_matches(name.lower(), self.list_commands(ctx), n=3, cutoff=0.6)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Each command with the first sentence of its help, whole."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.get_short_help_str(200)) for name, command in self.commands.items()])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Its commands, then the options."""
        self.format_commands(ctx, formatter)
        _write_options(self, ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples."""
        _write_examples(self.examples, formatter)
        super().format_epilog(ctx, formatter)


def _write_options(command: click.Command, ctx: click.Context, formatter: click.HelpFormatter) -> None:
    own = [
        record
        for param in command.get_params(ctx)
        if isinstance(param, click.Option) and param not in GLOBAL_OPTIONS and (record := param.get_help_record(ctx))
    ]
    if ctx.parent is None:
        shared = [record for option in GLOBAL_OPTIONS if (record := option.get_help_record(ctx))]
        with formatter.section("Options, before or after the command"):
            formatter.write_dl([*shared, *own])
        return
    with formatter.section("Options"):
        formatter.write_dl(own)
    with formatter.section("Options of every command (memofs --help explains them)"):
        formatter.write_text(", ".join("/".join(option.opts) for option in GLOBAL_OPTIONS))


def _write_examples(examples: Sequence[str], formatter: click.HelpFormatter) -> None:
    if examples:
        with formatter.section("Examples"):
            for example in examples:
                formatter.write(f"{'':{formatter.current_indent}}{example}\n")


def _suggestion(near: Sequence[str]) -> str:
    if not near:
        return ""
    return f"; did you mean {' or '.join(repr(name) for name in near)}?"
