"""One provider's HTTP endpoint: JSON is posted, typed JSON comes back, and every failure has a named reason.

Invariants: a key leaves this process only in a header to the endpoint it is for, never over plain HTTP to another
machine, and never in a message; redirects are not followed; a pause that the provider asked for is kept by later calls
too; no call outlives its deadline; a provider that is down costs somebody who waits one try in `COOL_DOWN_S`, and the
background several. Needs the extra `providers` (httpx), which is imported when first used.
"""

import json
import os
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Literal, TypeAlias, TypeVar, cast
from urllib.parse import urlsplit

import msgspec

from memofs.embed.posts import SILENCE_S, Answered, PostError, Posts
from memofs.embed.protocol import EmbedderError

__all__ = ["Endpoint", "Urgency", "key_from"]

Urgency: TypeAlias = Literal["asked", "background"]
"""Whether somebody waits for the answer and would rather go on without it, or it may take several tries."""

T = TypeVar("T")

RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})
MAX_ATTEMPTS = 4
FIRST_BACKOFF_S = 0.5
ASKED_CONNECT_S = 1.5
"""For a connection that somebody waits for: enough for a lost first packet, which is sent again after a second."""
COOL_DOWN_S = 30.0
"""So long after a failure nobody who waits is made to wait for the same provider again."""
FAIR_S = 1.0
"""Who gives less time than this learns nothing about a provider from getting no answer."""
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
        self._posts: Posts | None = None
        self._not_before_s = float("-inf")
        self._down: EmbedderError | None = None
        self._down_until_s = float("-inf")

    def post(self, path: str, body: object, reply: type[T], *, deadline_s: float, urgency: Urgency = "background") -> T:
        """The answer to the JSON body, as the type. In the background, transient failures are tried again.

        Raises EmbedderError: key, refused, rateLimited, providerDown, unreachable, deadline, badAnswer, closed,
        runtimeMissing. With urgency `asked` a provider that failed just now is not asked: its last failure is raised.
        """
        end_s = self.now_s() + deadline_s
        content = msgspec.json.encode(body)
        attempts = MAX_ATTEMPTS if urgency == "background" else 1
        for attempt in range(attempts):
            self._check(end_s, urgency)
            try:
                found = self._decoded(self._once(path, content, end_s, urgency), reply)
            except EmbedderError as error:
                self._note(error, deadline_s)
                spread = 0.5 + random.random()  # noqa: S311 - so that many clients do not come back together
                pause_s = max(error.retry_after_s or 0.0, FIRST_BACKOFF_S * 2**attempt * spread)
                last = attempt == attempts - 1 or self.now_s() + pause_s >= end_s
                if last or error.reason not in ("rateLimited", "providerDown", "unreachable"):
                    raise
            else:
                self._down = None
                return found
            self._pause(pause_s)
        raise AssertionError("the last attempt returns or raises")

    def close(self) -> None:
        """Give the connections back; a pause between attempts ends at once."""
        self._closed.set()
        with self._lock:
            posts, self._posts = self._posts, None
        if posts is not None:
            posts.close()

    def _wait(self, seconds: float) -> None:
        self._closed.wait(seconds)

    def _check(self, end_s: float, urgency: Urgency) -> None:
        now_s = self.now_s()
        if self._closed.is_set():
            raise EmbedderError("closed", f"the connection to {self.provider} was closed")
        if now_s >= end_s:
            raise self._late()
        if self._not_before_s > now_s:
            if urgency == "asked" or self._not_before_s >= end_s:
                left_s = self._not_before_s - now_s
                raise EmbedderError(
                    "rateLimited", f"{self.provider} asked for a pause of {left_s:.0f} s more", retry_after_s=left_s
                )
            self._pause(self._not_before_s - now_s)
        down = self._down
        if urgency == "asked" and down is not None and self._down_until_s > now_s:
            raise down.again()

    def _note(self, error: EmbedderError, granted_s: float) -> None:
        """Remember that asking again soon is of no use, if that is what the error says."""
        is_down = error.lasting or error.reason in ("rateLimited", "providerDown", "unreachable")
        if is_down or (error.reason == "deadline" and granted_s >= FAIR_S):
            self._down, self._down_until_s = error, self.now_s() + COOL_DOWN_S

    def _once(self, path: str, body: bytes, end_s: float, urgency: Urgency) -> bytes:
        posts = self._open()
        left_s = max(end_s - self.now_s(), 0.001)
        connect_s = ASKED_CONNECT_S if urgency == "asked" else SILENCE_S
        try:
            answer = posts.post(self._url + path, body, within_s=left_s, connect_s=connect_s)
        except PostError as error:
            raise self._unanswered(error) from error
        if not 200 <= answer.status < 300:
            raise self._failure(answer)
        return answer.content

    def _unanswered(self, error: PostError) -> EmbedderError:
        match error.what:
            case "late":
                return self._late()
            case "closed":
                return EmbedderError("closed", f"the connection to {self.provider} was closed")
            case "tooLarge":
                return EmbedderError("badAnswer", f"{self.provider} sent more than {MAX_ANSWER_BYTES} bytes")
            case "silent":
                return EmbedderError("unreachable", f"{self.provider} was {error}")
            case _:
                return EmbedderError("unreachable", f"{self.provider} cannot be reached: {error}")

    def _late(self) -> EmbedderError:
        return EmbedderError("deadline", f"{self.provider} did not answer in time")

    def _open(self) -> Posts:
        """The client, made when first needed. Raises EmbedderError: runtimeMissing, closed."""
        with self._lock:
            if self._closed.is_set():
                raise EmbedderError("closed", f"the connection to {self.provider} was closed")
            if self._posts is None:
                headers = {"Content-Type": "application/json", "Accept": "application/json"}
                if self._key:
                    headers["Authorization"] = f"Bearer {self._key}"
                try:
                    # A proxy from the environment is for the world outside, not for a server on this machine.
                    self._posts = Posts(headers, by_environment=not self._on_loopback, most_bytes=MAX_ANSWER_BYTES)
                except ImportError as error:
                    raise EmbedderError(
                        "runtimeMissing", f"{self.provider} needs the package httpx", "pip install 'memofs[providers]'"
                    ) from error
            return self._posts

    def _failure(self, answer: Answered) -> EmbedderError:
        status = answer.status
        if status in (401, 403):
            return EmbedderError(
                "key", f"{self.provider} refused the key ({status})", "Check the key's value and rights."
            )
        detail = self._detail(answer.content)
        if status == 404:
            hint = "Check the model's name and the endpoint in the settings."
            return EmbedderError("settings", f"{self.provider} knows no such model or address (404){detail}", hint)
        if status not in RETRIED:
            return EmbedderError("refused", f"{self.provider} refused the request ({status}){detail}")
        after_s = _retry_after_s(answer.headers)
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
