"""Following anchors: what is looked at, what is left for later, and what a slow git costs."""

import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memofs.engine.anchor_edit import verify
from memofs.engine.anchor_making import Spec, make_all
from memofs.engine.anchoring import Anchoring
from memofs.engine.draft import Draft
from memofs.engine.engine import Changed, Engine
from memofs.engine.remember import remember
from memofs.engine.remove import forget, undo
from memofs.model.cancel import CancelToken
from memofs.model.errors import Cancelled
from memofs.store.code_files import CodeFile
from memofs.store.layout import initialize
from memofs.store.seen_files import SeenFiles
from unit.store.repository import Repository, repository

CODE = "def first(value):\n    return value * 10\n\n\ndef second(rows):\n    return [row.name for row in rows]\n"


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    made = repository(tmp_path / "project")
    made.write("src/a.py", CODE)
    made.write("src/b.py", "LIMIT = 3\n")
    initialize(made.root)
    made.write(".memofs/config.json", '{"format": 1, "embedding": {"provider": "none"}}')
    made.commit()
    return made


@pytest.fixture
def engine(repo: Repository) -> Iterator[Engine]:
    made = Engine(repo.root)
    yield made
    made.anchoring.close()


def tied(engine: Engine, text: str, *specs: Spec) -> str:
    anchors = tuple(made.anchor for made in make_all(engine.anchoring, specs))
    done = remember(engine, Draft(body=text, anchors=anchors), actor="test")
    assert done.memory is not None
    return done.memory.id


def verdicts(anchoring: Anchoring, id_: str) -> list[str | None]:
    return [state.verdict for state in anchoring.follow().world.anchors[id_]]


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The code files that were read, in order."""
    found: list[str] = []
    read: Callable[[SeenFiles, str], object] = SeenFiles.read

    def noted(self: SeenFiles, path: str) -> object:
        file = read(self, path)
        if isinstance(file, CodeFile):
            found.append(path)
        return file

    monkeypatch.setattr(SeenFiles, "read", noted)
    monkeypatch.setattr(SeenFiles, "_is_settled", settled)
    return found


def settled(_self: SeenFiles, _seen: object) -> bool:
    """As if every file had been there for a while."""
    return True


def test_an_unchanged_workspace_is_not_read_again(engine: Engine, reads: list[str]) -> None:
    tied(engine, "The first multiplies", Spec(path="src/a.py", symbol="first"))
    world = engine.anchoring.follow().world
    del reads[:]
    assert engine.anchoring.follow().world is world, "nor is a World published that says the same"
    assert reads == []
    engine.anchoring.close()
    again = Engine(engine.root)
    assert verdicts(again.anchoring, next(iter(again.world.memories))) == ["current"]
    assert reads == []
    again.anchoring.close()


def test_a_changed_file_costs_a_look_at_its_own_anchors_only(
    engine: Engine, repo: Repository, reads: list[str]
) -> None:
    one = tied(engine, "The first multiplies", Spec(path="src/a.py", symbol="first"))
    other = tied(engine, "The limit is three", Spec(path="src/b.py"))
    engine.anchoring.follow()
    del reads[:]
    repo.write("src/b.py", "LIMIT = 4\n")
    assert (verdicts(engine.anchoring, one), verdicts(engine.anchoring, other)) == (["current"], ["changed"])
    assert set(reads) == {"src/b.py"}


def test_writes_are_followed(engine: Engine, repo: Repository) -> None:
    id_ = tied(engine, "The first multiplies", Spec(path="src/a.py", symbol="first"))
    repo.write("src/a.py", CODE.replace("* 10", "* 11"))
    assert verdicts(engine.anchoring, id_) == ["changed"]
    verify(engine, [engine.world.memories[id_]], actor="test")
    assert verdicts(engine.anchoring, id_) == ["current"]
    undo(engine, actor="test")
    assert verdicts(engine.anchoring, id_) == ["changed"]
    forget(engine, [engine.world.memories[id_]], actor="test")
    assert (dict(engine.anchoring.follow().world.anchors), engine.world.stale) == ({}, frozenset())


def test_drift_is_announced_once(engine: Engine, repo: Repository) -> None:
    id_ = tied(engine, "The first multiplies", Spec(path="src/a.py", symbol="first"))
    engine.anchoring.follow()
    told: list[Changed] = []
    engine.watchers.append(told.append)
    repo.write("src/a.py", CODE.replace("* 10", "* 11"))
    for _ in range(3):
        engine.anchoring.follow()
    repo.write("src/a.py", CODE)
    engine.anchoring.follow()
    assert [each.changed for each in told] == [(id_,), (id_,)]


def test_a_caller_who_left_ends_the_work_and_nothing_is_lost(engine: Engine, repo: Repository) -> None:
    ids = [tied(engine, f"Memory {number}", Spec(path="src/a.py", symbol="first")) for number in range(3)]
    engine.anchoring.follow()
    repo.write("src/a.py", CODE.replace("* 10", "* 11"))

    class Left:
        def __init__(self) -> None:
            self.checks = 0

        def check(self) -> None:
            self.checks += 1
            if self.checks == 2:
                raise Cancelled

    left: CancelToken = Left()
    with pytest.raises(Cancelled):
        engine.anchoring.follow(cancel=left)
    assert [verdicts(engine.anchoring, id_) for id_ in ids] == [["changed"]] * 3


def test_a_git_that_hangs_costs_the_patience_once_and_hides_no_verdict(
    engine: Engine, repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = tied(engine, "The first multiplies", Spec(path="src/a.py", symbol="first"))
    kept = tied(engine, "The limit is three", Spec(path="src/b.py"))
    engine.anchoring.follow()
    engine.anchoring.objects.close()
    (tmp_path / "bin").mkdir()
    slow = tmp_path / "bin" / "git"
    slow.write_text(f"#!/bin/sh\necho called >> {tmp_path}/calls\nexec tail -f /dev/null\n")
    slow.chmod(slow.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    repo.write("src/a.py", "def second(rows):\n    return [row.name for row in rows]\n")
    repo.write("src/b.py", "LIMIT = 4\n")
    last = first = engine.anchoring.follow(patience_s=0.2)
    assert (first.left, first.degraded) == (2, ("anchors",))
    assert first.world.anchors[lost][0].verdict == "current", "as it was last seen"
    for _ in range(4):  # until git is not asked any more, and the mark alone decides
        last = engine.anchoring.follow(patience_s=0.2)
    state = last.world.anchors[kept][0]
    assert (state.verdict, state.degraded) == ("changed", ("git",))
    assert last.world.anchors[lost][0].verdict == "current"
    calls = (tmp_path / "calls").read_text().count("called")
    assert engine.anchoring.follow(patience_s=5.0).left == 1, "nor is a search begun"
    assert (tmp_path / "calls").read_text().count("called") == calls
    monkeypatch.undo()
    mended = engine.anchoring.follow(again=True)
    assert (mended.left, mended.world.anchors[lost][0].verdict) == (0, "missing")
