"""Bad input, case by case.

A clear error or a visible diagnostic, the right exit code, nothing lost, nothing half written.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.memofs_program import Ran, Workspace, bound_by_permissions, memory_file

GOOD = memory_file(
    "id: mem_aaaaaagood\nkind: decision\ntitle: The good one\ncreated: 2026-01-01T00:00:00Z", "Lighthouse."
)


@pytest.fixture
def good(workspace: Workspace) -> Workspace:
    workspace.write(".memofs/memory/good.md", GOOD)
    return workspace


def doctor(workspace: Workspace) -> tuple[int, dict[str, list[str]]]:
    """Exit code, and codes of the findings by file name."""
    ran = workspace.memofs("doctor", "--json")
    findings: dict[str, list[str]] = {}
    for finding in ran.json()["findings"]:
        findings.setdefault(Path(finding["path"] or "").name, []).append(finding["code"])
    return ran.code, findings


def refused(ran: Ran, message: str) -> None:
    """An error with a hint, exit code 1, and nothing on standard output."""
    assert (ran.code, ran.out) == (1, ""), ran
    first = ran.err.splitlines()[0]
    assert first.startswith("error: ")
    assert message in first, ran.err
    assert "\nhint: " in ran.err


UNREADABLE = {
    "malformed.md": (b"---\nid: mem_aaaaaaabad\ntitle: [unclosed\n---\nBody.\n", "frontMatter"),
    "endless.md": (b"---\nid: mem_aaaaaaabad\ntitle: never ends\n", "frontMatter"),
    "conflict.md": (
        b"---\nid: mem_aaaaaaabad\n<<<<<<< HEAD\ntitle: Ours\n=======\ntitle: Theirs\n>>>>>>> branch\n---\nBody.\n",
        "conflictMarkers",
    ),
    "binary.md": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\xff", "binary"),
    "latin1.md": (b"---\nid: mem_aaaaaaabad\ntitle: Caf\xe9\n---\nBody.\n", "notUtf8"),
}


def test_files_that_cannot_be_read_are_diagnostics_and_break_nothing(good: Workspace) -> None:
    for name, (data, _) in UNREADABLE.items():
        good.write(f".memofs/memory/{name}", data)
    code, findings = doctor(good)
    assert code == 1
    assert findings == {name: [expected] for name, (_, expected) in UNREADABLE.items()}
    assert [hit["id"] for hit in good.json("recall", "lighthouse")["hits"]] == ["mem_aaaaaagood"]
    assert good.json("status")["problems"] == len(UNREADABLE)
    mending = good.memofs("doctor", "--fix")
    assert mending.code == 1
    for name, (data, _) in UNREADABLE.items():
        assert f"error: .memofs/memory/{name}:" in mending.out
        assert good.files()[name] == data, "left as it was found"


def test_two_files_with_one_id_are_both_kept_and_the_newer_is_marked(good: Workspace) -> None:
    copy = GOOD.replace("Lighthouse.", "Lighthouse, copied.").replace("2026-01-01", "2026-02-02")
    good.write(".memofs/memory/a-copy.md", copy)
    assert doctor(good) == (0, {"a-copy.md": ["duplicateId"]})
    assert good.json("show", "mem_aaaaaagood")["memory"]["path"] == ".memofs/memory/good.md"
    listed = {memory["path"]: memory["id"] for memory in good.json("list")["memories"]}
    assert set(listed) == {".memofs/memory/good.md", ".memofs/memory/a-copy.md"}
    assert "[duplicateId]" in good.ok("show", listed[".memofs/memory/a-copy.md"])


WARNED = {
    "kind: desicion": "unknownKind",
    "confidence: high": "badConfidence",
    "confidence: 1.5": "badConfidence",
    "created: 2199-01-01T00:00:00Z": "futureDate",
    "created: soon": "badDate",
    "status: parked": "badStatus",
}


def test_a_bad_value_costs_that_value_and_nothing_else(workspace: Workspace) -> None:
    for number, line in enumerate(WARNED):
        front = f"id: mem_aaaaaaodd{number}\ntitle: Odd lighthouse {number}\n{line}"
        workspace.write(f".memofs/memory/odd{number}.md", memory_file(front, "Body."))
    code, findings = doctor(workspace)
    assert code == 0, "warnings alone are no failure"
    assert findings == {f"odd{number}.md": [name] for number, name in enumerate(WARNED.values())}
    assert len(workspace.json("recall", "odd lighthouse", "--precision", "all")["hits"]) == len(WARNED)
    shown = workspace.ok("show", "odd1")
    assert "warning: .memofs/memory/odd1.md:4: " in shown
    assert "[badConfidence]" in shown
    assert "  confidence" not in shown


def test_a_megabyte_is_remembered_found_and_shown(workspace: Workspace) -> None:
    body = "A very long tale. " + "lighthouse keeper number seven " * 34_000
    assert len(body) > 1_000_000
    id_ = workspace.memofs("remember", "--stdin", "--title", "Long", "--json", stdin=body.encode()).json()["memory"][
        "id"
    ]
    hit = workspace.json("recall", "lighthouse keeper")["hits"][0]
    assert hit["id"] == id_
    assert len(hit["snippet"]) < 2_000
    assert workspace.json("show", id_)["memory"]["body"].strip() == body.strip()
    refused(workspace.memofs("remember", "--stdin", stdin=b"word " * 600_000), "a memory holds at most")


def test_without_a_memory_every_command_says_init(empty: Workspace) -> None:
    for args in (["recall", "x"], ["remember", "x"], ["list"], ["status"], ["undo"], ["doctor"], ["snapshot", "list"]):
        ran = empty.memofs(*args)
        assert (ran.code, ran.out) == (1, ""), args
        assert ran.err.startswith("error: ")
        assert "memofs init" in ran.err
    error = empty.memofs("recall", "x", "--json")
    assert error.code == 1
    assert error.json()["error"]["family"] == "NotFound"
    assert "memofs init" in error.json()["error"]["hint"]
    assert list(empty.root.iterdir()) == [], "asking leaves nothing behind"


@pytest.fixture
def read_only(good: Workspace) -> Iterator[Workspace]:
    prefix = bound_by_permissions()
    if prefix is None:
        pytest.skip("root writes to read-only folders, and setpriv is not there to hold it back")
    good.json("recall", "lighthouse")
    folders = [good.root / ".memofs", *(path for path in (good.root / ".memofs").rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    yield good._replace(prefix=prefix)
    for folder in folders:
        folder.chmod(0o755)


def test_a_read_only_folder_can_be_read_and_refuses_writes(read_only: Workspace) -> None:
    document = read_only.json("recall", "lighthouse")
    assert [hit["id"] for hit in document["hits"]] == ["mem_aaaaaagood"]
    assert "readOnly" in document["degraded"]
    before = read_only.files()
    refused(read_only.memofs("remember", "Something new"), "")
    refused(read_only.memofs("retire", "mem_aaaaaagood"), "")
    assert read_only.files() == before


def test_a_cache_that_cannot_be_written_costs_only_time(good: Workspace) -> None:
    indexes = good.root / ".memofs/indexes"
    for path in sorted(indexes.rglob("*"), reverse=True):
        path.unlink()
    indexes.rmdir()
    indexes.write_text("a file where the folder of caches should be\n")
    assert [hit["id"] for hit in good.json("recall", "lighthouse")["hits"]] == ["mem_aaaaaagood"]
    assert good.json("remember", "Still written")["memory"]["id"]
    assert indexes.read_text() == "a file where the folder of caches should be\n"


@pytest.mark.parametrize("damage", [b"", b"\x00" * 4096, b"garbage"])
def test_a_damaged_cache_is_rebuilt(workspace: Workspace, damage: bytes) -> None:
    for number in range(80):
        workspace.write(f".memofs/memory/n{number}.md", f"# Lighthouse number {number}\n")
    first = workspace.json("list", "--all")
    caches = [path for path in (workspace.root / ".memofs/indexes").rglob("*") if path.is_file()]
    assert caches, "80 files are worth a cache"
    for path in caches:
        path.write_bytes(damage)
    assert workspace.json("list", "--all")["memories"] == first["memories"]


def test_a_broken_config_is_a_diagnostic_and_the_defaults_hold(good: Workspace) -> None:
    good.write(".memofs/config.json", "{ broken")
    code, findings = doctor(good)
    assert code == 1
    assert set(findings) == {"config.json"}
    assert good.json("recall", "lighthouse")["hits"]
    refused(good.memofs("config", "set", "precision", "strict"), "config.json")
    assert (good.root / ".memofs/config.json").read_text() == "{ broken"


def test_a_memory_folder_that_leads_out_of_the_workspace_is_refused(empty: Workspace, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (empty.root / ".memofs").symlink_to(tmp_path / "elsewhere")
    ran = empty.memofs("init")
    assert (ran.code, ran.out) == (1, "")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_an_import_from_outside_the_workspace(good: Workspace, tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "0001-x.md").write_text("# 1. X\n\n## Status\n\nAccepted\n\n## Decision\n\nX it is.\n")
    ran = good.memofs("import", "adr", str(tmp_path / "records"), "--json")
    document = json.loads(ran.out)
    assert ran.code == 0
    assert len(document["imported"]) == 1


def test_windows_line_ends_a_byte_order_mark_and_no_final_newline(workspace: Workspace) -> None:
    data = b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode().rstrip()
    workspace.write(".memofs/memory/crlf.md", data)
    assert doctor(workspace) == (0, {})
    memory = workspace.json("show", "mem_aaaaaagood")["memory"]
    assert (memory["title"], memory["body"].strip()) == ("The good one", "Lighthouse.")
    workspace.ok("retire", "mem_aaaaaagood")
    after = workspace.files()["crlf.md"]
    assert after.startswith(b"\xef\xbb\xbf---\r\n")
    assert after.count(b"\n") == after.count(b"\r\n")
    assert after.endswith(b"Lighthouse.")
    assert b"status: retired\r\n" in after
