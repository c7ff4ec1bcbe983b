"""The wire: every method has a handler, every example decodes strictly, protocol.md says what the table says."""

from pathlib import Path

import pytest

from contract.protocol_tables import render, splice
from memofs.server.methods import READS, WAITS, WRITES
from memofs.wire.methods import METHODS

ROOT = Path(__file__).parents[2]
ANSWERED_BY_THE_CONNECTION = {"memofs/hello", "memofs/drain"}


def test_every_method_has_one_handler_in_its_lane() -> None:
    reads = {name for name, method in METHODS.items() if method.lane == "read"} - ANSWERED_BY_THE_CONNECTION
    writes = {name for name, method in METHODS.items() if method.lane == "write"}
    assert set(READS) == reads
    assert set(WRITES) == writes
    assert set(WAITS) == {name for name, method in METHODS.items() if method.lane == "wait"}


def test_protocol_md_is_current() -> None:
    text = (ROOT / "protocol.md").read_text(encoding="utf-8")
    assert splice(text) == text, "run: .venv/bin/python tests/contract/protocol_tables.py"


@pytest.mark.parametrize("name", sorted(METHODS))
def test_every_method_is_in_the_tables(name: str) -> None:
    assert f"| {name} |" in render()["methods"]
