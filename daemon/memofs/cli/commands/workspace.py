"""`memofs init`, `status` and `doctor`: the workspace as a whole."""

import os

import click

from memofs.agents.hooks import HOOK_AGENTS
from memofs.cli.arguments import choices
from memofs.cli.command import Command, session_of
from memofs.cli.failure import EXIT_ERROR
from memofs.cli.session import Session
from memofs.cli.views.admin import render_doctor, render_init, render_status
from memofs.link.workspace import find_repository
from memofs.wire.admin import DoctorParams, DoctorResult, InitParams, InitResult
from memofs.wire.read import StatusResult
from memofs.wire.values import Empty

__all__ = ["doctor", "init", "status"]

LATEST = "latest"


@click.command(
    "init",
    cls=Command,
    examples=("memofs init", "memofs init --project-name 'Tenant API'", "memofs -C packages/api init"),
)
@click.option("--project-name", metavar="NAME", help="The project's name, for briefings.")
@click.pass_obj
def init(session: Session, project_name: str | None) -> None:
    """Set up .memofs/ in this project; what is there already stays as it is.

    It goes to the top of the git repository, or with --root exactly there. Everything in it is plain text and meant
    to be committed; what is not comes with a .gitignore.
    """
    session.fix_root()
    session.show(session.ask("memofs/init", InitParams(project_name=project_name), InitResult), render_init)
    if session.settings.start is None and os.path.realpath(session.root) != os.path.realpath(session.here):
        where = "the git repository" if find_repository(session.root) == session.root else "the workspace"
        session.note(f"that is {where} around this folder; for a memory of this folder alone: memofs init --root .")


@click.command("status", cls=Command, examples=("memofs status", "memofs status --json", "memofs status --hook"))
@click.option(
    "--hook",
    metavar="[AGENT]",
    is_flag=False,
    flag_value=LATEST,
    type=choices((*HOOK_AGENTS, LATEST)),
    help="Whether the latest session of an agent asked this memory and wrote to it; with AGENT, for its stop hook.",
)
@click.pass_obj
def status(session: Session, hook: str | None) -> None:
    """Show how many memories there are, of which kinds, and how the index is doing."""
    if hook is not None:
        _hook(session, hook)
        return
    session.show(session.ask("memofs/status", Empty(), StatusResult), render_status)


def _hook(session: Session, agent: str) -> None:
    if agent != LATEST:
        from memofs.cli.hooks import remind

        remind(session, agent)
        return
    from memofs.agents.sessions import read, sessions
    from memofs.cli.commands.agents import session_view
    from memofs.cli.views.agents import render_sessions
    from memofs.wire.agents import SessionsResult

    found = sessions(read(session.root))[:1]
    session.show(SessionsResult(sessions=tuple(map(session_view, found))), render_sessions)


@click.command("doctor", cls=Command, examples=("memofs doctor", "memofs doctor --fix"))
@click.option("--fix", is_flag=True, help="Mend what can be mended without losing anything.")
@click.pass_context
def doctor(ctx: click.Context, fix: bool) -> None:
    """Find faults in memory files and in the set-up, and print the facts that a bug report needs.

    Exits 1 while there is a finding of severity error.
    """
    session = session_of(ctx)
    result = session.ask("memofs/doctor", DoctorParams(fix=fix), DoctorResult)
    session.show(result, render_doctor)
    if any(finding.severity == "error" and not finding.fixed for finding in result.findings):
        ctx.exit(EXIT_ERROR)
