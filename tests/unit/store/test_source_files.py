"""A folder of somebody else's documents: each is read, or skipped with a reason."""

import os
from pathlib import Path

import pytest

from memofs.model.errors import InvalidRequest, NotFound
from memofs.store.source_files import SkippedFile, SourceFile, read_sources
from unit.store.on_disk import needs_permissions, run


def write(root: Path, files: dict[str, bytes | str]) -> Path:
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    return root


def texts(root: Path) -> dict[str, str]:
    return {each.path: each.text for each in read_sources(root) if isinstance(each, SourceFile)}


def skipped(root: Path) -> dict[str, str]:
    return {each.path: each.reason for each in read_sources(root) if isinstance(each, SkippedFile)}


def test_documents_come_in_the_order_a_person_counts(tmp_path: Path) -> None:
    names = ["10-b.md", "2-a.md", "0001.md", "sub/3.txt", "sub/20.markdown", "B.MD", "a.md", "name #%é🚀.md"]
    write(tmp_path, dict.fromkeys(names, "text"))
    assert list(texts(tmp_path)) == [
        "0001.md",
        "2-a.md",
        "10-b.md",
        "a.md",
        "B.MD",
        "name #%é🚀.md",
        "sub/3.txt",
        "sub/20.markdown",
    ]
    assert skipped(tmp_path) == {}


def test_what_is_no_document_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys([".hidden.md", ".git/a.md", "image.png", "code.py", "LICENSE"], "text"))
    assert (texts(tmp_path), skipped(tmp_path)) == ({}, {})


def test_line_ends_stay_and_the_bom_goes(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": b"\xef\xbb\xbf# Title\r\nText"})
    (tmp_path / "a.md").touch()
    os.utime(tmp_path / "a.md", ns=(0, 1_234_567_890_123_456_789))
    (found,) = read_sources(tmp_path)
    assert found == SourceFile(path="a.md", text="# Title\r\nText", modified_ms=1_234_567_890_123)


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    root = write(
        tmp_path / "docs",
        {
            "binary.md": b"a\x00b",
            "empty.md": " \n",
            "large.md": b"x" * (4 * 1024 * 1024 + 1),
            "latin.md": b"caf\xe9",
            "node_modules/dep/readme.md": "text",
            "good.md": "text",
        },
    )
    write(tmp_path / "elsewhere", {"x.md": "outside", "sub/y.md": "outside"})
    (root / "out.md").symlink_to(tmp_path / "elsewhere" / "x.md")
    (root / "outfolder").symlink_to(tmp_path / "elsewhere" / "sub")
    (root / "self").symlink_to(root)
    (root / "in.md").symlink_to(root / "good.md")
    os.mkfifo(root / "pipe.md")
    assert texts(root).keys() == {"good.md", "in.md"}
    reasons = skipped(root)
    assert "large" in reasons.pop("large.md")
    assert "cannot be read" in reasons.pop("pipe.md")
    assert reasons == {
        "binary.md": "binary",
        "empty.md": "empty",
        "latin.md": "not UTF-8",
        "node_modules": "a folder of dependencies",
        "out.md": "a link that leads out of the folder",
        "outfolder": "a link that leads out of the folder",
    }


def test_a_name_that_is_no_text_is_skipped_visibly(tmp_path: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.md")).write_text("text")
    except OSError:
        pytest.skip("this file system takes only names in UTF-8")
    assert skipped(tmp_path) == {"caf\\udce9.md": "the name is not UTF-8"}


def test_one_file_can_be_given(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "text", "b.py": "code"})
    assert texts(tmp_path / "a.md") == {"a.md": "text"}
    with pytest.raises(InvalidRequest):
        list(read_sources(tmp_path / "b.py"))
    with pytest.raises(NotFound):
        list(read_sources(tmp_path / "nothing"))


def test_a_folder_reached_by_a_link_is_read(tmp_path: Path) -> None:
    write(tmp_path / "real", {"a.md": "text"})
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert texts(tmp_path / "link") == {"a.md": "text"}


def test_what_may_not_be_read_is_skipped(tmp_path: Path) -> None:
    prefix = needs_permissions()
    write(tmp_path, {"a.md": "text", "b.md": "text", "sub/c.md": "text"})
    (tmp_path / "b.md").chmod(0)
    (tmp_path / "sub").chmod(0)
    script = """
import json, sys
from pathlib import Path
from memofs.store.source_files import read_sources
print(json.dumps([[type(each).__name__, each.path] for each in read_sources(Path(sys.argv[1]))]))
"""
    try:
        found = run(script, tmp_path, prefix=prefix, answer=list[tuple[str, str]])
    finally:
        (tmp_path / "sub").chmod(0o755)
    assert found == [("SourceFile", "a.md"), ("SkippedFile", "b.md"), ("SkippedFile", "sub/")]
