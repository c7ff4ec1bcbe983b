"""`memofs remember --anchor`, `anchor`, `unanchor`, `reanchor`, `anchors`, `verify`, `stale`, `changes` and `check`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.anchored import CODE, Anchored, insert_above
from e2e.memofs_program import PROGRAM, Workspace, memory_file
from memofs.link.client import Client, RemoteError
from memofs.server.in_process import start
from memofs.wire.anchors import AnchorsParams, AnchorSpec, AnchorsResult
from memofs.wire.values import Position, PositionEncoding, Range
from memofs.wire.write import RememberParams, RememberResult

STORE = "src/store.py"
ABOUT_OPEN = "Tenant databases stay open until the store is closed"


@pytest.fixture
def code(workspace: Workspace) -> Anchored:
    return Anchored(workspace)


@pytest.fixture
def opened(code: Anchored) -> str:
    return code.remember(ABOUT_OPEN, f"{STORE}#TenantStore.open")


def test_remember_with_anchors_says_where(code: Anchored) -> None:
    ws = code.workspace
    ran = ws.memofs(
        *("remember", ABOUT_OPEN, "--anchor", "store.py#TenantStore.open", "--anchor", "../docs/limits.md:5-6"),
        *("--anchor", "store.py", "--anchor", "store.py:5:1-5:16"),
        cwd="src",
    )
    assert (ran.code, ran.err) == (0, ""), ran
    places = [line.strip() for line in ran.out.splitlines() if line.startswith("  at ")]
    assert places == [
        "at ../src/store.py:23-26 TenantStore.open",
        "at ../docs/limits.md:5-6",
        "at ../src/store.py",
        "at ../src/store.py:5:1-5:16",
    ]
    (content,) = (text.decode() for name, text in ws.files().items() if name != "core.md")
    assert "    symbol: TenantStore.open\n    lines: 23-26\n" in content
    assert "    columns: 1-16\n" in content
    assert "    quote: POOL_TIMEOUT_MS\n" in content or '    quote: "POOL_TIMEOUT_MS"\n' in content
    assert content.count("    mark: ") == 4


def test_the_same_again_with_the_same_anchors_is_a_duplicate(code: Anchored, opened: str) -> None:
    again = code.workspace.json("remember", ABOUT_OPEN, "--anchor", f"{STORE}#TenantStore.open")
    assert (again["memory"], again["duplicateOf"]["id"]) == (None, opened)


def test_anchors_are_added_listed_and_taken_away(code: Anchored, opened: str) -> None:
    ws = code.workspace
    text = ws.ok("anchor", opened, "src/retry.py#backoff")
    assert text.splitlines()[0] == "Anchored:"
    assert "  2  src/retry.py:6-9 backoff" in text
    assert ws.ok("anchors").splitlines() == [
        f"current  src/retry.py:6-9 backoff             {opened} 2  {ABOUT_OPEN}",
        f"current  src/store.py:23-26 TenantStore.open  {opened} 1  {ABOUT_OPEN}",
    ]
    assert [row["anchorIndex"] for row in ws.json("anchors", STORE)["anchors"]] == [0]
    assert [row["anchorIndex"] for row in ws.json("anchors", "src")["anchors"]] == [1, 0]
    assert ws.json("anchor", opened, "src/retry.py#backoff")["changed"] is False, "once is enough"
    assert "Unanchored:" in ws.ok("unanchor", opened, "2")
    assert "Unanchored:" in ws.ok("unanchor", opened, STORE)
    ran = ws.memofs("anchors")
    assert (ran.code, ran.out) == (0, "")
    assert "no anchors there" in ran.err


def test_undo_takes_back_every_write_about_anchors(code: Anchored, opened: str) -> None:
    ws = code.workspace
    history = [ws.files()]
    for command in (
        ("anchor", opened, "src/retry.py"),
        ("reanchor", opened, "2", "src/retry.py#attempts"),
        ("unanchor", opened, "1"),
        ("verify", opened),
    ):
        ws.ok(*command)
        assert ws.files() != history[-1]
        history.append(ws.files())
    for before in reversed(history[:-1]):
        ws.ok("undo")
        assert ws.files() == before
    assert code.where(opened)[0] == "current"


def test_stale_tells_what_drifted_and_offers_what_can_be_done(code: Anchored, opened: str) -> None:
    ws = code.workspace
    assert ws.ok("stale") == "Nothing stale; 1 anchor of 1 memory checked: 1 current\n"
    code.replace(STORE, "return self.opened[tenant]", "return self.opened.get(tenant)")
    lines = ws.ok("stale").splitlines()
    assert lines[0].startswith(f"{opened}  {ABOUT_OPEN}  note · verified ")
    assert lines[1] == "  changed  src/store.py:23-26 TenantStore.open  anchor 1"
    assert lines[3] == "1 memory stale; 1 anchor of 1 memory checked: 1 changed"
    assert "memofs verify ID" in lines[4]
    assert "flags" in ws.ok("show", opened)
    assert "stale: its code has changed" in ws.ok("show", opened)
    assert "anchors     1 · 1 changed" in ws.ok("status")
    assert [memory["id"] for memory in ws.json("list", "--flag", "stale")["memories"]] == [opened]
    assert [hit["id"] for hit in ws.json("recall", "--flag", "stale", "")["hits"]] == [opened]


def test_changes_show_old_and_new_code(code: Anchored, opened: str) -> None:
    assert "No difference." in code.workspace.ok("changes", opened)
    code.workspace.write(STORE, insert_above(CODE[STORE], 2))
    code.replace(STORE, "return self.opened[tenant]", "return self.opened.get(tenant)")
    assert code.workspace.ok("changes", opened).splitlines()[1:] == [
        "src/store.py:25-28 TenantStore.open changed",
        "",
        "--- src/store.py:23-26",
        "+++ src/store.py:25-28",
        "@@ -23,4 +25,4 @@",
        "     def open(self, tenant: str) -> sqlite3.Connection:",
        "         if tenant not in self.opened:",
        '             self.opened[tenant] = connect(f"{self.root}/{tenant}.db")',
        "-        return self.opened[tenant]",
        "+        return self.opened.get(tenant)",
    ]
    found = code.workspace.json("changes", opened, "1")
    assert (found["source"], found["beforeLines"], found["afterLines"]) == ("git", [23, 26], [25, 28])
    start = CODE[STORE].index("def open")
    code.workspace.write(STORE, CODE[STORE][: start - 4] + CODE[STORE][CODE[STORE].index("    def close") :])
    text = code.workspace.ok("changes", opened)
    assert "missing" in text
    assert "It is not found; other code stands there now, in src/store.py:23-26." in text


def test_a_lost_anchor_is_put_where_the_code_went(code: Anchored, opened: str) -> None:
    ws = code.workspace
    ws.write(STORE, "class TenantStore:\n    pass\n")
    ws.write("src/pool.py", "def obtain(tenant, opened, root):\n    return opened[tenant]\n")
    assert code.where(opened)[0] == "missing"
    ran = ws.memofs("reanchor", opened)
    assert ran.code == 1
    assert "is not found" in ran.err
    ran = ws.memofs("reanchor", opened, "--accept", "9")
    assert ran.code == 1
    assert "there is no place 9" in ran.err
    text = ws.ok("reanchor", opened, "src/pool.py#obtain")
    assert "  1  src/pool.py:1-2 obtain" in text
    assert code.where(opened) == ("current", "src/pool.py", 1)
    assert code.stale() == []


def test_an_offered_place_is_accepted(code: Anchored) -> None:
    """One line became three that are all a little like it: none is taken, all are offered, and a person decides."""
    ws = code.workspace
    before = (
        "def send(client):\n    for attempt in range(3):\n        client.post()\n        time.sleep(2 ** attempt)\n"
    )
    ws.write("src/send.py", before)
    code.repo.commit("send")
    id_ = code.remember("Retries wait twice as long each time", "src/send.py:4")
    after = "        sleep(attempt)\n        client.sleep(3 ** attempt + 1)\n        time.wait(2)\n"
    ws.write("src/send.py", before.replace("        time.sleep(2 ** attempt)\n", after))
    offered = [each["text"] for each in code.row(id_)["candidates"]]
    assert "client.sleep(3 ** attempt + 1)" in offered
    number = offered.index("client.sleep(3 ** attempt + 1)") + 1
    assert f"moved here? {number}. src/send.py:5" in ws.ok("stale")
    ws.ok("reanchor", id_, "--accept", str(number))
    assert code.where(id_) == ("current", "src/send.py", 5)


def test_reanchor_writes_down_where_an_anchor_was_found(code: Anchored, opened: str) -> None:
    code.workspace.write(STORE, insert_above(CODE[STORE], 2))
    assert code.row(opened)["recorded"]["range"]["start"]["line"] == 22
    code.workspace.ok("reanchor", opened)
    assert code.row(opened)["recorded"]["range"]["start"]["line"] == 24
    assert code.workspace.ok("reanchor", opened).startswith("No change; nothing was written")


def test_hand_written_anchors_are_unmarked_until_verified(code: Anchored) -> None:
    ws = code.workspace
    front = """
