"""The model lane of an engine, with vectors from a real server on the loopback: what a failing one costs."""

import asyncio
import json
import shutil
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import pytest

from memofs.engine.asking import ask
from memofs.engine.checkup import checkup
from memofs.engine.engine import Engine
from memofs.engine.meaning import Meaning
from memofs.model.errors import NotFound
from memofs.model.query import Query
from memofs.store.consent import ALLOWED_BY_ENVIRONMENT
from memofs.store.layout import initialize
from memofs.store.lock import index_lock
from unit.embed.http_server import Answer, Asked, Server, serving


@pytest.fixture(autouse=True)
def _allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ALLOWED_BY_ENVIRONMENT, "all")


def workspace(root: Path, titles: Sequence[str], endpoint: str) -> Engine:
    """An engine on a fresh workspace with a memory a title, whose vectors the endpoint makes."""
    initialize(root, project_name="Test")
    settings = {"format": 1, "embedding": {"provider": "compatible", "model": "any", "endpoint": endpoint}}
    (root / ".memofs" / "config.json").write_text(json.dumps(settings))
    for number, title in enumerate(titles):
        text = f"---\nid: mem_{number:012d}\nkind: note\ntitle: {title}\n---\n{title} and more.\n"
        (root / ".memofs" / "memory" / f"{number}.md").write_text(text)
    return Engine(root)


def texts_of(asked: Asked) -> list[str]:
    return cast("list[str]", asked.body["input"])


def vectors(asked: Asked) -> Answer:
    """The same vector for every text."""
    return Answer({"data": [{"index": index, "embedding": [1.0, 0.0]} for index, _ in enumerate(texts_of(asked))]})


def meaning_of(engine: Engine) -> Meaning:
    assert engine.meaning is not None
    return engine.meaning


@contextmanager
def served(root: Path, titles: Sequence[str], answer: Callable[[Asked], Answer]) -> Generator[tuple[Engine, Server]]:
    with serving(answer) as server:
        engine = workspace(root, titles, server.url)
        yield engine, server
        meaning_of(engine).close()


def degraded(engine: Engine, text: str = "one") -> tuple[str, ...]:
    return ask(engine.view(), Query(text=text)).degraded


def test_a_provider_that_is_down_is_asked_once_and_recalls_go_on_by_words(tmp_path: Path) -> None:
    with served(tmp_path, ["one", "two"], lambda _: Answer({}, 503)) as (engine, server):
        assert {degraded(engine) for _ in range(5)} == {("embedder",)}
        assert len(server.asked) == 1


def test_what_cannot_be_embedded_while_somebody_waits_is_tried_once(tmp_path: Path) -> None:
    def answer(asked: Asked) -> Answer:
        return vectors(asked) if texts_of(asked) == ["one"] else Answer({}, 503)

    with served(tmp_path, ["eins", "zwei"], answer) as (engine, server):
        assert degraded(engine) == ("indexing",)
        assert len(server.asked) == 2


def test_indexing_tries_again(tmp_path: Path) -> None:
    failures = [Answer({}, 503, {"retry-after": "0"})]
    with served(tmp_path, ["one"], lambda asked: failures.pop() if failures else vectors(asked)) as (engine, server):
        assert meaning_of(engine).index_pending() == 0
        assert len(server.asked) == 2


def test_a_text_that_is_refused_keeps_no_other_from_being_embedded(tmp_path: Path) -> None:
    def answer(asked: Asked) -> Answer:
        return Answer({}, 400) if any("poison" in text for text in texts_of(asked)) else vectors(asked)

    titles = [f"title {number}" for number in range(30)]
    titles[3] = titles[20] = "poison"
    with served(tmp_path, titles, answer) as (engine, _):
        assert meaning_of(engine).index_pending() == 2
        told = meaning_of(engine).progress()
        assert "2 memories could not be embedded" in (told.problem or "")


def test_a_provider_that_refuses_everything_is_left_alone(tmp_path: Path) -> None:
    titles = [f"title {number}" for number in range(200)]
    with served(tmp_path, titles, lambda _: Answer({}, 400)) as (engine, server):
        assert meaning_of(engine).index_pending() == 200
        assert len(server.asked) < 40


def test_a_failure_that_passed_is_not_told(tmp_path: Path) -> None:
    failures = [Answer({}, 400)]
    with served(tmp_path, ["one"], lambda asked: failures.pop() if failures else vectors(asked)) as (engine, _):
        assert meaning_of(engine).index_pending() == 1
        assert meaning_of(engine).index_pending() == 1, "what is refused is not asked about again and again"
        meaning_of(engine).probe()
        assert meaning_of(engine).index_pending() == 0
        assert meaning_of(engine).progress().problem is None


