"""The hooks of coding agents: `memofs context --hook AGENT` briefs, `memofs status --hook AGENT` reminds, once.

Invariant: a hook never breaks the agent. Whatever happens (no memory here, no daemon, nonsense on standard input, a
fault of ours), it ends with 0 within `PATIENCE_S` and says nothing but a whole answer on standard output.
"""

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path
from types import FrameType
from typing import Final

import msgspec

from memofs.agents.catalog import AGENTS
from memofs.agents.hooks import HookInput, context_output, is_whole, read_input, reminder_output
from memofs.agents.names import spoken
from memofs.agents.sessions import Event, SessionRecord, ancestors, now, read, record, sessions
from memofs.agents.working_tree import WorkingTree, working_tree
from memofs.cli import output
from memofs.cli.session import Session
from memofs.link.client import RemoteError
from memofs.link.workspace import find_root
from memofs.wire.context import ContextParams, ContextResult
from memofs.wire.read import HistoryParams, HistoryResult, RecallParams, RecallResult

__all__ = ["brief", "remind"]

PATIENCE_S: Final = 1.7
"""Ours, of the 2 seconds that a hook may take: the rest is the start of the process."""
PATIENCE_VARIABLE: Final = "MEMOFS_HOOK_S"
"""Another patience, for machines so slow that no briefing is ready in time, and for tests."""
SAYING_S: Final = 0.7
"""Of ours: so long an agent may take to say what it has to; most say it and close, some keep it open."""
MOST_SAID: Final = 1 << 20
MOST_BYTES: Final = 7_000
"""With what is said of the branch, a briefing is below 8 kB: Claude Code gives a hook 10,000 characters."""
SUBAGENT_BYTES: Final = 3_072
MOST_NAMED: Final = 12
MAIN_BRANCHES: Final = frozenset({"main", "master", "trunk", "develop"})
FOR_BRANCH: Final = 3
SECONDS: Final = len("2026-12-01T12:00:00")
"""As far as times of the record and of the history are compared, both being UTC."""


class _OutOfTimeError(BaseException):
    """Raised by the alarm; not an Exception, so that nothing on the way takes it for one."""


def brief(session: Session, agent: str) -> None:
    """Print the briefing for what is being worked on, as the agent takes it."""

    def work() -> bytes | None:
        asked, root = _begin(session, stops=False)
        if root is None:
            return None
        tree = working_tree(root)
        what = "start" if asked.when == "stop" else asked.when
        record(root, _event(agent, asked, what, tree))
        text = _briefing(session, asked, tree)
        return context_output(agent, asked, spoken(text, AGENTS[agent].names))

    _run(work)


def remind(session: Session, agent: str) -> None:
    """Ask the agent to write down what it decided, if it changed the code and wrote nothing; once a session."""

    def work() -> bytes | None:
        asked, root = _begin(session, stops=True)
        if root is None:
            return None
        found = next((each for each in sessions(read(root)) if each.session == asked.session), None)
        tree = working_tree(root)
        if found is None or not _wants_reminder(asked, found, tree) or _was_written(session, found.started):
            return None
        record(root, _event(agent, asked, "remind", None))
        return reminder_output(agent, spoken(_reminder(tree), AGENTS[agent].names))

    _run(work)


def _run(work: Callable[[], bytes | None]) -> None:
    answer: bytes | None = None
    with contextlib.suppress(_OutOfTimeError, Exception), _alarm():
        answer = work()
    if answer is not None:
        with contextlib.suppress(output.OutputClosed, OSError):
            output.write_json(answer)


@contextlib.contextmanager
def _alarm() -> Generator[None]:
    def ring(_number: int, _frame: FrameType | None) -> None:
        raise _OutOfTimeError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, _patience_s())
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _patience_s() -> float:
    named = os.environ.get(PATIENCE_VARIABLE, "")
    return float(named) if named.isdecimal() and int(named) > 0 else PATIENCE_S


def _begin(session: Session, *, stops: bool) -> tuple[HookInput, Path | None]:
    """What the agent said, and the workspace that it works in; None where no memory is."""
    asked = read_input(_said(), stops=stops)
    if session.settings.start is None and asked.cwd is not None and Path(asked.cwd).is_dir():
        session.settings = msgspec.structs.replace(session.settings, start=Path(asked.cwd))
    root = find_root(session.here / (session.settings.start or "."))
    return asked, root if (root / ".memofs").is_dir() else None


