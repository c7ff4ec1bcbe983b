"""HTTP posts that end in time, whatever the other side does.

Invariant: a post returns or raises when its time is over, also while a name is looked up, a handshake dribbles, or
headers and body come byte by byte. Limits on single reads, which are all that HTTP clients offer, see none of that: a
byte now and then keeps them content. So requests run on an event loop in a thread of their own, where the whole of one
can be given up at any point. Which failure is told how, and what is tried again, is left to `endpoint`. Needs httpx,
which is imported when first used.
"""

import asyncio
import threading
from collections.abc import Coroutine, Mapping
from concurrent.futures import CancelledError, Future
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    import httpx

__all__ = ["Answered", "PostError", "Posts"]

T = TypeVar("T")

SILENCE_S = 30.0
"""A server that sends nothing for so long is not waited for any longer, even if the deadline is later."""
GRACE_S = 1.0
"""Giving a request up is itself given so much time."""


class Answered(NamedTuple):
    """An answer as it came, with the names of the headers in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes


class _Stream(Protocol):
    async def aclose(self) -> None: ...


class PostError(Exception):
    """No answer. `what`: late (the time is over), silent, unreachable, tooLarge, closed."""

    def __init__(self, what: str, said: str = "") -> None:
        super().__init__(said or what)
        self.what = what


class Posts:
    """A client for one server. `headers` go with every request; connections are kept open between them.

    Safe to call from several threads. Raises ImportError without httpx.
    """

    def __init__(self, headers: Mapping[str, str], *, by_environment: bool, most_bytes: int) -> None:
        import httpx

        # Certificates are read here, by the caller: on the loop it would hold up other requests.
        self._client = httpx.AsyncClient(headers=dict(headers), follow_redirects=False, trust_env=by_environment)
        self._most_bytes = most_bytes
        self._loop = asyncio.new_event_loop()
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="memofs-posts", daemon=True)
        self._thread.start()

    def post(self, url: str, content: bytes, *, within_s: float, connect_s: float = SILENCE_S) -> Answered:
        """The answer, whatever its status. Raises PostError."""
        answer = self._submit(self._post(url, content, within_s=within_s, connect_s=connect_s))
        try:
            return answer.result(within_s + GRACE_S)
        except CancelledError as error:
            raise PostError("closed") from error
        except TimeoutError as error:
            answer.cancel()
            raise PostError("late") from error

    def close(self) -> None:
        """Give the connections back; requests under way fail. Returns when the thread has ended."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _submit(self, work: Coroutine[Any, Any, T]) -> "Future[T]":
        with self._lock:
            if self._closed:
                work.close()
                raise PostError("closed")
            return asyncio.run_coroutine_threadsafe(work, self._loop)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            self._loop.run_until_complete(self._end())
        finally:
            asyncio.set_event_loop(None)
            self._loop.close()

    async def _end(self) -> None:
        under_way = asyncio.all_tasks() - {asyncio.current_task()}
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
        await self._client.aclose()
        for _ in range(2):  # a closed connection gives its socket back one turn of the loop later
            await asyncio.sleep(0)

    async def _post(self, url: str, content: bytes, *, within_s: float, connect_s: float) -> Answered:
        import httpx

        opened: list[_Stream] = []

        async def note(event: str, told: Mapping[str, Any]) -> None:
            if event == "connection.connect_tcp.complete":
                opened.append(told["return_value"])

        try:
            async with (
                asyncio.timeout(within_s),
                self._client.stream(
                    "POST",
                    url,
                    content=content,
                    timeout=httpx.Timeout(SILENCE_S, connect=connect_s),
                    extensions={"trace": note},
                ) as response,
            ):
                return Answered(response.status_code, response.headers, await self._body(response))
        except BaseException as error:
            for stream in opened:  # one that is cut short in its handshake is closed by nobody else
                await stream.aclose()
            if (told := _told(error, connect_s)) is None:
                raise
            raise told from error

    async def _body(self, response: "httpx.Response") -> bytes:
        content = bytearray()
        async for piece in response.aiter_bytes():
            content += piece
            if len(content) > self._most_bytes:
                raise PostError("tooLarge")
        return bytes(content)


def _told(error: BaseException, connect_s: float) -> PostError | None:
    """The failure in our words; None for what is passed on as it is."""
    import httpx

    match error:
        case TimeoutError():
            return PostError("late")
        case httpx.ConnectTimeout():
            return PostError("unreachable", f"no connection within {connect_s:g} s")
        case httpx.TimeoutException():
            return PostError("silent", f"silent for {SILENCE_S:.0f} s")
        case httpx.HTTPError() | httpx.InvalidURL():
            return PostError("unreachable", str(error))
        case _:
            return None
