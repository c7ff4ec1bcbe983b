"""`memofs context` and `memofs expand`: what an agent is to read, on standard output and nothing else there."""

import re
from typing import get_args

import click
import msgspec

from memofs.cli.arguments import choices
from memofs.cli.command import Command
from memofs.cli.paths import in_workspace
from memofs.cli.session import Session
from memofs.cli.style import Style
from memofs.cli.terminal_text import neutral_line
from memofs.cli.views.words import DEGRADED
from memofs.wire.context import (
    ContextParams,
    ContextResult,
    Detail,
    ExpandParams,
    ExpandResult,
    HereParams,
    SectionName,
)
from memofs.wire.read import TaskType
from memofs.wire.values import Position, Range

__all__ = ["context", "expand"]

LEAST_BYTES, MOST_BYTES = 1_024, 262_144
_LINES = re.compile(r"(.+):(\d+)(?:-(\d+))?")


@click.command(
    "context",
    cls=Command,
    examples=(
        "memofs context --query 'login failure' --task-type debug",
        "memofs context how do tenants get their theme",
        "memofs context --here src/auth/tokens.py:40-80 --task-type coding",
        "memofs context          # what a new session needs to know",
        "memofs context --max-bytes 4096 --section recall,entities database driver",
        "memofs context --query 'login failure' --json | jq -r .text",
    ),
)
@click.argument("words", nargs=-1, metavar="[QUERY]...")
@click.option("-q", "--query", metavar="TEXT", help="What it is about; the same as QUERY, in one piece.")
@click.option("--task-type", type=choices(get_args(TaskType)), help="What you are doing: steers what comes first.")
@click.option(
    "--max-bytes",
    metavar="N",
    type=click.IntRange(LEAST_BYTES, MOST_BYTES),
    default=8_192,
    help="Never longer than N bytes, 1024 to 262144 (8192).",
)
@click.option(
    "--detail", type=choices(get_args(Detail)), default="compact", help="compact (the usual), or full: whole memories."
)
@click.option(
    "--here", metavar="FILE[:LINES]", help="Where you are: what is tied to it comes first. LINES is 12 or 12-40."
)
@click.option(
    "--section",
    "sections",
    metavar="NAME",
    multiple=True,
    help=f"Only this section; repeat, or use commas: {', '.join(get_args(SectionName))}.",
)
@click.pass_obj
def context(
    session: Session,
    words: tuple[str, ...],
    query: str | None,
    task_type: str | None,
    max_bytes: int,
    detail: str,
    here: str | None,
    sections: tuple[str, ...],
) -> None:
    """Print a briefing for a coding agent: what the memory holds that matters for a task, within a budget.

    QUERY is plain words, or a question. Without one it is what a new session needs: what everybody should know, what
    was decided lately, what binds the files that are being changed, and what should be checked again. What does not
    fit is named, and memofs expand prints it.
    """
    if query is not None and words:
        raise click.UsageError("give the query once: as words, or with --query")
    params = msgspec.convert(
        {
            "query": query if query is not None else " ".join(words) or None,
            "taskType": task_type,
            "maxBytes": max_bytes,
            "detail": detail,
            "here": None if here is None else _here(session, here),
            "sections": _sections(sections),
        },
        ContextParams,
    )
    result = session.ask("memofs/context", params, ContextResult)
    session.show(result, _context_text)
    _note_all(session, result.warnings, result.degraded)


@click.command(
    "expand",
    cls=Command,
    examples=("memofs expand rZ5xq0Y2m3kLw8Tf", "memofs expand rZ5xq0Y2m3kLw8Tf --json"),
)
@click.argument("cursor", metavar="CURSOR")
@click.pass_obj
def expand(session: Session, cursor: str) -> None:
    """Print what a briefing left out.

    CURSOR is what the briefing says behind "memofs expand". What is longer than 64 kB ends with another one.
    """
    result = session.ask("memofs/expand", ExpandParams(cursor=cursor), ExpandResult)
    session.show(result, _expand_text)
    _note_all(session, result.warnings, result.degraded)


def _context_text(result: ContextResult, _style: Style) -> str:
    return f"{result.text}\n"


def _expand_text(result: ExpandResult, _style: Style) -> str:
    return f"{result.text}\n"


def _note_all(session: Session, warnings: tuple[str, ...], degraded: tuple[str, ...]) -> None:
    for text in (*warnings, *(DEGRADED.get(name, name) for name in degraded)):
        session.note(neutral_line(text))


def _here(session: Session, given: str) -> HereParams:
    """The file and the lines in it; a file whose name ends like lines is taken by its name."""
    lines = None if (session.here / given).exists() else _LINES.fullmatch(given)
    if lines is None:
        return HereParams(path=in_workspace(given, here=session.here, root=session.root))
    first, last = int(lines[2]), int(lines[3] or lines[2])
    if not 1 <= first <= last:
        raise click.UsageError(f"{given!r}: lines are counted from 1, the first one first")
    return HereParams(
        path=in_workspace(lines[1], here=session.here, root=session.root),
        range=Range(start=Position(line=first - 1, character=0), end=Position(line=last, character=0)),
    )


def _sections(given: tuple[str, ...]) -> tuple[str, ...]:
    names = [name.strip() for value in given for name in value.split(",") if name.strip()]
    known = get_args(SectionName)
    for name in names:
        if name not in known:
            raise click.UsageError(f"there is no section {name!r}: {', '.join(known)}")
    return tuple(names)
