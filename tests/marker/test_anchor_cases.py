"""Every page in tests/marker/anchors says what becomes of its anchors."""

from pathlib import Path

import pytest

from marker.anchor_case import outcome, read, rewritten

PAGES = sorted((Path(__file__).parent / "anchors").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page: Path, *, update: bool) -> None:
    case = read(page)
    found = outcome(case)
    if update and found != case.expected:
        page.write_text(rewritten(page.read_text(encoding="utf-8"), found), encoding="utf-8")
        return
    assert found == case.expected


def test_there_are_pages() -> None:
    assert len(PAGES) >= 20
