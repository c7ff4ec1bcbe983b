"""The real `memofs` program in processes of its own, on workspaces of its own, with a home of its own."""

import contextlib
import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["LATELY", "MEMORIES", "Ran", "Workspace", "bound_by_permissions", "memory_file"]

PATIENCE_S = 60
_SCRIPT = Path(sys.executable).with_name("memofs")
ON_TERMINAL = (
    "import fcntl, os, signal, sys, termios; signal.signal(signal.SIGINT, signal.SIG_DFL); "
    "fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)
"""Makes the terminal the controlling one, so that Ctrl-C typed there interrupts, and becomes the program.

Whoever runs the tests in the background may have interrupts ignored, which programs inherit.
"""
PROGRAM: Sequence[str] = [str(_SCRIPT)] if _SCRIPT.exists() else [sys.executable, "-m", "memofs"]


class Ran(NamedTuple):
    """How a run ended: exit code, standard output, standard error (on a terminal, all in `out`)."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Standard output as the one JSON document that it has to be."""
        assert self.out.endswith("\n"), self
        return json.loads(self.out)


class Workspace(NamedTuple):
    """A folder that commands run in; `home` holds everything that a person's settings could change.

    `prefix` is a program that runs ours, with fewer rights for instance.
    """

    root: Path
    home: Path
    prefix: Sequence[str] = ()

    def memofs(
        self,
        *args: str,
        stdin: bytes = b"",
        cwd: str | Path = ".",
        env: Mapping[str, str] | None = None,
    ) -> Ran:
        """Run `memofs ARGS…`, its streams pipes."""
        ran = subprocess.run(
            [*self.prefix, *PROGRAM, *args],
            input=stdin,
            capture_output=True,
            cwd=self.root / cwd,
            env=self.environment(env),
            timeout=PATIENCE_S,
            check=False,
        )
        return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())

    def ok(self, *args: str, stdin: bytes = b"") -> str:
        """The standard output of a run that has to succeed and say nothing on standard error."""
        ran = self.memofs(*args, stdin=stdin)
        assert (ran.code, ran.err) == (0, ""), ran
        return ran.out

    def json(self, *args: str) -> Any:
        """The JSON document that a run prints that has to succeed."""
        ran = self.memofs("--json", *args)
        assert (ran.code, ran.err) == (0, ""), ran
        return ran.json()

    def terminal(
        self,
        *args: str,
        keys: Mapping[str, bytes | signal.Signals] | None = None,
        env: Mapping[str, str] | None = None,
        columns: int = 80,
    ) -> Ran:
        """Run `memofs ARGS…` on a terminal, answering each text of `keys` once it appears."""
        ours, theirs = pty.openpty()
        waiting = dict(keys or {})
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", ON_TERMINAL, *PROGRAM, *args],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=self.root,
            env=self.environment({"TERM": "xterm", "COLUMNS": str(columns), **(env or {})}),
            start_new_session=True,
        )
        os.close(theirs)
        seen = bytearray()
        deadline_s = time.monotonic() + PATIENCE_S
        try:
            while time.monotonic() < deadline_s:
                if not select.select([ours], [], [], 0.1)[0]:
                    continue
                data = _read(ours)
                if not data:
                    break
                seen += data
                for text in [text for text in waiting if text.encode() in seen]:
                    answer = waiting.pop(text)
                    if isinstance(answer, signal.Signals):
                        process.send_signal(answer)
                    else:
                        os.write(ours, answer)
            code = process.wait(PATIENCE_S)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # with an editor that may still run
            process.wait()
            os.close(ours)
        assert not waiting, f"never seen: {list(waiting)} in {bytes(seen)!r}"
        return Ran(code, seen.decode().replace("\r\n", "\n"), "")

    def environment(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """What the program gets to see: nothing of whoever runs the tests but where programs are."""
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TMPDIR": str(self.home / "tmp"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "MEMOFS_NO_DAEMON": "1",
            **(more or {}),
        }

    def write(self, path: str, content: str | bytes) -> Path:
        """A file in the workspace."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def files(self) -> dict[str, bytes]:
        """Every memory file by name."""
        folder = self.root / ".memofs" / "memory"
        return {path.name: path.read_bytes() for path in sorted(folder.glob("*.md"))}


def memory_file(front: str, body: str) -> str:
    """The text of a memory file."""
    return f"---\n{front.strip()}\n---\n{body.strip()}\n"


def bound_by_permissions() -> Sequence[str] | None:
    """What runs a program so that file permissions hold for it: nothing, or for root setpriv; None: cannot be had."""
    if os.geteuid() != 0:
        return ()
    bound = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search")
    try:
        works = subprocess.run([*bound, "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        works = False
    return bound if works else None


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # how Linux says that the other end is closed
        return b""


LATELY = (datetime.now(UTC) - timedelta(days=10)).strftime("%Y-%m-%dT%H:%M:%SZ")

MEMORIES: Mapping[str, str] = {
    "use-d1-d100.md": memory_file(
        f"""
id: mem_aaaaaaaad100
kind: decision
title: Use D1 for tenant metadata
status: active
confidence: 0.9
tags: [database, tenants]
aliases: [cloudflare d1]
created: 2026-01-10T09:30:00Z
updated: 2026-01-10T09:30:00Z
verified: {LATELY}
supersedes: [mem_aaaaaaaaold1]
source: user
author: Ada L.
anchors:
  - path: src/db/tenants.py
    symbol: TenantStore.open
    lines: 2-2
""",
        "Tenant metadata is read on every request from the edge, so it lives in Cloudflare's D1 database.",
    ),
    "use-sqlite-old1.md": memory_file(
        """
id: mem_aaaaaaaaold1
kind: decision
title: Use SQLite for tenant metadata
created: 2025-01-10T09:30:00Z
""",
        "One SQLite database file per tenant.",
    ),
    "sessions-jwt1.md": memory_file(
        f"""
id: mem_aaaaaaaajwt1
kind: decision
title: Sessions are JSON Web Tokens
tags: [auth]
created: 2026-01-11T09:30:00Z
verified: {LATELY}
""",
        "We sign session tokens with EdDSA and keep them for fifteen minutes.",
    ),
    "uploads-ret1.md": memory_file(
        """
id: mem_aaaaaaaaret1
kind: note
title: Uploads are retried three times
tags: [uploads]
created: 2020-01-12T09:30:00Z
""",
        "The upload client retries with backoff; `--no-verify` skips the checksum. See InvoiceService.",
    ),
    "ftp-gone.md": memory_file(
        """
id: mem_aaaaaaaagone
kind: constraint
title: Partners deliver by FTP
status: retired
created: 2019-01-12T09:30:00Z
""",
        "Partners push their files to the FTP server every night.",
    ),
    "cache-pend.md": memory_file(
        """
id: mem_aaaaaaaapend
kind: preference
title: 缓存必须先预热
status: pending
created: 2026-01-13T09:30:00Z
""",
        "缓存必须先预热，然后才能接流量。",
    ),
}
"""A small library: active, superseded, old, retired and pending memories with ids that tests can name."""
