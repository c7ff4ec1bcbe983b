"""The connection itself, spoken to by a raw client: whatever comes in, an answer goes out."""

import socket
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import cast

import msgspec
import pytest

from e2e.raw_client import Raw
from memofs.engine.view import View
from memofs.server.call import Call
from memofs.server.methods import READS, Read, browse
from memofs.wire.framing import frame
from memofs.wire.read import StatusResult
from memofs.wire.values import Empty


@pytest.fixture
def raw(tmp_path: Path) -> Iterator[Raw]:
    client = Raw(tmp_path)
    yield client
    client.close()


@pytest.fixture
def ready(raw: Raw) -> Raw:
    raw.hello()
    raw.ask("memofs/init")
    return raw


def test_nothing_before_hello(raw: Raw) -> None:
    answer = raw.ask("memofs/status")
    assert answer["error"]["code"] == -32602
    assert "memofs/hello" in answer["error"]["message"]


def test_hello_of_another_major_version(raw: Raw) -> None:
    answer = raw.hello(wireVersion="2.0")
    assert answer["error"]["data"]["code"] == "wireVersion"
    assert answer["error"]["data"]["hint"]


def test_hello_says_who_answers(raw: Raw, tmp_path: Path) -> None:
    result = raw.hello(positionEncoding="utf-8")["result"]
    assert result["root"] == str(tmp_path)
    assert result["initialized"] is False
    assert result["capabilities"]["positionEncoding"] == "utf-8"


@pytest.mark.parametrize("body", [b"{not json", b"\xff\xfe", b"[]", b'"text"', b'{"id": {}, "method": "memofs/idle"}'])
def test_what_is_no_message_gets_an_error_and_the_next_one_an_answer(ready: Raw, body: bytes) -> None:
    ready.socket.sendall(frame(body))
    assert ready.receive()["error"]["code"] == -32700
    assert "result" in ready.ask("memofs/idle")


def test_unknown_method(ready: Raw) -> None:
    assert ready.ask("memofs/nothing")["error"]["code"] == -32601


@pytest.mark.parametrize(
    ("method", "params", "says"),
    [
        ("memofs/recall", {}, "query"),
        ("memofs/recall", {"query": 5}, "query"),
        ("memofs/recall", {"query": "x", "limit": 0}, "limit"),
        ("memofs/recall", {"query": "x", "limitt": 3}, "limitt"),
        ("memofs/recall", {"query": "x", "taskType": "cooking"}, "taskType"),
        ("memofs/remember", {"body": "x", "confidence": 2}, "confidence"),
        ("memofs/recall", [], "object"),
    ],
)
def test_bad_params_get_an_error_that_names_the_field(ready: Raw, method: str, params: object, says: str) -> None:
    error = ready.ask(method, params)["error"]
    assert error["code"] == -32602
    assert says in error["message"]
    assert error["data"]["family"] == "InvalidRequest"


@pytest.mark.parametrize("root", ["\udcff", MappingProxyType[str, str]({})])
def test_an_answer_that_cannot_be_written_is_an_error_and_no_silence(
    ready: Raw, monkeypatch: pytest.MonkeyPatch, root: object
) -> None:
    def status(view: View, params: Empty, call: Call) -> StatusResult:
        return msgspec.structs.replace(browse.status(view, params, call), root=root)

    monkeypatch.setitem(cast("dict[str, Read]", READS), "memofs/status", status)
    assert ready.ask("memofs/status")["error"]["code"] == -32603
    assert "result" in ready.ask("memofs/idle")


def test_params_may_be_left_out(ready: Raw) -> None:
    ready.send({"jsonrpc": "2.0", "id": 3, "method": "memofs/idle"})
    assert ready.receive()["result"]["embedder"]["pending"] == 0


def test_an_unknown_notification_is_passed_over(ready: Raw) -> None:
    ready.send({"jsonrpc": "2.0", "method": "window/whatever", "params": {}})
    assert "result" in ready.ask("memofs/idle")


