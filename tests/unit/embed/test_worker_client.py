"""The life of the worker process: started when needed, started again when it dies, ended when idle, never orphaned."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from numpy.testing import assert_allclose

from memofs.embed.client import DEATHS_WINDOW_S, STUCK_S, WORKER_COMMAND, WorkerClient
from memofs.embed.local import LocalEmbedder
from memofs.embed.model_files import ModelFiles
from memofs.embed.models import read_folder
from memofs.embed.protocol import EmbedderError
from unit.embed.tiny_models import embedder_folder

DEADLINE_S = 60.0
DIES = (sys.executable, "-c", "import sys; sys.stdin.buffer.read(4); sys.exit('no memory left')")


class Clock:
    """Seconds that pass only when a test says so, except where a wait is real."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def model(tmp_path: Path) -> ModelFiles:
    return read_folder(embedder_folder(tmp_path / "tiny", {"north": [0.0, 1.0], "east": [1.0, 0.0]}))


@contextmanager
def client_of(
    command: tuple[str, ...] = WORKER_COMMAND, clock: Callable[[], float] = time.monotonic
) -> Generator[WorkerClient]:
    client = WorkerClient(command, clock=clock)
    try:
        yield client
    finally:
        client.close()


def ask(client: WorkerClient, model: ModelFiles) -> None:
    rows = LocalEmbedder(model, client).embed(["north", "east"], kind="query", deadline_s=DEADLINE_S)
    assert_allclose(rows, [[0, 1], [1, 0]], atol=1e-6)


def failure(client: WorkerClient, model: ModelFiles, deadline_s: float = DEADLINE_S) -> EmbedderError:
    with pytest.raises(EmbedderError) as caught:
        LocalEmbedder(model, client).embed(["north"], kind="query", deadline_s=deadline_s)
    return caught.value


def pid_of(client: WorkerClient) -> int:
    assert client.pid is not None
    return client.pid


def is_gone(pid: int) -> bool:
    """Whether no such process is left, waiting for it a while."""
    end_s = time.monotonic() + 20
    while time.monotonic() < end_s:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        threading.Event().wait(0.02)
    return False


def test_the_worker_starts_with_the_first_need_and_is_warm_after_it(model: ModelFiles) -> None:
    with client_of() as client:
        assert (client.pid, client.warm) == (None, False)
        ask(client, model)
        assert client.warm
        pid = pid_of(client)
        ask(client, model)
        assert client.pid == pid
    assert client.pid is None
    assert is_gone(pid)


def test_warming_up_does_not_wait(model: ModelFiles) -> None:
    with client_of() as client:
        LocalEmbedder(model, client).warm_up()
        pid = pid_of(client)
        ask(client, model)
        assert client.pid == pid


def test_a_killed_worker_is_started_again(model: ModelFiles) -> None:
    with client_of() as client:
        ask(client, model)
        first = pid_of(client)
        os.kill(first, signal.SIGKILL)
        assert is_gone(first)
        ask(client, model)
        assert client.pid != first


def test_a_request_survives_the_death_of_its_worker(model: ModelFiles) -> None:
    with client_of() as client:
        ask(client, model)
        pid = pid_of(client)
        os.kill(pid, signal.SIGSTOP)
        asking = threading.Thread(target=ask, args=(client, model))
        asking.start()
        os.kill(pid, signal.SIGKILL)
        asking.join()
        assert client.pid != pid


def test_a_worker_that_keeps_dying_is_left_alone_for_a_while(model: ModelFiles) -> None:
    clock = Clock()
    with client_of(DIES, clock) as client:
        first = failure(client, model)
        assert first.reason == "workerDied"
        assert "no memory left" in first.message
        failure(client, model)
        left_alone = failure(client, model)
        assert "left alone for now; the last time: " in left_alone.message
        assert "no memory left" in left_alone.message
        assert not left_alone.lasting
        clock.now_s += DEATHS_WINDOW_S
        assert "left alone" not in failure(client, model).message


def test_a_program_that_is_not_there_is_named(model: ModelFiles) -> None:
    with client_of(("/nonexistent/python",)) as client:
        assert "cannot be started" in failure(client, model).message


