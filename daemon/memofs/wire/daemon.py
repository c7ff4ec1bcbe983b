"""Daemons as the command line shows them; not answers of one, but of those that look for them."""

import msgspec

from memofs.wire.values import Result

__all__ = ["DaemonView", "DaemonsResult", "LogResult", "StoppedResult"]


class DaemonView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One daemon. `answers` is false for one that left its notice and is gone, or does not react."""

    root: str
    pid: int
    endpoint: str
    build: str
    wire_version: str
    started: str
    answers: bool


class DaemonsResult(Result, frozen=True, kw_only=True):
    """The daemons there are."""

    daemons: tuple[DaemonView, ...]


class StoppedResult(Result, frozen=True, kw_only=True):
    """The daemons that were asked to end; `late` are those that had not ended when waiting was given up."""

    stopped: tuple[DaemonView, ...]
    late: tuple[DaemonView, ...] = ()


class LogResult(Result, frozen=True, kw_only=True):
    """The last lines of a daemon's log, oldest first, as they are in the file."""

    path: str
    lines: tuple[str, ...]
