"""A text handed to the person's editor and taken back, in a private file that is never thrown away unread.

Invariant: `Draft.discard` is the only way a draft goes; whoever does not call it leaves the edited text on disk.
"""

import os
import shlex
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from shutil import rmtree, which
from tempfile import mkdtemp

from memofs.cli import output
from memofs.cli.failure import Failure

__all__ = ["Draft", "editor_command"]

FALLBACKS = ("editor", "nano", "vi")


def editor_command(environ: Mapping[str, str]) -> list[str]:
    """The editor's program and arguments: `$VISUAL`, else `$EDITOR`, else what is installed. Raises Failure."""
    for name in ("VISUAL", "EDITOR"):
        named = environ.get(name, "").strip()
        if not named:
            continue
        try:
            return shlex.split(named)
        except ValueError as error:
            raise Failure("noEditor", f"${name} cannot be read: {named} ({error})", "check its quotes") from error
    for program in FALLBACKS:
        if which(program) is not None:
            return [program]
    raise Failure("noEditor", "there is no editor", "name one in the environment: EDITOR=vi", family="Unavailable")


class Draft:
    """A copy of a text in a folder of its own that only this user can read."""

    def __init__(self, name: str, text: str) -> None:
        self.path = Path(mkdtemp(prefix="memofs-edit-")) / name
        self.path.write_bytes(text.encode())

    def edit(self, command: list[str]) -> None:
        """Run the editor and wait for it. Raises Failure if it cannot be run or ends with an error."""
        try:
            code = _run([*command, str(self.path)])
        except OSError as error:
            raise Failure(
                "noEditor",
                f"the editor {command[0]} cannot be run: {error.strerror}",
                "name another one in the environment: EDITOR=vi",
                family="Unavailable",
            ) from error
        if code in (-signal.SIGINT, 128 + signal.SIGINT):
            output.write_error(f"stopped; what the editor wrote is in {self.path}\n")
            raise KeyboardInterrupt
        if code != 0:
            raise Failure(
                "editorFailed",
                f"the editor {command[0]} ended with exit code {code}; the memory was not changed",
                f"what it wrote is in {self.path}",
                family="Unavailable",
            )

    def text(self) -> str:
        """The text as the editor left it. Raises Failure if it is gone or not UTF-8."""
        try:
            return self.path.read_bytes().decode()
        except UnicodeDecodeError as error:
            raise Failure("notUtf8", "the edited text is not UTF-8", f"it is kept in {self.path}") from error

    def discard(self) -> None:
        """Remove the file and its folder."""
        rmtree(self.path.parent, ignore_errors=True)


def _run(command: list[str]) -> int:
    """The exit code of a program that has the terminal to itself.

    A Ctrl-C typed in the editor reaches this process too and must not end it: the handler does nothing, and being a
    handler (not SIG_IGN) it is not inherited by the editor.
    """
    before = signal.signal(signal.SIGINT, lambda _number, _frame: None)
    try:
        return subprocess.run(command, check=False, env=os.environ.copy()).returncode  # noqa: S603 - the person's own editor
    finally:
        signal.signal(signal.SIGINT, before)
