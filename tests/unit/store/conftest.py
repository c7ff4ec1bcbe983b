"""A workspace in a folder of its own."""

from pathlib import Path

import pytest

from memofs.store.store import Store
from unit.store.on_disk import workspace


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return workspace(tmp_path / "work space #1 %é🚀")
