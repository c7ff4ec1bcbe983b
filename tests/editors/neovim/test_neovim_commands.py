"""Every subcommand of `:Memofs`, on a real daemon."""

import json
from pathlib import Path

import pytest

from e2e.daemon_program import Daemons
from editors.neovim.nvim_program import Nvim

OPEN, CLOSE = 7, 12
FILE_TITLE, CLOSE_TITLE = "One file per tenant", "Closing is idempotent"


def id_of(user: Daemons, title: str) -> str:
    """The id of a memory."""
    listed = json.loads(user.ok("list", "--json", "--all", "--include-retired"))["memories"]
    return next(memory["id"] for memory in listed if memory["title"] == title)


def status_of(user: Daemons, title: str) -> str:
    """Its status."""
    listed = json.loads(user.ok("list", "--json", "--all", "--include-retired"))["memories"]
    return next(memory["status"] for memory in listed if memory["title"] == title)


def make_stale(nvim: Nvim) -> None:
    """Change the anchored code of the first memory, and write it."""
    nvim.edit("src/store.py")
    nvim.until(lambda: len(nvim.signs()) == 2, "two signs")
    nvim.cursor(9)
    nvim.keys('f/Celsewhere"<Esc>:w<CR>')
    nvim.until(lambda: "▲" in nvim.signs().values(), "one is stale")


def test_every_subcommand_is_tested_here() -> None:
    """The names of the table, and of the tests of this file."""
    names = {name.removeprefix("test_").split("_")[0] for name in globals() if name.startswith("test_")}
    table = {
        *(
            "recall",
            "context",
            "expand",
            "here",
            "remember",
            "verify",
            "retire",
            "reanchor",
            "changes",
            "stale",
            "open",
        ),
        *("core", "mute", "unmute", "undo", "init", "status", "doctor", "log", "restart", "trust"),
    }
    elsewhere = {"remember", "trust"}
    assert table <= names | elsewhere


def test_table_of_commands_is_the_one_above(nvim: Nvim) -> None:
    names = nvim.lua("return vim.tbl_map(function(c) return c.name end, require('memofs.commands').table)")
    assert set(names) == {
        *(
            "recall",
            "context",
            "expand",
            "here",
            "remember",
            "verify",
            "retire",
            "reanchor",
            "changes",
            "stale",
            "open",
        ),
        *("core", "mute", "unmute", "undo", "init", "status", "doctor", "log", "restart", "trust"),
    }


def test_recall_with_a_question_shows_hits_and_opens_the_chosen_one(nvim: Nvim) -> None:
    nvim.edit("src/store.py")
    nvim.command("Memofs recall file per tenant")
    state = nvim.picks(FILE_TITLE)
    assert state["preview"][0] == f"# {FILE_TITLE}"
    assert state["preview"][2].startswith("decision · 20")
    assert "- `src/store.py#Store.open`" in state["preview"]
    assert any("has a *file* of its own" in line for line in state["preview"])
    assert not any("mark:" in line for line in state["preview"])
    assert nvim.events("MemofsRecall")[0]["query"] == "file per tenant"
    nvim.keys("<CR>")
    nvim.until(lambda: "/.memofs/memory/one-file-per-tenant" in nvim.name(), "its file is open")
    assert nvim.picker() is None
    assert nvim.session.api.get_mode()["mode"] == "n"
    assert FILE_TITLE in "\n".join(nvim.lines())
    assert nvim.lines()[nvim.session.api.win_get_cursor(0)[0] - 2] == "---", "the cursor is where the text begins"


def test_recall_without_a_question_searches_as_one_types(nvim: Nvim) -> None:
    nvim.command("Memofs recall")
    nvim.picks(FILE_TITLE, CLOSE_TITLE)
    nvim.keys("idempotent closing")
    nvim.until(
        lambda: [i["title"] for i in (nvim.picker() or {"items": []})["items"]][:1] == [CLOSE_TITLE], "it is first"
    )
    nvim.keys("<C-u><C-g>")
    nvim.until(lambda: nvim.name().endswith("src/store.py"), "the code that it is tied to")
    assert nvim.session.api.win_get_cursor(0)[0] == CLOSE


def test_recall_narrowed(nvim: Nvim) -> None:
    nvim.command("Memofs recall kind=constraint")
    nvim.picks(CLOSE_TITLE)
    assert {item["kind"] for item in nvim.picks(CLOSE_TITLE)["items"]} == {"constraint"}
    nvim.keys("<Esc>")
    nvim.until(lambda: nvim.picker() is None, "it closes")
    nvim.command("Memofs recall zzzzqqq xyzzy")
    nvim.hears("nothing relevant is remembered")


