"""`memofs remember`, the commands that change the state of memories, `forget` and `undo`."""

import subprocess

import pytest

from e2e.memofs_program import Workspace

D1, OLD, JWT, RETRY, GONE, PENDING = (f"mem_aaaaaaaa{end}" for end in ("d100", "old1", "jwt1", "ret1", "gone", "pend"))


def test_remember_writes_a_file_and_says_which(workspace: Workspace) -> None:
    text = workspace.ok("remember", "Tenant metadata lives in D1.", "It is read on every request.", "-k", "decision")
    title, facts, path, undo = text.splitlines()
    assert title == "Remembered: Tenant metadata lives in D1"
    id_ = facts.split()[-1]
    assert facts == f"  decision  {id_}"
    assert undo == "`memofs undo` takes it back."
    content = (workspace.root / path.strip()).read_text()
    assert f"id: {id_}\n" in content
    assert content.endswith("\nTenant metadata lives in D1. It is read on every request.\n")


def test_remember_takes_every_field(own_library: Workspace) -> None:
    memory = own_library.json(
        *("remember", "Metadata moved to Postgres", "--kind", "decision", "--title", "Postgres for metadata"),
        *("-t", "database,tenants", "--tag", "2026", "--alias", "pg", "--alias", "the big one"),
        *("--confidence", "0.75", "--supersedes", "d100", "--source", "meeting"),
    )["memory"]
    assert memory["title"] == "Postgres for metadata"
    assert memory["kind"] == "decision"
    assert memory["tags"] == ["database", "tenants", "2026"]
    assert memory["aliases"] == ["pg", "the big one"]
    assert memory["confidence"] == 0.75
    assert memory["supersedes"] == [D1]
    assert memory["source"] == "meeting"
    assert own_library.json("show", D1)["memory"]["supersededBy"] == memory["id"]


@pytest.mark.parametrize("args", [["--stdin"], ["-"]])
def test_remember_reads_standard_input(workspace: Workspace, args: list[str]) -> None:
    workspace.ok("remember", *args, stdin="\ufeff# Café rules\r\n\r\nNo naïve Straße.\n".encode())
    (content,) = (content for name, content in workspace.files().items() if name != "core.md")
    assert b"title: Caf\xc3\xa9 rules" in content
    assert "No naïve Straße." in content.decode()
    assert b"\r" not in content


def test_remember_reads_a_file(workspace: Workspace) -> None:
    workspace.write("notes/retries.md", "# How we retry\n\nThree times.\n")
    ran = workspace.memofs("remember", "--file", "retries.md", "--json", cwd="notes")
    assert ran.json()["memory"]["title"] == "How we retry"


def test_remembering_the_same_again_writes_nothing(workspace: Workspace) -> None:
    first = workspace.json("remember", "The batch job runs at three in the morning")["memory"]
    again = workspace.json("remember", "The batch job runs at three in the morning")
    assert again["memory"] is None
    assert again["duplicateOf"]["id"] == first["id"]
    text = workspace.ok("remember", "The batch job runs at three in the morning")
    assert text.startswith(f"Already remembered; nothing was written:\n  {first['id']}  note  ")
    assert "--allow-duplicate" in text
    second = workspace.json("remember", "The batch job runs at three in the morning", "--allow-duplicate")["memory"]
    assert second["id"] != first["id"]


def test_secrets_are_refused_by_rule_and_never_echoed(workspace: Workspace) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    before = workspace.files()
    ran = workspace.memofs("remember", f"The bot uses {secret} to push")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("error: ")
    assert "\nhint: " in ran.err
    assert "--allow-secrets" in ran.err
    assert secret not in ran.err
    assert workspace.files() == before
    allowed = workspace.json("remember", f"The bot uses {secret} to push", "--allow-secrets")
    assert allowed["memory"]["id"]


@pytest.mark.parametrize(
    ("args", "stdin", "message"),
    [
        ([], b"", "there is no text to remember"),
        (["--stdin"], b"", "there is no text to remember"),
        (["--stdin"], b" \n\n", "there is no text to remember"),
        (["--stdin"], b"caf\xe9", "standard input is not UTF-8: byte 0xe9 at offset 3"),
        (["--stdin"], b"\x89PNG\r\n\x1a\n\x00\x00", "standard input is not UTF-8: byte 0x89 at offset 0"),
        (["--stdin"], b"text\x00with\x00holes", "NUL bytes"),
        (["text", "-k", "desicion"], b"", "there is no kind 'desicion'"),
        (["text", "--supersedes", "mem_zzzzzzzz"], b"", "no memory has the id"),
        (["text", "--title", "x" * 300], b"", "title has 300 characters"),
    ],
)
def test_what_cannot_be_remembered_is_said_and_nothing_is_written(
    workspace: Workspace, args: list[str], stdin: bytes, message: str
) -> None:
    before = workspace.files()
    ran = workspace.memofs("remember", *args, stdin=stdin)
    assert (ran.code, ran.out) == (1, "")
    assert message in ran.err
    assert "\nhint: " in ran.err or "title" in message
    assert workspace.files() == before


