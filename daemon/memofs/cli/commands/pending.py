"""`memofs pending`: what agents wrote and a person has to decide about."""

import click

from memofs.cli.command import Command
from memofs.cli.session import Session
from memofs.cli.views.pending import render_pending
from memofs.wire.read import ListParams, ListResult

__all__ = ["pending"]

MOST = 1_000


@click.command("pending", cls=Command, examples=("memofs pending", "memofs accept q2xh", "memofs reject q2xh"))
@click.pass_obj
def pending(session: Session) -> None:
    """Show the memories that wait for a person, newest first: who wrote them, and what they say.

    They are not recalled before `memofs accept ID`; `memofs reject ID` keeps them out for good. Agents' memories wait
    where the settings say so: memofs config set agents.writes review.
    """
    params = ListParams(statuses=("pending",), bodies=True, limit=MOST)
    session.show(session.ask("memofs/list", params, ListResult), render_pending)
