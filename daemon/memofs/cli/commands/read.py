"""`memofs show`, `list` and `history`: looking, without a question."""

from typing import get_args

import click
import msgspec

from memofs.cli import output
from memofs.cli.arguments import KIND, MEMORY_ID, TAG, choices, split_commas
from memofs.cli.command import Command
from memofs.cli.paths import in_workspace
from memofs.cli.session import Session
from memofs.cli.terminal_text import neutral_block
from memofs.cli.views.memory import render_history, render_list, render_memory, shown_of
from memofs.cli.views.words import DEGRADED
from memofs.wire import read
from memofs.wire.memory import MemoryView, Status

__all__ = ["history", "list_memories", "show"]

PAGE = 1000


@click.command(
    "show",
    cls=Command,
    examples=(
        "memofs show mem_01k9d3v7q2xh",
        "memofs show q2xh          # the end of an id, as in the file's name, does",
        "memofs show q2xh --raw    # the file as it is on disk",
    ),
)
@click.argument("memory_id", type=MEMORY_ID, metavar="ID")
@click.option("--raw", is_flag=True, help="Print the text of the memory's file, nothing else.")
@click.pass_obj
def show(session: Session, memory_id: str, raw: bool) -> None:
    """Show one memory in full: its facts, its text, and what is wrong with its file.

    ID is a memory's id, or a beginning or end of it that only one memory has.
    """
    result = session.ask("memofs/get", read.GetParams(id=memory_id), read.GetResult)
    if raw and not session.settings.json:
        terminal = session.style().width is not None
        output.write_text(neutral_block(result.text) if terminal else result.text)
    else:
        session.show(result, render_memory)


@click.command(
    "list",
    cls=Command,
    examples=(
        "memofs list",
        "memofs list -k decision --sort title --all",
        "memofs list --status retired",
        "memofs list --flag unverified --path 'src/**/*.py'",
        "memofs list --all --json | jq -r '.memories[].title'",
    ),
)
@click.option("-n", "--limit", metavar="N", type=click.IntRange(1), default=50, help="At most N (50).")
@click.option("-a", "--all", "everything", is_flag=True, help="However many there are.")
@click.option("-k", "--kind", "kinds", type=KIND, multiple=True, help="Only this kind; repeat, or use commas.")
@click.option("-t", "--tag", "tags", type=TAG, multiple=True, help="Only with this tag; repeat, or use commas.")
@click.option(
    "--path", "paths", metavar="PATH", multiple=True, help="Only what is anchored to this file, folder or glob."
)
@click.option(
    "--status",
    "statuses",
    type=choices(get_args(Status)),
    multiple=True,
    help="Only so; else active and pending.",
)
@click.option("--flag", "flags", type=choices(get_args(read.Flag)), multiple=True, help="Only with this flag.")
@click.option("--include-retired", is_flag=True, help="Also retired and superseded memories.")
@click.option(
    "--sort",
    type=choices(("updated", "created", "title", "kind")),
    default="updated",
    show_default=True,
    help="The order: times newest first, words from a to z.",
)
@click.option("--bodies", is_flag=True, help="With --json, the text of each memory too.")
@click.option("--page", metavar="CURSOR", help="Go on after the page that ended with this cursor (from --json).")
@click.pass_obj
def list_memories(
    session: Session,
    limit: int,
    everything: bool,
    kinds: tuple[str, ...],
    tags: tuple[str, ...],
    paths: tuple[str, ...],
    statuses: tuple[str, ...],
    flags: tuple[str, ...],
    include_retired: bool,
    sort: str,
    bodies: bool,
    page: str | None,
) -> None:
    """List memories, one a line: id, kind, date of the last change, title, tags and flags."""
    params = msgspec.convert(
        {
            "kinds": split_commas(kinds),
            "tags": split_commas(tags),
            "paths": tuple(in_workspace(path, here=session.here, root=session.root) for path in paths),
            "statuses": statuses,
            "flags": flags,
            "includeRetired": include_retired,
            "sort": sort,
            "limit": PAGE if everything else min(limit, PAGE),
            "page": page,
            "bodies": bodies,
        },
        read.ListParams,
    )
    result = _pages(session, params, None if everything else limit)
    session.show(result, render_list)
    for name in {"unreadable", "settings"}.intersection(result.degraded):
        session.note(DEGRADED[name])
    if not result.total:
        session.note("no memories fit; `memofs recall` searches, `memofs remember` writes one")
    elif result.page is not None:
        session.note(shown_of(len(result.memories), result.total))


@click.command(
    "history",
    cls=Command,
    examples=("memofs history", "memofs history q2xh", "memofs history -n 5 --json"),
)
@click.argument("memory_id", type=MEMORY_ID, metavar="[ID]", required=False)
@click.option("-n", "--limit", metavar="N", type=click.IntRange(1, 1000), default=50, help="At most N, 1 to 1000 (50).")
@click.pass_obj
def history(session: Session, memory_id: str | None, limit: int) -> None:
    """Show what was written on this machine, newest first; with ID, to that memory.

    What others wrote is in the history of git: the memories are files.
    """
    params = read.HistoryParams(id=memory_id, limit=limit)
    session.show(session.ask("memofs/history", params, read.HistoryResult), render_history)


def _pages(session: Session, params: read.ListParams, wanted: int | None) -> read.ListResult:
    """The pages from `params.page` on as one result, until `wanted` memories are there or no more come."""
    result = session.ask("memofs/list", params, read.ListResult)
    memories: list[MemoryView] = list(result.memories)
    while result.page is not None and (wanted is None or len(memories) < wanted):
        limit = params.limit if wanted is None else min(PAGE, wanted - len(memories))
        following = msgspec.structs.replace(params, page=result.page, limit=limit)
        result = session.ask("memofs/list", following, read.ListResult)
        memories += result.memories
    return msgspec.structs.replace(result, memories=tuple(memories))
