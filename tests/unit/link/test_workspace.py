from pathlib import Path

from memofs.link.workspace import find_root


def test_nearest_folder_with_a_memory_wins_over_git(tmp_path: Path) -> None:
    (tmp_path / "outer" / ".memofs").mkdir(parents=True)
    (tmp_path / "outer" / "repo" / ".git").mkdir(parents=True)
    deep = tmp_path / "outer" / "repo" / "src"
    deep.mkdir()
    assert find_root(deep) == tmp_path / "outer"


def test_of_several_repositories_the_one_at_hand_gets_the_write(tmp_path: Path) -> None:
    for name in ("one", "two", "three"):
        (tmp_path / name / ".memofs").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / "two" / "src").mkdir()
    assert find_root(tmp_path / "two" / "src") == tmp_path / "two"


def test_git_top_level_without_a_memory(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: elsewhere\n")  # a worktree's .git is a file
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert find_root(tmp_path / "a" / "b") == tmp_path


def test_a_file_called_memofs_is_not_a_memory(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / ".memofs").write_text("")
    assert find_root(tmp_path / "a") == tmp_path


def test_a_symlinked_folder_keeps_its_spelling(tmp_path: Path) -> None:
    (tmp_path / "real" / ".memofs").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert find_root(tmp_path / "link") == tmp_path / "link"
