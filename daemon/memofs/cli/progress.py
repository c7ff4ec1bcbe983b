"""One line on standard error that shows how far long work is; drawn only on a terminal, gone when the work ends."""

import sys
import time
from types import TracebackType
from typing import Self

from memofs.cli.terminal_text import clip, neutral_line
from memofs.wire.base import Progress

__all__ = ["ProgressLine", "draw"]

REDRAW_SECONDS = 0.05
BAR_CELLS = 24


def draw(progress: Progress, title: str, width: int) -> str:
    """The line for one report: title, bar and count where the total is known, message; at most `width` columns."""
    parts = [title]
    if progress.total and progress.done is not None:
        share = min(1.0, max(0.0, progress.done / progress.total))
        full = int(share * BAR_CELLS)
        parts.append(f"[{'#' * full}{'.' * (BAR_CELLS - full)}] {progress.done:,}/{progress.total:,}")
    elif progress.done is not None:
        parts.append(f"{progress.done:,}")
    if progress.message:
        parts.append(neutral_line(progress.message))
    return clip(" ".join(parts), width)


class ProgressLine:
    """Draws reports over one another; a context manager, so that the line is wiped however the work ends."""

    def __init__(self, title: str, *, width: int) -> None:
        self._title = title
        self._width = width
        self._drawn_s = float("-inf")
        self._shown = False

    def update(self, progress: Progress) -> None:
        """Show a report, unless the last one was drawn a moment ago."""
        now_s = time.monotonic()
        finished = progress.total is not None and progress.done == progress.total
        if progress.kind == "end" or (now_s - self._drawn_s < REDRAW_SECONDS and not finished):
            return
        self._drawn_s, self._shown = now_s, True
        sys.stderr.write(f"\r\x1b[2K{draw(progress, self._title, self._width)}")
        sys.stderr.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