def test_a_worker_that_writes_nonsense_is_ended(model: ModelFiles) -> None:
    with client_of((sys.executable, "-c", "import time; print('x' * 99, flush=True); time.sleep(99)")) as client:
        assert failure(client, model).reason == "workerDied"


def test_stray_prints_do_not_reach_the_frames(model: ModelFiles) -> None:
    noisy = (
        "import os, sys, memofs.embed.worker as w\n"
        "load = w.load\n"
        "def noisy(model):\n"
        "    print('stray'); os.write(1, b'stray'); sys.stdout.flush()\n"
        "    return load(model)\n"
        "w.load = noisy\n"
        "w.main()\n"
    )
    with client_of((sys.executable, "-P", "-c", noisy)) as client:
        ask(client, model)


def test_an_idle_worker_is_ended_and_starts_again(model: ModelFiles) -> None:
    clock = Clock()
    with client_of(clock=clock) as client:
        assert not client.end_if_idle(300)
        ask(client, model)
        pid = pid_of(client)
        clock.now_s += 299
        assert not client.end_if_idle(300)
        assert client.pid == pid
        clock.now_s += 1
        assert client.end_if_idle(300)
        assert client.pid is None
        assert is_gone(pid)
        ask(client, model)


def test_ends_for_idleness_are_not_deaths(model: ModelFiles) -> None:
    with client_of(clock=Clock()) as client:
        for _ in range(5):
            ask(client, model)
            assert client.end_if_idle(0)


def test_closing_fails_whoever_waits_and_whoever_comes_later(model: ModelFiles) -> None:
    with client_of() as client:
        ask(client, model)
        pid = pid_of(client)
        os.kill(pid, signal.SIGSTOP)
        caught: list[EmbedderError] = []
        waiting = threading.Thread(target=lambda: caught.append(failure(client, model)))
        waiting.start()
        while not client.busy:
            threading.Event().wait(0.01)
        client.close()
        waiting.join()
        assert [error.reason for error in caught] == ["closed"]
        assert is_gone(pid)
        assert failure(client, model).reason == "closed"


def test_a_silent_worker_costs_no_more_than_the_deadline_and_is_replaced_in_the_end(model: ModelFiles) -> None:
    clock = Clock()
    with client_of(clock=clock) as client:
        ask(client, model)
        pid = pid_of(client)
        os.kill(pid, signal.SIGSTOP)
        assert failure(client, model, deadline_s=0.05).reason == "deadline"
        assert client.pid == pid
        clock.now_s += STUCK_S + 1
        ask(client, model)
        assert client.pid != pid
        assert is_gone(pid)


def test_many_threads_share_one_worker(model: ModelFiles) -> None:
    with client_of() as client:
        pids: set[int | None] = set()

        def work() -> None:
            for _ in range(20):
                ask(client, model)
                pids.add(client.pid)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(pids) == 1


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_no_worker_outlives_its_parent(model: ModelFiles, tmp_path: Path, end: signal.Signals) -> None:
    parent = (
        "import sys\n"
        "from pathlib import Path\n"
        "from memofs.embed.client import WorkerClient\n"
        "from memofs.embed.local import LocalEmbedder\n"
        "from memofs.embed.models import read_folder\n"
        "client = WorkerClient()\n"
        "model = read_folder(Path(sys.argv[1]))\n"
        "LocalEmbedder(model, client).embed(['north'], kind='query', deadline_s=60)\n"
        "print(client.pid, flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", parent, str(Path(model.weights[0]).parent)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=tmp_path,
    ) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        process.send_signal(end)
    assert is_gone(pid)


def test_the_working_folder_is_not_on_the_workers_import_path(
    model: ModelFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tokenizers.py").write_text("raise SystemExit('imported from the repository')")
    monkeypatch.chdir(tmp_path)
    with client_of() as client:
        ask(client, model)


def test_the_worker_leaves_nothing_behind_and_reports_to_nobody(
    model: ModelFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    (home / "tmp").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("TMPDIR", str(home / "tmp"))
    for name in ("CI", "ORT_DISABLE_TELEMETRY", "ORT_TELEMETRY_DISABLED"):  # what would hide the fault
        monkeypatch.delenv(name, raising=False)
    with client_of() as client:
        ask(client, model)
    assert [path for path in home.rglob("*") if path.is_file()] == []
