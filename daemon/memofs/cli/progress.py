"""How far long work is, on standard error: drawn by rich, only on a terminal, gone when the work ends.

rich is imported when the first bar is drawn and at no other time: a quick command must start fast.
"""

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self

from memofs.cli.terminal_text import neutral_line
from memofs.wire.values import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

__all__ = ["ProgressLine"]


class ProgressLine:
    """Draws reports over one another; a context manager, so that the line is wiped however the work ends."""

    def __init__(self, title: str, *, width: int, colour: bool = False) -> None:
        self._title = title
        self._width = width
        self._colour = colour
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def update(self, progress: Progress) -> None:
        """Show a report."""
        if progress.kind == "end":
            return
        if self._bar is None:
            self._bar = _bar(self._width, colour=self._colour)
            self._task = self._bar.add_task(self._title, total=None, message="")
            self._bar.start()
        assert self._task is not None  # noqa: S101 - made together with the bar
        message = neutral_line(progress.message or "")
        self._bar.update(self._task, completed=progress.done or 0, total=progress.total, message=message)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


def _bar(width: int, *, colour: bool) -> "Bar":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    console = Console(file=sys.stderr, width=width, no_color=not colour, highlight=False)
    return Bar(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[message]}", markup=False),
        console=console,
        transient=True,
    )
