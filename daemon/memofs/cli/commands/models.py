"""`memofs index` and `memofs model`: what makes the vectors that meaning is found by."""

from contextlib import nullcontext

import click

from memofs.cli.command import Command, Group, session_of
from memofs.cli.failure import EXIT_ERROR
from memofs.cli.session import Session
from memofs.cli.views.models import render_allowed, render_idle, render_models, render_pulled
from memofs.wire.admin import (
    AllowModelParams,
    AllowModelResult,
    IdleParams,
    IdleResult,
    ModelsResult,
    PullModelParams,
    PullModelResult,
    UseModelParams,
)
from memofs.wire.values import Empty

__all__ = ["index", "model"]


@click.command("index", cls=Command, examples=("memofs index", "memofs index --json"))
@click.pass_context
def index(ctx: click.Context) -> None:
    """Make the vectors of all memories that have none yet, and wait for it.

    Recall does this by itself for a few at a time; after a large import it is done here at once. Until then recall
    finds the others by words. Ctrl-C stops it; what was made is kept. Exits 1 where the model cannot answer.
    """
    session = session_of(ctx)
    line = session.progress("Indexing")
    with line or nullcontext():
        result = session.ask("memofs/idle", IdleParams(), IdleResult, on_progress=line.update if line else None)
    session.show(result, render_idle)
    if result.embedder is not None and result.embedder.problem is not None:
        ctx.exit(EXIT_ERROR)


@click.group(
    "model",
    cls=Group,
    examples=("memofs model list", "memofs model use ~/models/bge-small", "memofs model pull BAAI/bge-small-en-v1.5"),
)
def model() -> None:
    """See and choose the local model that vectors are made with."""


@model.command("list", examples=("memofs model list", "memofs model list --json"))
@click.pass_obj
def list_models(session: Session) -> None:
    """List the models there are, and mark the one in use."""
    session.show(session.ask("memofs/models", Empty(), ModelsResult), render_models)


@model.command("use", examples=("memofs model use BAAI--bge-small-en-v1.5", "memofs model use all-MiniLM-L6-v2"))
@click.argument("name", metavar="NAME|FOLDER")
@click.pass_obj
def use(session: Session, name: str) -> None:
    """Make vectors with another model: one of the list, or a folder with model.onnx and tokenizer.json.

    Vectors of two models are never compared: recall goes by words until the memories are indexed again.
    """
    session.show(session.ask("memofs/useModel", UseModelParams(name=name), ModelsResult), render_models)


@model.command("allow", examples=("memofs model allow", "memofs model allow --revoke"))
@click.option("--revoke", is_flag=True, help="Let no service have them any more.")
@click.pass_obj
def allow(session: Session, revoke: bool) -> None:
    """Let the service that the settings name read this project's memories and questions.

    Settings come with a clone of the repository; what they name is used only once you have allowed it here, on this
    machine. Naming it yourself, with `memofs config set`, allows it too. In CI, MEMOFS_ALLOW_PROVIDERS does: names and
    addresses, or `all`.
    """
    params = AllowModelParams(revoke=revoke)
    session.show(session.ask("memofs/allowModel", params, AllowModelResult), render_allowed)


@model.command(
    "pull",
    examples=("memofs model pull BAAI/bge-small-en-v1.5", "memofs model pull owner/name --revision v1.0"),
)
@click.argument("repository", metavar="OWNER/NAME")
@click.option("--revision", default="main", metavar="REV", help="A branch, tag or commit instead of main.")
@click.option("--sha256", metavar="HEX", help="What the weights must hash to.")
@click.pass_obj
def pull(session: Session, repository: str, revision: str, sha256: str | None) -> None:
    """Fetch a model from the Hugging Face Hub into your folder of models.

    This is the one command that needs a network.
    """
    line = session.progress("Fetching")
    params = PullModelParams(repository=repository, revision=revision, sha256=sha256)
    with line or nullcontext():
        result = session.ask("memofs/pullModel", params, PullModelResult, on_progress=line.update if line else None)
    session.show(result, render_pulled)
