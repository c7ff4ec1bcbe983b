"""`memofs forget` and `undo`: what takes things away."""

import click

from memofs.cli import output
from memofs.cli.arguments import MEMORY_ID
from memofs.cli.command import Command
from memofs.cli.failure import Failure
from memofs.cli.session import Session
from memofs.cli.style import count
from memofs.cli.views.words import memory_line
from memofs.cli.views.writes import render_forgotten, render_undone
from memofs.wire.memory import MemoryView
from memofs.wire.read import GetParams, GetResult
from memofs.wire.write import ForgetResult, IdsParams, UndoParams, UndoResult

__all__ = ["forget", "undo"]


@click.command("forget", cls=Command, examples=("memofs forget q2xh", "memofs forget mem_01k9d3v7q2xh --yes"))
@click.argument("ids", type=MEMORY_ID, metavar="ID...", nargs=-1, required=True)
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def forget(session: Session, ids: tuple[str, ...], yes: bool) -> None:
    """Remove memories for good: file, index entries and the bytes kept for undo.

    This cannot be undone (`memofs retire` can); the history of git still has what was committed. It asks first, and
    without a terminal to ask on, it does nothing unless --yes is given.
    """
    memories = [session.ask("memofs/get", GetParams(id=given), GetResult).memory for given in ids]
    if not yes:
        _agree(session, memories)
    params = IdsParams(ids=tuple(dict.fromkeys(memory.id for memory in memories)))
    session.show(session.ask("memofs/forget", params, ForgetResult), render_forgotten)


@click.command("undo", cls=Command, examples=("memofs undo", "memofs undo --skip", "memofs history"))
@click.option("--skip", is_flag=True, help="Pass over writes whose files were changed since.")
@click.pass_obj
def undo(session: Session, skip: bool) -> None:
    """Take back the last write of this machine: a remember, an edit, an import, a restored snapshot.

    Again, and it takes back the one before. What was changed on disk since then is not overwritten: --skip leaves it
    as it is and takes back the newest write that can be.
    """
    session.show(session.ask("memofs/undo", UndoParams(skip=skip), UndoResult), render_undone)


def _agree(session: Session, memories: list[MemoryView]) -> None:
    if not session.interactive:
        raise Failure(
            "notConfirmed",
            "forgetting cannot be undone, and there is no terminal to ask on",
            "add --yes, or use `memofs retire`, which can be undone",
            family="Refused",
        )
    style = session.style(error=True)
    output.write_error("".join(f"  {memory_line(memory, style)}\n" for memory in memories))
    if not session.confirm(f"Forget {count(len(memories), 'memory', 'memories')} for good?"):
        raise Failure("notConfirmed", "nothing was forgotten", family="Refused")