def _said() -> bytes:
    """What the agent says: a whole object, or what has come when it ends, or when nothing more comes in good time."""
    try:
        descriptor = sys.stdin.fileno()
    except (AttributeError, ValueError, OSError):
        return b""  # there is no standard input
    data = b""
    end_s = time.monotonic() + SAYING_S
    while select.select([descriptor], [], [], max(0.0, end_s - time.monotonic()))[0]:
        part = os.read(descriptor, 1 << 16)
        if not part:
            break
        data = (
            (data + part) if len(data) <= MOST_SAID else data
        )  # what is too long is read, so that nobody's pipe breaks
        if part.rstrip().endswith(b"}") and is_whole(data):
            break
    return data


def _event(agent: str, asked: HookInput, what: str, tree: WorkingTree | None) -> Event:
    kind = msgspec.convert(what, Event.__annotations__["what"])
    under = ancestors(os.getpid())
    return Event(
        at=now(), what=kind, agent=agent, session=asked.session, under=under, tree="" if tree is None else tree.digest
    )


def _briefing(session: Session, asked: HookInput, tree: WorkingTree | None) -> str:
    most = SUBAGENT_BYTES if asked.when == "subagent" else MOST_BYTES
    found = session.ask("memofs/context", ContextParams(max_bytes=most, wait=False), ContextResult)
    parts = [] if tree is None else [_at_work(tree)]
    parts.append(found.text)
    branch = "" if tree is None or tree.branch in MAIN_BRANCHES else tree.branch or ""
    words = " ".join(branch.replace("/", " ").replace("-", " ").replace("_", " ").split()[:12])
    if words and asked.when != "subagent":
        parts.append(_for_branch(session, branch, words))
    return "\n".join(part.rstrip("\n") for part in parts if part) + "\n"


def _at_work(tree: WorkingTree) -> str:
    from memofs.cli.terminal_text import neutral_line

    if tree.branch is None and not tree.changed:
        return ""
    named = ", ".join(neutral_line(path)[:120] for path in tree.changed[:MOST_NAMED])
    more = len(tree.changed) - MOST_NAMED
    changed = f"; changed: {named}{f' and {more} more' if more > 0 else ''}" if tree.changed else ""
    return f"[git: branch {neutral_line(tree.branch or '(none)')[:120]}{changed}]"


def _for_branch(session: Session, branch: str, words: str) -> str:
    """Memories that speak of what the branch is called after."""
    from memofs.cli.terminal_text import neutral_line

    params = RecallParams(query=words, limit=FOR_BRANCH, precision="strict", wait=False)
    found = session.ask("memofs/recall", params, RecallResult)
    if found.notice is not None or not found.hits:
        return ""
    lines = [f"- {hit.id} · {hit.kind}\n> **{neutral_line(hit.title)}**" for hit in found.hits]
    return "\n".join([f"\n## For the branch {neutral_line(branch)[:120]}", *lines])


def _wants_reminder(asked: HookInput, found: SessionRecord, tree: WorkingTree | None) -> bool:
    if asked.again or not asked.session or found.reminded or found.persisted:
        return False
    if tree is None or not found.tree:
        return found.consulted
    return tree.digest != found.tree


def _was_written(session: Session, since: str) -> bool:
    """Whether somebody wrote to the memory since, by the command line for instance, as an agent may."""
    try:
        events = session.ask("memofs/history", HistoryParams(limit=1), HistoryResult).events
    except RemoteError:
        return False
    return any(event.timestamp[:SECONDS] >= since[:SECONDS] for event in events)


def _reminder(tree: WorkingTree | None) -> str:
    from memofs.cli.terminal_text import neutral_line

    named = ", ".join(neutral_line(path)[:120] for path in (tree.changed if tree is not None else ())[:5])
    changed = f" ({named})" if named else ""
    return (
        f"This session has changed code{changed} and written nothing to the project's memory. If a decision, a "
        "constraint or a preference came up that the next session needs and the code does not say, call "
        "memofs.remember for it now (with anchors), and look at memofs.stale for memories about what you changed. If "
        "there is nothing of that kind, just finish: you are asked only once."
    )
