"""What a daemon tells of itself, so that clients find it: written by the daemon, read by everybody.

Invariant: reading never raises for what a file holds; a notice is a claim and no proof, so whoever connects checks who
answers. The token of a TCP endpoint is in it, so the file is the user's alone (0600).
"""

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from memofs.link.places import NOTICE, run_folders, state_folder, workspace_key, workspace_tmp

__all__ = ["Notice", "notice_paths", "notices", "read_notice", "remove_notice", "running", "write_notice"]

MOST_BYTES = 10_000


class Notice(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """`endpoint` is `unix:/path/of.sock` or `tcp:127.0.0.1:port`; `started` is ISO 8601."""

    pid: int
    root: str
    endpoint: str
    wire_version: str
    build: str = ""
    started: str = ""
    token: str | None = None


_decode = msgspec.json.Decoder(Notice).decode


def notice_paths(root: Path, environ: Mapping[str, str] | None = None) -> tuple[Path, ...]:
    """Where a daemon of this workspace leaves its notice: in the workspace, else in the user's state folder."""
    return workspace_tmp(root) / NOTICE, state_folder(environ) / "daemons" / workspace_key(root) / NOTICE


def read_notice(path: Path) -> Notice | None:
    """What the file says, None where there is none that can be read."""
    try:
        data = path.read_bytes()
        return _decode(data) if len(data) <= MOST_BYTES else None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def notices(root: Path, environ: Mapping[str, str] | None = None) -> Iterator[Notice]:
    """What daemons of this workspace say, the workspace's own notice first."""
    for path in notice_paths(root, environ):
        if (found := read_notice(path)) is not None:
            yield found


def write_notice(path: Path, notice: Notice) -> None:
    """Put the notice there in one step. Raises OSError."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    with open(descriptor, "wb") as file:  # noqa: PTH123 - from a descriptor, for its mode
        file.write(msgspec.json.encode(notice) + b"\n")
    beside.replace(path)


def remove_notice(path: Path, *, pid: int) -> None:
    """Take the notice away if it is still this process's."""
    found = read_notice(path)
    if found is not None and found.pid == pid:
        with contextlib.suppress(OSError):
            path.unlink()


def running(environ: Mapping[str, str] | None = None) -> Iterator[Notice]:
    """The notices beside the sockets in this user's folders; some may be of daemons that are gone."""
    seen: set[str] = set()
    for folder in run_folders(environ):
        with contextlib.suppress(OSError):
            for path in sorted(folder.glob("*.json")):
                found = read_notice(path)
                if found is not None and found.endpoint not in seen:
                    seen.add(found.endpoint)
                    yield found
