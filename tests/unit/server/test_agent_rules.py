"""What a connection with `role: mcp` may write, whatever its requests claim."""

import asyncio
from pathlib import Path
from typing import Literal

import pytest

from memofs.engine.engine import Engine
from memofs.model.errors import MemoError, Refused
from memofs.server.bucket import BURST
from memofs.server.call import Flag, Session
from memofs.server.requests import answer
from memofs.store.layout import initialize
from memofs.wire.admin import ConfigParams
from memofs.wire.anchors import AnchorParams, AnchorSpec
from memofs.wire.read import RecallParams, RecallResult
from memofs.wire.values import Params, Result
from memofs.wire.write import (
    Fields,
    IdsParams,
    MemoriesResult,
    MemoryResult,
    RememberParams,
    RememberResult,
    UpdateParams,
)

Role = Literal["editor", "cli", "mcp"]
TEXT = "The nightly export runs at three, because the office machines are off at four."


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    initialize(tmp_path, project_name="Test")
    (tmp_path / ".memofs" / "config.json").write_text('{"format": 1, "embedding": {"provider": "none"}}')
    return Engine(tmp_path)


def ask(engine: Engine, method: str, params: Params, session: Session) -> Result:
    return asyncio.run(answer(engine, session, f"memofs/{method}", params, Flag(), lambda _: None))


def remember(engine: Engine, session: Session, body: str = TEXT, source: str | None = None) -> RememberResult:
    result = ask(engine, "remember", RememberParams(body=body, source=source), session)
    assert isinstance(result, RememberResult)
    return result


def review(engine: Engine) -> None:
    ask(engine, "config", ConfigParams(action="set", key="agents.writes", value="review"), Session(role="cli"))


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("agent:claude-code", "agent:claude-code"),
        ("claude-code", "agent:claude-code"),
        ("user", "agent:user"),
        ("", "agent:unknown"),
        ("agent:", "agent:unknown"),
        ("agent:" + "x" * 300, "agent:" + "x" * 60),
    ],
)
def test_an_agents_memory_says_so(engine: Engine, said: str, written: str) -> None:
    made = remember(engine, Session(role="mcp"), source=said).memory
    assert made is not None
    assert (made.source, made.status) == (written, "active")


def test_a_person_is_the_source_they_name(engine: Engine) -> None:
    made = remember(engine, Session(role="cli"), source="the retrospective").memory
    assert made is not None
    assert made.source == "the retrospective"


def test_what_an_agent_writes_waits_where_it_is_reviewed(engine: Engine) -> None:
    review(engine)
    agent, person = Session(role="mcp"), Session(role="cli")
    pending = remember(engine, agent).memory
    assert pending is not None
    assert pending.status == "pending"
    own = remember(engine, person, "Tablets sync their clocks at noon.").memory
    assert own is not None
    assert own.status == "active"
    found = ask(engine, "recall", RecallParams(query="nightly export"), person)
    assert isinstance(found, RecallResult)
    assert found.hits == ()
    with pytest.raises(Refused, match="only a person"):
        ask(engine, "accept", IdsParams(ids=(pending.id,)), agent)
    accepted = ask(engine, "accept", IdsParams(ids=(pending.id,)), person)
    assert isinstance(accepted, MemoriesResult)
    assert accepted.memories[0].status == "active"


def test_under_review_an_agent_changes_only_what_is_pending(engine: Engine) -> None:
    agent, person = Session(role="mcp"), Session(role="cli")
    accepted = remember(engine, person, "Tablets sync their clocks at noon.").memory
    review(engine)
    pending = remember(engine, agent).memory
    assert accepted is not None
    assert pending is not None
    for method, params in (
        ("update", UpdateParams(id=accepted.id, fields=Fields(title="Nothing of the kind"))),
        ("verify", IdsParams(ids=(accepted.id,))),
        ("retire", IdsParams(ids=(accepted.id,))),
        ("retire", IdsParams(all=True)),
        ("anchor", AnchorParams(id=accepted.id, anchor=AnchorSpec(path="a.py"))),
        ("restore", IdsParams(ids=(accepted.id,))),
    ):
        with pytest.raises(Refused) as caught:
            ask(engine, method, params, agent)
        assert caught.value.code == "review", method
    changed = ask(engine, "update", UpdateParams(id=pending.id, fields=Fields(title="The export runs at three")), agent)
    assert isinstance(changed, MemoryResult)
    assert (changed.memory.title, changed.memory.status) == ("The export runs at three", "pending")
    ask(engine, "retire", IdsParams(ids=(pending.id,)), agent)


@pytest.mark.parametrize(
    "fields",
    [UpdateParams(id="x", fields=Fields(status="active")), UpdateParams(id="x", text="---\nstatus: active\n---\n")],
)
def test_an_agent_sets_no_status_and_no_whole_file(engine: Engine, fields: UpdateParams) -> None:
    made = remember(engine, Session(role="cli")).memory
    assert made is not None
    params = UpdateParams(id=made.id, fields=fields.fields, text=fields.text)
    with pytest.raises(Refused):
        ask(engine, "update", params, Session(role="mcp"))


def test_an_agent_does_not_change_what_agents_may_do(engine: Engine) -> None:
    review(engine)
    for params in (
        ConfigParams(action="set", key="agents.writes", value="direct"),
        ConfigParams(action="set", key="agents", value={"writes": "direct"}),
        ConfigParams(action="unset", key="agents"),
    ):
        with pytest.raises(Refused):
            ask(engine, "config", params, Session(role="mcp"))
    assert engine.world.config.agents.writes == "review"


@pytest.mark.parametrize("method", ["accept", "reject", "forget"])
def test_what_only_a_person_decides(engine: Engine, method: str) -> None:
    made = remember(engine, Session(role="cli")).memory
    assert made is not None
    with pytest.raises(Refused) as caught:
        ask(engine, method, IdsParams(ids=(made.id,)), Session(role="mcp"))
    assert caught.value.code == "forPersons"


def test_an_agent_that_writes_in_a_loop_is_told_to_wait_and_a_person_is_not(engine: Engine) -> None:
    agent, person = Session(role="mcp"), Session(role="cli")
    refused: list[MemoError] = []
    for _ in range(int(BURST) + 40):
        try:
            remember(engine, agent)  # the same every time: nothing new is written
        except MemoError as error:
            refused.append(error)
        remember(engine, person)
    assert refused
    assert {error.code for error in refused} == {"rateLimit"}
    assert "wait" in (refused[0].hint or "")
    assert len(engine.world.memories) == 1
