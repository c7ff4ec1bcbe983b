"""What goes wrong, as the person or the script that ran the command is told it.

Exit codes: 0 done, 1 an error (`error: …` and `hint: …` on standard error), 2 wrong usage, 130 interrupted. With
`--json` the same goes to standard output as one object, `{"error": {"family", "code", "message", "hint"}}`.
"""

import click
import msgspec

from memofs.cli.style import Style, paint
from memofs.link.client import RemoteError

__all__ = [
    "EXIT_ERROR",
    "EXIT_INTERRUPTED",
    "EXIT_UNCHECKED",
    "EXIT_USAGE",
    "ErrorView",
    "Failure",
    "of_os_error",
    "of_remote",
    "of_usage",
    "render_error",
    "to_json",
]

EXIT_ERROR = 1
EXIT_USAGE = 2
EXIT_UNCHECKED = 2
"""What `memofs check` exits with where it could not check, so that 1 always means that something is stale."""
EXIT_INTERRUPTED = 130


class ErrorView(msgspec.Struct, frozen=True, kw_only=True):
    """One error: its family (as in the protocol, or `Usage`), its stable code, what is wrong and what to do."""

    family: str
    code: str
    message: str
    hint: str | None = None


class Failure(Exception):
    """A command cannot go on for a reason of its own; the daemon's reasons come as RemoteError."""

    def __init__(
        self,
        code: str,
        message: str,
        hint: str | None = None,
        *,
        family: str = "InvalidRequest",
        exit_code: int = EXIT_ERROR,
    ) -> None:
        super().__init__(message)
        self.error = ErrorView(family=family, code=code, message=message, hint=hint)
        self.exit_code = exit_code


def of_remote(error: RemoteError) -> ErrorView:
    """The daemon's error as it is shown."""
    return ErrorView(family=error.family, code=error.code, message=error.message, hint=error.hint)


def of_os_error(error: OSError) -> ErrorView:
    """An error of the operating system: a file that cannot be read, a full disk."""
    what = error.strerror or str(error)
    where = f"{error.filename}: " if isinstance(error.filename, str) and error.filename else ""
    return ErrorView(family="Unavailable", code="system", message=f"{where}{what}")


def of_usage(error: click.UsageError) -> ErrorView:
    """Wrong usage, with a pointer to the help of the command it was found in."""
    path = error.ctx.command_path if error.ctx is not None else "memofs"
    hint = f"`{path} --help` explains the command and shows examples"
    if isinstance(error, click.NoSuchOption) and _takes_free_text(error.ctx):
        hint = f"put -- in front of text that begins with a dash: {path} -- {error.option_name}"
    message = error.format_message().rstrip(".")
    return ErrorView(family="Usage", code="usage", message=message[:1].lower() + message[1:], hint=hint)


def render_error(error: ErrorView, style: Style) -> str:
    """`error: …` and, on a line of its own, `hint: …`; safe for a terminal."""
    lines = [f"{paint(style, 'error', 'error:')} {_lines(error.message)}"]
    if error.hint:
        lines.append(f"{paint(style, 'dim', 'hint:')} {_lines(error.hint)}")
    return "\n".join(lines) + "\n"


def to_json(error: ErrorView) -> bytes:
    """The JSON document that a script gets in place of the result."""
    return msgspec.json.encode({"error": error})


def _lines(text: str) -> str:
    from memofs.cli.terminal_text import neutral_block

    return neutral_block(text.strip()).replace("\n", "\n  ")


def _takes_free_text(ctx: click.Context | None) -> bool:
    return ctx is not None and any(param.name in {"query", "text"} for param in ctx.command.params)