def test_recall_keys_of_the_picker(nvim: Nvim) -> None:
    nvim.edit("src/store.py")
    nvim.command("Memofs recall")
    first = nvim.picks(FILE_TITLE)
    nvim.keys("<C-n>")
    nvim.until(lambda: (nvim.picker() or {})["at"] == 2, "the next one")
    nvim.keys("<C-p>")
    nvim.until(lambda: (nvim.picker() or {})["at"] == 1, "the one before")
    nvim.keys("<C-v>")
    path = Path(first["items"][0]["path"]).name
    nvim.until(lambda: nvim.name().endswith(path), "in a split")
    assert len(nvim.session.api.list_wins()) == 2


def test_recall_of_retired_ones_with_a_bang(nvim: Nvim, user: Daemons) -> None:
    user.ok("retire", id_of(user, "Deploys happen on Tuesdays"))
    nvim.command("Memofs! recall deploys on tuesdays")
    nvim.picks("Deploys happen on Tuesdays")


def test_context_is_a_buffer_with_folds(nvim: Nvim) -> None:
    nvim.edit("src/store.py")
    nvim.cursor(OPEN)
    nvim.command("Memofs context change where tenants are stored")
    nvim.until(lambda: nvim.name().startswith("memofs://context/"), "the briefing")
    text = "\n".join(nvim.lines())
    assert text.startswith("## How to use this memory")
    assert FILE_TITLE in text
    assert nvim.session.eval("&filetype") == "markdown"
    assert nvim.session.eval("&modifiable") == 0
    levels = nvim.lua("return vim.iter(vim.fn.range(1, vim.fn.line('$'))):map(vim.fn.foldlevel):totable()")
    assert levels[0] == 1
    assert 2 in levels
    row = next(number for number, line in enumerate(nvim.lines(), 1) if FILE_TITLE in line)
    nvim.cursor(row)
    nvim.keys("<CR>")
    nvim.until(lambda: "/.memofs/memory/one-file-per-tenant" in nvim.name(), "the memory under the cursor")


def test_context_without_a_task(nvim: Nvim) -> None:
    nvim.command("Memofs context task=debug")
    nvim.until(lambda: nvim.name().startswith("memofs://context/"), "the briefing")
    assert "## " in "\n".join(nvim.lines())


def test_expand_shows_in_its_place_what_was_left_out(nvim: Nvim, user: Daemons) -> None:
    for number in range(12):
        body = f"Tenants of region {number} are moved at night.\n\n" + f"Region {number} has its own clock. " * 30
        user.ok("remember", body, "--allow-duplicate")
    nvim.command("Memofs context tenants of a region are moved")
    nvim.until(lambda: nvim.name().startswith("memofs://context/"), "the briefing")
    rows = [number for number, line in enumerate(nvim.lines(), 1) if line.startswith("↳ ")]
    assert rows
    before = len(nvim.lines())
    nvim.cursor(rows[0] - 2)
    nvim.command("Memofs expand")
    nvim.until(lambda: len(nvim.lines()) > before, "more lines")
    assert nvim.name().startswith("memofs://context/")
    nvim.cursor(1)
    nvim.command("Memofs expand")
    nvim.hears("nothing was left out here")
    nvim.command("Memofs expand nonsense")
    nvim.until(
        lambda: any("cursor" in text or "handle" in text for text in nvim.said()), "what is no handle is refused"
    )


def test_here(nvim: Nvim) -> None:
    nvim.edit("src/store.py")
    nvim.cursor(OPEN + 1)
    nvim.command("Memofs here")
    assert {item["title"] for item in nvim.picks(FILE_TITLE)["items"]} == {FILE_TITLE}
    nvim.keys("<Esc>")
    nvim.until(lambda: nvim.picker() is None, "it closes")
    nvim.command("Memofs! here")
    nvim.picks(FILE_TITLE, CLOSE_TITLE)
    nvim.keys("<Esc>")
    nvim.until(lambda: nvim.picker() is None, "it closes")
    nvim.cursor(3)
    nvim.command("Memofs here")
    nvim.hears("no memory is tied to this line")


def test_stale_is_a_quickfix_list(nvim: Nvim) -> None:
    make_stale(nvim)
    nvim.command("Memofs stale")
    found = nvim.until(lambda: nvim.session.funcs.getqflist(), "the list")
    assert [(each["lnum"], each["col"], each["type"]) for each in found] == [(OPEN, 1, "W")]
    assert FILE_TITLE in found[0]["text"]
    assert nvim.session.eval("&buftype") == "quickfix"
    nvim.keys("<CR>")
    nvim.until(lambda: nvim.name().endswith("src/store.py"), "it leads to the code")
    assert nvim.session.api.win_get_cursor(0) == [OPEN, 0]
    nvim.command("Memofs! stale")
    nvim.until(lambda: nvim.session.funcs.getloclist(0), "the location list of the file")