def test_retire_restore_and_again(own_library: Workspace) -> None:
    text = own_library.ok("retire", "d100", JWT)
    assert text.splitlines()[0] == "Retired 2 memories:"
    assert f"  {D1}  decision  Use D1 for tenant metadata" in text.splitlines()
    assert text.endswith("`memofs undo` takes it back.\n")
    assert own_library.json("retire", "d100")["unchanged"] == [D1]
    again = own_library.ok("retire", "d100", "ret1")
    assert again.splitlines()[0] == "Retired 1 memory:"
    assert "Retired already:" in again
    assert own_library.json("list", "--status", "retired")["total"] == 4
    restored = own_library.json("restore", D1)
    assert [memory["status"] for memory in restored["memories"]] == ["active"]
    assert own_library.json("restore", D1)["unchanged"] == [D1]


def test_one_unknown_id_changes_nothing(own_library: Workspace) -> None:
    before = own_library.files()
    ran = own_library.memofs("retire", D1, "mem_zzzzzzzz")
    assert (ran.code, ran.out) == (1, "")
    assert "mem_zzzzzzzz" in ran.err
    assert own_library.files() == before


def test_accept_and_reject_pending_memories(own_library: Workspace) -> None:
    assert own_library.ok("accept", "pend").startswith("Accepted 1 memory:\n")
    assert own_library.json("show", PENDING)["memory"]["status"] == "active"
    own_library.ok("undo")
    assert [memory["status"] for memory in own_library.json("accept", "pend")["memories"]] == ["active"]
    own_library.ok("undo")
    assert own_library.ok("reject", "pend").startswith("Rejected 1 memory:\n")
    own_library.ok("undo")
    assert [memory["status"] for memory in own_library.json("reject", "pend")["memories"]] == ["retired"]


def test_verify_by_id_by_path_and_all(own_library: Workspace) -> None:
    before = own_library.json("show", RETRY)["memory"]["verified"]
    verified = own_library.json("verify", "ret1")["memories"]
    assert [memory["id"] for memory in verified] == [RETRY]
    assert verified[0]["verified"] != before
    assert "unverified" not in own_library.json("show", RETRY)["memory"]["flags"]
    by_path = own_library.memofs("verify", "tenants.py", "--json", cwd="src/db").json()
    assert [memory["id"] for memory in by_path["memories"]] == [D1]
    everything = own_library.ok("verify", "--all")
    assert "Verified" in everything


def test_forget_asks_and_without_a_terminal_does_nothing(own_library: Workspace) -> None:
    before = own_library.files()
    ran = own_library.memofs("forget", "d100")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("error: forgetting cannot be undone, and there is no terminal to ask on\nhint: add --yes")
    assert own_library.files() == before


def test_forget_is_real(own_library: Workspace) -> None:
    text = own_library.ok("forget", "d100", D1, "ret1", "--yes")
    assert text.splitlines()[0] == "Forgot 2 memories for good:"
    assert {"use-d1-d100.md", "uploads-ret1.md"} & set(own_library.files()) == set()
    assert own_library.memofs("show", D1).code == 1
    kept = [path for path in own_library.root.rglob("*") if path.is_file() and b"Cloudflare" in path.read_bytes()]
    assert kept == []
    assert [memory["id"] for memory in own_library.json("forget", "jwt1", "-y")["forgotten"]] == [JWT]


def test_forget_names_what_git_still_has(own_library: Workspace) -> None:
    for command in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"]):
        subprocess.run(["git", *command], cwd=own_library.root, env=own_library.environment(), check=True)
    assert own_library.ok("forget", "d100", "-y").endswith(
        "The history of git still has:\n  .memofs/memory/use-d1-d100.md\n"
    )


def test_undo_takes_back_one_write_at_a_time(own_library: Workspace) -> None:
    start = own_library.files()
    own_library.ok("remember", "A memory that is taken back again")
    between = own_library.files()
    own_library.ok("retire", "d100", "jwt1")
    assert own_library.ok("undo").startswith("Undone: retire ")
    assert own_library.files() == between
    document = own_library.json("undo")
    assert document["type"] == "remember"
    assert own_library.files() == start
    ran = own_library.memofs("undo")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("error: ")
