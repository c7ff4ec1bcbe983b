"""One daemon, several clients: what happens to the code between two requests is in the second one's answer."""

import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from e2e.anchored import CODE, Anchored, insert_above
from e2e.daemon_program import Daemons, RawClient, daemons, is_running, until
from e2e.memofs_program import Workspace

STORE = "src/store.py"
ABOUT_OPEN = "Tenant databases stay open until the store is closed"


@pytest.fixture
def code(workspace: Workspace) -> Anchored:
    return Anchored(workspace)


@pytest.fixture
def opened(code: Anchored) -> str:
    return code.remember(ABOUT_OPEN, f"{STORE}#TenantStore.open")


@pytest.fixture
def user(code: Anchored, opened: str) -> Iterator[Daemons]:
    del opened  # there before the daemon
    with (
        tempfile.TemporaryDirectory(prefix="mf") as runtime,  # a short name: a socket's path is limited
        daemons(code.workspace, runtime=Path(runtime)) as found,
    ):
        yield found


def first_hit(client: RawClient) -> dict[str, Any]:
    return client.ask("memofs/recall", {"query": ABOUT_OPEN})["result"]["hits"][0]


def test_an_edit_between_two_questions(user: Daemons, code: Anchored) -> None:
    user.start()
    client = user.client()
    assert "stale" not in first_hit(client)["flags"]
    code.replace(STORE, "return self.opened[tenant]", "return self.opened.get(tenant)")
    hit = first_hit(client)
    assert "stale" in hit["flags"]
    assert hit["anchors"][0]["verdict"] == "changed"
    code.workspace.write(STORE, insert_above(CODE[STORE]))
    hit = first_hit(client)
    assert "stale" not in hit["flags"]
    assert (hit["anchors"][0]["verdict"], hit["anchors"][0]["range"]["start"]["line"]) == ("moved", 32)


def test_a_branch_switch_between_two_questions(user: Daemons, code: Anchored) -> None:
    code.repo.git("checkout", "-q", "-b", "topic")
    code.repo.git("mv", STORE, "src/tenants.py")
    code.repo.commit("renamed")
    user.start()
    client = user.client()
    for branch, path, verdict in (
        ("topic", "src/tenants.py", "moved"),
        ("main", STORE, "current"),
        ("topic", "src/tenants.py", "moved"),
    ):
        code.repo.git("checkout", "-q", branch)
        anchor = first_hit(client)["anchors"][0]
        assert (anchor["path"], anchor["verdict"]) == (path, verdict)


def test_clients_that_ask_at_once_see_the_same(user: Daemons, code: Anchored, opened: str) -> None:
    user.start()
    clients = [user.client() for _ in range(6)]
    for number in range(3):
        code.workspace.write(STORE, insert_above(CODE[STORE], number + 1))
        answers: list[Any] = [None] * len(clients)

        def ask(at: int, client: RawClient, answers: list[Any] = answers) -> None:
            method = ("memofs/anchors", "memofs/check", "memofs/recall")[at % 3]
            answers[at] = client.ask(method, {"query": ABOUT_OPEN} if at % 3 == 2 else {})["result"]

        threads = [threading.Thread(target=ask, args=(at, client)) for at, client in enumerate(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        lines = [answers[at]["anchors"][0]["range"]["start"]["line"] for at in (0, 3)]
        lines += [answers[at]["hits"][0]["anchors"][0]["range"]["start"]["line"] for at in (2, 5)]
        assert lines == [22 + number + 1] * 4
        assert [answers[at]["findings"] for at in (1, 4)] == [[], []]
    assert code.ask("verify", ids=[opened])["memories"][0]["anchors"][0]["verdict"] == "current"


def test_drift_is_told_to_whoever_listens(user: Daemons, code: Anchored, opened: str) -> None:
    user.start()
    listener, other = user.client(), user.client()
    first_hit(other)
    code.replace(STORE, "return self.opened[tenant]", "return self.opened.get(tenant)")
    first_hit(other)
    while opened not in (told := listener.notified("memofs/didChangeMemories"))["changed"]:
        pass
    assert told["revision"] > 1


def test_the_process_that_reads_git_ends_with_the_daemon(user: Daemons, code: Anchored) -> None:
    pid = user.start()
    code.workspace.write(STORE, insert_above(CODE[STORE]))
    user.ok("anchors")
    children = Path(f"/proc/{pid}/task/{pid}/children")
    if not children.exists():
        pytest.skip("this system does not list children")
    pids = [int(each) for path in Path(f"/proc/{pid}/task").glob("*/children") for each in path.read_text().split()]
    gits = [each for each in pids if "cat-file" in Path(f"/proc/{each}/cmdline").read_text()]
    assert len(gits) == 1
    user.ok("daemon", "stop")
    until(lambda: not is_running(gits[0]), "git ends with the daemon")
