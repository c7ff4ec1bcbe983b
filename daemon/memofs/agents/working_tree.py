"""Git's working tree as an agent finds it: branch, changed files, and a digest that tells whether it has changed since.

Invariant: it never fails and never takes longer than `PATIENCE_S`: where git does not answer there is no tree.
"""

import hashlib
import os
import subprocess
from pathlib import Path
from typing import Final

import msgspec

__all__ = ["WorkingTree", "working_tree"]

PATIENCE_S: Final = 0.6
MOST_FILES: Final = 2_000


class WorkingTree(msgspec.Struct, frozen=True, kw_only=True):
    """`branch` is None where HEAD is on none; `changed` are paths that differ from HEAD, `.memofs/` left out."""

    branch: str | None
    changed: tuple[str, ...]
    digest: str


def working_tree(root: Path) -> WorkingTree | None:
    """The working tree at `root`, None where git has none, or does not say in time."""
    try:
        ran = subprocess.run(
            ["git", "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal", "--", "."],  # noqa: S607 - the user's git
            cwd=root,
            env={**os.environ, "GIT_OPTIONAL_LOCKS": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    if ran.returncode != 0:
        return None
    return _parse(root, ran.stdout.decode("utf-8", "replace").split("\0"))


def _parse(root: Path, entries: list[str]) -> WorkingTree:
    branch, changed, digest = None, list[str](), hashlib.sha256()
    waits_for_origin = False
    for entry in entries:
        if waits_for_origin:  # of a renamed file, its former path
            waits_for_origin = False
            continue
        if entry.startswith("# branch.head ") and not entry.endswith("(detached)"):
            branch = entry.removeprefix("# branch.head ")
        elif entry.startswith("# branch.oid "):
            digest.update(entry.encode())
        path = _path(entry)
        waits_for_origin = entry.startswith("2 ")
        if path is None or path.startswith(".memofs/"):
            continue
        changed.append(path)
        if len(changed) <= MOST_FILES:
            digest.update(f"\0{entry}\0{_stamp(root / path)}".encode())
    return WorkingTree(branch=branch, changed=tuple(changed), digest=digest.hexdigest()[:16])


def _path(entry: str) -> str | None:
    """The path of an entry of git status, None where it has none; kinds have different numbers of fields before it."""
    fields = {"1": 8, "2": 9, "u": 10, "?": 1}.get(entry[:1])
    if fields is None or entry[1:2] != " ":
        return None
    parts = entry.split(" ", fields)
    return parts[fields] if len(parts) > fields else None


def _stamp(path: Path) -> str:
    try:
        found = path.lstat()
    except OSError:
        return "-"
    return f"{found.st_size}.{found.st_mtime_ns}"
