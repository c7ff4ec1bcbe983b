"""Editors at work on one daemon: keystrokes until the warning, large files, many edits and many clients, long days."""

import random
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from bench.daemon_user import LanguageClient, User, processor_s, resident_mb, row, timed

__all__ = ["hours", "large", "load", "typing"]

PATH = "src/jobs.py"
FUNCTIONS = 200
QUIET_MS = 100
"""How long the daemon waits for the next keystroke before it judges."""
EDITS_A_SECOND = 200
CLIENTS = 20


def typing(user: User) -> None:
    """From the edit to the published warning, in a file of 2,000 lines with 200 anchors."""
    _anchored(user, FUNCTIONS)
    client = LanguageClient(user)
    client.open(PATH)
    client.wait(_published(client, 1))
    pid = user.notice()["pid"]
    spent_s = processor_s(pid)
    row("edit to warning beyond the 100 ms of quiet, 200 anchors", _warnings(client, 40), "50")
    spent_ms = (processor_s(pid) - spent_s) * 1000 / 40
    print(f"{'  processor time of the daemon for each, whatever else runs':<62}{spent_ms:>9.1f}")
    ending = threading.Event()
    asking = threading.Thread(target=_ask_on, args=(user, ending))
    asking.start()
    row("  while recalls run in a loop", _warnings(client, 40), "50")
    ending.set()
    asking.join()
    client.leave()


