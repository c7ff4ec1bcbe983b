"""The model lane of an engine, with vectors from a real server on the loopback: what a failing one costs."""

import json
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from memofs.engine.asking import ask
from memofs.engine.engine import Engine
from memofs.engine.meaning import Meaning
from memofs.model.query import Query
from memofs.store.layout import initialize
from unit.embed.http_server import Answer, Asked, Server, serving


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
