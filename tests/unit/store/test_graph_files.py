"""The file of relations as part of the store: what it says follows the disk, whatever stands there."""

import os
from pathlib import Path

import pytest

from memofs.graph.curated import EDGES_PATH, NODES_PATH
from memofs.store.layout import CONFIG_PATH, GRAPH_PATH, MEMORY_PATH, NAME
from memofs.store.store import Store
from unit.store.on_disk import memory_bytes, put

LINE = '{"from": "mem_aaaaaa", "to": "mem_bbbbbb", "type": "uses"}\n'


def _edges(store: Store, text: str) -> Path:
    path = store.layout.root / EDGES_PATH
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def test_loading_reads_relations_and_what_is_wrong_with_them(store: Store) -> None:
    assert store.load(now_ms=0).relations == ()
    _edges(store, LINE + "torn")
    loaded = store.load(now_ms=0)
    assert [(each.source, each.target, each.type) for each in loaded.relations] == [
        ("mem_aaaaaa", "mem_bbbbbb", "uses")
    ]
    assert [(problem.path, problem.line) for problem in loaded.problems] == [(EDGES_PATH, 1)]


@pytest.mark.parametrize("paths", [None, [EDGES_PATH], [GRAPH_PATH], [NAME], [MEMORY_PATH, GRAPH_PATH, CONFIG_PATH]])
def test_a_change_of_the_file_is_a_change(store: Store, paths: list[str] | None) -> None:
    store.load(now_ms=0)
    path = _edges(store, LINE)
    change = store.refresh(paths, now_ms=0)
    assert change.relations is not None
    assert [each.target for each in change.relations] == ["mem_bbbbbb"]
    assert change.paths == (NODES_PATH, EDGES_PATH)
    assert store.refresh(paths, now_ms=0).relations is None
    path.write_text("torn\n")
    mended = store.refresh(paths, now_ms=0)
    assert (mended.relations, [problem.code for problem in mended.problems]) == ((), ["badRelation"])
    path.unlink()
    gone = store.refresh(paths, now_ms=0)
    assert (gone.relations, gone.problems, gone.paths) == ((), (), (NODES_PATH, EDGES_PATH))


def test_other_changes_leave_relations_alone(store: Store) -> None:
    _edges(store, LINE)
    store.load(now_ms=0)
    _edges(store, "")
    path = put(store, "a.md", memory_bytes())
    change = store.refresh([path], now_ms=0)
    assert [memory.id for memory in change.put] == ["mem_aaaaaa"]
    assert change.relations is None


@pytest.mark.parametrize("what", ["folder", "outside", "dangling", "pipe"])
def test_whatever_stands_in_its_place_costs_relations_alone(store: Store, tmp_path: Path, what: str) -> None:
    put(store, "a.md", memory_bytes())
    path = store.layout.root / EDGES_PATH
    path.parent.mkdir(exist_ok=True)
    if what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    else:
        target = tmp_path / "elsewhere"
        if what == "outside":
            target.write_text(LINE)
        path.symlink_to(target if what == "outside" else store.layout.root / "nothing")
    loaded = store.load(now_ms=0)
    assert ([memory.id for memory in loaded.memories], loaded.relations) == (["mem_aaaaaa"], ())
    assert {problem.path for problem in loaded.problems} <= {EDGES_PATH}
    assert bool(loaded.problems) == (what in {"outside", "dangling"})
