"""One endpoint over real HTTP: what is retried and how long, what is not, and what a message never says."""

import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import msgspec
import pytest

from memofs.embed.endpoint import COOL_DOWN_S, MAX_ATTEMPTS, Endpoint, Urgency, key_from
from memofs.embed.protocol import EmbedderError
from unit.embed.http_server import Answer, Asked, dripping, serving

KEY = "sk-secret-0123456789"
DEADLINE_S = 30.0


class Reply(msgspec.Struct):
    numbers: list[float | None]


class Pauses:
    """Pauses that are noted down and pass at once, on a clock that goes forward by them."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.seconds: list[float] = []

    def clock(self) -> float:
        return self.now_s

    def pause(self, seconds: float) -> None:
        self.seconds.append(seconds)
        self.now_s += seconds


def endpoint_of(url: str, pauses: Pauses) -> Endpoint:
    return Endpoint("Example", url, key=KEY, clock=pauses.clock, pause=pauses.pause)


def failure_of(endpoint: Endpoint, deadline_s: float = DEADLINE_S) -> EmbedderError:
    with pytest.raises(EmbedderError) as caught:
        endpoint.post("/x", {"a": 1}, Reply, deadline_s=deadline_s)
    endpoint.close()
    return caught.value


def run(given: list[Answer], deadline_s: float = DEADLINE_S) -> tuple[object, Pauses, list[Asked]]:
    """The reply or the error, the pauses, and the requests, when the server answers so one after the other."""
    pauses, left = Pauses(), list(given)
    with serving(lambda _: left.pop(0)) as server:
        endpoint = endpoint_of(server.url, pauses)
        try:
            result: object = endpoint.post("/x", {"a": 1}, Reply, deadline_s=deadline_s)
        except EmbedderError as error:
            result = error
        finally:
            endpoint.close()
        return result, pauses, server.asked


OK = Answer({"numbers": [1.5, None], "more": "is ignored"})


def test_json_goes_out_with_the_key_and_comes_back_typed() -> None:
    result, pauses, asked = run([OK])
    assert result == Reply(numbers=[1.5, None])
    assert pauses.seconds == []
    assert (asked[0].path, asked[0].body) == ("/x", {"a": 1})
    assert asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert asked[0].headers["content-type"] == "application/json"


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_what_passes_is_tried_again_with_growing_pauses(status: int) -> None:
    result, pauses, asked = run([Answer({}, status), Answer({}, status), OK])
    assert isinstance(result, Reply)
    assert len(asked) == 3
    first, second = pauses.seconds
    assert 0.25 <= first <= 0.75
    assert 0.5 <= second <= 1.5


def test_it_gives_up_after_some_attempts() -> None:
    result, pauses, asked = run([Answer({"error": {"message": "overloaded"}}, 503)] * MAX_ATTEMPTS)
    assert isinstance(result, EmbedderError)
    assert (result.reason, result.lasting) == ("providerDown", False)
    assert "overloaded" in result.message
    assert len(asked) == MAX_ATTEMPTS
    assert len(pauses.seconds) == MAX_ATTEMPTS - 1


def test_the_pause_a_provider_asks_for_is_kept() -> None:
    result, pauses, _ = run([Answer({}, 429, {"retry-after": "7"}), OK])
    assert isinstance(result, Reply)
    assert pauses.seconds == [pytest.approx(7)]


def test_the_pause_may_be_a_date() -> None:
    until = format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)
    result, pauses, _ = run([Answer({}, 503, {"retry-after": until}), OK])
    assert isinstance(result, Reply)
    assert 15 < pauses.seconds[0] <= 20


@pytest.mark.parametrize("nonsense", ["soon", "-3", "nan"])
def test_a_pause_that_is_none_is_not_waited_for(nonsense: str) -> None:
    result, pauses, _ = run([Answer({}, 429, {"retry-after": nonsense}), OK])
    assert isinstance(result, Reply)
    assert pauses.seconds[0] < 1


def test_no_provider_can_ask_for_silence_for_ever() -> None:
    result, _, _ = run([Answer({}, 429, {"retry-after": "inf"})])
    assert isinstance(result, EmbedderError)
    assert result.retry_after_s == 3600


def test_a_pause_beyond_the_deadline_ends_it_at_once_and_holds_for_later_calls() -> None:
    pauses, given = Pauses(), [Answer({}, 429, {"retry-after": "60"}), OK]
    with serving(lambda _: given.pop(0)) as server:
        endpoint = endpoint_of(server.url, pauses)
        for now_s in (0, 0, 30):
            pauses.now_s = now_s
            with pytest.raises(EmbedderError) as caught:
                endpoint.post("/x", {}, Reply, deadline_s=5)
            assert caught.value.reason == "rateLimited"
            assert caught.value.retry_after_s == pytest.approx(60 - now_s)
        assert len(server.asked) == 1, "nobody was asked during the pause"
        assert isinstance(endpoint.post("/x", {}, Reply, deadline_s=DEADLINE_S + 5), Reply)
        endpoint.close()


@pytest.mark.parametrize(
    ("status", "reason"), [(400, "refused"), (404, "settings"), (413, "refused"), (422, "refused")]
)
def test_what_will_not_pass_is_not_tried_again(status: int, reason: str) -> None:
    result, _, asked = run([Answer({"detail": "no such model"}, status)])
    assert isinstance(result, EmbedderError)
    assert (result.reason, result.lasting, len(asked)) == (reason, status == 404, 1)
    assert "no such model" in result.message


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_named_without_the_key(status: int) -> None:
    result, _, _ = run([Answer({"error": {"message": f"Incorrect API key provided: {KEY}"}}, status)])
    assert isinstance(result, EmbedderError)
    assert result.reason == "key"
    assert KEY not in result.message


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": f"bad {KEY}\nrequest"}},
        {"errors": [{"code": 7, "message": f"bad {KEY} request"}]},
        {"message": f"bad {KEY} request"},
        {"detail": [{"loc": ["body"], "msg": f"bad {KEY} request", "input": "private text"}]},
        {"error": f"bad {KEY} request"},
    ],
)
def test_a_providers_words_are_passed_on_without_key_and_text(body: Mapping[str, object]) -> None:
    result, _, _ = run([Answer(body, 400)])
    assert isinstance(result, EmbedderError)
    assert result.message.endswith(": bad … request")


@pytest.mark.parametrize("body", [b"<html>gateway</html>", b"", b"\xff", [], {"error": None}])
def test_a_failure_without_words_is_still_named(body: object) -> None:
    result, _, _ = run([Answer(body, 400)])
    assert isinstance(result, EmbedderError)
    assert result.message == "Example refused the request (400)"


@pytest.mark.parametrize("body", [b"<html>", b"", b'{"numbers": "none"}', b'{"numbers": ["a"]}', b"[]", b'{"numb'])
def test_an_answer_of_another_form_is_no_answer(body: bytes) -> None:
    result, _, asked = run([Answer(body)])
    assert isinstance(result, EmbedderError)
    assert (result.reason, result.lasting, len(asked)) == ("badAnswer", False, 1)


def test_a_redirect_is_not_followed() -> None:
    result, _, asked = run([Answer(b"", 307, {"location": "/elsewhere"})])
    assert isinstance(result, EmbedderError)
    assert (result.reason, len(asked)) == ("refused", 1)


def test_a_server_that_does_not_answer_costs_the_deadline() -> None:
    release = threading.Event()
    with serving(lambda _: Answer(OK.body, hold=release)) as server:
        endpoint = Endpoint("Example", server.url, key=None)
        assert failure_of(endpoint, deadline_s=0.2).reason == "deadline"
        release.set()


HEADERS = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    ("begin", "drop"),
    [
        (b"", b""),
        (b"", b"H"),
        (HEADERS + b"X-Long: ", b"x"),
        (HEADERS, b"X-Many: 1\r\n"),
        (HEADERS + b"Content-Length: 1000000\r\n\r\n", b" "),
        (HEADERS + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
        (b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    ],
    ids=["silence", "status", "header", "headers", "body", "chunks", "hints"],
)
@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("urgency", ["asked", "background"])
def test_a_server_that_answers_in_drops_costs_the_deadline(
    begin: bytes, drop: bytes, scheme: str, urgency: Urgency
) -> None:
    with dripping(begin, drop) as url:
        endpoint = Endpoint("Example", url.replace("http", scheme, 1), key=None)
        started_s = time.monotonic()
        with pytest.raises(EmbedderError) as caught:
            endpoint.post("/x", {"a": 1}, Reply, deadline_s=0.2, urgency=urgency)
        took_s = time.monotonic() - started_s
        endpoint.close()
    assert caught.value.reason in ("deadline", "unreachable"), "no TLS is spoken there, which may be seen at once"
    assert took_s < 10, "the drops go on for ever"


def test_closing_ends_a_request_under_way() -> None:
    with dripping(HEADERS, b"X-Many: 1\r\n") as url:
        endpoint = Endpoint("Example", url, key=None)
        caught: list[EmbedderError] = []

        def work() -> None:
            with pytest.raises(EmbedderError) as raised:
                endpoint.post("/x", {}, Reply, deadline_s=DEADLINE_S)
            caught.append(raised.value)

        thread = threading.Thread(target=work)
        thread.start()
        endpoint.close()
        thread.join(20)
        assert [error.reason for error in caught] == ["closed"]


def test_nobody_there_is_tried_again_then_named() -> None:
    with serving(lambda _: OK) as server:
        url = server.url
    pauses = Pauses()
    assert failure_of(endpoint_of(url, pauses)).reason == "unreachable"
    assert len(pauses.seconds) == MAX_ATTEMPTS - 1


def asked(endpoint: Endpoint, deadline_s: float = DEADLINE_S) -> Reply | EmbedderError:
    """What somebody who waits gets."""
    try:
        return endpoint.post("/x", {}, Reply, deadline_s=deadline_s, urgency="asked")
    except EmbedderError as error:
        return error


@pytest.mark.parametrize("status", [401, 404, 408, 425, 429, 500, 502, 503, 504])
def test_who_waits_makes_one_try_and_then_none_for_a_while(status: int) -> None:
    pauses, given = Pauses(), [Answer({}, status), OK]
    with serving(lambda _: given.pop(0)) as server:
        endpoint = endpoint_of(server.url, pauses)
        first, second = asked(endpoint), asked(endpoint)
        pauses.now_s = COOL_DOWN_S + 1
        third, tries = asked(endpoint), len(server.asked)
        endpoint.close()
    assert isinstance(first, EmbedderError)
    assert isinstance(second, EmbedderError)
    assert (second.reason, first.repeated, second.repeated) == (first.reason, False, True)
    assert (third, tries, pauses.seconds) == (Reply(numbers=[1.5, None]), 2, [])


def test_who_waits_does_not_wait_for_a_pause_that_the_provider_asked_for() -> None:
    pauses, given = Pauses(), [Answer({}, 429, {"retry-after": "2"}), OK]
    with serving(lambda _: given.pop(0)) as server:
        endpoint = endpoint_of(server.url, pauses)
        reasons = [error.reason for error in (asked(endpoint), asked(endpoint)) if isinstance(error, EmbedderError)]
        endpoint.close()
        assert (reasons, len(server.asked), pauses.seconds) == (["rateLimited", "rateLimited"], 1, [])


def test_a_success_in_the_background_ends_the_wait_for_who_asks() -> None:
    pauses, given = Pauses(), [Answer({}, 503), OK, OK]
    with serving(lambda _: given.pop(0)) as server:
        endpoint = endpoint_of(server.url, pauses)
        assert isinstance(asked(endpoint), EmbedderError)
        endpoint.post("/x", {}, Reply, deadline_s=DEADLINE_S)
        assert isinstance(asked(endpoint), Reply)
        endpoint.close()


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_text_that_is_refused_says_nothing_of_the_next(status: int) -> None:
    pauses, given = Pauses(), [Answer({}, status), OK]
    with serving(lambda _: given.pop(0)) as server:
        endpoint = endpoint_of(server.url, pauses)
        assert isinstance(asked(endpoint), EmbedderError)
        assert isinstance(asked(endpoint), Reply)
        endpoint.close()


def test_who_gives_no_time_learns_nothing() -> None:
    release = threading.Event()
    pauses, given = Pauses(), [Answer(OK.body, hold=release), OK]
    with serving(lambda _: given.pop(0)) as server:
        endpoint = endpoint_of(server.url, pauses)
        hasty = asked(endpoint, deadline_s=0.05)
        release.set()
        assert isinstance(hasty, EmbedderError)
        assert hasty.reason == "deadline"
        assert isinstance(asked(endpoint), Reply)
        endpoint.close()


def test_closing_ends_a_pause() -> None:
    answered = threading.Event()

    def answer(_: Asked) -> Answer:
        answered.set()
        return Answer({}, 429, {"retry-after": "25"})

    with serving(answer) as server:
        endpoint = Endpoint("Example", server.url, key=None)
        caught: list[EmbedderError] = []

        def work() -> None:
            with pytest.raises(EmbedderError) as raised:
                endpoint.post("/x", {}, Reply, deadline_s=DEADLINE_S)
            caught.append(raised.value)

        thread = threading.Thread(target=work)
        thread.start()
        assert answered.wait(20)
        endpoint.close()
        thread.join(20)
        assert [error.reason for error in caught] == ["closed"]


@pytest.mark.parametrize("url", ["", "example.com", "ftp://example.com", "http://", "file:///etc/passwd"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(EmbedderError) as caught:
        Endpoint("Example", url, key=None)
    assert caught.value.reason == "settings"


def test_a_key_is_not_sent_in_the_clear_to_another_machine() -> None:
    with pytest.raises(EmbedderError, match="not sent over plain HTTP"):
        Endpoint("Example", "http://example.com/v1", key=KEY)
    Endpoint("Example", "http://example.com/v1", key=None).close()
    Endpoint("Example", "http://localhost:11434/v1", key=KEY).close()


def test_a_proxy_for_the_world_is_not_asked_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    result, _, _ = run([OK])
    assert isinstance(result, Reply)


def test_the_first_key_that_is_set_is_taken() -> None:
    names = ("ONE_KEY", "OTHER_KEY")
    assert key_from("Example", names, {"ONE_KEY": " a ", "OTHER_KEY": "b"}) == "a"
    assert key_from("Example", names, {"ONE_KEY": " ", "OTHER_KEY": "b"}) == "b"
    with pytest.raises(EmbedderError, match="ONE_KEY or OTHER_KEY") as caught:
        key_from("Example", names, {})
    assert (caught.value.reason, caught.value.lasting) == ("key", True)
