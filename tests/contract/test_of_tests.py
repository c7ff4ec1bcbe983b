"""Test modules have names of their own: without packages two of one name cannot be collected together."""

from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parents[1]


def test_no_two_test_modules_share_a_name() -> None:
    names = Counter(path.name for path in TESTS.rglob("test_*.py") if "data" not in path.parts)
    assert [name for name, count in names.items() if count > 1] == []
