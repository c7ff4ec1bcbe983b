"""`memofs verify`, `retire`, `restore`, `accept` and `reject`: commands that change the state of several memories."""

from functools import partial

import click

from memofs.cli.arguments import MEMORY_ID
from memofs.cli.command import Command
from memofs.cli.failure import Failure
from memofs.cli.paths import in_workspace, looks_like_path
from memofs.cli.session import Session
from memofs.cli.views.writes import render_memories
from memofs.link.client import RemoteError
from memofs.wire.read import GetParams, GetResult
from memofs.wire.write import IdsParams, MemoriesResult

__all__ = ["accept", "reject", "restore", "retire", "verify"]


@click.command(
    "verify",
    cls=Command,
    examples=(
        "memofs verify q2xh mem_01k9d3",
        "memofs verify src/db            # all that is anchored below src/db",
        "memofs verify --all",
    ),
)
@click.argument("which", type=MEMORY_ID, metavar="[ID | PATH]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Every active memory.")
@click.pass_obj
def verify(session: Session, which: tuple[str, ...], everything: bool) -> None:
    """Confirm that memories still hold: recall trusts what was verified lately.

    What their anchors are now is put down: where the code is, and what it says. An anchor whose code is not found stays
    as it is, and its memory stale: `memofs reanchor` puts it elsewhere.

    An argument with a slash or a dot, or that is there on disk, is a PATH: it stands for the memories that are
    anchored to that file, or below that folder, wherever their code has gone since; a memory's own file is that memory.
    So is what names no memory.
    """
    _one_way(which, everything=everything)
    paths = frozenset(item for item in which if looks_like_path(item, here=session.here))
    render = partial(render_memories, done="Verified", already="Verified already")
    try:
        session.show(_verified(session, which, paths, everything=everything), render)
    except RemoteError as error:
        if error.code not in _NO_MEMORY:
            raise
        unknown = frozenset(item for item in which if item not in paths and not _is_memory(session, item))
        try:
            result = _verified(session, which, paths | unknown, everything=everything)
        except RemoteError as again:
            if again.code != "path" or paths or len(unknown) != 1:  # it may be about another of them
                raise again from None
            (item,) = unknown
            if item.startswith("mem_"):
                raise error from None
            message = f"{item!r} names no memory, and no file or folder that one is tied to"
            raise Failure("memory", message, "memofs list shows what there is", family="NotFound") from None
        session.show(result, render)


@click.command(
    "retire", cls=Command, examples=("memofs retire q2xh", "memofs retire mem_01k9d3v7q2xh mem_01k9d3v7q2xj")
)
@click.argument("ids", type=MEMORY_ID, metavar="ID...", nargs=-1, required=True)
@click.pass_obj
def retire(session: Session, ids: tuple[str, ...]) -> None:
    """Take memories out of recall. Their files stay; `memofs restore` puts them back."""
    _send(session, "memofs/retire", IdsParams(ids=ids), done="Retired", already="Retired already")


@click.command("restore", cls=Command, examples=("memofs restore q2xh",))
@click.argument("ids", type=MEMORY_ID, metavar="ID...", nargs=-1, required=True)
@click.pass_obj
def restore(session: Session, ids: tuple[str, ...]) -> None:
    """Put retired memories back into recall."""
    _send(session, "memofs/restore", IdsParams(ids=ids), done="Restored", already="Active already")


@click.command("accept", cls=Command, examples=("memofs list --status pending", "memofs accept q2xh"))
@click.argument("ids", type=MEMORY_ID, metavar="ID...", nargs=-1, required=True)
@click.pass_obj
def accept(session: Session, ids: tuple[str, ...]) -> None:
    """Make pending memories active: recall shows them from now on."""
    _send(session, "memofs/accept", IdsParams(ids=ids), done="Accepted", already="Active already")


@click.command("reject", cls=Command, examples=("memofs reject q2xh",))
@click.argument("ids", type=MEMORY_ID, metavar="ID...", nargs=-1, required=True)
@click.pass_obj
def reject(session: Session, ids: tuple[str, ...]) -> None:
    """Retire pending memories: they are kept on disk and never shown."""
    _send(session, "memofs/reject", IdsParams(ids=ids), done="Rejected", already="Retired already")


_NO_MEMORY = frozenset({"memory", "shortId"})


def _verified(session: Session, which: tuple[str, ...], paths: frozenset[str], *, everything: bool) -> MemoriesResult:
    named = (in_workspace(item, here=session.here, root=session.root) for item in which if item in paths)
    ids = tuple(item for item in which if item not in paths)
    params = IdsParams(ids=ids, paths=tuple(named), all=everything)
    return session.ask("memofs/verify", params, MemoriesResult)


def _is_memory(session: Session, item: str) -> bool:
    try:
        session.ask("memofs/get", GetParams(id=item), GetResult)
    except RemoteError as error:
        return error.code not in _NO_MEMORY
    return True


def _one_way(which: tuple[str, ...], *, everything: bool) -> None:
    if everything == bool(which):
        raise click.UsageError("name memories or paths, or give --all: one of the two", click.get_current_context())


def _send(session: Session, method: str, params: IdsParams, *, done: str, already: str) -> None:
    session.show(session.ask(method, params, MemoriesResult), partial(render_memories, done=done, already=already))
