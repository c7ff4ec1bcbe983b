"""One provider's HTTP endpoint: JSON is posted, typed JSON comes back, and every failure has a named reason.

Invariants: a key leaves this process only in a header to the endpoint it is for, never over plain HTTP to another
machine, and never in a message; redirects are not followed; a pause that the provider asked for is kept by later calls
too; no call long outlives its deadline. Needs the extra `providers` (httpx), which is imported when first used.
"""

import json
import os
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, TypeVar, cast
from urllib.parse import urlsplit

import msgspec

from memofs.embed.protocol import EmbedderError

if TYPE_CHECKING:
    import httpx

__all__ = ["Endpoint", "key_from"]

T = TypeVar("T")

RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})
MAX_ATTEMPTS = 4
ATTEMPT_TIMEOUT_S = 30.0
FIRST_BACKOFF_S = 0.5
LONGEST_PAUSE_S = 3600.0
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
MAX_ANSWER_BYTES = 64 << 20
_DETAIL_CHARACTERS = 200


def key_from(provider: str, variables: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    """The key in the first of the environment variables that is set. Raises EmbedderError `key` if none is."""
    found = os.environ if environment is None else environment
    for variable in variables:
        if key := found.get(variable, "").strip():
            return key
    names = " or ".join(variables)
    raise EmbedderError("key", f"{provider} needs a key in the environment: {names}", f"Set {names}, then restart.")


class Endpoint:
    """Where one provider listens. `pause` waits so many seconds and is cut short by `close`."""

    def __init__(
        self,
        provider: str,
        url: str,
        *,
        key: str | None,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] | None = None,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise EmbedderError("settings", f"the endpoint of {provider} is not an http(s) address: {url!r}")
        self._on_loopback = parts.hostname in _LOOPBACK
        if key and parts.scheme == "http" and not self._on_loopback:
            raise EmbedderError(
                "settings",
                f"the key for {provider} is not sent over plain HTTP to {parts.hostname}",
                "Use an https address, or unset the key.",
            )
        self.provider = provider
        self.host = parts.netloc
        self._url = url.rstrip("/")
        self._key = key
        self.now_s = clock
        self._closed = threading.Event()
        self._pause = pause or self._wait
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None
        self._not_before_s = float("-inf")

    def post(self, path: str, body: object, reply: type[T], *, deadline_s: float) -> T:
        """The answer to the JSON body, as the type. Transient failures are tried again until the deadline.

        Raises EmbedderError: key, refused, rateLimited, providerDown, unreachable, deadline, badAnswer, closed,
        runtimeMissing.
        """
        end_s = self.now_s() + deadline_s
        content = msgspec.json.encode(body)
        for attempt in range(MAX_ATTEMPTS):
            self._check(end_s)
            try:
                return self._decoded(self._once(path, content, end_s), reply)
            except EmbedderError as error:
                spread = 0.5 + random.random()  # noqa: S311 - so that many clients do not come back together
                pause_s = max(error.retry_after_s or 0.0, FIRST_BACKOFF_S * 2**attempt * spread)
                last = attempt == MAX_ATTEMPTS - 1 or self.now_s() + pause_s >= end_s
                if last or error.reason not in ("rateLimited", "providerDown", "unreachable"):
                    raise
            self._pause(pause_s)
        raise AssertionError("the last attempt returns or raises")

    def close(self) -> None:
        """Give the connections back; a pause between attempts ends at once."""
        self._closed.set()
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _wait(self, seconds: float) -> None:
        self._closed.wait(seconds)

    def _check(self, end_s: float) -> None:
        now_s = self.now_s()
        if self._closed.is_set():
            raise EmbedderError("closed", f"the connection to {self.provider} was closed")
        if now_s >= end_s:
            raise self._late()
        if self._not_before_s > now_s:
            if self._not_before_s >= end_s:
                left_s = self._not_before_s - now_s
                raise EmbedderError(
                    "rateLimited", f"{self.provider} asked for a pause of {left_s:.0f} s more", retry_after_s=left_s
                )
            self._pause(self._not_before_s - now_s)

    def _once(self, path: str, body: bytes, end_s: float) -> bytes:
        client = self._open()
        import httpx  # it is there: the client came from it

        left_s = max(end_s - self.now_s(), 0.001)
        try:
            with client.stream(
                "POST", self._url + path, content=body, timeout=min(ATTEMPT_TIMEOUT_S, left_s)
            ) as response:
                content = self._content(response, end_s)
        except httpx.TimeoutException as error:
            if left_s > ATTEMPT_TIMEOUT_S:
                silent = f"{self.provider} was silent for {ATTEMPT_TIMEOUT_S:.0f} s"
                raise EmbedderError("unreachable", silent) from error
            raise self._late() from error
        except (httpx.HTTPError, RuntimeError) as error:  # RuntimeError: closed meanwhile
            raise EmbedderError("unreachable", f"{self.provider} cannot be reached: {error}") from error
        if not response.is_success:
            raise self._failure(response.status_code, response.headers, content)
        return content

    def _content(self, response: "httpx.Response", end_s: float) -> bytes:
        """The body. A server that sends it in drops, or without end, is left."""
        content = bytearray()
        for piece in response.iter_bytes():
            content += piece
            if self.now_s() > end_s:
                raise self._late()
            if len(content) > MAX_ANSWER_BYTES:
                raise EmbedderError("badAnswer", f"{self.provider} sent more than {MAX_ANSWER_BYTES} bytes")
        return bytes(content)

    def _late(self) -> EmbedderError:
        return EmbedderError("deadline", f"{self.provider} did not answer in time")

    def _open(self) -> "httpx.Client":
        """The client, made when first needed. Raises EmbedderError: runtimeMissing, closed."""
        try:
            import httpx
        except ImportError as error:
            raise EmbedderError(
                "runtimeMissing", f"{self.provider} needs the package httpx", "pip install 'memofs[providers]'"
            ) from error
        with self._lock:
            if self._closed.is_set():
                raise EmbedderError("closed", f"the connection to {self.provider} was closed")
            if self._client is None:
                headers = {"Content-Type": "application/json", "Accept": "application/json"}
                if self._key:
                    headers["Authorization"] = f"Bearer {self._key}"
                # A proxy from the environment is for the world outside, not for a server on this machine.
                self._client = httpx.Client(headers=headers, follow_redirects=False, trust_env=not self._on_loopback)
            return self._client

    def _failure(self, status: int, headers: Mapping[str, str], content: bytes) -> EmbedderError:
        if status in (401, 403):
            return EmbedderError(
                "key", f"{self.provider} refused the key ({status})", "Check the key's value and rights."
            )
        detail = self._detail(content)
        if status == 404:
            hint = "Check the model's name and the endpoint in the settings."
            return EmbedderError("settings", f"{self.provider} knows no such model or address (404){detail}", hint)
        if status not in RETRIED:
            return EmbedderError("refused", f"{self.provider} refused the request ({status}){detail}")
        after_s = _retry_after_s(headers)
        if after_s is not None:
            self._not_before_s = self.now_s() + after_s
        reason = "rateLimited" if status == 429 else "providerDown"
        said = "limits the rate of requests" if status == 429 else "cannot answer now"
        return EmbedderError(reason, f"{self.provider} {said} ({status}){detail}", retry_after_s=after_s)

    def _detail(self, content: bytes) -> str:
        """What the provider says went wrong, short, on one line, without the key."""
        try:
            found = _message_in(json.loads(content))
        except (ValueError, RecursionError):
            return ""
        if self._key:
            found = found.replace(self._key, "…")
        found = " ".join(found.split())
        return f": {found[:_DETAIL_CHARACTERS]}" if found else ""

    def _decoded(self, content: bytes, reply: type[T]) -> T:
        try:
            # The standard library reads NaN, which is no JSON, and so can tell it from nonsense.
            return msgspec.convert(json.loads(content), reply)
        except (ValueError, RecursionError, msgspec.ValidationError) as error:
            raise EmbedderError(
                "badAnswer", f"{self.provider} answered in a form that is not its own: {error}"
            ) from error


def _retry_after_s(headers: Mapping[str, str]) -> float | None:
    """The pause a provider asks for, in seconds from now, from a number of seconds or an HTTP date."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        return min(max(0.0, float(value)), LONGEST_PAUSE_S)
    except ValueError:
        pass
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return min(max(0.0, (until - datetime.now(UTC)).total_seconds()), LONGEST_PAUSE_S)


def _message_in(answer: object) -> str:
    """The message in any of the forms the providers use: error.message, errors[0].message, message, detail."""
    if isinstance(answer, str):
        return answer
    if isinstance(answer, list):
        return _message_in(cast("list[object]", answer)[0]) if answer else ""
    if isinstance(answer, dict):
        fields = cast("dict[str, object]", answer)
        for name in ("error", "errors", "message", "detail", "msg"):
            if found := _message_in(fields.get(name)):
                return found
    return ""