def test_stale_columns_are_bytes(nvim: Nvim) -> None:
    nvim.edit("src/emoji.py")
    nvim.until(lambda: nvim.signs() == {1: "◆"}, "a sign")
    nvim.keys("$r2:w<CR>")
    nvim.until(lambda: nvim.signs() == {1: "▲"}, "it is stale")
    nvim.command("Memofs stale")
    found = nvim.until(lambda: nvim.session.funcs.getqflist(), "the list")
    line = 'x = "é😀"; y = 2'
    columns = [len(line[:9].encode()) + 2, len(line.encode()) + 1]
    assert [(each["lnum"], each["col"], each["end_col"]) for each in found] == [(1, *columns)]


def test_stale_code_that_is_gone_leads_to_the_memory(nvim: Nvim, user: Daemons) -> None:
    (user.root / "src" / "emoji.py").unlink()
    nvim.command("Memofs stale")
    found = nvim.until(lambda: nvim.session.funcs.getqflist(), "the list")
    assert len(found) == 1
    nvim.command("cc 1")
    assert "/.memofs/memory/y-is-one" in nvim.name()
    nvim.command("Memofs changes")
    nvim.until(lambda: nvim.name().endswith("/after"), "the diff")
    assert nvim.lines() == [""], "there is nothing now"


def test_stale_in_a_file_of_another_systems_line_ends(nvim: Nvim, user: Daemons) -> None:
    user.workspace.write("src/dos.py", b"x = 1\r\ny = 2\r\nz = 3\r\n")
    user.ok("remember", "y is two", "--anchor", "src/dos.py:2")
    nvim.edit("src/dos.py")
    assert nvim.session.eval("&fileformat") == "dos"
    nvim.until(lambda: nvim.signs() == {2: "◆"}, "it fits")
    nvim.keys("2G$r5:w<CR>")
    nvim.until(lambda: nvim.signs() == {2: "▲"}, "it is stale")
    nvim.keys("u:w<CR>")
    nvim.until(lambda: nvim.signs() == {2: "◆"}, "it fits")
    assert user.memofs("check").code == 0


def test_stale_where_nothing_is(nvim: Nvim) -> None:
    nvim.command("Memofs stale")
    nvim.hears("fit their code")
    assert nvim.session.funcs.getqflist() == []


def test_changes_is_a_vertical_diff(nvim: Nvim) -> None:
    make_stale(nvim)
    nvim.cursor(OPEN)
    nvim.command("Memofs changes")
    nvim.until(lambda: nvim.name().endswith("/after"), "the diff")
    assert any("elsewhere" in line for line in nvim.lines())
    wins = nvim.session.api.tabpage_list_wins(0)
    assert len(wins) == 2
    assert all(nvim.session.api.get_option_value("diff", {"win": win.handle}) for win in wins)
    before = [
        nvim.session.api.buf_get_lines(win.buffer.handle, 0, -1, False)
        for win in wins
        if win.buffer.name.endswith("/before")
    ]
    assert any("/srv/" in line for line in before[0])
    assert nvim.session.eval("&filetype") == "python"
    nvim.keys("q")
    nvim.until(lambda: nvim.name().endswith("src/store.py"), "it closes")


def test_verify_at_the_cursor(nvim: Nvim, user: Daemons) -> None:
    make_stale(nvim)
    nvim.cursor(OPEN)
    nvim.command("Memofs verify")
    nvim.hears(f"verified: {FILE_TITLE}")
    nvim.until(lambda: "▲" not in nvim.signs().values(), "it fits again")
    assert user.memofs("check").code == 0


def test_verify_all_of_a_file_and_a_named_one(nvim: Nvim, user: Daemons) -> None:
    make_stale(nvim)
    nvim.command("Memofs! verify")
    nvim.hears("verified: ")
    assert user.memofs("check").code == 0
    nvim.command(f"Memofs verify {id_of(user, CLOSE_TITLE)}")
    nvim.hears(CLOSE_TITLE)


