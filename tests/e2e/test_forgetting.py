"""Forgetting says where else the text still is."""

from e2e.memofs_program import Workspace

LOG = """\
## 2026-09-01T00:00:00Z — Use D1
- kind: decision
- tags: database

Edge latency decided it.
"""


def test_a_migrated_log_that_still_says_it_is_named(workspace: Workspace) -> None:
    workspace.write(".memofs/memory/notes.md", LOG)
    workspace.ok("migrate")
    (id_,) = [memory["id"] for memory in workspace.json("list")["memories"]]
    done = workspace.json("forget", id_, "--yes")
    (archive,) = done["inArchives"]
    assert "Edge latency decided it." in (workspace.root / archive).read_text()


def test_forgetting_names_no_archive_where_there_is_none(workspace: Workspace) -> None:
    id_ = workspace.json("remember", "Edge latency decided it.")["memory"]["id"]
    assert workspace.json("forget", id_, "--yes")["inArchives"] == []
