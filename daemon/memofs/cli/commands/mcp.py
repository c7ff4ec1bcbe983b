"""`memofs mcp`: an agent's way to the workspace's memory."""

import os
import sys
from pathlib import Path

import click

from memofs.cli import output
from memofs.cli.arguments import choices
from memofs.cli.command import Command
from memofs.cli.session import Session

__all__ = ["mcp"]


@click.command(
    "mcp",
    cls=Command,
    examples=(
        "memofs mcp                                # what an agent's configuration calls",
        "memofs mcp --tool-names underscore        # for clients that refuse dots in names",
        "MEMOFS_MCP_TOKEN=… memofs mcp --http --port 8765",
    ),
)
@click.option("--stdio", is_flag=True, help="Standard input and output; the usual, so this is for clients that say it.")
@click.option("--http", is_flag=True, help="Streamable HTTP on 127.0.0.1, for who has the token (see --token-file).")
@click.option("--port", metavar="N", type=click.IntRange(0, 65_535), help="With --http: the port; 0 takes a free one.")
@click.option(
    "--token-file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="With --http: where the token is. Else MEMOFS_MCP_TOKEN holds it, or one is made and printed.",
)
@click.option(
    "--tool-names",
    type=choices(("dotted", "underscore")),
    default="dotted",
    help="memofs.recall (dotted, the usual), or memofs_recall.",
)
@click.pass_obj
def mcp(session: Session, stdio: bool, http: bool, port: int | None, token_file: Path | None, tool_names: str) -> None:
    """Serve the workspace's memory to a coding agent: MCP on standard input and output, or by HTTP.

    For the agent's configuration, not for a terminal; `memofs generate agent` writes it. All work is the daemon's,
    which is started if need be.
    """
    if stdio and http:
        raise click.UsageError("--stdio or --http: one of the two")
    if not http and (port is not None or token_file is not None):
        raise click.UsageError("--port and --token-file go with --http")
    command = [sys.executable, "-P", "-m", "memofs.mcp", "--root", str(session.root), "--names", tool_names]
    if http:
        command += ["--http", "--port", str(port or 0)]
        command += [] if token_file is None else ["--token-file", str(token_file.absolute())]
    output.settle()
    os.execv(command[0], command)  # noqa: S606 - this program's own server, in the place of this process