def test_retire_and_undo(nvim: Nvim, user: Daemons) -> None:
    nvim.edit("src/store.py")
    nvim.until(lambda: len(nvim.signs()) == 2, "two signs")
    nvim.cursor(CLOSE)
    nvim.command("Memofs retire")
    nvim.hears(f"retired: {CLOSE_TITLE}")
    nvim.until(lambda: set(nvim.signs()) == {OPEN}, "its sign goes")
    assert status_of(user, CLOSE_TITLE) == "retired"
    nvim.command("Memofs undo")
    nvim.hears("undone: ")
    nvim.until(lambda: set(nvim.signs()) == {OPEN, CLOSE}, "its sign is back")
    assert status_of(user, CLOSE_TITLE) == "active"


def test_undo_where_there_is_nothing_says_so(nvim: Nvim) -> None:
    for _ in range(12):
        nvim.command("Memofs undo")
    nvim.until(lambda: len(nvim.said()) >= 12, "every one is answered")
    assert any("undone: " not in text for text in nvim.said())


def test_reanchor_to_a_selection(nvim: Nvim, user: Daemons) -> None:
    nvim.edit("src/store.py")
    nvim.until(lambda: len(nvim.signs()) == 2, "two signs")
    nvim.command(f"3Memofs reanchor {id_of(user, CLOSE_TITLE)}")
    nvim.hears("anchored anew")
    nvim.until(lambda: set(nvim.signs()) == {3, OPEN}, "the sign is there")


def test_reanchor_to_where_the_code_went(nvim: Nvim, user: Daemons) -> None:
    nvim.edit("src/store.py")
    nvim.until(lambda: len(nvim.signs()) == 2, "two signs")
    nvim.lua("vim.ui.select = function(items, options, choose) _G.offered = items choose(items[1], 1) end")
    nvim.lua(
        """
        vim.api.nvim_buf_set_lines(0, 11, 13, false, {
          '    def shut(self, really: bool) -> None:',
          '        self.closed = True and really',
          '        return None' })"""
    )
    nvim.command("write")
    nvim.until(lambda: "▲" in nvim.signs().values(), "it is stale")
    nvim.command(f"Memofs reanchor {id_of(user, CLOSE_TITLE)}")
    nvim.hears("anchored anew")
    nvim.until(lambda: "▲" not in nvim.signs().values(), "it fits again")


def test_open_a_named_one_and_its_code(nvim: Nvim, user: Daemons) -> None:
    nvim.command(f"Memofs open {id_of(user, FILE_TITLE)}")
    nvim.until(lambda: "one-file-per-tenant" in nvim.name(), "its file")
    nvim.command("Memofs verify")
    nvim.hears(f"verified: {FILE_TITLE}")
    nvim.command(f"Memofs! open {id_of(user, FILE_TITLE)}")
    nvim.until(lambda: nvim.name().endswith("src/store.py"), "its code")
    assert nvim.session.api.win_get_cursor(0)[0] == OPEN


def test_open_one_of_all(nvim: Nvim) -> None:
    nvim.command("Memofs open")
    nvim.picks(FILE_TITLE, CLOSE_TITLE, "Deploys happen on Tuesdays")
    nvim.keys("tuesdays")
    nvim.until(lambda: len((nvim.picker() or {})["items"]) == 1, "one is left")
    nvim.keys("<CR>")
    nvim.until(lambda: "deploys-happen" in nvim.name(), "its file")


def test_core(nvim: Nvim) -> None:
    nvim.command("Memofs core")
    assert nvim.name().endswith(".memofs/memory/core.md")


def test_mute_and_unmute(nvim: Nvim) -> None:
    make_stale(nvim)
    nvim.until(nvim.diagnostics, "a diagnostic")
    nvim.cursor(OPEN)
    nvim.command("Memofs mute diagnostics changed")
    nvim.hears("warnings of")
    nvim.until(lambda: not nvim.diagnostics(), "the warning goes")
    nvim.until(lambda: "▲" not in nvim.signs().values(), "the sign too")
    nvim.command("Memofs unmute")
    nvim.until(nvim.diagnostics, "it is back")
    nvim.until(lambda: "▲" in nvim.signs().values(), "and the sign")
    nvim.command("Memofs! mute lens")
    nvim.until(lambda: nvim.lenses() == {}, "no lenses in this file")
    nvim.command("Memofs! unmute lens")
    nvim.until(lambda: len(nvim.lenses()) == 2, "they are back")


def test_unmute_of_what_is_not_muted_is_answered(nvim: Nvim) -> None:
    nvim.edit("src/store.py")
    nvim.command("Memofs! unmute")
    nvim.until(lambda: nvim.said(), "an answer")


