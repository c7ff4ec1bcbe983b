"""One run of the command line: its settings, its connection, and where its output goes.

Invariant: the connection is made at the first request, once, with the settings as they were then; a command that asks
nothing (`completion`, `--help`) starts no daemon.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from memofs.cli import output
from memofs.cli.dates import parse_ms
from memofs.cli.paths import prefix_to
from memofs.cli.progress import ProgressLine
from memofs.cli.style import ColourWhen, Style, paint, wants_colour
from memofs.cli.terminal_text import neutral_block
from memofs.link.client import Client
from memofs.link.workspace import find_repository, find_root
from memofs.wire.values import Params, Progress, Result

__all__ = ["Connect", "Session", "Settings"]


class Connect(Protocol):
    """What connects a run to the workspace at `root`; with `no_daemon` the work is done in this process."""

    def __call__(self, root: Path, *, no_daemon: bool, note: Callable[[str], None]) -> Client:
        """A greeted connection. Raises RemoteError. `note` takes a remark for the person."""
        ...


R = TypeVar("R", bound=Result)


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The options that every command takes."""

    start: Path | None = None
    json: bool = False
    colour: ColourWhen = "auto"
    no_daemon: bool = False
    verbose: bool = False


class Session:
    """The state of one run; commands get it as click's context object."""

    def __init__(self, connect: Connect) -> None:
        self.settings = Settings()
        self.here = Path.cwd()
        self._connect = connect
        self._client: Client | None = None
        self._fixed_root: Path | None = None

    @property
    def root(self) -> Path:
        """The workspace: found from `--root` or from where the person stands."""
        return self._fixed_root or find_root(self._start())

    def fix_root(self) -> None:
        """Take as the workspace what `init` sets up: an explicit `--root` itself, else the git top level.

        So a repository below another workspace gets a memory of its own; without git it is searched as ever.
        """
        start = self._start().absolute()
        self._fixed_root = start if self.settings.start is not None else find_repository(start)

    def ask(
        self,
        method: str,
        params: Params,
        result: type[R],
        *,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> R:
        """The answer to one request. Raises RemoteError."""
        started_s = time.perf_counter()
        client = self._connected()
        answer = client.call(method, params, on_progress=on_progress)
        if not isinstance(answer, result):
            raise TypeError(f"{method} answered {type(answer).__name__}, not {result.__name__}")
        if self.settings.verbose:
            took_ms = (time.perf_counter() - started_s) * 1000
            degraded = f", degraded: {', '.join(answer.degraded)}" if answer.degraded else ""
            self.note(f"{method} in {took_ms:.1f} ms, revision {answer.revision}{degraded}")
        return answer

    def show(self, result: R, render: Callable[[R, Style], str]) -> None:
        """Print a result: with `--json` as it came over the wire, else as `render` puts it for people."""
        if self.settings.json:
            output.write_json(msgspec.json.encode(result))
        else:
            output.write_text(render(result, self.style()))

    def note(self, text: str) -> None:
        """A remark beside the result, on standard error; left out with `--json` unless `--verbose`."""
        if not self.settings.json or self.settings.verbose:
            style = self.style(error=True)
            output.write_error(paint(style, "dim", text) + "\n")

    def confirm(self, question: str) -> bool:
        """Whether the person at the terminal says yes."""
        return output.ask_yes(neutral_block(question))

    @property
    def interactive(self) -> bool:
        """Whether there is a person who can be asked."""
        return sys.stdin.isatty() and sys.stderr.isatty()

    def style(self, *, error: bool = False) -> Style:
        """How to write to standard output, or to standard error."""
        terminal = (sys.stderr if error else sys.stdout).isatty()
        return Style(
            now_ms=_now_ms(),
            colour=wants_colour(self.settings.colour, os.environ, terminal=terminal),
            width=_columns() if terminal else None,
            prefix=prefix_to(self.root, here=self.here),
        )

    def progress(self, title: str) -> ProgressLine | None:
        """A line that shows how far long work is, or None where nobody watches."""
        if self.settings.json or not sys.stderr.isatty():
            return None
        return ProgressLine(title, width=_columns(), colour=self.style(error=True).colour)

    def close(self) -> None:
        """End the connection if there is one."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _start(self) -> Path:
        return self.here / self.settings.start if self.settings.start is not None else self.here

    def _connected(self) -> Client:
        if self._client is None:
            self._client = self._connect(self.root, no_daemon=self.settings.no_daemon, note=self.note)
            if self.settings.verbose:
                hello = self._client.hello
                self.note(f"workspace {hello.root}, memofs {hello.build}, wire {hello.wire_version}")
        return self._client


def _now_ms() -> int:
    """The time that ages are told from; MEMOFS_NOW (ISO 8601) fixes it, as it does the daemon's."""
    fixed = parse_ms(os.environ.get("MEMOFS_NOW", ""))
    return time.time_ns() // 1_000_000 if fixed is None else fixed


def _columns() -> int:
    """The terminal's width: `COLUMNS`, else what the terminal says, else 80 (shutil's way, without its imports)."""
    named = os.environ.get("COLUMNS", "")
    if named.isdecimal() and int(named) > 0:
        return max(40, int(named))
    for stream in (sys.stdout, sys.stderr):
        try:
            return max(40, os.get_terminal_size(stream.fileno()).columns)
        except (OSError, ValueError):
            continue
    return 80
