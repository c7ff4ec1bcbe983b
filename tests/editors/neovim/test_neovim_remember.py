"""New memories as buffers: from a selection, saved by `:w`, and never lost."""

import json
import os
import signal
from typing import Any

from e2e.daemon_program import Daemons
from e2e.memofs_program import PROGRAM
from editors.neovim.nvim_program import Nvim, neovim


def memories(user: Daemons) -> list[dict[str, Any]]:
    """All memories with their bodies."""
    return json.loads(user.ok("list", "--json", "--all", "--bodies", "--include-retired"))["memories"]


def titled(user: Daemons, title: str) -> dict[str, Any]:
    """The memory of that title."""
    return next(memory for memory in memories(user) if memory["title"] == title)


def test_remember_lines_that_were_selected(nvim: Nvim, user: Daemons) -> None:
    nvim.edit("src/store.py")
    nvim.until(lambda: len(nvim.signs()) == 2, "two signs")
    nvim.cursor(7)
    nvim.keys("Vjjj:Memofs remember decision<CR>")
    nvim.until(lambda: nvim.name().endswith("memofs://remember"), "the draft")
    assert nvim.lines() == ["kind: decision", "title: ", "tags: ", "anchors: src/store.py:7-10", "---", ""]
    assert nvim.session.eval("&modified") == 0
    nvim.keys("iStores are opened by name<CR><CR>Nobody passes a path.<Esc>:w<CR>")
    nvim.until(lambda: "/.memofs/memory/stores-are-opened-by-name" in nvim.name(), "its file takes the draft's place")
    saved = titled(user, "Stores are opened by name")
    assert saved["kind"] == "decision"
    assert saved["source"] == "user"
    assert saved["anchors"][0]["range"]["start"]["line"] == 6
    assert "memofs://" not in " ".join(
        nvim.lua("return vim.tbl_map(vim.api.nvim_buf_get_name, vim.api.nvim_list_bufs())")
    )


def test_remember_a_part_of_a_line_after_wide_letters(nvim: Nvim, user: Daemons) -> None:
    nvim.edit("src/emoji.py")
    nvim.ready()
    nvim.cursor(1, 0)
    nvim.keys('f"vf"')
    nvim.until(lambda: nvim.session.api.get_mode()["mode"] == "v", "a selection")
    nvim.keys(":Memofs remember<CR>")
    nvim.until(lambda: nvim.name().endswith("memofs://remember"), "the draft")
    assert "anchors: src/emoji.py:1:5-1:9" in nvim.lines()
    nvim.keys("iThe text of x is for people<Esc>:wq<CR>")
    nvim.until(lambda: nvim.name().endswith("src/emoji.py"), "the draft is gone")
    found = json.loads(user.ok("anchors", "--json", "src/emoji.py"))["anchors"]
    row = next(each for each in found if each["title"] == "The text of x is for people")
    assert [row["range"]["start"]["character"], row["range"]["end"]["character"]] == [4, 8], "in code points"


def test_remember_code_that_is_not_saved_yet(nvim: Nvim) -> None:
    nvim.edit("src/store.py")
    nvim.until(lambda: len(nvim.signs()) == 2, "two signs")
    nvim.command("normal! ggO# Stores of tenants.")
    nvim.command("4Memofs remember")
    nvim.until(lambda: nvim.name().endswith("memofs://remember"), "the draft")
    assert "anchors: src/store.py:4" in nvim.lines()
    nvim.keys("iFive is what the disk takes<Esc>:w<CR>")
    nvim.hears("remembered: Five is what the disk takes")
    nvim.edit("src/store.py")
    nvim.until(lambda: 4 in nvim.signs(), "the sign is where the selection was")


