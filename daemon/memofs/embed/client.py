"""The daemon's end of the embedding worker: starts it when first needed, asks it, starts it again when it dies.

Invariants: at most one worker process at a time; every request ends with a reply or an EmbedderError, at the latest
at its deadline; a worker that keeps dying is left alone for a while; after `close` or a successful `end_if_idle` no
process is left. Safe to call from several threads. What is asked, and in which order of importance, is decided by the
callers (`local`) and by the worker's lanes.
"""

import contextlib
import itertools
import os
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import IO, BinaryIO, cast

import msgspec

from memofs.embed.messages import Failed, Reply, Request, Rows, decode_reply, encode, read_frame, write_frame
from memofs.embed.protocol import EmbedderError

__all__ = ["WORKER_COMMAND", "WorkerClient"]

WORKER_COMMAND: tuple[str, ...] = (sys.executable, "-P", "-m", "memofs.embed.worker")
"""-P keeps the working folder, which may be anybody's repository, off the import path."""
MAX_DEATHS = 3
DEATHS_WINDOW_S = 60.0
STUCK_S = 120.0
"""A worker that owes an answer for so long is ended: the slowest honest batch takes seconds."""
CLOSE_WAIT_S = 2.0
_STDERR_LINES = 20

_ENVIRONMENT = {
    # Without these glibc keeps what a batch needed: 166 MB instead of 240 after long texts, 264 at the peak, not 500.
    "MALLOC_TRIM_THRESHOLD_": "1048576",
    "MALLOC_MMAP_THRESHOLD_": "1048576",
    "MALLOC_ARENA_MAX": "2",
    "TOKENIZERS_PARALLELISM": "false",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}


