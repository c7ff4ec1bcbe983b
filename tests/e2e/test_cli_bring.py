"""`memofs import` and `migrate`."""

import pytest

from e2e.memofs_program import Workspace

FIRST = """# 1. Use files

Date: 2019-01-02

## Status

Superseded by [2. Use a database](0002-use-a-database.md)

## Context

We need to keep things.

## Decision

Files.
"""
SECOND = """# 2. Use a database

Date: 2020-03-04

## Status

Accepted

Supersedes [1. Use files](0001-use-files.md)

## Context

Files got slow.

## Decision

A database.
"""


@pytest.fixture
def records(workspace: Workspace) -> Workspace:
    workspace.write("docs/adr/0001-use-files.md", FIRST)
    workspace.write("docs/adr/0002-use-a-database.md", SECOND)
    workspace.write("docs/adr/README.md", "# Records\n\nAn index of all records.\n")
    workspace.write("docs/adr/0003-binary.md", b"# 3\n\xff\xfe\x00")
    return workspace


def test_adr_is_summed_up_and_a_second_run_does_nothing(records: Workspace) -> None:
    lines = records.ok("import", "adr", "docs/adr").splitlines()
    assert lines[0].startswith("Imported 2, updated 0, unchanged 0, skipped ")
    assert "1 link between records: the older one is superseded." in lines
    assert lines[-1] == "`memofs undo` takes it back."
    after = records.files()
    assert records.ok("import", "adr", "docs/adr").startswith("Imported 0, updated 0, unchanged 2, skipped ")
    assert records.files() == after
    first = records.json("recall", "--include-retired", "use files")["hits"][0]
    assert first["title"].endswith("Use files")
    assert "superseded" in first["flags"]


def test_adr_json_names_what_was_left_out_and_why(records: Workspace) -> None:
    document = records.json("import", "adr", "docs/adr", "-k", "reference", "-t", "adr,old")
    assert [item["path"] for item in document["imported"]] == [
        "docs/adr/0001-use-files.md",
        "docs/adr/0002-use-a-database.md",
    ]
    new, old = document["links"][0]
    by_path = {item["path"]: item["id"] for item in document["imported"]}
    assert (new, old) == (by_path["docs/adr/0002-use-a-database.md"], by_path["docs/adr/0001-use-files.md"])
    skipped = {item["path"]: item["reason"] for item in document["skipped"]}
    assert "docs/adr/0003-binary.md" in skipped
    assert all(skipped.values())
    memory = records.json("show", new)["memory"]
    assert (memory["kind"], memory["tags"]) == ("reference", ["adr", "old"])
    assert memory["source"] == "import:adr:docs/adr/0002-use-a-database.md"


def test_a_dry_run_writes_nothing(records: Workspace) -> None:
    before = records.files()
    text = records.ok("import", "adr", "docs/adr", "--dry-run")
    assert text.startswith("Would import 2, ")
    assert text.endswith("Nothing was written.\n")
    assert "docs/adr/0002-use-a-database.md" in text
    assert records.files() == before


def test_what_was_edited_here_is_kept_unless_forced(records: Workspace) -> None:
    records.ok("import", "adr", "docs/adr")
    name = next(name for name, content in records.files().items() if b"A database." in content)
    path = records.root / ".memofs/memory" / name
    path.write_text(path.read_text().replace("A database.", "A database, edited here."))
    records.write("docs/adr/0002-use-a-database.md", SECOND.replace("Files got slow.", "Files got very slow."))
    document = records.json("import", "adr", "docs/adr")
    assert document["updated"] == []
    assert "edited here" in path.read_text()
    forced = records.json("import", "adr", "docs/adr", "--force")
    assert [item["path"] for item in forced["updated"]] == ["docs/adr/0002-use-a-database.md"]
    assert "very slow" in path.read_text()


def test_undo_takes_a_whole_import_back(records: Workspace) -> None:
    before = records.files()
    records.ok("import", "adr", "docs/adr")
    records.ok("undo")
    assert records.files() == before


def test_a_path_is_taken_from_where_the_person_stands(records: Workspace) -> None:
    ran = records.memofs("import", "adr", "adr", "--json", cwd="docs")
    assert len(ran.json()["imported"]) == 2


def test_markdown_of_a_folder_and_of_one_file(workspace: Workspace) -> None:
    workspace.write("notes/a.md", "# About A\n\nSomething about a.\n")
    workspace.write("notes/deep/b.md", "# About B\n\nSomething about b.\n")
    workspace.write("README.md", "# The project\n\nWhat it is.\n")
    assert workspace.ok("import", "markdown", "notes", "--dry-run").startswith("Would import 2, ")
    document = workspace.json("import", "markdown", "notes", "--kind", "reference", "--tag", "docs")
    assert {item["title"] for item in document["imported"]} == {"About A", "About B"}
    assert workspace.ok("import", "markdown", "README.md", "--force").startswith("Imported 1, ")
    assert workspace.json("list", "-t", "docs")["total"] == 2


def test_secrets_are_left_out_of_an_import_unless_allowed(workspace: Workspace) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    workspace.write("notes/a.md", f"# The bot\n\nIt pushes with {secret}.\n")
    ran = workspace.memofs("import", "markdown", "notes")
    assert ran.out.startswith("Imported 0, updated 0, unchanged 0, skipped 1\n")
    assert secret not in ran.out + ran.err
    assert workspace.ok("import", "markdown", "notes", "--allow-secrets").startswith("Imported 1, ")
    workspace.write("adr/0001-the-bot.md", f"# 1. The bot\n\n## Status\n\nAccepted\n\n## Decision\n\nUse {secret}.\n")
    assert workspace.json("import", "adr", "adr")["imported"] == []
    assert len(workspace.json("import", "adr", "adr", "--allow-secrets")["imported"]) == 1


@pytest.mark.parametrize(("what", "path"), [("adr", "nowhere"), ("markdown", "nowhere.md")])
def test_a_path_that_is_not_there_is_wrong_usage(workspace: Workspace, what: str, path: str) -> None:
    ran = workspace.memofs("import", what, path)
    assert (ran.code, ran.out) == (2, "")
    assert f"'{path}' does not exist" in ran.err


NOTES = """# Notes

## 2024-05-01T10:00:00.000Z — Prefer tabs
- kind: preference
- tags: style
- confidence: 0.8
- source: user
- writer: user

We indent with tabs.

## 2024-05-02T10:00:00.000Z
- kind: note
- tags: none

A second entry, without a title.
"""


def test_migrate_turns_entries_into_files_and_keeps_the_log(workspace: Workspace) -> None:
    workspace.write(".memofs/memory/notes.md", NOTES)
    before = workspace.files()
    dry = workspace.ok("migrate", "--dry-run")
    assert dry.startswith("Would move 2 entries of notes.md to files\n")
    assert workspace.files() == before
    text = workspace.ok("migrate")
    assert text.startswith("Moved 2 entries of notes.md to files\n")
    assert "The old file is kept as " in text
    assert not (workspace.root / ".memofs/memory/notes.md").exists()
    memory = workspace.json("recall", "indent with tabs")["hits"][0]
    assert (memory["title"], memory["kind"], memory["confidence"]) == ("Prefer tabs", "preference", 0.8)
    again = workspace.json("migrate")
    assert again["migrated"] == []