id: mem_aaaaaaaahand
kind: note
title: By hand
created: 2026-01-10T09:30:00Z
anchors:
  - path: src/store.py
    symbol: TenantStore.open
  - path: src/retry.py
    lines: 6-9
  - path: docs/limits.md
  - src/gone.py
"""
    body = "See @anchor(file=src/retry.py, symbol=attempts) too, not `@anchor(file=src/nowhere.py)`."
    ws.write(".memofs/memory/by-hand.md", memory_file(front, body))
    rows = {row["anchorIndex"]: row for row in code.rows()}
    assert [rows[index]["verdict"] for index in range(5)] == [None, None, None, "missing", None]
    assert [rows[index]["marked"] for index in range(5)] == [False] * 5
    assert rows[0]["range"]["start"]["line"] == 22
    assert (rows[4]["said"], rows[4]["symbol"], rows[4]["range"]["start"]["line"]) == (True, "attempts", 11)
    assert ws.ok("anchors").count("unmarked") == 4
    assert code.stale() == ["missing"]
    code.path("src/gone.py").write_text("back = 1\n")
    assert code.stale() == []
    ws.ok("verify", "mem_aaaaaaaahand")
    rows = {row["anchorIndex"]: row for row in code.rows()}
    assert [rows[index]["verdict"] for index in range(5)] == ["current"] * 5
    assert rows[4]["said"] is False, "what the text says is written down"
    content = (code.root / ".memofs/memory/by-hand.md").read_text()
    assert content.count("mark: ") == 5
    assert body in content


def test_verify_keeps_a_lost_anchor_and_says_so(code: Anchored, opened: str) -> None:
    ws = code.workspace
    ws.ok("anchor", opened, "src/retry.py")
    code.path("src/retry.py").unlink()
    code.replace(STORE, "return self.opened[tenant]", "return self.opened.get(tenant)")
    text = ws.ok("verify", opened)
    assert "1 memory is stale still: code that they are about is not found (memofs stale):" in text
    assert [row["verdict"] for row in code.rows()] == ["missing", "current"]
    assert code.stale() == ["missing"]


@pytest.mark.usefixtures("opened")
@pytest.mark.parametrize("which", [["--all"], ["src/store.py"], ["src"]])
def test_verify_by_path_and_all(code: Anchored, which: list[str]) -> None:
    code.replace(STORE, "return self.opened[tenant]", "return self.opened.get(tenant)")
    code.workspace.ok("verify", *which)
    assert code.stale() == []


def test_check_exits_by_what_it_finds(code: Anchored, opened: str) -> None:
    ws = code.workspace
    ran = ws.memofs("check")
    assert (ran.code, ran.out, ran.err) == (0, "Nothing stale; 1 anchor of 1 memory checked: 1 current\n", "")
    code.replace(STORE, "return self.opened[tenant]", "return self.opened.get(tenant)")
    ran = ws.memofs("check")
    assert ran.code == 1
    first, summary = ran.out.splitlines()
    assert first.startswith("src/store.py:23: TenantStore.open has changed since “Tenant databases")
    assert first.endswith(f"[changed] {opened} 1")
    assert summary == "1 stale anchor; 1 anchor of 1 memory checked: 1 changed"
    assert ws.memofs("check", "src/retry.py").code == 0
    assert ws.memofs("check", "docs/").code == 0
    assert ws.memofs("check", "store.py", cwd="src").code == 1
    assert ws.memofs("check", "src/**").code == 1
    ws.ok("retire", opened)
    assert ws.memofs("check").code == 0, "retired memories may be about anything"


@pytest.mark.usefixtures("opened")
def test_what_cannot_be_checked_exits_2(code: Anchored, tmp_path: Path) -> None:
    ws = code.workspace
    for args, why in (
        (("--since", "no-such-branch"), "git knows no commit 'no-such-branch'"),
        (("src/typo.py",), "there is no such file or folder"),
        (("--format", "yaml"), "'yaml' is not one of"),
    ):
        ran = ws.memofs("check", *args)
        assert ran.code == 2, ran
        assert why in ran.out + ran.err
    assert ws.memofs("-C", str(tmp_path), "check").code == 2, "no memory there"
    ws.write(".memofs/memory/torn.md", "---\nid: mem_aaaaaaaatorn\ntitle: [\n---\n")
    ran = ws.memofs("check")
    assert ran.code == 2
    assert "not checked: .memofs/memory/torn.md: " in ran.out
    code.path(STORE).unlink()
    ran = ws.memofs("check")
    assert ran.code == 1, "what is stale counts more"
    assert "src/store.py is gone" in ran.out


def test_check_since_a_branch_looks_at_changed_files_only(code: Anchored, opened: str) -> None:
    ws = code.workspace
    retry = code.remember("Retries wait with full jitter", "src/retry.py#backoff")
    code.replace("src/retry.py", "2**attempt", "3**attempt")
    code.repo.commit("stale already on main")
    code.repo.git("checkout", "-q", "-b", "topic")
    assert ws.memofs("check", "--since", "main").code == 0
    code.repo.git("mv", STORE, "src/tenants.py")
    code.replace("src/tenants.py", "return self.opened[tenant]", "return self.opened.get(tenant)")
    code.repo.commit("topic")
    ran = ws.memofs("check", "--since", "main", "--json")
    found = ran.json()
    assert ran.code == 1
    assert [finding["anchor"]["memory"] for finding in found["findings"]] == [opened]
    assert found["since"] == code.repo.git("rev-parse", "main")
    assert [finding["anchor"]["memory"] for finding in ws.memofs("check", "--json").json()["findings"]] == [
        retry,
        opened,
    ]


def test_check_as_a_commit_hook(code: Anchored) -> None:
    """git points its hooks at its own index and folder by variables; a check looks at the working tree all the same."""
    id_ = code.remember(ABOUT_OPEN, f"{STORE}#TenantStore.open")
    hook = code.path(".git/hooks/pre-commit")
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nMEMOFS_NO_DAEMON=1 exec {' '.join(PROGRAM)} check\n")
    hook.chmod(0o755)
    code.replace(STORE, "return self.opened[tenant]", "return self.opened.get(tenant)")
    with pytest.raises(subprocess.CalledProcessError) as refused:
        code.repo.commit("changes the code")
    assert b"1 stale anchor; " in refused.value.stderr + refused.value.stdout
    code.verify(id_)
    code.repo.commit("changes the code, and the memory was looked at")


@pytest.mark.usefixtures("opened")
def test_check_in_every_format(code: Anchored) -> None:
    ws = code.workspace
    code.replace(STORE, "return self.opened[tenant]", "return self.opened.get(tenant)")
    found = ws.memofs("check", "--format", "json")
    assert found.code == 1
    assert found.json()["findings"][0]["code"] == "memofs.changed"
    assert ws.memofs("--json", "check").json() == {**found.json()}
    ran = ws.memofs("check", "--format", "github")
    assert ran.out.startswith("::warning file=src/store.py,title=Stale memory%3A Tenant databases")
    assert ",line=23,endLine=26::TenantStore.open has changed since" in ran.out
    sarif = json.loads(ws.memofs("check", "--format", "sarif").out)
    result = sarif["runs"][0]["results"][0]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 23, "endLine": 26}
    assert sarif["runs"][0]["originalUriBaseIds"]["SRCROOT"]["uri"] == f"{code.root.resolve().as_uri()}/"


def test_reports_of_a_workspace_below_its_repository_name_paths_from_the_top(empty: Workspace) -> None:
    inner = Workspace(empty.root / "packages" / "api", empty.home)
    inner.root.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(empty.root)], check=True)
    inner.write("a.py", "LIMIT = 5\n")
    inner.ok("--root", ".", "init")
    inner.ok("config", "set", "embedding.provider", "none")
    inner.ok("remember", "The limit is five", "--anchor", "a.py:1")
    inner.write("a.py", "LIMIT = 6\n")
    assert "file=packages/api/a.py," in inner.memofs("check", "--format", "github").out


def test_update_sets_anchors_and_honours_the_expected_hash(code: Anchored, opened: str) -> None:
    memory = code.ask("get", id=opened)["memory"]
    anchors = [{"path": "src/retry.py", "symbol": "backoff"}, {"path": "docs/limits.md"}]
    done = code.ask("update", id=opened, expectedHash=memory["hash"], fields={"anchors": anchors})
    assert [anchor["path"] for anchor in done["memory"]["anchors"]] == ["src/retry.py", "docs/limits.md"]
    assert done["memory"]["verified"] >= memory["verified"]
    with pytest.raises(RemoteError, match="was changed since it was read"):
        code.ask("update", id=opened, expectedHash=memory["hash"], fields={"anchors": []})
    for method, params in (
        ("anchor", {"anchor": {"path": STORE}}),
        ("unanchor", {"anchorIndex": 0}),
        ("reanchor", {"anchorIndex": 0, "target": {"path": STORE}}),
    ):
        with pytest.raises(RemoteError, match="was changed since it was read"):
            code.ask(method, id=opened, expectedHash=memory["hash"], **params)
    done = code.ask("unanchor", id=opened, anchorIndex=1, expectedHash=done["memory"]["hash"])
    assert [anchor["path"] for anchor in done["memory"]["anchors"]] == ["src/retry.py"]


def test_memories_at_a_place(code: Anchored, opened: str) -> None:
    whole = code.remember("The whole store is SQLite", STORE)
    uri = code.path(STORE).as_uri()
    code.workspace.write(STORE, insert_above(CODE[STORE]))

    def at(first: int, last: int) -> list[str]:
        range_ = {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}
        return [
            each["memory"]["id"] for each in code.ask("memoriesAt", textDocument={"uri": uri}, range=range_)["memories"]
        ]

    assert at(33, 34) == [whole, opened]
    assert at(20, 25) == [whole]
    assert at(33, 33) == [whole, opened], "a cursor"
    every = code.ask("memoriesAt", textDocument={"uri": uri})["memories"]
    assert [(each["memory"]["id"], each["anchors"]) for each in every] == [(whole, [0]), (opened, [0])]
    assert every[1]["memory"]["anchors"][0]["verdict"] == "moved"
    rows = code.ask("anchors", textDocument={"uri": uri})["anchors"]
    assert [row["memory"] for row in rows] == [whole, opened]
    assert code.ask("memoriesAt", textDocument={"uri": code.path("src/retry.py").as_uri()})["memories"] == []


def test_ranges_are_in_the_units_of_the_session(code: Anchored) -> None:
    code.workspace.write("src/words.py", 'HELLO = "🚀é" + greet("cap")\n')
    ends: dict[PositionEncoding, tuple[int, int]] = {"utf-8": (19, 31), "utf-16": (16, 28), "utf-32": (15, 27)}
    for encoding, (first, last) in ends.items():
        sock, wait = start(code.root)
        with Client(sock, role="editor", build="test", position_encoding=encoding, on_close=wait) as client:
            range_ = Range(start=Position(0, first), end=Position(0, last))
            spec = AnchorSpec(uri=code.path("src/words.py").as_uri(), range=range_)
            params = RememberParams(body=f"The greeting in {encoding}", anchors=(spec,), allow_duplicate=True)
            made = client.call("memofs/remember", params)
            assert isinstance(made, RememberResult)
            assert made.memory is not None
            assert made.memory.anchors[0].range == range_
            found = client.call("memofs/anchors", AnchorsParams())
            assert isinstance(found, AnchorsResult)
            assert {row.range for row in found.anchors} == {range_}, "whoever made them"
    contents = [text.decode() for name, text in code.workspace.files().items() if name != "core.md"]
    assert all("    columns: 16-28\n" in content for content in contents)


def test_two_processes_verify_at_once(code: Anchored, opened: str) -> None:
    ids = [opened, code.remember("Connections use WAL", f"{STORE}#connect")]
    for round_ in range(3):
        code.workspace.write(STORE, insert_above(CODE[STORE], round_ + 1))
        running = [
            subprocess.Popen(
                [*PROGRAM, "verify", *ids],
                cwd=code.root,
                env=code.workspace.environment(),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            for _ in range(3)
        ]
        ended = [process.communicate(timeout=120) for process in running]
        assert [process.returncode for process in running] == [0, 0, 0], ended
        assert [row["verdict"] for row in code.rows()] == ["current", "current"]
    assert [each for each in code.ask("doctor")["findings"] if each["severity"] != "info"] == []


def test_two_processes_anchor_one_memory_and_both_anchors_are_there(code: Anchored, opened: str) -> None:
    running = [
        subprocess.Popen(
            [*PROGRAM, "anchor", opened, target],
            cwd=code.root,
            env=code.workspace.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for target in ("src/retry.py#backoff", "src/retry.py#attempts", "docs/limits.md")
    ]
    ended = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0, 0, 0], ended
    assert len(code.rows()) == 4


def test_the_old_version_that_git_lacks_is_kept_by_this_machine(code: Anchored) -> None:
    code.workspace.write("src/draft.py", "def draft():\n    return 'never committed'\n\n\nLIMIT = 3\n")
    id_ = code.remember("Drafts are limited", "src/draft.py#draft", commit=False)
    code.workspace.write("src/draft.py", "def draft():\n    return 'written anew'\n\n\nLIMIT = 3\n")
    found = code.ask("changes", id=id_)
    assert (found["source"], found["before"]) == ("cache", "def draft():\n    return 'never committed'")


@pytest.mark.skipif(sys.platform == "win32", reason="needs symbolic links")
def test_a_symlinked_workspace_folder(code: Anchored, opened: str, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(code.root, target_is_directory=True)
    ws = code.workspace
    (row,) = ws.json("-C", str(link), "anchors")["anchors"]
    assert (row["memory"], row["verdict"], row["uri"]) == (opened, "current", (link / STORE).as_uri())
    for path in (code.path(STORE), link / STORE):
        assert " of 1 memory checked" in ws.ok("-C", str(link), "check", str(path))
        assert ws.json("-C", str(link), "anchor", opened, f"{path}#connect")["memory"]["anchors"][1]["path"] == STORE