class WorkerClient:
    """One embedding worker, or none at the moment. `clock` gives seconds that never run backwards."""

    def __init__(self, command: Sequence[str] = WORKER_COMMAND, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._command = tuple(command)
        self._clock = clock
        self._lock = threading.Lock()
        self._worker: _Worker | None = None
        self._deaths_s: deque[float] = deque(maxlen=MAX_DEATHS)
        self._last_used_s = clock()
        self._calls = 0
        self._closed = False
        self._ids = itertools.count(1)

    @property
    def pid(self) -> int | None:
        """The worker's process id, None while there is none."""
        worker = self._worker
        return None if worker is None or worker.end_reason is not None else worker.pid

    @property
    def warm(self) -> bool:
        """Whether the worker that runs now has answered before."""
        worker = self._worker
        return worker is not None and worker.end_reason is None and worker.answered

    @property
    def busy(self) -> bool:
        """Whether somebody waits for an answer."""
        return self._calls > 0

    def ask_all(self, requests: Sequence[Request], *, deadline_s: float, window: int = 4) -> Iterator[Rows]:
        """The replies, in the order of the requests, at most `window` of which are under way at once.

        The ids of the requests are set here. A request whose worker dies is asked once more. Raises EmbedderError.
        """
        end_s = self._clock() + deadline_s
        with self._lock:
            self._calls += 1
        under_way: deque[tuple[Request, _Pending]] = deque()
        try:
            for request in requests:
                under_way.append((request, self._submit(request)))
                if len(under_way) == window:
                    yield self._reply(*under_way.popleft(), end_s)
            while under_way:
                yield self._reply(*under_way.popleft(), end_s)
        finally:
            for _, pending in under_way:
                pending.forget()
            with self._lock:
                self._calls -= 1
                self._last_used_s = self._clock()

    def warm_up(self, request: Request) -> None:
        """Start the worker if need be and send the request, without waiting. Raises EmbedderError if it cannot."""
        self._submit(request).forget()

    def end_if_idle(self, idle_s: float) -> bool:
        """Whether the worker was ended because nobody asked for so many seconds. Call it now and then."""
        with self._lock:
            worker = self._worker
            if worker is None or self._calls or self._clock() - self._last_used_s < idle_s:
                return False
            self._worker = None
        worker.end(EmbedderError("closed", "the embedding worker was ended because it was idle"))
        return True

    def close(self) -> None:
        """End the worker; calls under way fail with the reason `closed`, and so do later ones."""
        with self._lock:
            worker, self._worker, self._closed = self._worker, None, True
        if worker is not None:
            worker.end(EmbedderError("closed", "the embedding worker was ended"))

    def _submit(self, request: Request) -> "_Pending":
        request = msgspec.structs.replace(request, id=next(self._ids))
        with self._lock:
            if self._closed:
                raise EmbedderError("closed", "the embedding worker was ended")
            now_s = self._last_used_s = self._clock()
            if self._worker is not None and self._worker.stuck(now_s - STUCK_S):
                self._worker.kill(EmbedderError("workerDied", f"the embedding worker was silent for {STUCK_S:.0f} s"))
            if self._worker is None or self._worker.end_reason is not None:
                self._worker = self._start(now_s)
            worker = self._worker
        return worker.send(request.id, encode(request), now_s)

    def _reply(self, request: Request, pending: "_Pending", end_s: float) -> Rows:
        try:
            reply = pending.wait(end_s - self._clock())
        except EmbedderError as error:
            if error.reason != "workerDied":
                raise
            reply = self._submit(request).wait(end_s - self._clock())
        if isinstance(reply, Failed):
            raise EmbedderError(reply.reason, reply.message, reply.hint)
        return reply

    def _start(self, now_s: float) -> "_Worker":
        """A new worker. The lock is held. Raises EmbedderError if the last ones died one after the other."""
        if self._worker is not None and not self._worker.counted:
            self._worker.counted = True
            self._deaths_s.append(now_s)
        if len(self._deaths_s) == MAX_DEATHS and now_s - self._deaths_s[0] < DEATHS_WINDOW_S:
            last = self._worker.end_reason if self._worker is not None else None
            raise EmbedderError(
                "workerDied",
                f"the embedding worker ended {MAX_DEATHS} times in a minute and is left alone for now"
                + ("" if last is None else f"; the last time: {last.message}"),
                "It is tried again in a minute. Is there enough memory (about 300 MB)?",
            )
        try:
            return _Worker(self._command)
        except OSError as error:
            raise EmbedderError("workerDied", f"the embedding worker cannot be started: {error}") from error


class _Pending:
    """One request under way."""

    def __init__(self, worker: "_Worker", request_id: int, sent_s: float) -> None:
        self.sent_s = sent_s
        self.future: Future[Reply] = Future()
        self._worker = worker
        self._id = request_id

    def wait(self, seconds: float) -> Reply:
        """The reply. Raises EmbedderError: deadline, or why the worker will not answer."""
        try:
            return self.future.result(max(0.0, seconds))
        except FutureTimeout as error:
            raise EmbedderError("deadline", "the embedding worker did not answer in time") from error
        finally:
            self.forget()

    def forget(self) -> None:
        """Drop the answer if it still comes."""
        self._worker.forget(self._id)


class _Worker:
    """One process with its pipes. Invariant: when it ends, for whatever reason, every pending request is failed.

    A forgotten request stays in the books until its answer comes, since it still says whether the worker is stuck.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **_ENVIRONMENT},
        )
        self.pid = self._process.pid
        self.answered = False
        self.counted = False
        self.end_reason: EmbedderError | None = None
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._pending: dict[int, _Pending] = {}
        self._stderr: deque[str] = deque(maxlen=_STDERR_LINES)
        self._stdin = cast("BinaryIO", self._process.stdin)
        self._listening = threading.Thread(target=self._listen, name="memofs-embed-stderr", daemon=True)
        self._listening.start()
        self._reading = threading.Thread(target=self._read, name="memofs-embed-replies", daemon=True)
        self._reading.start()

    def send(self, request_id: int, frame: bytes, now_s: float) -> _Pending:
        pending = _Pending(self, request_id, now_s)
        with self._lock:
            if self.end_reason is not None:
                pending.future.set_exception(self.end_reason)
                return pending
            self._pending[request_id] = pending
        # Apart from the lock of the books: a stopped worker may block this, and must still be endable.
        with self._writing, contextlib.suppress(OSError, ValueError):  # it ended just now: the reader fails the request
            write_frame(self._stdin, frame)
        return pending

    def forget(self, request_id: int) -> None:
        with self._lock:
            pending = self._pending.get(request_id)
        if pending is not None:
            pending.future.cancel()

    def stuck(self, before_s: float) -> bool:
        with self._lock:
            return any(pending.sent_s < before_s for pending in self._pending.values())

    def kill(self, why: EmbedderError) -> None:
        self._fail(why)
        self._process.kill()

    def end(self, why: EmbedderError) -> None:
        """Close its input, and kill it if it does not end by that. Returns when the process is gone."""
        self._fail(why)
        if self._writing.acquire(timeout=CLOSE_WAIT_S):
            with contextlib.suppress(OSError):
                self._stdin.close()
            self._writing.release()
        try:
            self._process.wait(CLOSE_WAIT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reading.join()

    def _read(self) -> None:
        replies = cast("BinaryIO", self._process.stdout)
        try:
            while (frame := read_frame(replies)) is not None:
                self._take(decode_reply(frame))
        except (OSError, ValueError, msgspec.DecodeError):
            self._process.kill()  # what it writes cannot be understood: as good as dead
        code = self._process.wait()
        self._listening.join(CLOSE_WAIT_S)
        last = f": {self._stderr[-1]}" if self._stderr else ""
        self._fail(EmbedderError("workerDied", f"the embedding worker ended with {code}{last}"))
        for pipe in (replies, self._process.stderr):
            cast("IO[bytes]", pipe).close()
        with self._writing, contextlib.suppress(OSError):
            self._stdin.close()

    def _take(self, reply: Reply) -> None:
        with self._lock:
            pending = self._pending.pop(reply.id, None)
        self.answered = self.answered or isinstance(reply, Rows)
        if pending is not None and pending.future.set_running_or_notify_cancel():
            pending.future.set_result(reply)

    def _fail(self, why: EmbedderError) -> None:
        with self._lock:
            reason = self.end_reason = self.end_reason or why
            pending, self._pending = self._pending, {}
        for one in pending.values():
            if one.future.set_running_or_notify_cancel():
                one.future.set_exception(reason)

    def _listen(self) -> None:
        for line in cast("BinaryIO", self._process.stderr):
            text = line.decode("utf-8", "replace").strip()
            if text:
                self._stderr.append(text)
