"""The article's own examples as it tells them, with the real model: by words and meaning, under a task."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.memofs_program import memory_file
from memofs.engine.asking import ask
from memofs.engine.engine import Engine
from memofs.model.query import Query, Recall, TaskType
from memofs.recall.order import TASK_KIND_BONUS
from stores import ARTICLE


def _folder(root: Path, settings: dict[str, object]) -> Path:
    (root / ".memofs" / "memory").mkdir(parents=True)
    (root / ".memofs" / "config.json").write_text(json.dumps(settings))
    for memory in ARTICLE:
        front = f"kind: {memory.kind}\ntitle: {memory.title}\ncreated: 2026-01-10T09:30:00Z"
        (root / ".memofs" / "memory" / f"{memory.id}.md").write_text(memory_file(front, memory.body))
    return root


def _indexed(root: Path, settings: dict[str, object]) -> Engine:
    engine = Engine(_folder(root, settings))
    assert engine.meaning is not None
    assert engine.meaning.index_pending() == 0
    return engine


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    made = _indexed(tmp_path_factory.mktemp("article"), {})
    yield made
    asyncio.run(made.close())


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    made = _indexed(tmp_path_factory.mktemp("original"), {"rewrite": "original"})
    yield made
    asyncio.run(made.close())


def _asked(engine: Engine, text: str, task_type: TaskType | None = None, *, explain: bool = False) -> Recall:
    answer = ask(engine.view(), Query(text=text, task_type=task_type, explain=explain, limit=50))
    assert answer.degraded == ()
    return answer.recall


_NAMES = {memory.title: memory.id.removeprefix("mem_") for memory in ARTICLE}
_KINDS = {memory.title: memory.kind for memory in ARTICLE}


def _names(answer: Recall) -> list[str]:
    return [_NAMES[hit.title.text] for hit in answer.hits]


def test_the_driver_for_tenant_metadata(engine: Engine) -> None:
    assert _names(_asked(engine, "What database driver did we pick for tenant metadata?"))[0] == "d1"


def test_user_sessions_find_the_tokens(engine: Engine) -> None:
    assert "jwt" in _names(_asked(engine, "how we handle user sessions"))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("auth", {"jwt", "errors"}),
        ("db", {"pooling", "sqlite"}),
        ("jwt", {"jwt", "webtoken"}),
        ("JSON Web Token", {"jwt", "webtoken"}),
    ],
)
def test_what_a_word_stands_for_is_found_too(engine: Engine, query: str, found: set[str]) -> None:
    assert found <= set(_names(_asked(engine, query)))


def test_a_login_failure_to_be_debugged_steers_to_errors(engine: Engine) -> None:
    assert _names(_asked(engine, "login failure", "debug"))[0] == "errors"


def test_a_memory_of_a_kind_that_the_task_is_after_gains_its_bonus(engine: Engine) -> None:
    plain, debug = (_asked(engine, "login failure", task, explain=True) for task in (None, "debug"))
    before, after = ({hit.title.text: hit.signals for hit in each.hits if hit.signals} for each in (plain, debug))
    assert before.keys() & after.keys()
    for title in before.keys() & after.keys():
        steered = 0.7 * (after[title].relevance - before[title].relevance)
        bonus = TASK_KIND_BONUS if _KINDS[title] in {"note", "decision"} else 0.0
        assert after[title].composite - before[title].composite == pytest.approx(bonus + steered, abs=2e-4)


@pytest.mark.parametrize(
    ("text", "task_type", "embedded"),
    [
        (
            "login failure",
            "debug",
            "Recent errors and bug-fix context login failure authentication auth"
            " exception crash stack trace debug issue",
        ),
        ("auth", None, "auth authentication jwt oauth login"),
    ],
)
def test_the_original_rewriting_embeds_the_whole_phrase(
    engine: Engine, original: Engine, text: str, task_type: TaskType | None, embedded: str
) -> None:
    assert original.meaning is not None
    cosines = original.meaning.ask(embedded, wait=True).cosines
    assert cosines is not None
    whole = {round(float(each), 3) for each in cosines}
    theirs = _meaning(_asked(original, text, task_type, explain=True))
    assert {round(each, 3) for each in theirs.values()} <= whole
    own = _meaning(_asked(engine, text, task_type, explain=True))
    assert not {round(each, 3) for each in own.values()} <= whole


def _meaning(answer: Recall) -> dict[str, float]:
    return {hit.id: hit.signals.meaning.raw for hit in answer.hits if hit.signals and hit.signals.meaning}


def test_under_the_original_rewriting_the_article_holds_too(original: Engine) -> None:
    assert _names(_asked(original, "login failure", "debug"))[0] == "errors"
    assert _names(_asked(original, "What database driver did we pick for tenant metadata?"))[0] == "d1"
    assert "jwt" in _names(_asked(original, "how we handle user sessions"))
