"""Where a daemon of this user can be found: run-time folder, state folder, and what a workspace is called there.

Invariant: folders of ours are the user's own and closed to others (0700); a socket's path is short enough for the
system's limit. What lies in a workspace itself is `.memofs/tmp/`, the first place to look.
"""

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from memofs.wire.values import WIRE_VERSION

__all__ = [
    "LOCK",
    "NOTICE",
    "own_folder",
    "run_folder",
    "run_folders",
    "state_folder",
    "workspace_key",
    "workspace_tmp",
]

LOCK = "daemon.lock"
NOTICE = "daemon.json"
"""What a daemon tells of itself: pid, start, endpoint, wire version."""

LONGEST_SOCKET_BYTES = 100
"""sockaddr_un holds 108 bytes on Linux and 104 on macOS, one of them the final zero."""
_SOCKET_NAME_BYTES = len("/0123456789abcdef.sock")


def workspace_key(root: Path) -> str:
    """16 hex digits for the workspace's real path and the protocol's major version."""
    major = WIRE_VERSION.partition(".")[0]
    return hashlib.sha256(os.fsencode(os.path.realpath(root)) + b"\0" + major.encode()).hexdigest()[:16]


def workspace_tmp(root: Path) -> Path:
    """The folder in the workspace where its daemon has its lock and its notice."""
    return root / ".memofs" / "tmp"


def state_folder(environ: Mapping[str, str] | None = None) -> Path:
    """`$XDG_STATE_HOME/memofs`, by default below `~/.local/state`; it need not exist."""
    environ = os.environ if environ is None else environ
    named = environ.get("XDG_STATE_HOME", "")
    home = Path(named) if named.startswith("/") else Path(environ.get("HOME") or Path.home()) / ".local" / "state"
    return home / "memofs"


def run_folders(environ: Mapping[str, str] | None = None) -> Iterator[Path]:
    """Where sockets may lie, best first; folders whose path is too long for a socket are passed over.

    The run-time folder, the state folder, the system's folder for temporary files.
    """
    environ = os.environ if environ is None else environ
    runtime = environ.get("XDG_RUNTIME_DIR", "")
    folders = [Path(runtime) / "memofs"] if runtime.startswith("/") else []
    folders += [state_folder(environ) / "run", Path(f"/tmp/memofs-{os.getuid()}")]  # noqa: S108 - checked in own_folder
    for folder in folders:
        if len(os.fsencode(folder)) + _SOCKET_NAME_BYTES <= LONGEST_SOCKET_BYTES:
            yield folder


def run_folder(environ: Mapping[str, str] | None = None) -> Path:
    """The first of `run_folders` that can be had, made where it is missing. Raises OSError if none can."""
    failure: OSError = OSError("no folder for sockets")
    for folder in run_folders(environ):
        try:
            return own_folder(folder)
        except OSError as error:
            failure = error
    raise failure


def own_folder(folder: Path) -> Path:
    """The folder, made where it is missing and closed to others. Raises OSError where it is not this user's."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(f"{folder} is not a folder of this user's")
    if stat.S_IMODE(found.st_mode) & 0o077:
        folder.chmod(0o700)
    return folder
