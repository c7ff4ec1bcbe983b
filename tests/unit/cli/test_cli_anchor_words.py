"""Anchors as people type them: every form, from anywhere in the workspace, whatever signs a name holds."""

from pathlib import Path

import click
import pytest

from memofs.cli.anchor_words import anchor_spec
from memofs.cli.failure import Failure
from memofs.wire.anchors import AnchorSpec
from memofs.wire.values import Position, Range

NAMES = ("src/db.py", "src/a#b.cs", "src/odd:12", "src/#1.py", "src/name with #%é🚀.md", "README.md", "e:1.py")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in NAMES:
        file = tmp_path / "ws" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x\n")
    return tmp_path / "ws"


def span(first: int, column: int, last: int, end: int) -> Range:
    return Range(start=Position(first, column), end=Position(last, end))


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("src/db.py", AnchorSpec(path="src/db.py")),
        ("./src/../src/db.py", AnchorSpec(path="src/db.py")),
        ("src/db.py:12", AnchorSpec(path="src/db.py", range=span(11, 0, 12, 0))),
        ("src/db.py:12-40", AnchorSpec(path="src/db.py", range=span(11, 0, 40, 0))),
        ("src/db.py:12:5-12:28", AnchorSpec(path="src/db.py", range=span(11, 4, 11, 27))),
        ("src/db.py:12:5", AnchorSpec(path="src/db.py", range=span(11, 4, 12, 0))),
        ("src/db.py:12:5-14", AnchorSpec(path="src/db.py", range=span(11, 4, 14, 0))),
        ("src/db.py:12-14:9", AnchorSpec(path="src/db.py", range=span(11, 0, 13, 8))),
        ("src/db.py#Store.open", AnchorSpec(path="src/db.py", symbol="Store.open")),
        ("src/db.py#Store#open", AnchorSpec(path="src/db.py", symbol="Store#open")),
        ("src/a#b.cs", AnchorSpec(path="src/a#b.cs")),
        ("src/a#b.cs#A.B", AnchorSpec(path="src/a#b.cs", symbol="A.B")),
        ("src/a#b.cs:3", AnchorSpec(path="src/a#b.cs", range=span(2, 0, 3, 0))),
        ("src/#1.py", AnchorSpec(path="src/#1.py")),
        ("src/#1.py:1", AnchorSpec(path="src/#1.py", range=span(0, 0, 1, 0))),
        ("src/#1.py#f", AnchorSpec(path="src/#1.py", symbol="f")),
        ("src/odd:12", AnchorSpec(path="src/odd:12")),
        ("src/odd:12:12", AnchorSpec(path="src/odd:12", range=span(11, 0, 12, 0))),
        ("src/name with #%é🚀.md", AnchorSpec(path="src/name with #%é🚀.md")),
        ("src/name with #%é🚀.md#Install > Linux", AnchorSpec(path="src/name with #%é🚀.md", symbol="Install > Linux")),
        ("src/gone.py#f", AnchorSpec(path="src/gone.py", symbol="f")),
        ("src/gone.py:3-4", AnchorSpec(path="src/gone.py", range=span(2, 0, 4, 0))),
        ("src/db.py#L12", AnchorSpec(path="src/db.py", range=span(11, 0, 12, 0))),
        ("src/db.py#L12-L40", AnchorSpec(path="src/db.py", range=span(11, 0, 40, 0))),
        ("src/db.py#L12-40", AnchorSpec(path="src/db.py", range=span(11, 0, 40, 0))),
        ("src/db.py:L12-L40", AnchorSpec(path="src/db.py", range=span(11, 0, 40, 0))),
        ("src/a#b.cs#L3", AnchorSpec(path="src/a#b.cs", range=span(2, 0, 3, 0))),
        ("src/db.py#L12x", AnchorSpec(path="src/db.py", symbol="L12x")),
        ("e:1.py", AnchorSpec(path="e:1.py")),
        ("e:1.py:1", AnchorSpec(path="e:1.py", range=span(0, 0, 1, 0))),
        ("e:1.py#f", AnchorSpec(path="e:1.py", symbol="f")),
        ("src/db.py#f(int, str)", AnchorSpec(path="src/db.py", symbol="f(int, str)")),
        ("src/db.py#Type::new", AnchorSpec(path="src/db.py", symbol="Type::new")),
    ],
)
def test_forms(root: Path, given: str, wanted: AnchorSpec) -> None:
    assert anchor_spec(given, here=root, root=root) == wanted


def test_paths_are_taken_from_where_the_person_stands(root: Path) -> None:
    assert anchor_spec("db.py:3", here=root / "src", root=root).path == "src/db.py"
    assert anchor_spec("../README.md", here=root / "src", root=root).path == "README.md"
    assert anchor_spec("src/db.py#f", here=root / "src", root=root).path == "src/db.py"
    assert anchor_spec(f"{root}/src/db.py#f", here=root.parent, root=root).path == "src/db.py"


@pytest.mark.parametrize("given", ["../secret.py", "../secret.py:3", "../secret.py#f", "/etc/passwd"])
def test_what_lies_outside_is_refused(root: Path, given: str) -> None:
    with pytest.raises(Failure) as failure:
        anchor_spec(given, here=root, root=root)
    assert failure.value.error.family == "Refused"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("", "an anchor is FILE"),
        ("src/db.py:0", "count from 1"),
        ("src/db.py:3:0", "count from 1"),
        ("src/db.py:3:1-3:0", "count from 1"),
        ("src/db.py:4-3", "ends before it begins"),
        ("src/db.py:4:9-4:9", "ends before it begins"),
        ("src/db.py#", "names no symbol"),
        ("src/db.py#L0", "count from 1"),
        ("src/db.py#L9-L3", "ends before it begins"),
        ("src/db.py#L99999999999", "no file has so many lines; an anchor is FILE"),
        ("src/db.py:99999999999", "is no place: an anchor is FILE"),
        ("src/db.py:3-99999999999", "is no place: an anchor is FILE"),
        ("src/db.py:3:99999999999", "is no place: an anchor is FILE"),
        ("src/db.py::name", "is no place: an anchor is FILE.*; src/db.py#name names the symbol"),
        ("src/db.py:end", "is no place: an anchor is FILE"),
        ("file:///home/ada/src/db.py", "is a URI; give the path of the file: an anchor is FILE"),
    ],
)
def test_what_is_no_place_is_wrong_usage(root: Path, given: str, why: str) -> None:
    with pytest.raises(click.UsageError, match=why):
        anchor_spec(given, here=root, root=root)
