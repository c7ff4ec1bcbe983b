"""What the record of agents' sessions adds up to: whose call it was, what was asked, what was written."""

import json
import os
import stat
from pathlib import Path

from memofs.agents.sessions import MOST_BYTES, Event, ancestors, now, read, record, sessions

MINUTES = [f"2026-12-01T10:{minute:02}:00.000Z" for minute in range(60)]
TERMINAL, AGENT, OTHER, SHELL, SERVER = 100, 200, 300, 400, 500


def start(minute: int, session: str, agent_pid: int = AGENT, *, what: str = "start", tree: str = "t") -> Event:
    under = (SHELL, agent_pid, TERMINAL)
    made = Event(at=MINUTES[minute], what="start", agent="claude", session=session, under=under, tree=tree)
    return made if what == "start" else Event(at=MINUTES[minute], what="remind", agent="claude", session=session)


def serve(minute: int, pid: int = SERVER, agent_pid: int = AGENT, *between: int) -> Event:
    return Event(at=MINUTES[minute], what="serve", pid=pid, under=(*between, agent_pid, TERMINAL))


def call(minute: int, tool: str, pid: int = SERVER, *wrote: str, ok: bool = True) -> Event:
    return Event(at=MINUTES[minute], what="call", agent="claude-code", pid=pid, tool=tool, wrote=wrote, ok=ok)


def test_a_call_belongs_to_the_session_of_the_agent_that_started_the_server() -> None:
    events = [
        start(0, "mine"),
        start(1, "other", OTHER),
        serve(2, SERVER),
        serve(2, 501, OTHER),
        call(3, "recall"),
        call(4, "remember", SERVER, "mem_1"),
        call(5, "context", 501),
        call(6, "remember", 501, ok=False),
    ]
    other, mine = sessions(events)
    assert (mine.session, mine.consulted, mine.wrote, mine.persisted) == ("mine", True, ("mem_1",), True)
    assert (other.session, other.consulted, other.persisted, other.failed) == ("other", True, False, 1)
    assert mine.calls == (("recall", 1), ("remember", 1))


def test_a_package_runner_may_stand_between() -> None:
    (found,) = sessions([start(0, "s"), serve(1, SERVER, AGENT, 450), call(2, "here")])
    assert (found.session, found.consulted) == ("s", True)


def test_of_sessions_of_one_process_the_latest_has_the_call() -> None:
    new, old = sessions([start(0, "old"), serve(1), call(2, "recall"), start(3, "new"), call(4, "stale")])
    assert (old.session, old.calls) == ("old", (("recall", 1),))
    assert (new.session, new.calls) == ("new", (("stale", 1),))


def test_a_server_that_no_hook_belongs_to_is_a_session_of_its_own() -> None:
    shared, hooked = sessions([start(0, "s"), serve(1, 900, 901), call(2, "recall", 900)])
    assert (shared.session, shared.consulted) == ("process 900", True)
    assert (hooked.session, hooked.consulted) == ("s", False)


def test_writing_without_asking_is_told_apart() -> None:
    (found,) = sessions([start(0, "s"), serve(1), call(2, "verify", SERVER, "mem_1"), start(3, "s", what="remind")])
    assert (found.consulted, found.persisted, found.reminded, found.briefed) == (False, True, True, 1)
    assert found.tree == "t"


def test_what_is_recorded_is_read_again_and_nonsense_is_passed_over(tmp_path: Path) -> None:
    record(tmp_path, start(0, "nowhere"))
    assert read(tmp_path) == ()
    assert list(tmp_path.iterdir()) == []
    (tmp_path / ".memofs").mkdir()
    record(tmp_path, start(0, "s"))
    path = tmp_path / ".memofs" / "logs" / "agents.jsonl"
    path.write_bytes(b"nonsense\n\xff\xfe\n{}\n[]\n" + path.read_bytes() + b'{"at": "x", "what": "dance"}\n{"cut')
    assert read(tmp_path) == (start(0, "s"),)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_record_keeps_its_size(tmp_path: Path) -> None:
    (tmp_path / ".memofs" / "logs").mkdir(parents=True)
    path = tmp_path / ".memofs" / "logs" / "agents.jsonl"
    path.write_bytes(b"x" * MOST_BYTES + b"\n")
    record(tmp_path, start(0, "before"))
    record(tmp_path, start(1, "after"))
    assert [event.session for event in read(tmp_path)] == ["before", "after"]
    assert path.stat().st_size < 1_000


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / ".memofs" / "logs").mkdir(parents=True)
    (tmp_path / "elsewhere").write_text("")
    (tmp_path / ".memofs" / "logs" / "agents.jsonl").symlink_to(tmp_path / "elsewhere")
    record(tmp_path, start(0, "s"))
    assert (tmp_path / "elsewhere").read_text() == ""


def test_what_is_above_a_process_begins_with_its_parent() -> None:
    assert ancestors(os.getpid())[0] == os.getppid()
    assert json.dumps(now()).endswith('Z"')
