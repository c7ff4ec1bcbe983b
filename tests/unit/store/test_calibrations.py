"""Limits on disk: kept by model, private, and worth nothing when damaged."""

import stat

import pytest

from memofs.recall.calibration import Calibration
from memofs.store.calibrations import load_calibration, save_calibration
from memofs.store.store import Store

ONE = Calibration(memories=30, tau=0.41, cosine_tau=0.52)
TWO = Calibration(memories=90, tau=0.5, cosine_tau=0.8)


def test_limits_are_kept_by_model(store: Store) -> None:
    assert load_calibration(store.layout, model="one") is None
    assert save_calibration(store.layout, ONE, model="one")
    assert save_calibration(store.layout, TWO, model="two")
    assert load_calibration(store.layout, model="one") == ONE
    assert load_calibration(store.layout, model="two") == TWO
    path = store.layout.indexes / "calibration.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("data", [b"", b"{", b'{"one": {"tau": "x"}}', b"[" * 100_000, b"\xff"])
def test_a_damaged_file_is_as_good_as_none(store: Store, data: bytes) -> None:
    (store.layout.indexes / "calibration.json").write_bytes(data)
    assert load_calibration(store.layout, model="one") is None
    assert save_calibration(store.layout, ONE, model="one")
    assert load_calibration(store.layout, model="one") == ONE


def test_what_cannot_be_kept_is_said(store: Store) -> None:
    (store.layout.indexes / "calibration.json").mkdir()
    (store.layout.indexes / "calibration.json" / "in-the-way").write_text("")
    assert not save_calibration(store.layout, ONE, model="one")
    assert load_calibration(store.layout, model="one") is None
