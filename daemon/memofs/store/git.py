"""What git knows about the workspace: who writes, which files are tracked, how old they are, which have changed.

Invariant: git is asked read-only, takes no locks, runs no program of the repository's choosing, and its absence or
failure is an empty answer, never an error. Answers that do not change under a process are kept.
"""

import os
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

__all__ = ["CommitTimes", "Git"]

_TIMEOUT_S = 10
_STATUS_TIMEOUT_S = 2
"""Somebody waits for the briefing that the changed files are only a part of."""
_SAFE = (
    *("-c", "core.fsmonitor=false", "-c", "core.quotepath=false"),
    *("-c", "log.showSignature=false"),
)
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "LC_ALL": "C",
}
# Set by git around its hooks: they would point a call at another repository than the folder it runs in.
_DROPPED = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE")
_PATHS_PER_CALL = 500
_FILTERS = r"^filter\..*\.(clean|process)$"


class CommitTimes(msgspec.Struct, frozen=True, kw_only=True):
    """When a file was first and last committed; no last time if it differs from that commit now."""

    first_ms: int
    last_ms: int | None


class Git:
    """Asks git about one workspace. Invariant: `author` is asked for at most once a process."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._author: str | None = None
        self._has_author = False

    def author(self) -> str | None:
        """The `user.name` that git would commit under; None without git or without one."""
        if not self._has_author:
            output = self._run("config", "--get", "user.name")
            self._author = (output or b"").decode("utf-8", "replace").strip() or None
            self._has_author = True
        return self._author

    def version(self) -> str | None:
        """What git says of itself, such as "2.39.5"; None without git."""
        output = self._run("--version")
        return None if output is None else output.decode("utf-8", "replace").strip().removeprefix("git version ")

    def tracked(self, paths: Iterable[str]) -> frozenset[str]:
        """Those of the workspace-relative paths that git tracks."""
        names = list(paths)
        found: set[str] = set()
        for at in range(0, len(names), _PATHS_PER_CALL):
            output = self._run("ls-files", "-z", "--", *names[at : at + _PATHS_PER_CALL])
            found.update(_names(output))
        return frozenset(found)

    def changed(self) -> frozenset[str] | None:
        """The paths that differ from HEAD in the working tree or the index, deleted and untracked ones too.

        A folder that holds nothing but untracked files stands for them, with a slash at its end. Empty without git or
        outside of a repository; None if git does not get done in time.
        """
        prefix = self._run("rev-parse", "--show-prefix")
        if prefix is None:
            return frozenset()
        output = self._run(
            *("status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=normal", "--ignore-submodules=all"),
            *("--", "."),
            timeout_s=_STATUS_TIMEOUT_S,
            more=self._no_filters(),
        )
        if output is None:
            return None
        below = prefix.rstrip(b"\n").decode("utf-8", "surrogateescape")
        # Each entry is two letters, a space and a path from the top of the repository; ours begin at the workspace.
        names = (entry[3:].decode("utf-8", "surrogateescape") for entry in output.split(b"\0") if len(entry) > 3)
        return frozenset(name.removeprefix(below) for name in names if name.startswith(below) and name != below)

    def commit_times(self, folder: str) -> Mapping[str, CommitTimes]:
        """First and last commit of the files below the folder that git knows.

        One walk over the history, so this costs with its length: ask once, and only where a file says no times.
        """
        # --no-renames: a moved file is new under its new name, which is what a reader of that file sees.
        output = self._run(
            *("log", "--format=%x01%at", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv"),
            *("--relative", "--", folder),
        )
        if not output:
            return {}
        times: dict[str, CommitTimes] = {}
        for commit in output.split(b"\x01")[1:]:
            stamp, _, names = commit.partition(b"\0")
            ms = int(stamp) * 1000 if stamp.isdigit() else 0
            for name in _names(names):
                known = times.get(name)
                times[name] = CommitTimes(first_ms=ms, last_ms=known.last_ms if known else ms)
        changed = self._run(
            *("diff", "--name-only", "-z", "--no-ext-diff", "--relative", "HEAD", "--", folder),
            more=self._no_filters(),
        )
        for name in _names(changed) & times.keys():
            times[name] = CommitTimes(first_ms=times[name].first_ms, last_ms=None)
        return times

    def _no_filters(self) -> dict[str, str]:
        """Settings, as variables, under which comparing the working tree runs no filter that the settings name.

        A file that only a filter makes equal to what was committed then counts as changed.
        """
        output = self._run("config", "-z", "--name-only", "--get-regexp", _FILTERS)
        drivers = sorted({name.rpartition(".")[0] for name in _names(output)})
        settings = [
            pair
            for driver in drivers
            for pair in ((f"{driver}.clean", ""), (f"{driver}.process", ""), (f"{driver}.required", "false"))
        ]
        first = os.environ.get("GIT_CONFIG_COUNT", "")
        at = int(first) if first.isdecimal() else 0
        variables = {"GIT_CONFIG_COUNT": str(at + len(settings))} if settings else {}
        for number, (key, value) in enumerate(settings, start=at):
            variables |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
        return variables

    def _run(
        self, *arguments: str, timeout_s: float = _TIMEOUT_S, more: Mapping[str, str] | None = None
    ) -> bytes | None:
        environment = {key: value for key, value in os.environ.items() if key not in _DROPPED} | _ENVIRONMENT
        environment |= more or {}
        try:
            done = subprocess.run(  # noqa: S603 - a fixed program; the arguments are ours or follow `--`
                ["git", *_SAFE, *arguments],  # noqa: S607 - the git that the person uses
                cwd=self._root,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=timeout_s,
                check=False,
            )
        except (OSError, ValueError, subprocess.SubprocessError):
            return None
        return done.stdout if done.returncode == 0 else None


def _names(output: bytes | None) -> frozenset[str]:
    return frozenset(
        stripped.decode("utf-8", "surrogateescape")
        for name in (output or b"").split(b"\0")
        if (stripped := name.strip(b"\n"))
    )