def test_what_is_wrong_is_told_and_nothing_is_lost(nvim: Nvim, user: Daemons) -> None:
    before = len(memories(user))
    nvim.command("Memofs remember")
    nvim.command("write")
    nvim.hears("it says nothing yet")
    assert nvim.session.eval("&modified") == 0
    nvim.keys("iPlaces are checked<Esc>")
    nvim.lua("vim.api.nvim_buf_set_lines(0, 3, 4, false, { 'anchors: src/nothing.py:3' })")
    nvim.command("write")
    nvim.hears("there is no file src/nothing.py")
    assert [each["lnum"] for each in nvim.diagnostics()] == [3]
    nvim.lua("vim.api.nvim_buf_set_lines(0, 3, 4, false, { 'anchors: src/store.py#Store.nothing' })")
    nvim.command("write")
    nvim.until(lambda: any("Store.nothing" in text for text in nvim.said()), "the daemon's refusal")
    nvim.lua("vim.api.nvim_buf_set_lines(0, 3, 4, false, { 'colour: red' })")
    nvim.command("write")
    nvim.hears("there is no field colour")
    assert nvim.session.eval("&modified") == 1
    assert nvim.lines()[-1] == "Places are checked"
    assert len(memories(user)) == before
    nvim.lua("vim.api.nvim_buf_set_lines(0, 3, 4, false, { 'anchors: src/store.py#Store.close, src/emoji.py' })")
    nvim.command("write")
    nvim.hears("remembered: Places are checked")
    assert len(titled(user, "Places are checked")["anchors"]) == 2


def test_the_same_again_is_told_and_a_bang_saves_it(nvim: Nvim, user: Daemons) -> None:
    before = len(memories(user))
    nvim.command("Memofs remember preference")
    nvim.keys("iDeploys happen on Tuesdays<Esc>")
    nvim.command("write")
    nvim.hears("this is remembered already")
    assert nvim.session.eval("&modified") == 1
    assert len(memories(user)) == before
    nvim.command("write!")
    nvim.hears("remembered: Deploys happen on Tuesdays")
    assert len(memories(user)) == before + 1


def test_a_secret_is_refused_unless_it_is_insisted_upon(nvim: Nvim, user: Daemons) -> None:
    before = len(memories(user))
    value = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    nvim.command("Memofs remember")
    nvim.lua("vim.api.nvim_buf_set_lines(0, -1, -1, false, { 'The token of the robot is ' .. ... })", value)
    nvim.command("write!")
    nvim.hears("what looks like a secret")
    assert not any(value in text for text in nvim.said())
    assert len(memories(user)) == before, "a bang overrules only what the last write was refused for"
    nvim.command("write!")
    nvim.hears("remembered: ")
    assert len(memories(user)) == before + 1


def test_without_a_daemon_the_draft_stays(user: Daemons) -> None:
    settings = {"cmd": list(PROGRAM), "restarts": 0, "timeout_ms": 3000}
    with neovim(user, settings=settings) as nvim:
        nvim.edit("src/store.py")
        nvim.ready()
        nvim.command("Memofs remember")
        nvim.keys("iKeep this<Esc>")
        os.kill(user.notice["pid"], signal.SIGKILL)
        nvim.until(lambda: nvim.lua("return #vim.lsp.get_clients({ name = 'memofs' })") == 0, "the client ends")
        nvim.lua("vim.g.memofs = { cmd = { '/nowhere/memofs' }, restarts = 0 }")
        nvim.lua("require('memofs.config').set()")
        nvim.command("write")
        nvim.hears("not saved: ")
        assert nvim.session.eval("&modified") == 1
        assert nvim.lines()[-1] == "Keep this"
        nvim.lua(
            "vim.g.memofs = { cmd = vim.json.decode(...) } require('memofs.config').set()", json.dumps(list(PROGRAM))
        )
        nvim.command("write")
        nvim.hears("remembered: Keep this")


def test_a_draft_can_be_written_to_a_file(nvim: Nvim, user: Daemons) -> None:
    before = len(memories(user))
    nvim.command("Memofs remember")
    nvim.keys("iLater, perhaps<Esc>")
    nvim.command("write draft.txt")
    assert (user.root / "draft.txt").read_text(encoding="utf-8").endswith("---\nLater, perhaps\n")
    assert nvim.session.eval("&modified") == 1
    assert len(memories(user)) == before


