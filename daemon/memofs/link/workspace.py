"""Which folder is the workspace."""

from pathlib import Path

__all__ = ["find_repository", "find_root"]


def find_root(start: Path) -> Path:
    """The nearest folder at or above `start` that holds `.memofs/`, else the git top level, else `start` itself.

    The answer is absolute and keeps the spelling of `start`: a symlinked workspace stays under the name its user
    knows.
    """
    start = start.absolute()
    folders = (start, *start.parents)
    for marker in (".memofs", ".git"):
        for folder in folders:
            if _holds(folder / marker, directory=marker == ".memofs"):
                return folder
    return start


def find_repository(start: Path) -> Path | None:
    """The git top level at or above `start`, None where there is none."""
    start = start.absolute()
    return next((each for each in (start, *start.parents) if _holds(each / ".git", directory=False)), None)


def _holds(path: Path, *, directory: bool) -> bool:
    try:
        return path.is_dir() if directory else path.exists()
    except OSError:
        return False
