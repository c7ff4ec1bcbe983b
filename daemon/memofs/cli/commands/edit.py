"""`memofs edit`."""

import os

import click

from memofs.cli.arguments import MEMORY_ID
from memofs.cli.command import Command
from memofs.cli.editor import Draft, editor_command
from memofs.cli.failure import Failure, of_remote
from memofs.cli.session import Session
from memofs.cli.views.writes import render_updated
from memofs.link.client import RemoteError
from memofs.wire.read import GetParams, GetResult
from memofs.wire.write import MemoryResult, UpdateParams

__all__ = ["edit"]

MENDABLE = frozenset({"InvalidRequest", "Refused"})
"""Families of errors that the person can put right by editing the text again."""


@click.command(
    "edit",
    cls=Command,
    examples=("memofs edit q2xh", "EDITOR='code --wait' memofs edit mem_01k9d3v7q2xh"),
)
@click.argument("memory_id", type=MEMORY_ID, metavar="ID")
@click.option("--allow-secrets", is_flag=True, help="Write it even if it looks like it holds a key or password.")
@click.pass_obj
def edit(session: Session, memory_id: str, allow_secrets: bool) -> None:
    """Edit a memory's file in $VISUAL or $EDITOR.

    You edit a copy: what you save is checked and then written, and only if nobody changed the memory meanwhile.
    Whatever goes wrong, your text is kept, and the error says where.
    """
    got = session.ask("memofs/get", GetParams(id=memory_id), GetResult)
    if not got.memory.editable:
        raise Failure(
            "notEditable",
            f"{got.memory.path} is a log that is read and never rewritten",
            "`memofs migrate` turns its entries into files",
            family="Conflict",
        )
    command = editor_command(os.environ)
    draft = Draft(got.memory.path.rsplit("/", 1)[-1], got.text)
    while True:
        draft.edit(command)
        text = draft.text()
        if text == got.text or not text.strip():
            draft.discard()
            _say_unchanged(session, got, emptied=not text.strip())
            return
        params = UpdateParams(id=got.memory.id, expected_hash=got.memory.hash, text=text, allow_secrets=allow_secrets)
        try:
            result = session.ask("memofs/update", params, MemoryResult)
        except RemoteError as error:
            if not _again(session, error):
                raise _kept(error, draft) from error
            continue
        draft.discard()
        session.show(result, render_updated)
        return


def _say_unchanged(session: Session, got: GetResult, *, emptied: bool) -> None:
    if emptied:
        raise Failure(
            "emptyText", "the text was emptied; the memory stays as it is", "`memofs forget` removes memories"
        )
    session.show(MemoryResult(memory=got.memory, changed=False, revision=got.revision), render_updated)
    session.note("an editor with a window of its own has to wait for it: EDITOR='code --wait'")


def _again(session: Session, error: RemoteError) -> bool:
    if error.family not in MENDABLE or not session.interactive or session.settings.json:
        return False
    hint = f"\nhint: {error.hint}" if error.hint else ""
    return session.confirm(f"error: {error.message}{hint}\nEdit again?")


def _kept(error: RemoteError, draft: Draft) -> Failure:
    view = of_remote(error)
    hints = [view.hint] if view.hint else []
    hint = "; ".join([*hints, f"your text is kept in {draft.path}"])
    return Failure(view.code, view.message, hint, family=view.family)
