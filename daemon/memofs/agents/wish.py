"""What is asked for, and what may be in the way. Pure."""

import msgspec

from memofs.agents.catalog import Scope

__all__ = ["Unreadable", "Wish"]


class Unreadable(Exception):
    """A file that cannot be read as text; the message says why."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What to set up, or with `remove` to take out.

    `project` is the name that a person gives the project, and is kept; without one it is the one kept from before, or
    the usual one.
    """

    agents: tuple[str, ...]
    scope: Scope = "project"
    project: str | None = None
    usual_project: str | None = None
    with_hooks: bool = True
    with_server: bool = True
    remove: bool = False
