"""Daemons and their log, as people read them."""

from memofs.cli.style import Cell, Style, count, paint, table
from memofs.cli.terminal_text import neutral_block, neutral_line
from memofs.cli.views.words import join, page
from memofs.wire.daemon import DaemonsResult, DaemonView, LogResult, StoppedResult

__all__ = ["render_daemons", "render_log", "render_running", "render_stopped"]


def render_running(result: DaemonsResult, style: Style) -> str:
    """Whether a daemon runs for the workspace, and which."""
    if not result.daemons:
        return page("No daemon runs for this workspace; the next command or editor that needs one starts it.")
    view = result.daemons[0]
    return page(
        f"{paint(style, 'good', 'Running')}: {join([f'pid {view.pid}', f'memofs {neutral_line(view.build)}'])}",
        f"  workspace  {neutral_line(view.root)}",
        f"  endpoint   {neutral_line(view.endpoint)}",
        f"  since      {neutral_line(view.started)}",
    )


def render_daemons(result: DaemonsResult, style: Style) -> str:
    """One daemon a line."""
    if not result.daemons:
        return page("No daemons.")
    rows: list[list[Cell]] = [
        [str(view.pid), neutral_line(view.build), neutral_line(view.started), (neutral_line(view.root), "id")]
        for view in result.daemons
    ]
    return page(*table(rows, style))


def render_stopped(result: StoppedResult, style: Style) -> str:
    """What ended, and what did not."""
    if not result.stopped and not result.late:
        return page("No daemon runs.")
    lines = [f"{paint(style, 'good', 'Stopped')} {_name(view)}" for view in result.stopped]
    lines += [f"{paint(style, 'warning', 'Still ending')}: {_name(view)}" for view in result.late]
    return page(*lines)


def render_log(result: LogResult, style: Style) -> str:
    """The lines as they are; without any, where they would be."""
    if not result.lines:
        return page(paint(style, "dim", f"{neutral_line(result.path)} is empty ({count(0, 'line', 'lines')})"))
    return "".join(f"{neutral_block(line)}\n" for line in result.lines)


def _name(view: DaemonView) -> str:
    return f"pid {view.pid} ({neutral_line(view.root)})"
