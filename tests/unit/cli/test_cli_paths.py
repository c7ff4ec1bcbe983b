"""Paths as they are typed, and as the workspace knows them."""

from pathlib import Path

import pytest

from memofs.cli.failure import Failure
from memofs.cli.paths import in_workspace, looks_like_path, prefix_to


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "src" / "db").mkdir(parents=True)
    (root / "src" / "db" / "tenants.py").write_text("")
    (root / "src" / "app.py").write_text("")
    return root


@pytest.mark.parametrize(
    ("given", "here", "path"),
    [
        ("src/db/tenants.py", "", "src/db/tenants.py"),
        ("src/db/", "", "src/db/"),
        ("db", "src", "src/db"),
        ("tenants.py", "src/db", "src/db/tenants.py"),
        ("../app.py", "src/db", "src/app.py"),
        ("./gone.py", "src", "src/gone.py"),
        (".", "src", "src"),
        ("src/**/*.py", "", "src/**/*.py"),
        ("src/gone.py", "src/db", "src/gone.py"),
        ("*.py", "src", "*.py"),
    ],
)
def test_in_workspace(root: Path, given: str, here: str, path: str) -> None:
    assert in_workspace(given, here=root / here, root=root) == path


def test_absolute_and_linked_spellings_are_the_same_workspace(root: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(root)
    assert in_workspace(str(root / "src"), here=tmp_path, root=root) == "src"
    assert in_workspace(str(link / "src"), here=tmp_path, root=root) == "src"
    assert in_workspace("db", here=link / "src", root=root) == "src/db"


@pytest.mark.parametrize("given", ["/etc/passwd", "../..", "../../other"])
def test_outside_is_refused(root: Path, given: str) -> None:
    with pytest.raises(Failure) as caught:
        in_workspace(given, here=root / "src", root=root)
    assert caught.value.error.family == "Refused"
    assert str(root) in caught.value.error.message


@pytest.mark.parametrize(
    ("given", "path"),
    [("mem_01k9d3v7q2xh", False), ("q2xh", False), ("src/db", True), ("app.py", True), ("src", True), (".", True)],
)
def test_looks_like_path(root: Path, given: str, path: bool) -> None:
    assert looks_like_path(given, here=root) is path


def test_printed_paths_open_from_where_the_person_stands(root: Path, tmp_path: Path) -> None:
    assert prefix_to(root, here=root) == ""
    assert prefix_to(root, here=root / "src" / "db") == "../../"
    assert prefix_to(root, here=tmp_path) == f"{root}/"
    link = tmp_path / "link"
    link.symlink_to(root)
    assert prefix_to(link, here=root / "src") == "../"