def test_a_stream_that_cannot_be_trusted_is_closed(ready: Raw) -> None:
    ready.socket.sendall(b"Content-Length: nonsense\r\n\r\n")
    with pytest.raises((EOFError, ConnectionError)):
        ready.receive()


def test_answers_carry_their_ids_in_any_order(ready: Raw) -> None:
    for number in range(20):
        ready.send({"jsonrpc": "2.0", "id": number, "method": "memofs/recall", "params": {"query": f"word {number}"}})
    assert sorted(ready.receive()["id"] for _ in range(20)) == list(range(20))


def test_writes_run_in_the_order_of_arrival(ready: Raw) -> None:
    for number in range(10):
        params = {"body": f"Fact number {number} about port {8000 + number}", "title": f"Fact {number}"}
        ready.send({"jsonrpc": "2.0", "id": number, "method": "memofs/remember", "params": params})
    written = [ready.receive()["result"]["memory"] for _ in range(10)]
    assert [memory["title"] for memory in written] == [f"Fact {number}" for number in range(10)]
    assert [memory["id"] for memory in written] == sorted(memory["id"] for memory in written)


def test_a_cancelled_import_writes_nothing(ready: Raw, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(400):
        (folder / f"{number}.md").write_text(f"# Note {number}\n\nAbout port {number}.\n")
    params = {"what": "markdown", "path": "docs", "workDoneToken": "t"}
    ready.send({"jsonrpc": "2.0", "id": "import", "method": "memofs/import", "params": params})
    assert ready.receive()["method"] == "$/progress"
    ready.send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "import"}})
    while "method" in (answer := ready.receive()):
        pass
    memories = list((tmp_path / ".memofs" / "memory").glob("note-*.md"))
    if "error" in answer:
        assert answer["error"]["code"] == -32800
        assert memories == []
    else:  # it was done before the cancel came: all or nothing
        assert len(memories) == 400


def test_marks_are_in_the_units_asked_for(tmp_path: Path) -> None:
    expected = {"utf-8": (5, 10), "utf-16": (3, 8), "utf-32": (2, 7)}
    for encoding, (first, last) in expected.items():
        client = Raw(tmp_path)
        client.hello(positionEncoding=encoding)
        client.ask("memofs/init")
        client.ask("memofs/remember", {"body": "Why the cache is there.", "title": "🙂 cache"})
        hit = client.ask("memofs/recall", {"query": "cache"})["result"]["hits"][0]
        assert hit["matches"]["title"] == [[first, last]]
        client.close()


def test_a_client_that_leaves_in_the_middle_leaves_a_whole_store(ready: Raw, tmp_path: Path) -> None:
    for number in range(30):
        params = {"body": f"Fact number {number} about port {8000 + number}"}
        ready.send({"jsonrpc": "2.0", "id": number, "method": "memofs/remember", "params": params})
    ready.socket.shutdown(socket.SHUT_RDWR)
    ready.wait()
    client = Raw(tmp_path)
    client.hello()
    report = client.ask("memofs/doctor")["result"]
    assert [each for each in report["findings"] if each["severity"] == "error"] == []
    client.close()


def test_by_path_reaches_what_the_request_is_about(ready: Raw, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    for name, status in (("kept", "active"), ("gone", "retired")):
        (tmp_path / ".memofs" / "memory" / f"{name}.md").write_text(
            f"---\nid: mem_{name}00\ntitle: {name}\nstatus: {status}\nanchors:\n  - path: src/db.py\n---\nText.\n"
        )

    def changed(method: str) -> list[str]:
        return [each["id"] for each in ready.ask(method, {"paths": ["src"]})["result"]["memories"]]

    assert changed("memofs/verify") == ["mem_kept00"], "what is retired is not confirmed in passing"
    assert changed("memofs/restore") == ["mem_gone00"]
    assert sorted(changed("memofs/retire")) == ["mem_gone00", "mem_kept00"]
