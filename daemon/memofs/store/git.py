"""What git knows about the workspace: who writes, which files are tracked, how old they are, which have changed.

Invariant: git is asked read-only, takes no locks, runs no program of the repository's choosing, and its absence or
failure is an empty answer, never an error. Answers that do not change under a process are kept.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from memofs.store.git_program import TIMEOUT_S, names_in, no_filters, run

__all__ = ["CommitTimes", "Git"]

_STATUS_TIMEOUT_S = 2
"""Somebody waits for the briefing that the changed files are only a part of."""
_PATHS_PER_CALL = 500


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
            found.update(names_in(output))
        return frozenset(found)

    def changed(self) -> frozenset[str] | None:
        """The paths that differ from HEAD in the working tree or the index, deleted and untracked ones too.

        A folder that holds nothing but untracked files stands for them, with a slash at its end; the workspace itself
        is `./`. Empty without git or outside of a repository; None if git does not get done in time.
        """
        prefix = self._run("rev-parse", "--show-prefix")
        if prefix is None:
            return frozenset()
        output = self._run(
            *("status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=normal", "--ignore-submodules=all"),
            *("--", "."),
            timeout_s=_STATUS_TIMEOUT_S,
            more=no_filters(self._root),
        )
        if output is None:
            return None
        below = prefix.rstrip(b"\n").decode("utf-8", "surrogateescape")
        # Each entry is two letters, a space and a path from the top of the repository; ours begin at the workspace.
        names = (entry[3:].decode("utf-8", "surrogateescape") for entry in output.split(b"\0") if len(entry) > 3)
        return frozenset("./" if below.startswith(name) else name.removeprefix(below) for name in names)

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
            for name in names_in(names):
                known = times.get(name)
                times[name] = CommitTimes(first_ms=ms, last_ms=known.last_ms if known else ms)
        changed = self._run(
            *("diff", "--name-only", "-z", "--no-ext-diff", "--relative", "HEAD", "--", folder),
            more=no_filters(self._root),
        )
        for name in names_in(changed) & times.keys():
            times[name] = CommitTimes(first_ms=times[name].first_ms, last_ms=None)
        return times

    def _run(
        self, *arguments: str, timeout_s: float = TIMEOUT_S, more: Mapping[str, str] | None = None
    ) -> bytes | None:
        return run(self._root, *arguments, timeout_s=timeout_s, more=more)
