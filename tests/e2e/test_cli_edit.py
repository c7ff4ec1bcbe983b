"""`memofs edit` with a real editor process: a script that does what a person might do."""

import sys
from pathlib import Path

import pytest

from e2e.memofs_program import Ran, Workspace

D1 = "mem_aaaaaaaad100"


def edit(workspace: Workspace, script: str, *args: str, variable: str = "EDITOR") -> Ran:
    """Run `memofs edit` with an editor that runs `script` on `path` and `text`."""
    editor = workspace.write(
        "../home/editor.py",
        "import pathlib, sys\npath = pathlib.Path(sys.argv[-1])\ntext = path.read_text()\n" + script,
    )
    return workspace.memofs("edit", *args, env={variable: f"'{sys.executable}' '{editor}'"})


def kept_drafts(workspace: Workspace) -> list[Path]:
    return sorted((workspace.home / "tmp").glob("memofs-edit-*/*"))


def test_what_was_saved_is_written(own_library: Workspace) -> None:
    ran = edit(own_library, "path.write_text(text.replace('every request', 'each request'))", "d100")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"Updated:\n  {D1}  decision  Use D1 for tenant metadata\n")
    assert b"read on each request" in own_library.files()["use-d1-d100.md"]
    assert kept_drafts(own_library) == []
    own_library.ok("undo")
    assert b"read on every request" in own_library.files()["use-d1-d100.md"]


def test_the_copy_is_private_and_named_like_the_file(own_library: Workspace) -> None:
    script = "pathlib.Path('seen').write_text(f'{path.name} {path.parent.stat().st_mode & 0o77}')"
    edit(own_library, script, "d100", variable="VISUAL")
    assert (own_library.root / "seen").read_text() == "use-d1-d100.md 0"


def test_nothing_changed_is_said(own_library: Workspace) -> None:
    before = own_library.files()
    ran = edit(own_library, "", "d100", "--json")
    assert (ran.code, ran.json()["changed"]) == (0, False)
    ran = edit(own_library, "", "d100")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "No change; nothing was written:")
    assert "code --wait" in ran.err
    assert own_library.files() == before
    assert kept_drafts(own_library) == []


def test_an_emptied_text_changes_nothing(own_library: Workspace) -> None:
    before = own_library.files()
    ran = edit(own_library, "path.write_text('')", "d100")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("error: the text was emptied; the memory stays as it is\nhint: ")
    assert own_library.files() == before


def test_a_text_that_is_no_memory_is_kept_and_named(own_library: Workspace) -> None:
    before = own_library.files()
    ran = edit(own_library, "path.write_text(text.replace('kind: decision', 'kind: [unclosed'))", "d100")
    assert (ran.code, ran.out) == (1, "")
    (draft,) = kept_drafts(own_library)
    assert f"your text is kept in {draft}" in ran.err
    assert "kind: [unclosed" in draft.read_text()
    assert own_library.files() == before


def test_a_conflict_loses_neither_text(own_library: Workspace) -> None:
    target = own_library.root / ".memofs/memory/use-d1-d100.md"
    script = (
        f"other = pathlib.Path({str(target)!r})\n"
        "other.write_text(other.read_text() + 'Written meanwhile.\\n')\n"
        "path.write_text(text + 'Written in the editor.\\n')"
    )
    ran = edit(own_library, script, "d100")
    assert (ran.code, ran.out) == (1, "")
    (draft,) = kept_drafts(own_library)
    assert f"your text is kept in {draft}" in ran.err
    assert draft.read_text().endswith("Written in the editor.\n")
    assert target.read_text().endswith("Written meanwhile.\n")
    document = edit(own_library, script, "d100", "--json").json()
    assert document["error"]["family"] == "Conflict"
    assert "your text is kept in " in document["error"]["hint"]


def test_a_secret_is_refused_and_allowed_when_asked(own_library: Workspace) -> None:
    script = "path.write_text(text + 'Key: ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8')"
    ran = edit(own_library, script, "d100")
    assert (ran.code, ran.out) == (1, "")
    assert "ghp_a1" not in ran.err
    assert edit(own_library, script, "d100", "--allow-secrets").code == 0


@pytest.mark.parametrize(
    ("editor", "message"),
    [
        ("false", "the editor false ended with exit code 1; the memory was not changed"),
        ("no-such-editor-here --wait", "the editor no-such-editor-here cannot be run"),
        ("vi 'unclosed", "$EDITOR cannot be read"),
    ],
)
def test_an_editor_that_fails_changes_nothing(own_library: Workspace, editor: str, message: str) -> None:
    before = own_library.files()
    ran = own_library.memofs("edit", "d100", env={"EDITOR": editor})
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"error: {message}")
    assert "\nhint: " in ran.err
    assert own_library.files() == before


def test_no_editor_at_all(own_library: Workspace) -> None:
    ran = own_library.memofs("edit", "d100", env={"PATH": str(own_library.home)})
    assert (ran.code, ran.err.splitlines()[0]) == (1, "error: there is no editor")


def test_an_entry_of_the_old_log_is_not_opened(own_library: Workspace) -> None:
    own_library.write(
        ".memofs/memory/notes.md", "## 2024-05-01T10:00:00.000Z — Old entry\n- kind: note\n\nFrom the first days.\n"
    )
    (entry,) = (memory for memory in own_library.json("list", "--all")["memories"] if memory["title"] == "Old entry")
    ran = edit(own_library, "path.write_text('never')", entry["id"])
    assert (ran.code, ran.out) == (1, "")
    assert "memofs migrate" in ran.err
