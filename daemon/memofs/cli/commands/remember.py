"""`memofs remember`."""

import sys
from pathlib import Path

import click

from memofs.cli import output
from memofs.cli.anchor_words import anchor_spec
from memofs.cli.arguments import CONFIDENCE, KIND, MEMORY_ID, TAG, split_commas
from memofs.cli.command import Command
from memofs.cli.failure import Failure
from memofs.cli.session import Session
from memofs.cli.views.writes import render_remembered
from memofs.wire.write import RememberParams, RememberResult

__all__ = ["remember"]


@click.command(
    "remember",
    cls=Command,
    examples=(
        "memofs remember 'Tenant metadata lives in D1: it is read on every request' -k decision -t database",
        "memofs remember --file notes/retries.md --title 'How we retry' --confidence 0.8",
        "git log -1 --format=%B | memofs remember --stdin -k note --source git",
        "memofs remember 'Tenant metadata moved to Postgres' -k decision --supersedes q2xh",
        "memofs remember 'Retries wait with jitter' --anchor src/retry.py#backoff --anchor src/retry.py:3",
    ),
)
@click.argument("text", nargs=-1)
@click.option("--stdin", "from_stdin", is_flag=True, help="Read the text from standard input.")
@click.option(
    "--file",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Read the text from FILE.",
)
@click.option(
    "-k",
    "--kind",
    type=KIND,
    default="note",
    help="decision, constraint, preference, reference, goal, summary, note (so unless given), or the project's own.",
)
@click.option("--title", help="The title; without it, the text's first heading or sentence.")
@click.option("-t", "--tag", "tags", type=TAG, multiple=True, help="A tag; repeat, or use commas.")
@click.option("--alias", "aliases", metavar="NAME", multiple=True, help="Another name to be found by; repeatable.")
@click.option("--confidence", type=CONFIDENCE, help="How sure you are, from 0 to 1.")
@click.option(
    "--supersedes", type=MEMORY_ID, metavar="ID", multiple=True, help="The memory that this replaces; repeatable."
)
@click.option(
    "--anchor",
    "anchors",
    metavar="ANCHOR",
    multiple=True,
    help="Code it is about: FILE, FILE:LINE[:COL][-LINE[:COL]] or FILE#SYMBOL; repeatable. "
    "Lines and columns count from 1, columns in characters.",
)
@click.option("--source", help="Where it comes from.")
@click.option("--allow-duplicate", is_flag=True, help="Write it even if a memory says the same.")
@click.option("--allow-secrets", is_flag=True, help="Write it even if it looks like it holds a key or password.")
@click.pass_obj
def remember(
    session: Session,
    text: tuple[str, ...],
    from_stdin: bool,
    file: Path | None,
    kind: str,
    title: str | None,
    tags: tuple[str, ...],
    aliases: tuple[str, ...],
    confidence: float | None,
    supersedes: tuple[str, ...],
    anchors: tuple[str, ...],
    source: str | None,
    allow_duplicate: bool,
    allow_secrets: bool,
) -> None:
    """Write a new memory, as a markdown file in .memofs/memory.

    The text comes from TEXT, from standard input or from a file: one of the three. A text that a memory says already
    is not written again, and one that holds a key or a password is refused.
    """
    params = RememberParams(
        body=_body(text, file, from_stdin=from_stdin),
        kind=kind,
        title=title,
        tags=split_commas(tags),
        aliases=aliases,
        confidence=confidence,
        supersedes=supersedes,
        anchors=tuple(anchor_spec(each, here=session.here, root=session.root) for each in anchors),
        source=source,
        allow_duplicate=allow_duplicate,
        allow_secrets=allow_secrets,
    )
    session.show(session.ask("memofs/remember", params, RememberResult), render_remembered)


def _body(text: tuple[str, ...], file: Path | None, *, from_stdin: bool) -> str:
    if text == ("-",) or not (text or file or from_stdin or sys.stdin is None or sys.stdin.isatty()):
        text, from_stdin = (), True
    if bool(text) + (file is not None) + from_stdin > 1:
        raise click.UsageError(
            "the text comes from TEXT, --stdin or --file: give one of them", click.get_current_context()
        )
    if from_stdin:
        body = _decoded(output.read_all(), "standard input")
    elif file is not None:
        body = _decoded(file.read_bytes(), str(file))
    else:
        body = " ".join(text)
    if not body.strip():
        raise Failure(
            "emptyText",
            "there is no text to remember",
            "give it as TEXT, with --file FILE, or pipe it in with --stdin",
        )
    return body


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Failure(
            "notUtf8",
            f"{name} is not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}",
            "convert it first, as with `iconv -f latin1 -t utf-8`; binary files cannot be remembered",
        ) from error
