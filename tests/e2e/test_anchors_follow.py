"""Code moves, changes, goes and comes back, as in the field: memories stay with it, and only what changed is stale."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.anchored import CODE, Anchored, insert_above
from e2e.memofs_program import Workspace

STORE = "src/store.py"
OPEN = 23
"""The line of `TenantStore.open`."""
ABOUT_OPEN = "Tenant databases stay open until the store is closed"
ABOUT_RETRY = "Retries wait with full jitter because herds came back together"


@pytest.fixture
def code(workspace: Workspace) -> Anchored:
    return Anchored(workspace)


@pytest.fixture
def opened(code: Anchored) -> str:
    """The id of a memory about `TenantStore.open`."""
    return code.remember(ABOUT_OPEN, f"{STORE}#TenantStore.open")


def test_a_new_anchor_is_current_and_says_all_there_is_to_say(code: Anchored, opened: str) -> None:
    row = code.row(opened)
    assert (row["verdict"], row["marked"], row["symbol"]) == ("current", True, "TenantStore.open")
    assert row["range"] == {"start": {"line": 22, "character": 0}, "end": {"line": 26, "character": 0}}
    assert row["recorded"]["range"] == row["range"]
    assert code.stale() == []


def test_lines_inserted_above(code: Anchored, opened: str) -> None:
    memory = code.workspace.files()
    code.workspace.write(STORE, insert_above(CODE[STORE]))
    assert code.where(opened) == ("moved", STORE, OPEN + 10)
    assert code.stale() == []
    assert "stale" not in code.hit(ABOUT_OPEN)["flags"]
    assert code.workspace.files() == memory, "the memory's file is left alone"
    hit = code.hit(ABOUT_OPEN)["anchors"][0]
    assert (hit["verdict"], hit["range"]["start"]["line"]) == ("moved", OPEN + 9)


def test_a_changed_body_is_stale_and_ranks_lower(code: Anchored, opened: str) -> None:
    before = code.hit(ABOUT_OPEN)["score"]
    code.replace(STORE, "if tenant not in self.opened:", "if tenant not in self.opened or self.opened[tenant] is None:")
    assert code.where(opened)[0] == "changed"
    assert code.stale() == ["changed"]
    hit = code.hit(ABOUT_OPEN)
    assert "stale" in hit["flags"]
    assert hit["score"] == pytest.approx(before / 2, rel=0.05)


@pytest.mark.parametrize("verb", ["verify", "undo the edit"])
def test_stale_until_somebody_confirms_it_or_takes_the_edit_back(code: Anchored, opened: str, verb: str) -> None:
    code.replace(STORE, "return self.opened[tenant]", "return self.opened.get(tenant)")
    assert code.where(opened)[0] == "changed"
    if verb == "verify":
        code.verify(opened)
    else:
        code.workspace.write(STORE, CODE[STORE])
    assert code.where(opened) == ("current", STORE, OPEN)
    assert code.stale() == []
    assert "stale" not in code.hit(ABOUT_OPEN)["flags"]


def test_comments_and_white_space_are_no_change(code: Anchored, opened: str) -> None:
    code.replace(STORE, "        if tenant not in", "        # the first time\n\n        if tenant   not in")
    assert code.where(opened)[0] == "reformatted"
    assert code.stale() == []


@pytest.mark.parametrize("tool", ["black", "ruff"])
def test_a_formatter_is_no_change(code: Anchored, tool: str) -> None:
    loose = (
        CODE[STORE]
        .replace('"', "'")
        .replace(
            "connection = sqlite3.connect(path, timeout=POOL_TIMEOUT_MS / 1000)",
            "connection = sqlite3.connect(path,\n        timeout = POOL_TIMEOUT_MS/1000)",
        )
    )
    code.workspace.write(STORE, loose)
    whole = code.remember("How a tenant's database is opened", f"{STORE}#connect", STORE)
    inner = code.remember("Names of tenants are keys", f"{STORE}#TenantStore.open", f"{STORE}:11-12")
    programs = {
        "black": [sys.executable, "-m", "black", "--quiet", "--line-length", "60"],
        "ruff": [str(Path(sys.executable).with_name("ruff")), "format", "--isolated", "--quiet", "--line-length", "60"],
    }
    subprocess.run([*programs[tool], str(code.path(STORE))], check=True)
    assert code.read(STORE) != loose
    for id_, index in ((whole, 0), (whole, 1), (inner, 0), (inner, 1)):
        assert code.where(id_, index)[0] in ("current", "moved", "reformatted"), code.row(id_, index)
    assert code.stale() == []


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_other_line_ends_a_byte_order_mark_and_trailing_blanks(code: Anchored, opened: str, ends: str) -> None:
    file = code.remember("The whole store is SQLite", STORE)
    table = code.remember("Why uploads end at 20 MB", "docs/limits.md:5")
    for name in (STORE, "docs/limits.md"):
        code.workspace.write(name, b"\xef\xbb\xbf" + CODE[name].replace("\n", f"  {ends}").encode())
    for id_ in (opened, file, table):
        assert code.where(id_)[0] == "current", code.row(id_)
    assert code.stale() == []


def test_a_function_renamed_is_found_under_its_new_name(code: Anchored, opened: str) -> None:
    code.replace(STORE, "def open(self, tenant", "def obtain(self, tenant")
    row = code.row(opened)
    assert (row["verdict"], row["symbol"]) == ("changed", "TenantStore.obtain")
    code.verify(opened)
    assert "symbol: TenantStore.obtain\n" in code.raw(opened)
    assert code.where(opened)[0] == "current"


@pytest.mark.parametrize("committed", [False, True])
def test_a_function_moved_to_another_file(code: Anchored, opened: str, committed: bool) -> None:
    retry = code.remember(ABOUT_RETRY, "src/retry.py#backoff")
    function = CODE["src/retry.py"][
        CODE["src/retry.py"].index("def backoff") : CODE["src/retry.py"].index("def attempts")
    ]
    code.replace("src/retry.py", function, "")
    code.workspace.write("src/waiting.py", f'"""Waiting."""\n\nimport random\n\n\n{function}')
    if committed:
        code.repo.commit("moved")
    assert code.where(retry) == ("moved", "src/waiting.py", 6)
    assert code.where(opened)[0] == "current"
    assert code.stale() == []
    code.verify(retry)
    assert code.row(retry)["recorded"]["path"] == "src/waiting.py"
    code.replace("src/waiting.py", "base_s * 2**attempt", "base_s * 3**attempt")
    assert code.where(retry)[0] == "changed"


def test_a_function_that_is_copied_stays_where_it_is(code: Anchored, opened: str) -> None:
    shutil.copy(code.path(STORE), code.path("src/copy.py"))
    code.workspace.write(STORE, insert_above(CODE[STORE]))
    assert code.where(opened) == ("moved", STORE, OPEN + 10)


def test_a_function_deleted_is_missing_though_another_file_had_the_same_before(code: Anchored) -> None:
    shutil.copy(code.path("src/retry.py"), code.path("src/other.py"))
    code.repo.commit("a copy")
    retry = code.remember(ABOUT_RETRY, "src/retry.py#backoff")
    start, end = (CODE["src/retry.py"].index(words) for words in ("def backoff", "def attempts"))
    code.workspace.write("src/retry.py", CODE["src/retry.py"][:start] + CODE["src/retry.py"][end:])
    code.repo.commit("gone")
    assert code.where(retry)[:2] == ("missing", "src/retry.py")
    assert code.stale() == ["missing"]


@pytest.mark.parametrize(
    "how", ["git mv", "git mv, committed", "mv", "mv, committed", "twice, committed", "mv, no git"]
)
@pytest.mark.parametrize("edited", [False, True])
def test_a_file_renamed(workspace: Workspace, how: str, edited: bool) -> None:
    code = Anchored(workspace, git=how != "mv, no git")
    has_git = how != "mv, no git"
    id_ = code.remember(ABOUT_OPEN, f"{STORE}#TenantStore.open", commit=has_git)
    table = code.remember("The whole store is SQLite", STORE, commit=has_git)
    hops = ["lib/tenants.py"] if how != "twice, committed" else ["src/middle.py", "lib/tenants.py"]
    at = STORE
    for hop in hops:
        code.path(hop).parent.mkdir(exist_ok=True)
        if how.startswith("mv"):
            code.path(at).rename(code.path(hop))
        else:
            code.repo.git("mv", at, hop)
        if "committed" in how:
            code.repo.commit("renamed")
        at = hop
    if edited:
        code.workspace.write(at, insert_above(code.read(at), 3))
        if "committed" in how:
            code.repo.commit("edited")
    assert code.where(id_) == ("moved", at, OPEN + 3 if edited else OPEN)
    assert code.where(table)[:2] == ("reformatted" if edited else "moved", at)
    if not edited:
        assert code.stale() == []
        hit = code.hit(ABOUT_OPEN)
        assert (hit["anchors"][0]["path"], hit["flags"]) == (at, ["wordsOnly"])
    code.ask("verify", all=True)
    assert code.where(id_)[:2] == ("current", at)
    assert f"path: {at}\n" in code.raw(id_)


@pytest.mark.parametrize("committed", [False, True])
def test_renamed_and_changed_in_one_step(code: Anchored, opened: str, committed: bool) -> None:
    code.repo.git("mv", STORE, "src/tenants.py")
    code.replace("src/tenants.py", "return self.opened[tenant]", "return self.opened.get(tenant)")
    if committed:
        code.repo.commit("renamed and changed")
    assert code.where(opened)[:2] == ("changed", "src/tenants.py")
    assert code.stale() == ["changed"]


@pytest.mark.parametrize(
    "name", ["with space.py", "a#b.py", "100%.py", "é🚀缓存.py", "-dash.py", "(x) [y].py", "q'uote.py"]
)
def test_names_with_any_signs(code: Anchored, name: str) -> None:
    path, target = f"odd/{name}", f"odd/moved {name}"
    code.workspace.write(path, CODE["src/retry.py"])
    code.repo.commit("odd name")
    id_ = code.remember(ABOUT_RETRY, f"{path}#backoff")
    row = code.row(id_)
    assert (row["path"], row["verdict"]) == (path, "current")
    (at,) = code.ask("memoriesAt", textDocument={"uri": row["uri"]})["memories"]
    assert at["memory"]["id"] == id_
    code.repo.git("mv", "--", path, target)
    assert code.where(id_) == ("moved", target, 6)
    code.repo.commit("renamed")
    assert code.where(id_) == ("moved", target, 6)
    code.verify(id_)
    assert code.row(id_)["recorded"]["path"] == target


def test_a_branch_switched_and_switched_back(code: Anchored, opened: str) -> None:
    retry = code.remember(ABOUT_RETRY, "src/retry.py#backoff")
    ids = (opened, retry)
    code.repo.git("checkout", "-q", "-b", "topic")
    code.repo.git("mv", STORE, "src/tenants.py")
    code.replace("src/retry.py", "2**attempt", "3**attempt")
    code.repo.commit("topic")
    there = [code.where(id_) for id_ in ids]
    assert there == [("moved", "src/tenants.py", OPEN), ("changed", "src/retry.py", 6)]
    for _ in range(2):
        code.repo.git("checkout", "-q", "main")
        assert [code.where(id_) for id_ in ids] == [("current", STORE, OPEN), ("current", "src/retry.py", 6)]
        assert code.stale() == []
        code.repo.git("checkout", "-q", "topic")
        assert [code.where(id_) for id_ in ids] == there


def test_a_file_deleted_then_restored(code: Anchored, opened: str) -> None:
    code.path(STORE).unlink()
    assert code.where(opened)[:2] == ("missing", STORE)
    (finding,) = code.ask("check")["findings"]
    assert (finding["message"].startswith("src/store.py is gone"), finding["exists"]) == (True, False)
    assert "stale" in code.hit(ABOUT_OPEN)["flags"]
    code.repo.git("checkout", "--", STORE)
    assert code.where(opened) == ("current", STORE, OPEN)
    assert code.stale() == []
    assert "stale" not in code.hit(ABOUT_OPEN)["flags"]


def test_of_two_identical_functions_the_anchored_one_is_followed(code: Anchored) -> None:
    twin = "def ping() -> str:\n    return 'pong'\n"
    middle = "\n\nLIMIT = 1\nOTHER = 2\n\n\n"
    code.workspace.write("src/twins.py", f"{twin}{middle}{twin}")
    code.repo.commit("twins")
    second = code.remember("The second ping answers the balancer", "src/twins.py:9-10")
    code.workspace.write("src/twins.py", f"FIRST = 0\n\n\n{twin}{middle}{twin}")
    assert code.where(second) == ("moved", "src/twins.py", 12)


def test_of_two_identical_functions_the_one_that_goes_is_missing(code: Anchored) -> None:
    twin = "def ping() -> str:\n    return 'pong'\n"
    middle = "\n\nLIMIT = 1\nOTHER = 2\n\n\n"
    code.workspace.write("src/twins.py", f"import os\n\n\n{twin}{middle}{twin}")
    code.repo.commit("twins")
    first = code.remember("The first ping answers the balancer", "src/twins.py:4-5")
    second = code.remember("The second ping answers the monitor", "src/twins.py:12-13")
    code.workspace.write("src/twins.py", f"import os\n{middle}{twin}")
    assert code.where(second) == ("moved", "src/twins.py", 8)
    assert [row["verdict"] for row in code.rows() if row["memory"] == first] == ["missing"]
    assert code.stale() == ["missing"]


def test_a_part_of_a_line_behind_an_emoji(code: Anchored) -> None:
    code.workspace.write("src/words.py", 'A = 1\nHELLO = "🚀🚀é" + greet("cap") + "!"\n')
    code.repo.commit("words")
    id_ = code.remember("The greeting is always cap", "src/words.py:2:17-2:29")
    row = code.row(id_)
    assert row["range"] == {"start": {"line": 1, "character": 16}, "end": {"line": 1, "character": 28}}
    assert 'quote: greet("cap")' in code.raw(id_).replace('"greet(\\"cap\\")"', 'greet("cap")')
    code.workspace.write("src/words.py", 'A = 1\nB = 2\nHELLO = "🚀🚀🚀🚀é" + greet("cap") + "!"\n')
    row = code.row(id_)
    assert row["verdict"] == "moved"
    assert row["range"] == {"start": {"line": 2, "character": 18}, "end": {"line": 2, "character": 30}}


def test_an_anchor_at_the_end_of_a_file_without_a_line_end(code: Anchored) -> None:
    code.workspace.write("src/end.py", "A = 1\nLAST = 'the very last line of it'")
    code.repo.commit("end")
    id_ = code.remember("The last line matters", "src/end.py:2")
    assert code.where(id_) == ("current", "src/end.py", 2)
    code.workspace.write("src/end.py", "A = 1\nB = 2\nLAST = 'the very last line of it'\n")
    assert code.where(id_) == ("moved", "src/end.py", 3)


def test_a_row_of_a_table_and_a_paragraph(code: Anchored) -> None:
    row = code.remember("Requests are limited by the mobile app", "docs/limits.md:6")
    paragraph = code.remember("Operations reviews limits", "docs/limits.md:9")
    code.replace("docs/limits.md", "| uploads | 20 MB |", "| exports | 5 a day | slow |\n| uploads | 20 MB |")
    assert code.where(row) == ("moved", "docs/limits.md", 7)
    assert code.where(paragraph) == ("moved", "docs/limits.md", 10)
    code.replace("docs/limits.md", "50 a second", "80 a second")
    assert code.where(row)[0] == "changed"
    assert code.where(paragraph)[0] == "moved"


def test_many_anchors_and_one_that_drifts(code: Anchored) -> None:
    id_ = code.remember("Opening and waiting", f"{STORE}#connect", "src/retry.py#backoff", "docs/limits.md")
    code.replace("src/retry.py", "2**attempt", "3**attempt")
    assert [code.where(id_, index)[0] for index in range(3)] == ["current", "changed", "current"]
    assert code.stale() == ["changed"]


def test_a_commit_to_elsewhere_and_a_rebase_change_nothing(code: Anchored, opened: str) -> None:
    code.repo.git("checkout", "-q", "-b", "topic")
    code.workspace.write("src/new.py", "NEW = 1\n")
    code.repo.commit("new")
    code.repo.git("checkout", "-q", "main")
    code.workspace.write(STORE, insert_above(CODE[STORE], 2))
    code.repo.commit("above")
    code.repo.git("checkout", "-q", "topic")
    code.repo.git("rebase", "-q", "main")
    assert code.where(opened) == ("moved", STORE, OPEN + 2)
    assert code.stale() == []


def test_a_shallow_clone_without_the_old_version(code: Anchored, opened: str, tmp_path: Path) -> None:
    for number in range(3):
        code.workspace.write(STORE, insert_above(CODE[STORE], number + 1))
        code.repo.commit(f"above {number}")
    clone = tmp_path / "clone"
    code.repo.git("clone", "-q", "--depth", "1", code.root.as_uri(), str(clone))
    shallow = Workspace(clone, code.workspace.home)
    (row,) = shallow.json("anchors")["anchors"]
    assert (row["verdict"], row["range"]["start"]["line"]) == ("moved", OPEN + 2), "the mark alone finds it"
    text = (clone / STORE).read_text().replace("return self.opened[tenant]", "return self.opened.get(tenant)")
    (clone / STORE).write_text(text)
    (row,) = shallow.json("anchors")["anchors"]
    assert (row["verdict"], row["degraded"]) == ("changed", ["git"])
    assert shallow.memofs("check").code == 1
    told = shallow.memofs("changes", opened)
    assert "+        return self.opened.get(tenant)" in told.out, told


def test_outside_of_a_repository(workspace: Workspace) -> None:
    code = Anchored(workspace, git=False)
    id_ = code.remember(ABOUT_OPEN, f"{STORE}#TenantStore.open", commit=False)
    code.workspace.write(STORE, insert_above(CODE[STORE]))
    assert code.where(id_) == ("moved", STORE, OPEN + 10)
    code.replace(STORE, "return self.opened[tenant]", "return self.opened.get(tenant)")
    assert code.where(id_) == ("changed", STORE, OPEN + 10)
    assert "-        return self.opened[tenant]" in workspace.ok("changes", id_)
    shutil.rmtree(code.path(".memofs/indexes"))
    assert code.where(id_) == ("changed", STORE, OPEN + 10), "the mark has the lines around it"
    assert "-        return self.opened[tenant]" in workspace.ok("changes", id_)


def test_a_worktree_has_its_own_verdicts(code: Anchored, opened: str, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    code.repo.git("worktree", "add", "-q", "-b", "topic", str(tree))
    other = Workspace(tree, code.workspace.home)
    text = (tree / STORE).read_text().replace("return self.opened[tenant]", "return self.opened.get(tenant)")
    (tree / STORE).write_text(text)
    (row,) = other.json("anchors")["anchors"]
    assert row["verdict"] == "changed"
    assert code.where(opened)[0] == "current"


def test_git_that_is_not_there(code: Anchored, tmp_path: Path) -> None:
    code.remember(ABOUT_OPEN, f"{STORE}#TenantStore.open")
    (tmp_path / "bin").mkdir()
    env = {"PATH": str(tmp_path / "bin")}
    code.workspace.write(STORE, insert_above(CODE[STORE]))
    ran = code.workspace.memofs("anchors", "--json", env=env)
    (row,) = ran.json()["anchors"]
    assert (row["verdict"], row["range"]["start"]["line"]) == ("moved", OPEN + 9), ran
    assert code.workspace.memofs("check", "--since", "main", env=env).code == 2


def test_caches_may_be_deleted_or_damaged_at_any_time(code: Anchored, opened: str) -> None:
    code.replace(STORE, "return self.opened[tenant]", "return self.opened.get(tenant)")
    before = code.row(opened)
    cache = code.path(".memofs/indexes/anchors.msgpack")
    assert cache.is_file()
    for damage in (b"", b"memofs anchors", cache.read_bytes()[:-20], None):
        if damage is None:
            shutil.rmtree(code.path(".memofs/indexes"))
        else:
            cache.write_bytes(damage)
        assert code.row(opened) == before
