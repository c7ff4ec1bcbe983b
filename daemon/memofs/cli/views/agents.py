"""Agents' set-up and sessions as text."""

from collections.abc import Mapping

from memofs.cli.style import Cell, Role, Style, count, paint, table
from memofs.cli.terminal_text import neutral_block, neutral_line
from memofs.cli.views.words import page
from memofs.wire.agents import AgentsResult, FileView, GenerateResult, SessionsResult, SessionView

__all__ = ["render_agents", "render_generated", "render_sessions"]

_ROLES: Mapping[str, Role] = {"failed": "error", "unchanged": "dim", "absent": "dim"}
_WOULD: Mapping[str, str] = {
    "created": "would create",
    "updated": "would update",
    "removed": "would remove",
    "failed": "left alone",
    "absent": "not there",
}
_DID: Mapping[str, str] = {"failed": "left alone", "absent": "not there"}


def render_generated(result: GenerateResult, style: Style) -> str:
    """What became of each file, the differences of a dry run, and what the person has to know."""
    lines: list[str] = []
    for file in result.files:
        lines += _file(file, style, dry_run=result.dry_run)
    if not result.files:
        lines.append("There is nothing to write.")
    lines += [paint(style, "dim", f"note: {note}") for note in result.notes]
    return page(*lines)


def render_agents(result: AgentsResult, style: Style) -> str:
    """The agents, which are set up, and their files."""
    rows: list[list[Cell]] = []
    for agent in result.agents:
        state: Cell = ("set up", "good") if agent.present else ("not set up", "dim")
        if 0 < agent.present < len(agent.files):
            state = ("in part", "warning")
        rows.append([(agent.name, "title"), agent.title, state, (", ".join(agent.files), "path")])
    return page(*table(rows, style))


def render_sessions(result: SessionsResult, style: Style) -> str:
    """Sessions, newest first: what each asked and wrote."""
    if not result.sessions:
        return "No agent has used this memory on this machine yet.\n"
    lines = [line for session in result.sessions for line in (*_session(session, style), "")]
    if result.more:
        lines.append(paint(style, "dim", f"{count(result.more, 'earlier session')} (-n {result.more + 1} shows them)"))
    while lines and not lines[-1]:
        lines.pop()
    return page(*lines)


def _file(file: FileView, style: Style, *, dry_run: bool) -> list[str]:
    said = (_WOULD if dry_run else _DID).get(file.state, file.state)
    line = f"{paint(style, _ROLES.get(file.state, 'good'), said)} {paint(style, 'path', file.path)}"
    if file.problem is not None:
        line += f": {neutral_line(file.problem)}"
    elif file.kept_for:
        line += f": our part of it stays, it is needed for {neutral_line(', '.join(file.kept_for))}"
    elif file.outside and file.state not in ("absent", "unchanged"):
        line += f" {paint(style, 'warning', '(outside of this project: it is yours, for all your projects)')}"
    return [line, *_diff(file.diff, style)]


def _diff(diff: str, style: Style) -> list[str]:
    roles: Mapping[str, Role] = {"+": "added", "-": "removed", "@": "dim"}
    lines = neutral_block(diff).splitlines()
    return [paint(style, roles[line[0]], line) if line[:1] in roles else line for line in lines]


def _session(session: SessionView, style: Style) -> list[str]:
    who = session.agent or "an agent"
    calls = ", ".join(f"{name} {number}" for name, number in session.calls) or "nothing"
    failed = f" ({session.failed} failed)" if session.failed else ""
    clients = ", ".join(each for each in session.clients if each != session.agent)
    return [
        f"{paint(style, 'title', who)}  {paint(style, 'dim', session.session)}",
        f"  from {session.started[:16].replace('T', ' ')}Z to {session.last[:16].replace('T', ' ')}Z"
        + (f", as {neutral_line(clients)}" if clients else ""),
        f"  briefed    {count(session.briefed, 'time')}",
        f"  consulted  {'yes' if session.consulted else 'no'}: {neutral_line(calls)}{failed}",
        f"  persisted  {'yes: ' + neutral_line(', '.join(session.wrote)) if session.persisted else 'no'}"
        + ("  (was reminded)" if session.reminded else ""),
    ]
