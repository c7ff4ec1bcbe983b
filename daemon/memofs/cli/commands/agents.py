"""`memofs generate agent` and `memofs log session`: setting up coding agents, and what they did here."""

import difflib
import os
import shutil
from typing import get_args

import click

from memofs.agents.catalog import AGENTS, Scope
from memofs.agents.disk import places_of, read_text, write
from memofs.agents.sessions import SessionRecord, read, sessions
from memofs.agents.setup import Change, files_of, plan
from memofs.agents.wish import Wish
from memofs.cli.arguments import choices
from memofs.cli.command import Group, session_of
from memofs.cli.failure import EXIT_ERROR
from memofs.cli.session import Session
from memofs.cli.views.agents import render_agents, render_generated, render_sessions
from memofs.wire.admin import ConfigParams, ConfigResult
from memofs.wire.agents import AgentsResult, AgentView, FileView, GenerateResult, SessionsResult, SessionView

__all__ = ["generate", "log", "session_view"]

ALL = "all"


@click.group("generate", cls=Group, examples=("memofs generate agent claude --project-name 'My API'",))
def generate() -> None:
    """Write files that set up other programs for this project's memory."""


@generate.command(
    "agent",
    examples=(
        "memofs generate agent claude --project-name 'My API'",
        "memofs generate agent codex cursor --dry-run",
        "memofs generate agent all --no-hooks",
        "memofs generate agent claude --scope user",
        "memofs generate agent claude --remove",
        "memofs generate agent --list",
    ),
)
@click.argument("names", metavar="AGENT...", nargs=-1, type=choices((*AGENTS, ALL)))
@click.option(
    "--project-name",
    metavar="NAME",
    help="What the rules call the project from now on; else its name in the settings.",
)
@click.option(
    "--scope",
    type=choices(get_args(Scope)),
    default="project",
    help="project: files to commit, for everybody here (the usual). user: yours, for all your projects.",
)
@click.option("--no-hooks", is_flag=True, help="Leave hooks out: rules and the MCP server only.")
@click.option("--no-mcp", is_flag=True, help="Leave the MCP server out.")
@click.option("--remove", is_flag=True, help="Take our part out of the files again, but for what others need still.")
@click.option("--dry-run", is_flag=True, help="Show the differences and write nothing.")
@click.option("--list", "listing", is_flag=True, help="List the agents, their files, and which are set up.")
@click.pass_context
def agent(
    ctx: click.Context,
    names: tuple[str, ...],
    project_name: str | None,
    scope: Scope,
    no_hooks: bool,
    no_mcp: bool,
    remove: bool,
    dry_run: bool,
    listing: bool,
) -> None:
    """Make a coding agent load, ask and keep this memory each session.

    Writes the agent's rules, its MCP server and its hooks: a briefing for the branch and the changed files when a
    session begins and after it was compacted, and one reminder to write down what was decided. What is in these files
    already stays; doing it again brings our part up to date. claude is Claude Code, codex Codex, cursor Cursor, gemini
    Gemini CLI, copilot GitHub Copilot, opencode opencode.
    """
    session = session_of(ctx)
    if listing:
        session.show(_listed(session, scope), render_agents)
        return
    if not names:
        raise click.UsageError(f"name an agent: {', '.join(AGENTS)}, or {ALL}", ctx)
    wish = Wish(
        agents=tuple(AGENTS) if ALL in names else tuple(dict.fromkeys(names)),
        scope=scope,
        project=None if scope == "user" else project_name,
        usual_project=None if scope == "user" else _project_name(session),
        with_hooks=not no_hooks,
        with_server=not no_mcp,
        remove=remove,
    )
    places = places_of(session.root, os.environ)
    changes = plan(wish, places, read=read_text)
    views = tuple(_done(change, session, wish, write_it=not dry_run) for change in changes)
    notes = () if remove else _notes(session, wish, named=project_name is not None)
    result = GenerateResult(files=views, dry_run=dry_run, removed=remove, notes=notes)
    session.show(result, render_generated)
    if any(view.state == "failed" for view in views):
        ctx.exit(EXIT_ERROR)


@click.group("log", cls=Group, examples=("memofs log session", "memofs log session -n 5"))
def log() -> None:
    """Look back at what was done here; memofs history lists every write."""


