"""Reading and writing agents' files, and where they are.

Invariant: a file is replaced in one step and keeps its mode; a link stays a link, and what it leads to is written.
"""

import contextlib
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from memofs.agents.catalog import Places
from memofs.agents.setup import Change
from memofs.agents.wish import Unreadable

__all__ = ["places_of", "read_text", "write"]

MOST_BYTES: Final = 16 << 20
FOLDERS: Final = frozenset(
    {".claude", ".codex", ".copilot", ".cursor", ".gemini", ".github", ".vscode", "hooks", "opencode", "rules"}
)
"""What folders of agents' files are called: those that generating may have made."""


def places_of(root: Path, environ: Mapping[str, str]) -> Places:
    """The folders of a project and of its user. Agents' own variables for theirs count."""
    home = Path(environ.get("HOME") or Path.home())

    def folder(variable: str, *usual: str) -> str:
        named = environ.get(variable, "")
        return f"{(Path(named) if named.startswith('/') else home.joinpath(*usual)).as_posix()}/"

    config = environ.get("XDG_CONFIG_HOME", "")
    config_home = Path(config) if config.startswith("/") else home / ".config"
    return Places(
        project=f"{root.as_posix().rstrip('/')}/",
        home=f"{home.as_posix().rstrip('/')}/",
        claude=folder("CLAUDE_CONFIG_DIR", ".claude"),
        codex=folder("CODEX_HOME", ".codex"),
        opencode=f"{(config_home / 'opencode').as_posix()}/",
        copilot=folder("COPILOT_HOME", ".copilot"),
    )


def read_text(path: str) -> str | None:
    """The text of the file, None where there is none. Raises Unreadable."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a pipe's other end is not waited for
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise Unreadable("it is no file")
        with open(descriptor, "rb") as file:  # noqa: PTH123 - bytes, of at most so many
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unreadable(f"it cannot be read: {error.strerror}") from error
    if len(data) > MOST_BYTES:
        raise Unreadable("it is too large")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable("it is not UTF-8") from error


def write(change: Change) -> None:
    """Make the file what it should be; folders that are empty without it go along. Raises OSError."""
    path = Path(os.path.realpath(change.path))
    if change.after is None:
        for each in (path, Path(change.path)):
            each.unlink(missing_ok=True)
            _remove_empty(each.parent)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = 0o644
    with contextlib.suppress(FileNotFoundError):
        mode = stat.S_IMODE(path.stat().st_mode)
    beside = path.with_name(f".{path.name}.{os.getpid()}.memofs")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, mode)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - from a descriptor, for its mode
            file.write(change.after.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(mode)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _remove_empty(folder: Path) -> None:
    """Remove the folder, and the one above, as far as they are agents' and nothing is in them."""
    for each in (folder, folder.parent):
        if each.name not in FOLDERS:
            return
        try:
            each.rmdir()
        except OSError:
            return
