"""`memofs context` and `memofs expand`: what an agent is to read, on standard output and nothing else there."""

from typing import get_args

import click
import msgspec

from memofs.agents.hooks import HOOK_AGENTS
from memofs.cli.anchor_words import anchor_spec
from memofs.cli.arguments import choices
from memofs.cli.command import Command
from memofs.cli.session import Session
from memofs.cli.style import Style
from memofs.cli.terminal_text import neutral_line
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

__all__ = ["context", "expand"]

LEAST_BYTES, MOST_BYTES = 1_024, 262_144


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
@click.option(
    "--hook",
    metavar="AGENT",
    type=choices(HOOK_AGENTS),
    help="For an agent's hook: a briefing for the branch and the changed files, in the agent's own form.",
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
    hook: str | None,
) -> None:
    """Print a briefing for a coding agent: what the memory holds that matters for a task, within a budget.

    QUERY is plain words, or a question. Without one it is what a new session needs: what everybody should know, what
    was decided lately, what binds the files that are being changed, and what should be checked again. What does not
    fit is named, and memofs expand prints it.
    """
    if hook is not None:
        from memofs.cli.hooks import brief

        brief(session, hook)
        return
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
    _note_unsaid(session, result.warnings, result.text)


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
    _note_unsaid(session, result.warnings, result.text)


def _context_text(result: ContextResult, _style: Style) -> str:
    return result.text


def _expand_text(result: ExpandResult, _style: Style) -> str:
    return result.text


def _note_unsaid(session: Session, warnings: tuple[str, ...], text: str) -> None:
    """What there was no room for in the text goes beside it."""
    for warning in warnings:
        if warning not in text:
            session.note(neutral_line(warning))


def _here(session: Session, given: str) -> HereParams:
    found = anchor_spec(given, here=session.here, root=session.root)
    if found.symbol is not None:
        raise click.UsageError(f"{given!r}: --here takes a file, or lines of it: FILE:LINE-LINE")
    return HereParams(path=found.path, range=found.range)


def _sections(given: tuple[str, ...]) -> tuple[str, ...]:
    names = [name.strip() for value in given for name in value.split(",") if name.strip()]
    known = get_args(SectionName)
    for name in names:
        if name not in known:
            raise click.UsageError(f"there is no section {name!r}: {', '.join(known)}")
    return tuple(names)