def test_of_two_that_index_at_once_each_memory_is_embedded_by_one(tmp_path: Path) -> None:
    titles = [f"title {number}" for number in range(100)]
    texts: list[str] = []
    reports: list[tuple[int, int]] = []

    def answer(asked: Asked) -> Answer:
        texts.extend(text for text in texts_of(asked) if "more" in text)
        return vectors(asked)

    def report(done: int, total: int, shared: int) -> None:
        assert shared <= done
        reports.append((done, total))

    with served(tmp_path, titles, answer) as (engine, _):
        other = Engine(tmp_path)
        threads = [
            threading.Thread(target=lambda: meaning_of(engine).index_pending()),
            threading.Thread(target=lambda: meaning_of(other).index_pending(report=report)),
        ]
        for each in (engine, other):
            meaning_of(each).rehydrate()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(texts) == len(set(texts)) == 100
        assert [meaning_of(each).progress().embedded for each in (engine, other)] == [100, 100]
        assert reports[-1] == (100, 100)
        lines = (tmp_path / ".memofs" / "indexes" / "embeddings.jsonl").read_text().splitlines()
        assert len(lines) == 100
        meaning_of(other).close()


def test_what_another_process_embedded_is_taken_over_by_who_asks(tmp_path: Path) -> None:
    with served(tmp_path, ["one", "two"], vectors) as (engine, server):
        other = Engine(tmp_path)
        meaning_of(other).rehydrate()
        meaning_of(engine).index_pending()
        before = len(server.asked)
        assert degraded(other) == ()
        assert len(server.asked) == before + 1, "the question's vector and no other"
        meaning_of(other).close()


def test_while_another_process_embeds_who_asks_does_not_wait(tmp_path: Path) -> None:
    with served(tmp_path, ["one"], vectors) as (engine, _):
        with index_lock(engine.store.layout, wait_s=0.0):
            assert degraded(engine) == ("indexing",)
        assert degraded(engine) == ()


def test_a_memory_that_is_removed_while_it_is_indexed_stays_away(tmp_path: Path) -> None:
    base = tmp_path / ".memofs"

    def answer(asked: Asked) -> Answer:
        shutil.rmtree(base, ignore_errors=True)
        return vectors(asked)

    with served(tmp_path, [f"title {number}" for number in range(40)], answer) as (engine, _):
        with pytest.raises(NotFound):
            meaning_of(engine).index_pending()
        assert "embedder" not in degraded(engine)
        engine.save()
        asyncio.run(engine.close())
        assert not base.exists()


def test_what_is_forgotten_while_it_is_embedded_leaves_no_vector(tmp_path: Path) -> None:
    arrived, go_on = threading.Event(), threading.Event()

    def answer(asked: Asked) -> Answer:
        arrived.set()
        go_on.wait(30)
        return vectors(asked)

    with served(tmp_path, ["one", "two"], answer) as (engine, _):
        meaning = meaning_of(engine)
        indexing = threading.Thread(target=meaning.index_pending)
        forgetting = threading.Thread(target=lambda: meaning.forget(["mem_000000000000"]))
        indexing.start()
        assert arrived.wait(30)
        forgetting.start()
        go_on.set()
        for thread in (indexing, forgetting):
            thread.join(60)
        text = (tmp_path / ".memofs" / "indexes" / "embeddings.jsonl").read_text()
        assert "mem_000000000000" not in text
        assert "mem_000000000001" in text


@pytest.mark.parametrize("damage", [b'{"id": "mem_', b"\x00garbage\n" + b"{}\n"])
def test_damage_to_the_vectors_is_told_once_to_who_asks_and_by_doctor(tmp_path: Path, damage: bytes) -> None:
    with served(tmp_path, ["one", "two"], vectors) as (engine, server):
        meaning_of(engine).index_pending()
        with (tmp_path / ".memofs" / "indexes" / "embeddings.jsonl").open("ab") as file:
            file.write(damage)
        other = Engine(tmp_path)
        before = len(server.asked)
        assert [degraded(other) for _ in range(3)] == [("vectors",), (), ()]
        assert len(server.asked) == before + 3, "nothing that could be read is made again"
        findings = [each.problem for each in checkup(other, fix=False, actor="cli", version="1").findings]
        told = [each for each in findings if each.path == ".memofs/indexes/embeddings.jsonl"]
        assert [each.code for each in told] == ["corruptIndex" if b"\n" in damage else "tornLine"]
        aside = [each.path for each in findings if each.code == "setAside"]
        assert aside == ([".memofs/indexes/embeddings.jsonl.corrupt"] if b"\n" in damage else [])
        meaning_of(other).close()


def test_vectors_outlive_a_time_in_which_their_model_cannot_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / ".memofs" / "indexes" / "embeddings.jsonl"
    with served(tmp_path, [f"title {number}" for number in range(80)], vectors) as (engine, server):
        meaning_of(engine).index_pending()
        before, asked = path.read_bytes(), len(server.asked)
        monkeypatch.setenv(ALLOWED_BY_ENVIRONMENT, "")
        without = Engine(tmp_path)
        assert degraded(without) == ("notAllowed",)
        assert (meaning_of(without).index_pending(), meaning_of(without).pending()) == (0, 0)
        assert meaning_of(without).progress().state == "failed"
        assert (path.read_bytes(), len(server.asked)) == (before, asked)
        monkeypatch.setenv(ALLOWED_BY_ENVIRONMENT, server.url)
        again = Engine(tmp_path)
        assert degraded(again) == ()
        assert len(server.asked) == asked + 1
        for each in (without, again):
            meaning_of(each).close()
