"""Looking at daemons from outside: which there are, whether they answer, and waiting for one to end."""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from memofs.link.client import Client, RemoteError
from memofs.link.endpoint import connect
from memofs.link.find import Reach, retire
from memofs.link.notice import Notice, notices, running
from memofs.wire.daemon import DaemonView

__all__ = ["daemon_of", "daemons", "stop"]

STOP_S = 15.0


def daemon_of(root: Path, *, build: str) -> DaemonView | None:
    """The workspace's daemon, None where none left a notice."""
    return next((_view(notice, build=build) for notice in notices(root)), None)


def daemons(*, build: str) -> Iterator[DaemonView]:
    """This user's daemons that answer, in the order of their workspaces."""
    found = [_view(notice, build=build) for notice in running()]
    yield from sorted((each for each in found if each.answers), key=lambda each: each.root)


def stop(view: DaemonView, *, build: str) -> bool:
    """Ask the daemon to end and wait for it; whether it has ended. Raises RemoteError where it refuses."""
    client = _client(Path(view.root), _notice(view), build=build)
    if client is None:
        return True
    with client:
        retire(client)
        client.wait_for_end(STOP_S)
    return _ended(view.pid)


def _ended(pid: int) -> bool:
    """Whether the process is gone, now or within a moment: its connections end a little before it does."""
    end_s = time.monotonic() + STOP_S
    while time.monotonic() < end_s:
        with contextlib.suppress(PermissionError):
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                return True
        if _is_zombie(pid):
            return True
        time.sleep(0.01)
    return False


def _is_zombie(pid: int) -> bool:
    """Whether it has ended and only its parent has not looked yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z"
    except (OSError, IndexError):
        return False


def _view(notice: Notice, *, build: str) -> DaemonView:
    client = _client(Path(notice.root), notice, build=build)
    if client is not None:
        client.close()
    return DaemonView(
        root=notice.root,
        pid=notice.pid,
        endpoint=notice.endpoint,
        build=notice.build,
        wire_version=notice.wire_version,
        started=notice.started,
        answers=client is not None,
    )


def _client(root: Path, notice: Notice | None, *, build: str) -> Client | None:
    if notice is None:
        return None
    try:
        return Reach(root, role="cli", build=build).greet(connect(notice.endpoint), notice)
    except (OSError, RemoteError):
        return None


def _notice(view: DaemonView) -> Notice | None:
    every = (*notices(Path(view.root)), *running())
    return next((notice for notice in every if notice.endpoint == view.endpoint), None)
