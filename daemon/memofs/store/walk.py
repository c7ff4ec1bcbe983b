"""The files of the workspace that may hold code, where git cannot list them.

Invariant: bounded in number; hidden folders and folders of dependencies are passed over, links are not followed.
"""

import os
from typing import Final

from memofs.store.layout import Layout

__all__ = ["MOST_WALKED", "walked"]

MOST_WALKED: Final = 20_000
_FOREIGN: Final = frozenset({"node_modules", "__pycache__", "vendor", "site-packages", "target", "dist", "build"})


def walked(layout: Layout, *, most: int = MOST_WALKED) -> tuple[str, ...]:
    """The paths of regular files, relative to the workspace, nearest to its top first; at most so many."""
    found: list[str] = []
    folders = [""]
    while folders and len(found) < most:
        below: list[str] = []
        for folder in folders:
            files, deeper = _listed(layout, folder)
            found += files
            below += deeper
            if len(found) >= most:
                break
        folders = below
    return tuple(found[:most])


def _listed(layout: Layout, folder: str) -> tuple[list[str], list[str]]:
    files: list[str] = []
    deeper: list[str] = []
    try:
        with os.scandir(layout.root / folder) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.name.startswith(".") or entry.is_symlink() or not _is_text(entry.name):
                    continue
                path = f"{folder}/{entry.name}" if folder else entry.name
                if entry.is_file():
                    files.append(path)
                elif entry.is_dir() and entry.name not in _FOREIGN:
                    deeper.append(path)
    except OSError:
        return files, deeper
    return files, deeper


def _is_text(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
