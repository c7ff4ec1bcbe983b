"""Paths as a person types them, turned into paths of the workspace, and back. Looks at the disk, changes nothing."""

import os
from pathlib import Path

from memofs.cli.failure import Failure

__all__ = ["absolute", "in_workspace", "looks_like_path", "prefix_to"]


def in_workspace(given: str, *, here: Path, root: Path) -> str:
    """`given` as the wire takes it: relative to the workspace.

    What names something from where the person stands (absolute, `./`, `../`, or there on disk) is taken from there;
    anything else (a glob, a file that is gone) is already relative to the workspace. Raises Failure outside of it.
    """
    rooted = given.startswith(("./", "../", "/")) or given in {".", ".."}
    if not rooted and not os.path.lexists(here / given):
        return given
    path = absolute(given, here=here)
    for base, inside in ((root, path), (_real(root), _real(path))):
        if inside.is_relative_to(base):
            relative = inside.relative_to(base).as_posix()
            return f"{relative}/" if given.endswith("/") and relative != "." else relative
    raise Failure("outside", f"{given} lies outside the workspace {root}", family="Refused")


def absolute(given: str, *, here: Path) -> Path:
    """`given` from where the person stands, `..` taken out by spelling, links kept."""
    return Path(os.path.normpath(here / given))


def looks_like_path(given: str, *, here: Path) -> bool:
    """Whether an argument that may be a memory's id or a path is a path."""
    if given.startswith("mem_"):
        return False
    return "/" in given or "." in given or os.path.lexists(here / given)


def prefix_to(root: Path, *, here: Path) -> str:
    """What to put in front of a workspace path so that it opens from `here`: empty, `../`, or the workspace's own."""
    for base, start in ((root, here), (_real(root), _real(here))):
        if start == base:
            return ""
        if start.is_relative_to(base):
            return "../" * len(start.relative_to(base).parts)
    return f"{root.as_posix().rstrip('/')}/"


def _real(path: Path) -> Path:
    """The path with its links followed. A loop of links is left as it is: `Path.resolve` raises for one."""
    return Path(os.path.realpath(path))