def large(user: User) -> None:
    """What an edit of 1 MB with 500 anchors costs the daemon: how much later the next answer comes."""
    _anchored(user, 500, filler=52)
    size = (user.root / PATH).stat().st_size
    client = LanguageClient(user)
    client.open(PATH)
    client.wait(_published(client, 1))
    quick = {"textDocument": {"uri": client.uri(PATH)}}

    def alone() -> None:
        client.ask("textDocument/foldingRange", quick)

    def with_edit() -> None:
        client.replace(PATH, _line(3, 2, filler=52), 4, 4, "x")
        client.ask("textDocument/foldingRange", quick)

    for work in (alone, with_edit):
        for _ in range(10):
            work()
    bare, edited = _spaced(alone, 100), _spaced(with_edit, 100)
    base = sorted(bare)[len(bare) // 2]
    row(f"an edit of {size / 1e6:.1f} MB with 500 anchors, handled", [max(0.0, each - base) for each in edited], "5")
    client.leave()


def load(user: User) -> None:
    """200 edits a second of one client, then 20 clients: what is lost, and what it leaves behind."""
    _anchored(user, 20)
    client = LanguageClient(user)
    client.open(PATH)
    client.wait(_published(client, 1))
    pid = user.notice()["pid"]
    _type(client, 2)
    before_mb = resident_mb(pid)
    seconds = 20.0
    took_s = _type(client, seconds)
    print(f"{f'one client, {EDITS_A_SECOND * seconds:,.0f} edits at 200 a second: took, s':<62}{took_s:>9.1f}")
    print(f"{'  the text of daemon and client':<62}{_agree([client]):>9}")
    print(f"{'  resident memory grew, MB':<62}{resident_mb(pid) - before_mb:>9.1f}{'':>9}   0")
    client.leave()
    clients = [LanguageClient(user) for _ in range(CLIENTS)]
    for each in clients:
        each.open(PATH)
        each.wait(_published(each, 1))
    _type_together(clients, 4)
    before_mb = resident_mb(pid)
    _type_together(clients, 10)
    print(f"{f'{CLIENTS} clients, 10 edits a second each, 10 s: texts':<62}{_agree(clients):>9}")
    print(f"{'  resident memory grew, MB':<62}{resident_mb(pid) - before_mb:>9.1f}{'':>9}   0")
    for each in clients:
        each.leave()


def hours(user: User, count: float) -> None:
    """So many hours of somebody who edits every two seconds, opens, saves and asks, as fast as it goes."""
    _anchored(user, FUNCTIONS)
    client = LanguageClient(user)
    pid = user.notice()["pid"]
    drawn = random.Random(1)
    edits = int(count * 3600 / 2)
    _day(client, drawn, max(200, edits // 20))
    before_mb = resident_mb(pid)
    started_s = time.perf_counter()
    _day(client, drawn, edits)
    took_s = time.perf_counter() - started_s
    grown_mb = resident_mb(pid) - before_mb
    print(
        f"{f'{count:g} hours of editing ({edits:,} edits) in {took_s:.0f} s: grew, MB':<62}{grown_mb:>9.1f}{'':>9}   10"
    )
    client.leave()


def _day(client: LanguageClient, drawn: random.Random, edits: int) -> None:
    """Open, type, save, ask, close; what is typed is taken back in the end."""
    original = (client.user.root / PATH).read_text(encoding="utf-8")
    done = 0
    while done < edits:
        client.open(PATH)
        for _ in range(60):
            index = drawn.randrange(FUNCTIONS)
            client.replace(PATH, _line(index, 2), 4, 4, drawn.choice(["x = 1; ", "", "y"]))
            done += 1
        client.ask("memofs/anchors", {"textDocument": {"uri": client.uri(PATH)}})
        client.ask("memofs/recall", {"query": f"job {drawn.randrange(FUNCTIONS)} retries"})
        client.ask("textDocument/codeLens", {"textDocument": {"uri": client.uri(PATH)}})
        if drawn.random() < 0.3:
            (client.user.root / PATH).write_text(client.text(PATH), encoding="utf-8")
            client.notify("textDocument/didSave", {"textDocument": {"uri": client.uri(PATH)}})
            client.ask("memofs/recall", {"query": "job"})
            (client.user.root / PATH).write_text(original, encoding="utf-8")
        client.close(PATH)
        client.forget()


def _warnings(client: LanguageClient, rounds: int) -> list[float]:
    """Milliseconds beyond the quiet time, each edit turning one function into another or back."""
    found: list[float] = []
    for number in range(rounds):
        index = 7 * (number // 2) % FUNCTIONS
        since = len(client.arrived)
        if number % 2 == 0:
            version = client.replace(PATH, _line(index, 2), 4, 4, "changed = 1; ")
        else:
            version = client.replace(PATH, _line(index, 2), 4, 17, "")
        sent_s = time.perf_counter()
        arrived_s, _ = client.wait(_published(client, version), since=since)
        found.append((arrived_s - sent_s) * 1000 - QUIET_MS)
    return found


def _published(client: LanguageClient, version: int) -> Callable[[dict[str, Any]], bool]:
    uri = client.uri(PATH)

    def holds(message: dict[str, Any]) -> bool:
        if message.get("method") != "textDocument/publishDiagnostics":
            return False
        params = message["params"]
        return (params["uri"], params.get("version")) == (uri, version)

    return holds


def _ask_on(user: User, ending: threading.Event) -> None:
    connection = user.connection()
    number = 0
    while not ending.is_set():
        number += 1
        connection.ask("memofs/recall", {"query": f"job {number % FUNCTIONS} retries twice"})
    connection.close()


def _type(client: LanguageClient, seconds: float, rate: int = EDITS_A_SECOND) -> float:
    """Type at a steady rate; how long it took until the daemon had it all."""
    started_s = time.perf_counter()
    for number in range(int(seconds * rate)):
        line = _line(number % 20, 2)
        place = len(client.texts[PATH][line])
        if number % 40 < 20:
            client.replace(PATH, line, place, place, "é")
        else:
            client.replace(PATH, line, place - 1, place, "")
        left_s = started_s + (number + 1) / rate - time.perf_counter()
        if left_s > 0:
            time.sleep(left_s)
    client.ask("textDocument/foldingRange", {"textDocument": {"uri": client.uri(PATH)}})
    return time.perf_counter() - started_s


def _type_together(clients: Sequence[LanguageClient], seconds: float) -> None:
    threads = [threading.Thread(target=_type, args=(each, seconds, 10)) for each in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _agree(clients: Sequence[LanguageClient]) -> str:
    """Whether the daemon has each client's text: what a whole-file anchor's comparison shows of it."""
    memory = clients[0].ask("memofs/recall", {"query": "the whole file of jobs"})["hits"][0]["id"]
    for client in clients:
        told = client.ask("memofs/changes", {"id": memory, "anchorIndex": 0})["after"]
        if told.rstrip("\n") != client.text(PATH).rstrip("\n"):
            return "DIFFER"
    return "agree"


def _spaced(work: Callable[[], None], rounds: int) -> list[float]:
    """Times of `work`, one after the other with a pause, so that nothing else runs meanwhile."""
    found: list[float] = []
    for _ in range(rounds):
        time.sleep(0.02)
        found.append(timed(work))
    return found


def _anchored(user: User, functions: int, *, filler: int = 0) -> None:
    """A code file of functions of ten lines each, and more for bulk; a memory about each, and one about all of it."""
    parts: list[str] = []
    for number in range(functions):
        body = "".join(f"    total_{number} = total_{number} * {step} + {number}\n" for step in range(4 + filler))
        parts.append(
            f"def job_{number}(queue, attempts):\n"
            f"    total_{number} = len(queue) + {number}\n"
            f"    limit_{number} = attempts * {number + 2}\n"
            f"{body}"
            f"    return total_{number} - limit_{number}\n\n\n"
        )
    (user.root / PATH).parent.mkdir(parents=True, exist_ok=True)
    (user.root / PATH).write_text("".join(parts), encoding="utf-8")
    connection = user.connection()
    for number in range(functions):
        anchor = {"path": PATH, "range": _region(number, 8 + filler, filler)}
        body = f"Job {number} retries {number + 2} times\n\nQueue {number} was measured to need it."
        answer = connection.ask(
            "memofs/remember", {"body": body, "kind": "decision", "anchors": [anchor], "allowDuplicate": True}
        )
        assert "result" in answer, answer
    connection.ask("memofs/remember", {"body": "The whole file of jobs is generated once", "anchors": [{"path": PATH}]})
    connection.close()


def _region(function: int, lines: int, filler: int) -> dict[str, object]:
    """A function without the blank lines behind it."""
    first = _line(function, 0, filler=filler)
    return {"start": {"line": first, "character": 0}, "end": {"line": first + lines, "character": 0}}


def _line(function: int, line: int, *, filler: int = 0) -> int:
    """The number of a line of a function."""
    return function * (10 + filler) + line
