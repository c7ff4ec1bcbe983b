"""Setting up `.memofs/`, and staying inside the workspace."""

import json
import os
import stat
from pathlib import Path

import pytest

from memofs.model.errors import NotFound, Refused, Unavailable
from memofs.store.layout import Layout, initialize, memory_path
from memofs.store.store import Store
from unit.store.on_disk import files_below


def test_everything_is_set_up_and_named(tmp_path: Path) -> None:
    created = initialize(tmp_path, project_name="Ünïcode")
    assert created == tuple(
        sorted(
            [
                ".memofs",
                *(f".memofs/{name}" for name in ("events", "graph", "indexes", "logs", "memory", "snapshots", "tmp")),
                *(f".memofs/{name}" for name in ("config.json", ".gitignore", ".gitattributes", "memory/core.md")),
            ]
        )
    )
    assert json.loads((tmp_path / ".memofs/config.json").read_bytes()) == {"format": 1, "projectName": "Ünïcode"}
    assert "indexes/" in (tmp_path / ".memofs/.gitignore").read_text()
    assert (tmp_path / ".memofs/.gitattributes").read_text() == "graph/*.jsonl merge=union\n"
    assert Store(tmp_path).load(now_ms=0).memories == ()


def test_again_creates_nothing_and_changes_nothing(tmp_path: Path) -> None:
    initialize(tmp_path, project_name="One")
    (tmp_path / ".memofs/memory/core.md").write_text("mine\n")
    before = files_below(tmp_path)
    assert initialize(tmp_path, project_name="Two") == ()
    assert files_below(tmp_path) == before


def test_what_is_missing_is_put_back(tmp_path: Path) -> None:
    initialize(tmp_path)
    (tmp_path / ".memofs/.gitignore").unlink()
    (tmp_path / ".memofs/tmp").rmdir()
    assert initialize(tmp_path) == (".memofs/.gitignore", ".memofs/tmp")


def test_shared_files_can_be_read_by_all_and_private_folders_by_one(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        initialize(tmp_path)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / ".memofs/config.json").stat().st_mode) == 0o644
    assert stat.S_IMODE((tmp_path / ".memofs/tmp").stat().st_mode) == 0o700


def test_a_memofs_that_leads_out_is_refused(tmp_path: Path) -> None:
    root, elsewhere = tmp_path / "root", tmp_path / "elsewhere"
    root.mkdir()
    elsewhere.mkdir()
    (root / ".memofs").symlink_to(elsewhere)
    with pytest.raises(Refused, match="leads out"):
        initialize(root)
    with pytest.raises(Refused, match="leads out"):
        Store(root)
    assert list(elsewhere.iterdir()) == []


def test_a_file_where_the_folder_should_be_is_an_error_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / ".memofs").write_text("not a folder")
    with pytest.raises(Unavailable, match="cannot set up"):
        initialize(tmp_path)
    with pytest.raises(NotFound):
        Store(tmp_path)


def test_no_memofs_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NotFound) as caught:
        Store(tmp_path)
    assert "memofs init" in (caught.value.hint or "")


def test_a_workspace_reached_by_a_link_is_the_folder_it_links_to(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    initialize(tmp_path / "link")
    assert Layout.of(tmp_path / "link") == Layout.of(tmp_path / "real")


@pytest.mark.parametrize(
    "path",
    ["../x", "a/../../x", "/etc/passwd", "C:/x", "C:\\x", "c:", "..\\x", "", "a\0b", "link/x", "loop/x"],
)
def test_paths_that_lead_out_are_refused(tmp_path: Path, path: str) -> None:
    (tmp_path / "link").symlink_to("/etc")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(Refused):
        Layout.of(tmp_path).inside(path)


def test_links_inside_are_followed(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "docs")
    assert Layout.of(tmp_path).inside("link/new.md") == tmp_path.resolve() / "docs" / "new.md"


def test_file_names_take_more_of_the_id_where_they_must(tmp_path: Path) -> None:
    initialize(tmp_path)
    layout = Layout.of(tmp_path)
    first = memory_path(layout, "Use D1!", "mem_01k9d3v7q2xh")
    assert first == ".memofs/memory/use-d1-q2xh.md"
    (tmp_path / first).write_text("taken")
    assert memory_path(layout, "Use D1!", "mem_01k9d3v7q2xh") == ".memofs/memory/use-d1-v7q2xh.md"
    taken = {".memofs/memory/use-d1-v7q2xh.md"}
    assert memory_path(layout, "Use D1!", "mem_01k9d3v7q2xh", taken=taken) == ".memofs/memory/use-d1-d3v7q2xh.md"
