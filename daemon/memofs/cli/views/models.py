"""What makes the vectors, as people read it."""

from memofs.cli.style import Cell, Style, count, paint, table
from memofs.cli.terminal_text import neutral_line
from memofs.cli.views.words import DEGRADED, join, page
from memofs.wire.admin import AllowModelResult, IdleResult, ModelsResult, ModelView, PullModelResult
from memofs.wire.read import EmbedderView

__all__ = ["embedder_line", "render_allowed", "render_idle", "render_models", "render_pulled"]


def embedder_line(embedder: EmbedderView) -> str:
    """The model and how far it is: `all-MiniLM-L6-v2 · 40 memories indexed, 3 to do`."""
    if embedder.state == "off":
        return "off: recall goes by words alone"
    name = embedder.name.split(":", maxsplit=1)[0]
    if embedder.state == "failed":
        failed = f"failed: {neutral_line(embedder.problem or 'no reason given')}"
        return join(["" if name == "none" else name, failed, neutral_line(embedder.hint or "")])
    if not embedder.embedded and not embedder.pending:
        return join([name, "not needed yet"])
    to_do = f", {embedder.pending:,} to do (memofs index)" if embedder.pending else ""
    return join([name, f"{count(embedder.embedded, 'memory', 'memories')} indexed{to_do}", _limits(embedder)])


def render_idle(result: IdleResult, style: Style) -> str:
    """What is indexed now, and what could not be."""
    embedder = result.embedder
    if embedder is None or embedder.state == "off":
        return page("Nothing to do: the settings ask for no vectors.")
    if embedder.problem is not None:
        hint = [] if embedder.hint is None else [f"{paint(style, 'dim', 'hint:')} {neutral_line(embedder.hint)}"]
        return page(f"{paint(style, 'warning', 'Not indexed:')} {neutral_line(embedder.problem)}", *hint)
    missing = [paint(style, "warning", DEGRADED.get(name, name)) for name in result.degraded]
    return page(f"{paint(style, 'good', 'Indexed')}: {embedder_line(embedder)}", *missing)


def render_models(result: ModelsResult, style: Style) -> str:
    """One model a line, the one in use marked; then where more come from."""
    rows: list[list[Cell]] = [
        ["*" if model.used else " ", (model.name, "id"), _about(model)] for model in result.models
    ]
    more = f"`memofs model pull OWNER/NAME` puts more into {result.folder}"
    limits = _limits(result.embedder)
    return page(*table(rows, style), *([limits] if limits else []), paint(style, "dim", neutral_line(more)))


def render_allowed(result: AllowModelResult, style: Style) -> str:
    """What may be used now, and where that stands."""
    if not result.services:
        return page("The settings name no service: memories and questions stay on this machine.")
    names = neutral_line(" and ".join(result.services))
    recorded = paint(style, "dim", f"recorded in {neutral_line(result.path)}")
    if not result.allowed:
        return page(f"Not allowed to read this project's memories and questions: {names}", recorded)
    return page(
        f"{paint(style, 'good', 'Allowed')} to read this project's memories and questions: {names}",
        f"{recorded} {paint(style, 'dim', '(memofs model allow --revoke takes it back)')}",
    )


def render_pulled(result: PullModelResult, style: Style) -> str:
    """What was fetched, and how to use it."""
    name = neutral_line(result.model.name)
    fetched = f"{paint(style, 'good', 'Fetched')} {name}: {_about(result.model)}"
    return page(fetched, f"`memofs model use {name}` takes it.")


def _limits(embedder: EmbedderView) -> str:
    """The limits that were set from the store; empty where the usual ones hold."""
    found = embedder.calibration
    if found is None:
        return ""
    return f"limits set from this store: evidence {found.tau:.2f}, cosine {found.cosine_tau:.2f}"


def _about(model: ModelView) -> str:
    if model.problem is not None:
        return f"cannot be used: {neutral_line(model.problem)}"
    dimension = f"{model.dimension} dimensions" if model.dimension else ""
    return join(
        [
            neutral_line(model.role or ""),
            dimension,
            "comes with MemoFS" if model.path is None else neutral_line(model.path),
        ]
    )
