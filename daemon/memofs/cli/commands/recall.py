"""`memofs recall`."""

from functools import partial
from typing import get_args

import click
import msgspec

from memofs.cli.arguments import KIND, MEMORY_ID, TAG, choices, split_commas
from memofs.cli.command import Command
from memofs.cli.paths import in_workspace
from memofs.cli.session import Session
from memofs.cli.views.recall import render_recall
from memofs.wire import read

__all__ = ["recall"]


@click.command(
    "recall",
    cls=Command,
    examples=(
        "memofs recall why did we choose postgres",
        "memofs recall -n 3 -k decision,constraint tenant metadata",
        "memofs recall --task-type debug login failure",
        "memofs recall --explain --why-not mem_01k9d3v7q2xh database driver",
        "memofs recall --path src/db tenants --json",
        "memofs recall -- --no-verify",
    ),
)
@click.argument("query", nargs=-1)
@click.option("-n", "--limit", metavar="N", type=click.IntRange(1, 1000), default=10, help="At most N, 1 to 1000 (10).")
@click.option("-k", "--kind", "kinds", type=KIND, multiple=True, help="Only this kind; repeat, or use commas.")
@click.option("-t", "--tag", "tags", type=TAG, multiple=True, help="Only with this tag; repeat, or use commas.")
@click.option(
    "--path", "paths", metavar="PATH", multiple=True, help="Only what is anchored to this file, folder or glob."
)
@click.option("--flag", "flags", type=choices(get_args(read.Flag)), multiple=True, help="Only with this flag.")
@click.option(
    "--task-type", type=choices(get_args(read.TaskType)), help="What you are doing: steers towards fitting kinds."
)
@click.option(
    "--precision", type=choices(get_args(read.Precision)), help="How much may be shown that is only weakly related."
)
@click.option("--explain", is_flag=True, help="Say for each hit why it stands where it stands.")
@click.option(
    "--why-not", "why_not", type=MEMORY_ID, metavar="ID", multiple=True, help="Say why this memory is not shown."
)
@click.option("--include-retired", is_flag=True, help="Also retired and superseded memories.")
@click.pass_obj
def recall(
    session: Session,
    query: tuple[str, ...],
    limit: int,
    kinds: tuple[str, ...],
    tags: tuple[str, ...],
    paths: tuple[str, ...],
    flags: tuple[str, ...],
    task_type: str | None,
    precision: str | None,
    explain: bool,
    why_not: tuple[str, ...],
    include_retired: bool,
) -> None:
    """Find memories by what they say, best first.

    QUERY is plain words, or a question. Names in code (camelCase, snake_case, paths, versions, error codes) are found
    by their parts and as a whole, words with a slip of the finger too. Without a query, the most recent memories are
    shown.
    """
    text = " ".join(query)
    params = msgspec.convert(
        {
            "query": text,
            "limit": limit,
            "kinds": split_commas(kinds),
            "tags": split_commas(tags),
            "paths": tuple(in_workspace(path, here=session.here, root=session.root) for path in paths),
            "flags": flags,
            "taskType": task_type,
            "precision": precision,
            "explain": explain,
            "whyNot": why_not,
            "includeRetired": include_retired,
        },
        read.RecallParams,
    )
    session.show(
        session.ask("memofs/recall", params, read.RecallResult), partial(render_recall, query=text, limit=limit)
    )
