"""The record of agents' sessions on this machine: `.memofs/logs/agents.jsonl`, a line an event, and what it adds up to.

Hooks know an agent's session by its id, the MCP server knows what was called; the two meet by their processes, since
both are started by the agent: a call belongs to the latest session whose hook ran below the same process, and where
that cannot be seen, to the latest session. No memory text is recorded.

Invariant: recording never fails and never blocks; a line that cannot be read counts as none.
"""

import contextlib
import os
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

import msgspec

__all__ = ["Event", "SessionRecord", "ancestors", "now", "read", "record", "sessions"]

What = Literal["start", "compact", "subagent", "serve", "call", "remind", "stop"]
MOST_BYTES: Final = 1 << 20
"""Beyond this the record is put aside once and begun anew: two such files are kept."""
MOST_ANCESTORS: Final = 12
NEAREST: Final = 2
"""Of the processes above the MCP server, and above a hook, so many may be the agent: a package runner, or a shell, can
stand between. Beyond are terminals, which agents share."""
CONSULTS: Final = frozenset({"context", "recall", "here", "stale", "changes", "entities", "resource", "prompt"})


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One event.

    `under` are the processes above the one that recorded it, nearest first; `tree` stands for the state of git's
    working tree; `wrote` are ids of memories that a call wrote or changed.
    """

    at: str
    what: What
    agent: str = ""
    session: str = ""
    pid: int = 0
    under: tuple[int, ...] = ()
    tool: str = ""
    ok: bool = True
    wrote: tuple[str, ...] = ()
    tree: str = ""


class SessionRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One session of an agent. `consulted` counts briefings by hooks too; `tree` is the working tree as it began."""

    agent: str
    session: str
    started: str
    last: str
    clients: tuple[str, ...]
    calls: tuple[tuple[str, int], ...]
    failed: int
    wrote: tuple[str, ...]
    briefed: int
    reminded: bool
    tree: str

    @property
    def consulted(self) -> bool:
        """Whether the agent itself asked the memory for something."""
        return any(tool in CONSULTS for tool, _ in self.calls)

    @property
    def persisted(self) -> bool:
        """Whether it wrote, changed, verified or retired a memory."""
        return bool(self.wrote)


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Event).decode


def now() -> str:
    """The moment, as it is recorded."""
    return datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def record(root: Path, event: Event) -> None:
    """Add one event; without a memory in the workspace, or where nothing can be written, nothing happens."""
    path = _path(root)
    line = _encode(event) + b"\n"
    with contextlib.suppress(OSError):
        if not (root / ".memofs").is_dir():
            return
        path.parent.mkdir(exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            os.write(descriptor, line)
            size = os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)
        if size > MOST_BYTES:
            path.replace(path.with_name(f"{path.name}.1"))


def read(root: Path) -> tuple[Event, ...]:
    """Every event that is kept, oldest first."""
    path = _path(root)
    events: list[Event] = []
    for each in (path.with_name(f"{path.name}.1"), path):
        with contextlib.suppress(OSError):
            for line in each.read_bytes().splitlines():
                with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError):
                    events.append(_decode(line))
    return tuple(events)


def sessions(events: Iterable[Event]) -> tuple[SessionRecord, ...]:
    """The sessions of a record, newest first. Calls of an agent without hooks make a session for its process."""
    gathered: dict[str, _Gathered] = {}
    under: dict[int, tuple[int, ...]] = {}
    for event in events:
        if event.what == "serve":
            under[event.pid] = event.under
        elif event.what == "call":
            _owner(gathered, event, under.get(event.pid, ())).add(event)
        else:
            found = gathered.setdefault(event.session, _Gathered(event))
            found.add(event)
    return tuple(each.result() for each in sorted(gathered.values(), key=lambda each: each.last, reverse=True))


def ancestors(pid: int) -> tuple[int, ...]:
    """The processes above this one, nearest first; where the system does not say, the parent alone, or none."""
    found: list[int] = []
    while len(found) < MOST_ANCESTORS:
        try:
            stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
            pid = int(stat.rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            break
        if pid <= 1:
            break
        found.append(pid)
    return tuple(found) if found else (os.getppid(),)


class _Gathered:
    def __init__(self, first: Event) -> None:
        self.first = first
        self.last = first.at
        self.under: set[int] = set()
        self.has_hooks = first.what != "call"
        self._clients: dict[str, None] = {}
        self._calls: dict[str, int] = {}
        self._failed = 0
        self._wrote: dict[str, None] = {}
        self._briefed = 0
        self._reminded = False
        self._tree = ""

    def add(self, event: Event) -> None:
        self.last = max(self.last, event.at)
        self.under.update(event.under[:NEAREST])
        if event.what == "call":
            self._clients.setdefault(event.agent)
            self._calls[event.tool] = self._calls.get(event.tool, 0) + 1
            self._failed += not event.ok
            self._wrote.update(dict.fromkeys(event.wrote))
        elif event.what in ("start", "compact", "subagent"):
            self._briefed += 1
            self._tree = self._tree or event.tree
        elif event.what == "remind":
            self._reminded = True

    def result(self) -> SessionRecord:
        return SessionRecord(
            agent=self.first.agent,
            session=self.first.session or f"process {self.first.pid}",
            started=self.first.at,
            last=self.last,
            clients=tuple(self._clients),
            calls=tuple(self._calls.items()),
            failed=self._failed,
            wrote=tuple(self._wrote),
            briefed=self._briefed,
            reminded=self._reminded,
            tree=self._tree,
        )


def _owner(gathered: dict[str, _Gathered], call: Event, above: Sequence[int]) -> _Gathered:
    with_hooks = [each for each in gathered.values() if each.has_hooks]
    matches = ([each for each in with_hooks if pid in each.under] for pid in above[:NEAREST])
    near = next((each for each in matches if each), list[_Gathered]())
    if not near and not (above and any(each.under for each in with_hooks)):
        near = with_hooks
    if near:
        return max(near, key=lambda each: each.last)
    return gathered.setdefault(f"\0{call.pid}", _Gathered(call))


def _path(root: Path) -> Path:
    return root / ".memofs" / "logs" / "agents.jsonl"
