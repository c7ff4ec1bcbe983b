"""A `.memofs/` that was removed stays removed, whatever a process that still has it open would like to keep."""

import contextlib
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from memofs.model.errors import MemoError
from memofs.recall.calibration import Calibration
from memofs.store.blobs import Blobs
from memofs.store.calibrations import save_calibration
from memofs.store.embeddings import EmbeddingsFile, Vectors
from memofs.store.git_objects import GitObjects
from memofs.store.lock import index_lock, write_lock
from memofs.store.snapshots import create
from memofs.store.store import Store
from unit.store.on_disk import NOW_MS, commit, creation, memory_bytes, workspace

ONE = Vectors(memories=("mem_a",), chunks=(0,), text_hashes=("h",), matrix=np.eye(1, dtype=np.float32))
LIMITS = Calibration(memories=1, tau=0.3, cosine_tau=0.3)


def _vectors(store: Store) -> None:
    EmbeddingsFile(store.layout.indexes / "embeddings.jsonl", model="m").append(ONE, now_ms=NOW_MS)


def _lock(store: Store) -> None:
    with index_lock(store.layout, wait_s=0.0):
        """Held."""


def _write_lock(store: Store) -> None:
    with write_lock(store.layout, timeout_s=0.0):
        """Held."""


def _blobs(store: Store) -> None:
    Blobs(store.layout, GitObjects(store.layout.root)).keep(b"text")


WAYS: Sequence[Callable[[Store], object]] = (
    _vectors,
    _lock,
    _write_lock,
    _blobs,
    lambda store: save_calibration(store.layout, LIMITS, model="m"),
    lambda store: store.handles.keep("b", b"{}"),
    lambda store: store.save(b""),
    lambda store: commit(store, creation("a.md", memory_bytes())),
    lambda store: create(store.layout, store.ids, label=None, now_ms=NOW_MS),
    lambda store: store.undo(actor="user", now_ms=NOW_MS),
    lambda store: store.refresh(None, now_ms=NOW_MS),
    lambda store: store.is_writable(),
)


@pytest.mark.parametrize("way", WAYS)
def test_it_is_not_made_again(tmp_path: Path, way: Callable[[Store], object]) -> None:
    store = workspace(tmp_path)
    store.load(now_ms=NOW_MS)
    shutil.rmtree(store.layout.base)
    with contextlib.suppress(MemoError):
        way(store)
    assert list(tmp_path.iterdir()) == []
