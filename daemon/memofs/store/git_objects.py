"""File contents out of git's object database, by one `git cat-file` process that is kept.

Invariant: at most one process runs, one question at a time, from any thread; a process that dies or keeps silent is
ended, and started anew at the next question, after a few failures only once in a while. Without git, or outside of a
repository, nothing is found.
"""

import contextlib
import os
import re
import select
import subprocess
import threading
import time
from pathlib import Path
from typing import Final

from memofs.store.git_program import TIMEOUT_S, command, environment

__all__ = ["GitObjects"]

_MOST_FAILURES: Final = 3
_REST_S: Final = 30.0
_READ_BYTES: Final = 1 << 16
_OBJECT: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_NAMED: Final = re.compile(r"[^\s-][^\n\0]*")


class GitObjects:
    """Reads blobs of the repository that the folder lies in. Safe to call from any thread."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._failures = 0
        self._again_s = 0.0
        self._asked_s = 0.0
        self._rest = b""

    def blob(self, id_: str, *, most_bytes: int, until_s: float | None = None) -> bytes | None:
        """The bytes of the blob with this id; None if git has none of that id, or a larger one.

        Also None if git has not answered by `until_s` (`time.monotonic`).
        """
        return self._ask(id_, most_bytes=most_bytes, until_s=until_s) if _OBJECT.fullmatch(id_) else None

    def blob_at(self, revision: str, path: str, *, most_bytes: int, until_s: float | None = None) -> bytes | None:
        """The bytes of the file at a path (relative to the folder) in a revision; None if there is none."""
        name = f"{revision}:./{path}"
        return self._ask(name, most_bytes=most_bytes, until_s=until_s) if _NAMED.fullmatch(name) else None

    def has(self, id_: str) -> bool:
        """Whether git has an object with this id."""
        return self.blob(id_, most_bytes=-1) is not None

    def end_if_idle(self, idle_s: float) -> None:
        """End the process if nothing was asked for so long."""
        if self._process is not None and time.monotonic() - self._asked_s >= idle_s:
            self.close()

    def close(self) -> None:
        """End the process, if one runs."""
        with self._lock:
            self._end()

    def _ask(self, name: str, *, most_bytes: int, until_s: float | None) -> bytes | None:
        end_s = time.monotonic() + TIMEOUT_S
        end_s = end_s if until_s is None else min(until_s, end_s)
        if not self._lock.acquire(timeout=max(0.0, end_s - time.monotonic())):
            return None
        try:
            if self._failures >= _MOST_FAILURES and time.monotonic() < self._again_s:
                return None
            self._asked_s = time.monotonic()
            return self._answer(name, most_bytes=most_bytes, until_s=end_s)
        except (OSError, ValueError, EOFError):
            self._failures += 1
            self._again_s = time.monotonic() + _REST_S
            self._end()
            return None
        finally:
            self._lock.release()

    def _answer(self, name: str, *, most_bytes: int, until_s: float) -> bytes | None:
        """What git says of the object. Raises OSError, ValueError or EOFError where it says nothing to rely on."""
        process = self._started()
        assert process.stdin is not None  # noqa: S101 - both are pipes
        process.stdin.write(name.encode("utf-8", "surrogateescape") + b"\n")
        process.stdin.flush()
        head = self._line(until_s)
        if head.endswith((b" missing", b" ambiguous")):
            return None
        words = head.rsplit(b" ", 2)
        size = int(words[2]) if len(words) == 3 else -1
        if size < 0:
            raise ValueError(head)
        wanted = words[1] == b"blob" and (most_bytes < 0 or size <= most_bytes)
        data = self._bytes(size + 1, keep=wanted and most_bytes >= 0, until_s=until_s)
        self._failures = 0
        return data[:-1] if wanted else None

    def _started(self) -> "subprocess.Popen[bytes]":
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._process = subprocess.Popen(  # noqa: S603 - a fixed program
                command("cat-file", "--batch"),
                cwd=self._root,
                env=environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # a Ctrl-C is for us; git ends when its input does
            )
        return self._process

    def _line(self, until_s: float) -> bytes:
        while b"\n" not in self._rest:
            self._rest += self._more(until_s)
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def _bytes(self, size: int, *, keep: bool, until_s: float) -> bytes:
        """The next bytes; all are taken off the pipe, and answered only if they are to be kept."""
        kept: list[bytes] = []
        while size:
            piece = self._rest or self._more(until_s)
            taken, self._rest = piece[:size], piece[size:]
            size -= len(taken)
            if keep:
                kept.append(taken)
        return b"".join(kept)

    def _more(self, until_s: float) -> bytes:
        assert self._process is not None  # noqa: S101 - started before
        assert self._process.stdout is not None  # noqa: S101
        pipe = self._process.stdout.fileno()
        if not select.select([pipe], [], [], max(0.0, until_s - time.monotonic()))[0]:
            raise EOFError
        data = os.read(pipe, _READ_BYTES)
        if not data:
            raise EOFError
        return data

    def _end(self) -> None:
        process, self._process, self._rest = self._process, None, b""
        if process is None:
            return
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        try:
            process.wait(0.2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