def test_places_as_they_are_typed(nvim: Nvim, user: Daemons) -> None:
    """What the command line takes, the fields of a draft take."""
    for name in ("#1.py", "a:1.py", "b,c.py"):
        user.workspace.write(f"src/{name}", "é😀 = 1\ny = 2\n")
    parse = "return { require('memofs.place').parse(..., select(2, ...), 'utf-16') }"

    def parsed(typed: str) -> Any:
        return nvim.lua(parse, typed, str(user.root))[0]

    def lines(first: int, start: int, last: int, end: int) -> dict[str, Any]:
        return {"start": {"line": first, "character": start}, "end": {"line": last, "character": end}}

    assert parsed("src/#1.py") == {"path": "src/#1.py"}
    assert parsed("src/#1.py:1") == {"path": "src/#1.py", "range": lines(0, 0, 0, 7)}
    assert parsed("src/a:1.py:2") == {"path": "src/a:1.py", "range": lines(1, 0, 1, 5)}
    assert parsed("src/a:1.py#y") == {"path": "src/a:1.py", "symbol": "y"}
    assert parsed("src/#1.py:1:2-1:4") == {"path": "src/#1.py", "range": lines(0, 1, 0, 4)}
    assert parsed("src/store.py:3-9")["range"]["end"]["line"] == 8
    for wrong in ("src", "src/none.py", "src/store.py:0", "src/store.py:5-3", "", "#x"):
        assert parsed(wrong) is None, wrong
        assert "file" in nvim.lua(parse, wrong, str(user.root))[1] or ":" in wrong


def test_two_drafts_at_once(nvim: Nvim, user: Daemons) -> None:
    nvim.command("Memofs remember")
    nvim.keys("iOne<Esc>")
    nvim.command("Memofs! remember")
    assert nvim.name().endswith("memofs://remember/2")
    nvim.keys("iTwo things<Esc>")
    nvim.command("wall")
    nvim.until(lambda: sum("remembered: " in text for text in nvim.said()) == 2, "both are saved")
    assert {"One", "Two things"} <= {memory["title"] for memory in memories(user)}


def test_fields_are_completed(nvim: Nvim) -> None:
    nvim.edit("src/store.py")
    nvim.ready()
    nvim.command("Memofs remember")
    nvim.cursor(1, 6)
    nvim.keys("Cde<C-x><C-o>")
    nvim.until(lambda: nvim.lines()[0] == "kind: decision", "the kind")
    nvim.keys("<Esc>2jAsto<C-x><C-o>")
    nvim.until(lambda: nvim.lines()[2] == "tags: storage", "the tag")
    nvim.keys("<Esc>jAsrc/st<C-x><C-o>")
    nvim.until(lambda: nvim.lines()[3] == "anchors: src/store.py", "the file")


def test_a_memory_file_has_folds_and_leads_to_its_code(nvim: Nvim, user: Daemons) -> None:
    path = str(titled(user, "One file per tenant")["path"])
    nvim.edit(path)
    assert nvim.session.eval("b:memofs_memory") is True
    mark = next(number for number, line in enumerate(nvim.lines(), 1) if line.lstrip().startswith("mark:"))
    levels = nvim.lua("return vim.tbl_map(vim.fn.foldlevel, { 1, 2, ... })", mark, mark + 1)
    assert levels == [1, 1, 2, 1]
    assert nvim.session.funcs.foldclosed(mark) == mark, "nobody wants to read a mark"
    assert nvim.session.funcs.foldtextresult(mark) == "    mark: …"
    assert nvim.session.funcs.foldclosed(2) == -1
    row = next(number for number, line in enumerate(nvim.lines(), 1) if "path: src/store.py" in line)
    nvim.cursor(row, nvim.lines()[row - 1].index("src"))
    nvim.keys("gf")
    nvim.until(lambda: nvim.name().endswith("src/store.py"), "gf goes to the code")
    user.workspace.write("notes/other.md", "---\nkind: x\n---\n")
    nvim.edit("notes/other.md")
    assert nvim.session.eval("exists('b:memofs_memory')") == 0
