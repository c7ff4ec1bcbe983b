"""Results about coding agents that the command line makes by itself: their set-up, and their sessions here."""

from typing import Literal

import msgspec

from memofs.wire.values import Result

__all__ = ["AgentView", "AgentsResult", "FileView", "GenerateResult", "SessionView", "SessionsResult"]

FileState = Literal["created", "updated", "unchanged", "removed", "absent", "failed"]


class FileView(msgspec.Struct, frozen=True, kw_only=True):
    """One file: what becomes of it (`absent`: there is nothing to take out), or why it is left alone (`problem`).

    `outside` says that it is the person's and not the project's, though one project was to be set up; `keptFor` what
    needs our part of it still, though it was to be taken out: other agents, or folders of other projects.
    """

    path: str
    agents: tuple[str, ...]
    state: FileState
    problem: str | None = None
    diff: str = ""
    outside: bool = False
    kept_for: tuple[str, ...] = ()


class GenerateResult(Result, frozen=True, kw_only=True):
    """What was done to agents' files, or with `dryRun` would be; `notes` are for the person."""

    files: tuple[FileView, ...]
    dry_run: bool = False
    removed: bool = False
    notes: tuple[str, ...] = ()


class AgentView(msgspec.Struct, frozen=True, kw_only=True):
    """One agent, its files, and how many of them hold our part."""

    name: str
    title: str
    files: tuple[str, ...]
    present: int


class AgentsResult(Result, frozen=True, kw_only=True):
    """The agents that can be set up."""

    scope: Literal["project", "user"]
    agents: tuple[AgentView, ...]


class SessionView(msgspec.Struct, frozen=True, kw_only=True):
    """One session of an agent: what it asked the memory (`calls` by tool), and the ids of what it wrote.

    `briefed` counts briefings that hooks gave it; `reminded` says that it was asked, once, to write something down.
    """

    agent: str
    session: str
    started: str
    last: str
    consulted: bool
    persisted: bool
    clients: tuple[str, ...]
    calls: tuple[tuple[str, int], ...]
    failed: int
    wrote: tuple[str, ...]
    briefed: int
    reminded: bool


class SessionsResult(Result, frozen=True, kw_only=True):
    """Newest first; `more` are not shown."""

    sessions: tuple[SessionView, ...]
    more: int = 0