@log.command("session", examples=("memofs log session", "memofs log session -n 5", "memofs log session --json"))
@click.option("-n", "--limit", metavar="N", type=click.IntRange(1, 1_000), default=1, help="The last N sessions (1).")
@click.pass_obj
def log_session(session: Session, limit: int) -> None:
    """Show what coding agents asked of the memory and wrote to it, session by session, on this machine.

    What is recorded is which tools were called, when, and the ids of what was written: no text.
    """
    every = sessions(read(session.root))
    shown = tuple(map(session_view, every[:limit]))
    session.show(SessionsResult(sessions=shown, more=max(0, len(every) - limit)), render_sessions)


def session_view(found: SessionRecord) -> SessionView:
    """A session as it is shown."""
    return SessionView(
        agent=found.agent,
        session=found.session,
        started=found.started,
        last=found.last,
        consulted=found.consulted,
        persisted=found.persisted,
        clients=found.clients,
        calls=found.calls,
        failed=found.failed,
        wrote=found.wrote,
        briefed=found.briefed,
        reminded=found.reminded,
    )


def _done(change: Change, session: Session, wish: Wish, *, write_it: bool) -> FileView:
    problem = change.problem
    state = "failed"
    if problem is None:
        if change.before == change.after:
            state = "absent" if change.after is None else "unchanged"
        else:
            state = "created" if change.before is None else "removed" if change.after is None else "updated"
            if write_it:
                try:
                    write(change)
                except OSError as error:
                    problem, state = f"it cannot be written: {error.strerror}", "failed"
    path = _shown(change.path, session)
    diff = "" if write_it or problem is not None else _diff(change, path)
    project = f"{session.root.as_posix().rstrip('/')}/"
    return FileView(
        path=path,
        agents=change.agents,
        state=state,
        problem=problem,
        diff=diff,
        outside=wish.scope == "project" and not change.path.startswith(project),
        kept_for=tuple(_shown(each, session) for each in change.kept_for),
    )


def _diff(change: Change, path: str) -> str:
    before = (change.before or "").splitlines(keepends=True)
    after = (change.after or "").splitlines(keepends=True)
    names = ("/dev/null" if change.before is None else path, "/dev/null" if change.after is None else path)
    lines = difflib.unified_diff(before, after, *names)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _listed(session: Session, scope: Scope) -> AgentsResult:
    places = places_of(session.root, os.environ)
    found: list[AgentView] = []
    for name, each in AGENTS.items():
        removal = plan(Wish(agents=(name,), scope=scope, remove=True), places, read=read_text)
        paths = tuple(dict.fromkeys(file.path for file in files_of(name, Wish(agents=(name,), scope=scope), places)))
        present = sum(change.before != change.after and not change.kept_for for change in removal)
        if present:
            present += sum(bool(change.kept_for) for change in removal)
        shown = tuple(_shown(path, session) for path in paths)
        found.append(AgentView(name=name, title=each.title, files=shown, present=present))
    return AgentsResult(scope=scope, agents=tuple(found))


def _notes(session: Session, wish: Wish, *, named: bool) -> tuple[str, ...]:
    notes = [f"{AGENTS[name].title}: {AGENTS[name].note}" for name in wish.agents if AGENTS[name].note]
    if named and wish.scope == "user":
        notes.append("--project-name is for one project: rules for all of them name none")
    if shutil.which("memofs") is None:
        notes.append("memofs is not on the PATH of this shell: agents start it by that name")
    if wish.scope == "project" and not (session.root / ".memofs").is_dir():
        notes.append("there is no memory here yet: memofs init makes one")
    return tuple(notes)


def _project_name(session: Session) -> str | None:
    """The project's name in the settings; without a memory here, the folder's."""
    if not (session.root / ".memofs").is_dir():
        return session.root.name
    found = session.ask("memofs/config", ConfigParams(key="projectName"), ConfigResult)
    return found.value if isinstance(found.value, str) else session.root.name


def _shown(path: str, session: Session) -> str:
    """A path of the project relative to it, one of the user's behind `~`."""
    project = f"{session.root.as_posix().rstrip('/')}/"
    home = f"{os.environ.get('HOME', '').rstrip('/')}/"
    if path.startswith(project):
        return path.removeprefix(project)
    return f"~/{path.removeprefix(home)}" if len(home) > 1 and path.startswith(home) else path
