"""`memofs anchor`, `unanchor`, `reanchor` and `anchors`: what ties memories to code."""

from functools import partial
from typing import get_args

import click

from memofs.cli.anchor_words import ANCHOR_FORMS, anchor_spec
from memofs.cli.arguments import MEMORY_ID, choices
from memofs.cli.command import Command
from memofs.cli.paths import in_workspace
from memofs.cli.session import Session
from memofs.cli.views.anchors import render_anchored, render_anchors
from memofs.wire import anchors as wire
from memofs.wire.anchors import Verdict
from memofs.wire.write import MemoryResult

__all__ = ["anchor", "anchors", "reanchor", "unanchor"]


@click.command(
    "anchor",
    cls=Command,
    examples=(
        "memofs anchor q2xh src/db/tenants.py#TenantStore.open",
        "memofs anchor q2xh src/db/tenants.py:12-40",
        "memofs anchor q2xh README.md:88:5-88:31      # a part of a line",
        "memofs anchor q2xh docs/limits.csv           # the whole file",
    ),
)
@click.argument("memory_id", type=MEMORY_ID, metavar="ID")
@click.argument("where", metavar="ANCHOR")
@click.pass_obj
def anchor(session: Session, memory_id: str, where: str) -> None:
    """Tie a memory to code: it is found again as the code moves, and the memory is stale once the code changes.

    ANCHOR is FILE, FILE:LINE[:COL][-LINE[:COL]] or FILE#SYMBOL. Lines count from 1, and the last line is meant too;
    columns count characters from 1, and a column at the end is the first that is not meant.
    """
    spec = anchor_spec(where, here=session.here, root=session.root)
    result = session.ask("memofs/anchor", wire.AnchorParams(id=memory_id, anchor=spec), MemoryResult)
    session.show(result, partial(render_anchored, done="Anchored"))


@click.command(
    "unanchor",
    cls=Command,
    examples=("memofs unanchor q2xh 2", "memofs unanchor q2xh src/db/tenants.py"),
)
@click.argument("memory_id", type=MEMORY_ID, metavar="ID")
@click.argument("which", metavar="[NUMBER | PATH]", required=False)
@click.pass_obj
def unanchor(session: Session, memory_id: str, which: str | None) -> None:
    """Take an anchor from a memory: the NUMBERth as `memofs show` and `memofs anchors` count, or those in PATH.

    Neither is needed where a memory has only one.
    """
    number = _number(which)
    path = None if which is None or number is not None else in_workspace(which, here=session.here, root=session.root)
    params = wire.UnanchorParams(id=memory_id, anchor_index=number, path=path)
    session.show(session.ask("memofs/unanchor", params, MemoryResult), partial(render_anchored, done="Unanchored"))


@click.command(
    "reanchor",
    cls=Command,
    examples=(
        "memofs reanchor q2xh src/db/store.py#Store.open",
        "memofs reanchor q2xh 2 src/db/store.py:14-44",
        "memofs reanchor q2xh --accept          # the first place that `memofs stale` offers",
        "memofs reanchor q2xh 2 --accept 3",
        "memofs reanchor q2xh                   # write down where it was found",
    ),
)
@click.argument("memory_id", type=MEMORY_ID, metavar="ID")
@click.argument("rest", metavar="[NUMBER] [ANCHOR]", nargs=-1)
@click.option(
    "--accept",
    metavar="[N]",
    type=click.IntRange(1),
    is_flag=False,
    flag_value=1,
    help="Take the place that is offered (the first, or the Nth).",
)
@click.pass_obj
def reanchor(session: Session, memory_id: str, rest: tuple[str, ...], accept: int | None) -> None:
    """Give an anchor another place: ANCHOR (as for `memofs anchor`), or one that was offered.

    NUMBER counts as `memofs show` and `memofs anchors` do; without it, the only anchor, or the only one that is stale.
    """
    number = _number(rest[0]) if rest else None
    targets = rest[1:] if number is not None else rest
    if len(targets) > 1 or (targets and accept is not None):
        raise click.UsageError(f"give one place: an ANCHOR ({ANCHOR_FORMS}), or --accept", click.get_current_context())
    params = wire.ReanchorParams(
        id=memory_id,
        anchor_index=number,
        target=anchor_spec(targets[0], here=session.here, root=session.root) if targets else None,
        candidate=None if accept is None else accept - 1,
    )
    session.show(session.ask("memofs/reanchor", params, MemoryResult), partial(render_anchored, done="Anchored anew"))


@click.command(
    "anchors",
    cls=Command,
    examples=("memofs anchors", "memofs anchors src/db/tenants.py", "memofs anchors src --verdict changed --json"),
)
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option(
    "--verdict",
    "verdicts",
    type=choices(get_args(Verdict)),
    multiple=True,
    help="Only those of which this became; repeatable.",
)
@click.option("--include-retired", is_flag=True, help="Also those of retired and superseded memories.")
@click.pass_obj
def anchors(session: Session, paths: tuple[str, ...], verdicts: tuple[Verdict, ...], include_retired: bool) -> None:
    """List anchors and what became of them: current, moved, reformatted, changed, missing, or unmarked.

    PATH is a file, a folder or a glob; an anchor that has moved counts where it was and where it is. An unmarked
    anchor, written by hand, says where but not what: `memofs verify` puts that down.
    """
    params = wire.AnchorsParams(
        paths=tuple(in_workspace(path, here=session.here, root=session.root) for path in paths),
        verdicts=verdicts,
        include_retired=include_retired,
    )
    with_progress = session.progress("looking at anchors")
    if with_progress is None:
        result = session.ask("memofs/anchors", params, wire.AnchorsResult)
    else:
        with with_progress as line:
            result = session.ask("memofs/anchors", params, wire.AnchorsResult, on_progress=line.update)
    session.show(result, render_anchors)
    if not result.anchors and verdicts:
        session.note(f"no anchors there that are {' or '.join(verdicts)}")
    elif not result.anchors:
        session.note("no anchors there; `memofs anchor ID FILE:LINES` ties a memory to code")


def _number(text: str | None) -> int | None:
    """An anchor's index, from how people count; None for what is no number."""
    if text is None or not text.isascii() or not text.isdecimal():
        return None
    if int(text) < 1:
        raise click.UsageError("anchors count from 1", click.get_current_context())
    return int(text) - 1
