"""`memofs config`: settings of the workspace."""

from functools import partial

import click
import msgspec

from memofs.cli import output
from memofs.cli.command import Group
from memofs.cli.session import Session
from memofs.cli.terminal_text import neutral_line
from memofs.cli.views.admin import render_config
from memofs.wire.admin import ConfigParams, ConfigResult

__all__ = ["config"]


@click.group(
    "config",
    cls=Group,
    examples=("memofs config get", "memofs config set precision strict", "memofs config unset precision"),
)
def config() -> None:
    """Read and change the settings in .memofs/config.json."""


@config.command("get", examples=("memofs config get", "memofs config get precision", "memofs config get lexicon.db"))
@click.argument("key", required=False, metavar="[KEY]")
@click.pass_obj
def get(session: Session, key: str | None) -> None:
    """Print the value of one setting, or all settings, one a line. KEY may be dotted."""
    _config(session, ConfigParams(action="get", key=key))


@config.command(
    "set",
    examples=(
        "memofs config set ranking classic",
        "memofs config set floorsDays.note 60",
        "memofs config set kinds '[\"incident\"]'",
        "memofs config set projectName '\"2048\"'    # quoted twice: a text, not a number",
    ),
)
@click.argument("key", metavar="KEY")
@click.argument("value", metavar="VALUE")
@click.pass_obj
def set_(session: Session, key: str, value: str) -> None:
    """Change one setting. VALUE is JSON where it reads as JSON, else a text."""
    _config(session, ConfigParams(action="set", key=key, value=_value(value)))


@config.command("unset", examples=("memofs config unset ranking",))
@click.argument("key", metavar="KEY")
@click.pass_obj
def unset(session: Session, key: str) -> None:
    """Go back to the default of one setting."""
    _config(session, ConfigParams(action="unset", key=key))


@config.command("path", examples=("memofs config path",))
@click.pass_obj
def path(session: Session) -> None:
    """Print where the settings lie."""
    result = session.ask("memofs/config", ConfigParams(action="get"), ConfigResult)
    if session.settings.json:
        output.write_json(msgspec.json.encode(result))
    else:
        output.write_text(f"{neutral_line(result.path)}\n")


def _config(session: Session, params: ConfigParams) -> None:
    result = session.ask("memofs/config", params, ConfigResult)
    session.show(result, partial(render_config, action=params.action))


def _value(text: str) -> object:
    try:
        return msgspec.json.decode(text.encode())
    except msgspec.DecodeError:
        return text
