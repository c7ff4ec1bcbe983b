"""The lock around making vectors: one at a time, waited for as long as was said, and nothing is made for it."""

import math
import shutil
from pathlib import Path

import pytest

from memofs.model.errors import NotFound
from memofs.store.lock import index_lock, write_lock
from unit.store.on_disk import workspace


def test_another_gets_it_only_afterwards(tmp_path: Path) -> None:
    layout = workspace(tmp_path).layout
    with index_lock(layout, wait_s=0.0) as first:
        with index_lock(layout, wait_s=0.0) as second:
            assert (first, second) == (True, False)
        with write_lock(layout, timeout_s=0.0):
            """Writing is another matter."""
    with index_lock(layout, wait_s=0.0) as third:
        assert third


def test_who_waits_can_do_something_meanwhile_and_give_up(tmp_path: Path) -> None:
    layout = workspace(tmp_path).layout
    calls: list[None] = []

    class Enough(Exception):
        pass

    def meanwhile() -> None:
        calls.append(None)
        if len(calls) == 2:
            raise Enough

    with (
        index_lock(layout, wait_s=0.0),
        pytest.raises(Enough),
        index_lock(layout, wait_s=math.inf, meanwhile=meanwhile),
    ):
        pytest.fail("it is held by another")


def test_it_is_let_go_of_whatever_happens_inside(tmp_path: Path) -> None:
    layout = workspace(tmp_path).layout
    with pytest.raises(ZeroDivisionError), index_lock(layout, wait_s=0.0):
        raise ZeroDivisionError
    with index_lock(layout, wait_s=0.0) as held:
        assert held


def test_a_removed_memory_is_not_made_again(tmp_path: Path) -> None:
    layout = workspace(tmp_path).layout
    shutil.rmtree(layout.base)
    with pytest.raises(NotFound), index_lock(layout, wait_s=0.0):
        pytest.fail("there is nothing to lock")
    assert list(tmp_path.iterdir()) == []


def test_nor_while_somebody_waits(tmp_path: Path) -> None:
    layout = workspace(tmp_path).layout
    with (
        index_lock(layout, wait_s=0.0),
        pytest.raises(NotFound),
        index_lock(layout, wait_s=math.inf, meanwhile=lambda: shutil.rmtree(layout.base)),
    ):
        pytest.fail("there is nothing to lock")
    assert list(tmp_path.iterdir()) == []


def test_a_link_out_of_the_workspace_is_not_followed(tmp_path: Path) -> None:
    layout = workspace(tmp_path / "project").layout
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.rmtree(layout.tmp)
    layout.tmp.symlink_to(elsewhere)
    with index_lock(layout, wait_s=0.0) as held:
        assert held, "without a lock rather than not at all"
    assert list(elsewhere.iterdir()) == []
