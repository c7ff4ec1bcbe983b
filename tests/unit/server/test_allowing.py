"""Who can let a service have this project's texts: a person, and not an agent that a text may have talked into it."""

from pathlib import Path
from typing import Literal

import pytest

from memofs.engine.engine import Engine
from memofs.model.errors import Refused
from memofs.server.call import Call, Flag, Session
from memofs.server.methods import models, workspace
from memofs.store.layout import initialize
from memofs.wire.admin import AllowModelParams, ConfigParams

Role = Literal["editor", "cli", "mcp"]


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "project").mkdir()
    initialize(tmp_path / "project", project_name="Test")
    return Engine(tmp_path / "project")


def call(role: Role) -> Call:
    return Call(session=Session(role=role), cancel=Flag(), report=lambda _: None)


def name_it(engine: Engine, role: Role) -> None:
    workspace.config(engine, ConfigParams(action="set", key="reranking", value={"provider": "voyage"}), call(role))


@pytest.mark.parametrize(("role", "allowed"), [("cli", True), ("editor", True), ("mcp", False)])
def test_naming_a_service_allows_it_if_a_person_does(engine: Engine, role: Role, allowed: bool) -> None:
    name_it(engine, role)
    assert engine.consent.allows("voyage") == allowed


def test_an_agent_cannot_allow_what_it_named(engine: Engine) -> None:
    name_it(engine, "mcp")
    with pytest.raises(Refused):
        models.allow(engine, AllowModelParams(), call("mcp"))
    assert not engine.consent.allows("voyage")
    assert models.allow(engine, AllowModelParams(), call("cli")).allowed
    with pytest.raises(Refused):
        models.allow(engine, AllowModelParams(revoke=True), call("mcp"))
    assert engine.consent.allows("voyage")


def test_taking_a_setting_back_allows_nothing(engine: Engine) -> None:
    name_it(engine, "mcp")
    workspace.config(engine, ConfigParams(action="unset", key="reranking"), call("cli"))
    engine.undo(actor="cli")
    assert engine.store.config.config.reranking.provider == "voyage"
    assert not engine.consent.allows("voyage")
