"""`memofs completion`: click's own completion, as a script to source."""

import click
import msgspec

from memofs.cli import output
from memofs.cli.arguments import choices
from memofs.cli.command import Command, session_of
from memofs.cli.failure import Failure

__all__ = ["COMPLETE_VARIABLE", "completion"]

COMPLETE_VARIABLE = "_MEMOFS_COMPLETE"


@click.command(
    "completion",
    cls=Command,
    examples=(
        "source <(memofs completion bash)                                   # bash, this session; or in ~/.bashrc",
        "memofs completion zsh > ~/.zfunc/_memofs                           # zsh, a folder in $fpath",
        "memofs completion fish > ~/.config/fish/completions/memofs.fish    # fish",
    ),
)
@click.argument("shell", type=choices(("bash", "zsh", "fish")))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print a script that lets your shell complete commands, options and memory ids."""
    from click.shell_completion import get_completion_class

    session = session_of(ctx)
    kind = get_completion_class(shell)
    if kind is None:
        raise Failure("noShell", f"this click has no completion for {shell}", family="Unavailable")
    script = kind(ctx.find_root().command, {}, "memofs", COMPLETE_VARIABLE).source()
    if session.settings.json:
        output.write_json(msgspec.json.encode({"shell": shell, "script": script}))
    else:
        output.write_text(script if script.endswith("\n") else f"{script}\n")
