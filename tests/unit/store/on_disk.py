"""Workspaces on a real disk, and processes of their own that write to them."""

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest

from memofs.store.edit import Edit
from memofs.store.layout import MEMORY_PATH, initialize
from memofs.store.store import Store
from memofs.text.identity import digest

T = TypeVar("T")

NOW_MS = 1_790_000_000_000

UNPRIVILEGED = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search")
"""Runs a command as root without root's right to pass over permissions."""

_TIMEOUT_S = 120


def workspace(root: Path) -> Store:
    """A store that has just been set up at `root`."""
    root.mkdir(parents=True, exist_ok=True)
    initialize(root, project_name="Test")
    return Store(root)


def memory_bytes(id_: str = "mem_aaaaaa", *, title: str = "A title", body: str = "A body", more: str = "") -> bytes:
    return f"---\nid: {id_}\nkind: note\ntitle: {title}\n{more}---\n{body}\n".encode()


def put(store: Store, name: str, data: bytes | str) -> str:
    """Write a file into the memory folder as an editor would; answers its workspace-relative path."""
    path = f"{MEMORY_PATH}/{name}"
    absolute = store.layout.root / path
    absolute.parent.mkdir(parents=True, exist_ok=True)
    absolute.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def creation(name: str, data: bytes, *, memory_id: str = "mem_aaaaaa", summary: str = "A title") -> Edit:
    return Edit(path=f"{MEMORY_PATH}/{name}", before_digest=None, after=data, memory_id=memory_id, summary=summary)


def change(store: Store, path: str, after: bytes | None, *, memory_id: str = "mem_aaaaaa") -> Edit:
    """An edit on top of what is on the disk now."""
    before = digest(store.read_bytes(path))
    return Edit(path=path, before_digest=before, after=after, memory_id=memory_id, summary="A title")


def commit(store: Store, *edits: Edit, kind: str = "remember") -> None:
    store.commit(edits, kind=kind, actor="user", summary="A summary", now_ms=NOW_MS)


def files_below(folder: Path) -> dict[str, bytes]:
    """Every file below the folder, hidden ones too."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def start(script: str, *arguments: object, prefix: tuple[str, ...] = ()) -> "subprocess.Popen[bytes]":
    """A Python process that runs the script, with the arguments in `sys.argv[1:]`."""
    command = [*prefix, sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=_environment())


def run(script: str, *arguments: object, answer: type[T], prefix: tuple[str, ...] = ()) -> T:
    """What the script printed last, from JSON. Fails if the script does."""
    process = start(script, *arguments, prefix=prefix)
    output, errors = process.communicate(timeout=_TIMEOUT_S)
    assert process.returncode == 0, errors.decode()
    return msgspec.json.decode(output.splitlines()[-1], type=answer)


def needs_permissions() -> tuple[str, ...]:
    """What to put before a command so that permissions hold for it; skips where that cannot be had."""
    if os.geteuid() != 0:
        return ()
    if shutil.which(UNPRIVILEGED[0]) is None:
        pytest.skip("runs as root, and setpriv is not there to give up root's rights")
    return UNPRIVILEGED


def needs_mounts() -> None:
    """Skip where a process may not mount in a name space of its own."""
    if not _may_mount():
        pytest.skip("may not mount here (needs Linux and root)")


@functools.cache
def _may_mount() -> bool:
    if shutil.which("unshare") is None:
        return False
    done = subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False)
    return done.returncode == 0


def _environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "PYTEST_"))}
