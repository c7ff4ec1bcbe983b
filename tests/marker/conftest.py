"""`pytest tests/marker --update` rewrites what the cases expect; look at the difference before you keep it."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite the expectations of marker cases")


@pytest.fixture
def update(pytestconfig: pytest.Config) -> bool:
    return bool(pytestconfig.getoption("--update", default=False))
