"""The code keeps its shape: module size, names, docstrings at the top of every module."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "daemon" / "memofs").rglob("*.py"))
MOST_LINES = 600
REFUSED_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "base"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_module(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    assert not REFUSED_NAMES & {path.stem, *path.relative_to(ROOT).parts}
    assert ast.get_docstring(ast.parse(text)), "a module says what it is for"


def test_there_is_something_to_check() -> None:
    assert len(SOURCES) > 30