def test_init_makes_a_memory_and_connects_what_is_open(nvim: Nvim, user: Daemons) -> None:
    user.workspace.write("../other/a.py", "x = 1\n")
    nvim.command("cd ../other")
    nvim.edit("a.py")
    nvim.command("Memofs init Others")
    nvim.hears("the memory is in ")
    other = user.root.parent / "other"
    assert (other / ".memofs" / "memory" / "core.md").exists()
    nvim.ready()
    others = Daemons(user.workspace._replace(root=other), runtime=Path(user.env["XDG_RUNTIME_DIR"]))
    assert len(others.pids()) == 1
    others.end()


def test_status_doctor_and_log(nvim: Nvim) -> None:
    nvim.command("Memofs status")
    nvim.until(lambda: nvim.name() == "memofs://status", "the report")
    text = "\n".join(nvim.lines())
    assert "memories   " in text
    assert "positions  utf-16" in text
    nvim.keys("q")
    nvim.command("Memofs doctor")
    nvim.until(lambda: nvim.name() == "memofs://doctor", "the report")
    assert len(nvim.lines()) > 3
    nvim.keys("q")
    nvim.command("Memofs! log")
    nvim.until(lambda: nvim.name() == "memofs://log", "what the client did")
    assert any("ready" in line for line in nvim.lines())


def test_doctor_mends_with_a_bang(nvim: Nvim, user: Daemons) -> None:
    (user.root / ".memofs" / ".gitignore").unlink()
    nvim.command("Memofs! doctor")
    nvim.until(lambda: nvim.name() == "memofs://doctor", "the report")
    assert (user.root / ".memofs" / ".gitignore").exists()


def test_log_of_the_daemon(nvim: Nvim) -> None:
    nvim.edit("src/store.py")
    nvim.until(lambda: len(nvim.signs()) == 2, "two signs")
    nvim.command("Memofs log")
    assert nvim.name().endswith(".memofs/logs/daemon.log")
    assert nvim.session.eval("&modifiable") == 0


def test_restart_of_the_client_and_of_the_daemon(nvim: Nvim, user: Daemons) -> None:
    nvim.edit("src/store.py")
    nvim.until(lambda: len(nvim.signs()) == 2, "two signs")
    first, pid = nvim.lua("return vim.lsp.get_clients({ name = 'memofs' })[1].id"), user.notice["pid"]
    nvim.command("Memofs restart")
    nvim.hears("connected anew")
    nvim.until(lambda: len(nvim.signs()) == 2, "two signs")
    assert nvim.lua("return vim.lsp.get_clients({ name = 'memofs' })[1].id") > first
    assert user.notice["pid"] == pid
    nvim.command("Memofs! restart")
    nvim.until(lambda: sum("connected anew" in text for text in nvim.said()) == 2, "connected a second time")
    nvim.until(lambda: len(nvim.signs()) == 2, "two signs")
    assert user.notice["pid"] != pid


@pytest.mark.parametrize(
    ("typed", "part"),
    [("nothing", "there is no :Memofs nothing"), ("s", "s may be stale or status"), ("!core", ""), ("core", "")],
)
def test_what_is_no_subcommand_is_told(nvim: Nvim, typed: str, part: str) -> None:
    nvim.command(f"Memofs{'!' if typed.startswith('!') else ''} {typed.lstrip('!')}")
    if part:
        nvim.hears(part)
    elif typed.startswith("!"):
        nvim.hears(":Memofs core takes no !")
    else:
        assert nvim.said() == []


def test_a_range_where_none_is_taken_is_told(nvim: Nvim) -> None:
    nvim.edit("src/store.py")
    nvim.command("1,2Memofs stale")
    nvim.hears("takes no range")


def test_completion(nvim: Nvim, user: Daemons) -> None:
    nvim.edit("src/store.py")
    nvim.ready()
    assert nvim.completions("Memofs re") == ["recall", "remember", "retire", "reanchor", "restart"]
    assert "core" not in nvim.completions("Memofs! ")
    assert nvim.completions("Memofs remember de") == ["decision"]
    assert nvim.completions("Memofs recall task=d") == ["task=debug", "task=docs"]
    assert nvim.completions("Memofs recall kind=note,de") == ["kind=note,decision"]
    assert nvim.completions("Memofs recall tag=st") == ["tag=storage"]
    assert nvim.completions("Memofs recall path=src/s") == ["path=src/store.py"]
    assert nvim.completions("Memofs context t") == ["task="]
    id_ = id_of(user, FILE_TITLE)
    assert id_ in nvim.completions("Memofs verify mem_")
    assert nvim.completions("Memofs verify tenantfile") == [] or id_ in nvim.completions("Memofs verify filetenant")
    assert id_ in nvim.completions("Memofs open perten")
    assert nvim.completions("Memofs mute d") == ["diagnostics"]
    assert nvim.completions("Memofs nothing ") == []
