"""URIs of files as paths of the workspace."""

from pathlib import Path

import pytest

from memofs.model.errors import InvalidRequest, Refused
from memofs.server.uris import canonical, path_in


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work space %é"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("name", ["a.py", "src/with space.py", "src/50%/#1?.py", "日本語/é🚀.py", "a:b@c.py", "src"])
def test_a_uri_is_the_path_whatever_is_in_it(root: Path, name: str) -> None:
    uri = (root / name).as_uri()
    assert path_in(root, uri) == name
    assert path_in(root, uri.replace("file:///", "file://localhost/")) == name


def test_escapes_and_dots_are_spelling(root: Path) -> None:
    base = root.as_uri()
    assert path_in(root, f"{base}/%73rc/./x/../a.py") == "src/a.py"
    assert path_in(root, base) == "."


def test_links_to_the_workspace_are_the_workspace(root: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(root)
    assert path_in(link, (link / "a.py").as_uri()) == "a.py"
    assert path_in(link, (root / "a.py").as_uri()) == "a.py"
    assert path_in(root, (link / "a.py").as_uri()) == "a.py"


@pytest.mark.parametrize("path", ["../other.py", "..", "src/../../x"])
def test_outside_is_refused(root: Path, path: str) -> None:
    with pytest.raises(Refused):
        path_in(root, f"{root.as_uri()}/{path}")


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "a.py",
        "/src/a.py",
        "untitled:Untitled-1",
        "http://x/a",
        "file://host/a",
        "file:a",
        "file:///%ff",
        "file:///a%00b",
        "file://[",
        "\udcff",
    ],
)
def test_what_names_no_file_here(root: Path, uri: str) -> None:
    with pytest.raises(InvalidRequest):
        path_in(root, uri)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("file:///c%3A/work/a.py", "file:///C:/work/a.py"),
        ("file:///tmp/a%20b.py", "file:///tmp/a b.py"),
        ("file:///tmp/%C3%A9.py", "file:///tmp/é.py"),
        ("file://localhost/tmp/a.py", "file:///tmp/a.py"),
    ],
)
def test_spellings_of_one_uri_are_one(one: str, other: str) -> None:
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "git:/a%20b", "file:///a?x#y", "file:///%FF", "://"])
def test_other_uris_are_themselves(uri: str) -> None:
    assert canonical(uri) == uri
