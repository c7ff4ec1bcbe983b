"""What is shown while somebody types: signs, lenses, diagnostics, hover, and who is told."""

import os
import signal

import pytest

from e2e.daemon_program import Daemons
from e2e.memofs_program import PROGRAM
from editors.neovim.nvim_program import Nvim, neovim

OPEN, CLOSE = 7, 12
FITS, STALE = "◆", "▲"


def test_signs_and_lenses_of_an_opened_file(nvim: Nvim) -> None:
    nvim.edit("src/store.py")
    nvim.until(lambda: nvim.signs() == {OPEN: FITS, CLOSE: FITS}, "two signs")
    nvim.until(lambda: set(nvim.lenses()) == {OPEN, CLOSE}, "two lenses")
    assert nvim.lenses()[OPEN] == "decision: One file per tenant"
    assert nvim.lua("return require('memofs').statusline()").startswith("memofs 2")


def test_a_warning_comes_while_typing_and_goes_on_undo(nvim: Nvim) -> None:
    nvim.edit("src/store.py")
    nvim.until(lambda: nvim.signs() == {OPEN: FITS, CLOSE: FITS}, "two signs")
    nvim.cursor(9)
    nvim.keys('f/Celsewhere"')
    nvim.until(lambda: nvim.signs() == {OPEN: STALE, CLOSE: FITS}, "the sign turns while insert mode lasts")
    assert nvim.session.api.get_mode()["mode"] == "i"
    nvim.keys("<Esc>")
    found = nvim.until(nvim.diagnostics, "a diagnostic")
    assert [(each["code"], each["lnum"], each["col"]) for each in found] == [("memofs.changed", OPEN - 1, 4)]
    told = nvim.until(lambda: nvim.events("MemofsStale"), "the autocommand")
    assert [each["title"] for each in told[0]["added"]] == ["One file per tenant"]
    assert nvim.lua("return require('memofs').statusline()").startswith("memofs 2 (1 stale)")
    nvim.until(lambda: nvim.lenses().get(OPEN) == "decision: One file per tenant (stale)", "the lens says so")
    nvim.keys("u")
    nvim.until(lambda: nvim.signs() == {OPEN: FITS, CLOSE: FITS}, "undo: they fit again")
    nvim.until(lambda: not nvim.diagnostics(), "the diagnostic goes")
    nvim.until(lambda: nvim.lenses().get(OPEN) == "decision: One file per tenant", "the lens too")


def test_signs_follow_lines_that_are_added_above(nvim: Nvim) -> None:
    nvim.edit("src/store.py")
    nvim.until(lambda: nvim.signs() == {OPEN: FITS, CLOSE: FITS}, "two signs")
    nvim.command("normal! ggO# one\n# two")
    nvim.until(lambda: nvim.signs() == {OPEN + 2: FITS, CLOSE + 2: FITS}, "both two lines further down")
    nvim.until(lambda: set(nvim.lenses()) == {OPEN + 2, CLOSE + 2}, "and the lenses")


def test_hover(nvim: Nvim) -> None:
    nvim.edit("src/store.py")
    nvim.ready()
    nvim.cursor(9, 10)
    nvim.lua("vim.lsp.buf.hover()")
    text = nvim.until(lambda: next((each for each in nvim.floats() if "One file per tenant" in each), None), "a float")
    assert "decision" in text


def test_columns_after_letters_of_two_and_four_bytes(user: Daemons) -> None:
    settings = {"cmd": list(PROGRAM), "highlights": "all"}
    with neovim(user, settings=settings) as nvim:
        nvim.edit("src/emoji.py")
        start, end = len('x = "é😀"; '.encode()), len('x = "é😀"; y = 1'.encode())
        marks = nvim.until(lambda: [m for m in nvim.marks() if m["details"].get("hl_group")], "a highlight")
        assert [(m["row"], m["column"], m["details"]["end_col"]) for m in marks] == [(0, start, end)]
        nvim.cursor(1, end - 1)
        nvim.keys("r2")
        found = nvim.until(nvim.diagnostics, "a diagnostic")
        assert [(each["col"], each["end_col"]) for each in found] == [(start, end)]
        nvim.keys("u")
        nvim.until(lambda: not nvim.diagnostics(), "it goes")


def test_positions_in_utf_8_are_understood_too(user: Daemons) -> None:
    """UTF-16 is asked for first, as most servers know no other; where all others use UTF-8, that is."""
    settings = {"cmd": list(PROGRAM), "highlights": "all"}
    with neovim(user, settings=settings) as nvim:
        nvim.lua("vim.lsp.config('memofs', { capabilities = { general = { positionEncodings = { 'utf-8' } } } })")
        nvim.edit("src/emoji.py")
        start, end = len('x = "é😀"; '.encode()), len('x = "é😀"; y = 1'.encode())
        marks = nvim.until(lambda: [m for m in nvim.marks() if m["details"].get("hl_group")], "a highlight")
        assert nvim.lua("return vim.lsp.get_clients({ name = 'memofs' })[1].offset_encoding") == "utf-8"
        assert [(m["row"], m["column"], m["details"]["end_col"]) for m in marks] == [(0, start, end)]


def test_virtual_text_and_what_can_be_turned_off(user: Daemons) -> None:
    settings = {"cmd": list(PROGRAM), "virtual_text": "all", "signs": "stale", "code_lens": False, "diagnostics": False}
    with neovim(user, settings=settings) as nvim:
        nvim.edit("src/store.py")
        texts = nvim.until(lambda: [m["details"]["virt_text"] for m in nvim.marks()], "virtual text")
        assert [chunks[0][0].strip() for chunks in texts] == ["One file per tenant", "Closing is idempotent"]
        assert nvim.signs() == {}
        nvim.cursor(9)
        nvim.keys('f/Celsewhere"<Esc>')
        nvim.until(lambda: nvim.signs() == {OPEN: STALE}, "stale ones have a sign")
        assert nvim.lenses() == {}
        assert nvim.diagnostics() == []


def test_files_of_a_folder_without_a_memory_are_left_alone(user: Daemons) -> None:
    user.workspace.write("../elsewhere/a.py", "x = 1\n")
    with neovim(user, settings={"cmd": list(PROGRAM)}) as nvim:
        nvim.edit("../elsewhere/a.py")
        assert nvim.lua("return package.loaded['vim.lsp.client'] == nil")
        assert nvim.lua("return #vim.lsp.get_clients()") == 0


OLD = """
lua local has = vim.fn.has vim.fn.has = function(what) return what == 'nvim-0.11' and 0 or has(what) end
"""


@pytest.mark.parametrize("age", ["by the settings", "as if it were 0.10"])
def test_the_way_of_neovim_0_10(user: Daemons, age: str) -> None:
    """There is no package of 0.10: without what 0.11 brought, and with the calls of before, in 0.11."""
    old = age != "by the settings"
    settings = {"cmd": list(PROGRAM), **({} if old else {"lsp": "start"})}
    more = ("--cmd", OLD.strip(), "--cmd", "lua vim.lsp.enable, vim.lsp.config = nil, nil") if old else ()
    with neovim(user, *more, settings=settings) as nvim:
        nvim.command("Memofs status")
        nvim.until(lambda: nvim.name() == "memofs://status", "a command without a file")
        nvim.command("close")
        nvim.edit("src/store.py")
        nvim.until(lambda: nvim.signs() == {OPEN: FITS, CLOSE: FITS}, "two signs")
        assert old or nvim.lua("return vim.lsp.is_enabled('memofs')") is False
        nvim.cursor(9)
        nvim.keys('f/Celsewhere"<Esc>')
        nvim.until(lambda: nvim.signs() == {OPEN: STALE, CLOSE: FITS}, "the sign turns")
        nvim.edit("src/emoji.py")
        nvim.until(lambda: nvim.signs() == {1: FITS}, "a second file on the same client")
        assert nvim.lua("return #vim.lsp.get_clients({ name = 'memofs' })") == 1
        os.kill(user.notice["pid"], signal.SIGKILL)
        nvim.until(lambda: any("starting again" in line for line in nvim.log()), "it is noticed")
        nvim.until(lambda: nvim.signs() == {1: FITS}, "and shown again")
        nvim.command("Memofs restart")
        nvim.hears("connected anew")


def test_nothing_is_shown_in_a_buffer_that_was_detached(nvim: Nvim) -> None:
    nvim.edit("src/store.py")
    nvim.until(lambda: len(nvim.lenses()) == 2, "two lenses")
    nvim.until(lambda: len(nvim.signs()) == 2, "two signs")
    nvim.lua("vim.lsp.buf_detach_client(0, vim.lsp.get_clients({ name = 'memofs' })[1].id)")
    nvim.until(lambda: nvim.signs() == {}, "no signs")
    nvim.until(lambda: nvim.lenses() == {}, "no lenses")


def test_memories_that_others_change_are_shown_anew(nvim: Nvim, user: Daemons) -> None:
    nvim.edit("src/store.py")
    nvim.until(lambda: len(nvim.lenses()) == 2, "two lenses")
    user.ok("undo")
    user.ok("undo")
    user.ok("undo")
    nvim.until(lambda: set(nvim.signs()) == {OPEN}, "one sign is left")
    nvim.until(lambda: set(nvim.lenses()) == {OPEN}, "and one lens")


def test_a_client_that_was_disabled_stays_so(nvim: Nvim) -> None:
    nvim.edit("src/store.py")
    nvim.ready()
    nvim.lua("vim.lsp.enable('memofs', false)")
    nvim.until(lambda: nvim.lua("return #vim.lsp.get_clients({ name = 'memofs' })") == 0, "the client stops")
    nvim.edit("src/emoji.py")
    nvim.until(lambda: any("stopped" in line for line in nvim.log()), "it is noted")
    assert nvim.lua("return #vim.lsp.get_clients({ name = 'memofs' })") == 0
    assert nvim.signs() == {}


@pytest.mark.parametrize("name", ["[id] page.py", "a,b.py", "n#1 {x}.py", "émoji😀.py", "100%.py"])
def test_names_of_every_kind(nvim: Nvim, user: Daemons, name: str) -> None:
    user.workspace.write(f"src/{name}", "x = 1\ny = 2\n")
    user.ok("remember", "x is one, here", "--anchor", f"src/{name}:1")
    nvim.lua("vim.cmd.edit(vim.fn.fnameescape(...))", f"src/{name}")
    nvim.until(lambda: nvim.signs() == {1: FITS}, "a sign")
    nvim.keys("$r5")
    nvim.until(lambda: nvim.signs() == {1: STALE}, "it turns")
    nvim.keys("u")
    nvim.until(lambda: nvim.signs() == {1: FITS}, "and back")
    nvim.command("2Memofs remember")
    assert f"anchors: src/{name}:2" in nvim.lines()
    nvim.keys("iThe second line is y<Esc>:w<CR>")
    nvim.hears("remembered: The second line is y")
    nvim.lua("vim.cmd.edit(vim.fn.fnameescape(...))", f"src/{name}")
    nvim.until(lambda: set(nvim.signs()) == {1, 2}, "two signs")


def test_a_workspace_behind_a_link(user: Daemons) -> None:
    link = user.root.parent / "link"
    link.symlink_to(user.root)
    with neovim(user, settings={"cmd": list(PROGRAM)}) as nvim:
        nvim.command(f"cd {link}")
        nvim.edit("src/store.py")
        nvim.until(lambda: nvim.signs() == {OPEN: FITS, CLOSE: FITS}, "two signs")
        nvim.cursor(9)
        nvim.keys('f/Celsewhere"<Esc>')
        nvim.until(lambda: nvim.signs() == {OPEN: STALE, CLOSE: FITS}, "the sign turns")


def test_the_encoding_is_that_of_the_servers_beside(nvim: Nvim) -> None:
    """Two servers with different encodings in a buffer are what Neovim warns of."""
    first = """
        local encodings = { 'utf-8', 'utf-16', 'utf-32' }
        local others = ...
        local get_clients = vim.lsp.get_clients
        vim.lsp.get_clients = function()
          return vim.tbl_map(function(encoding) return { name = 'other', offset_encoding = encoding } end, others)
        end
        local params = { capabilities = { general = { positionEncodings = encodings } } }
        require('memofs.client').config().before_init(params)
        vim.lsp.get_clients = get_clients
        return encodings"""
    assert nvim.lua(first, []) == ["utf-16", "utf-8", "utf-32"]
    assert nvim.lua(first, ["utf-8"]) == ["utf-8", "utf-16", "utf-32"]
    assert nvim.lua(first, ["utf-8", "utf-16"]) == ["utf-16", "utf-8", "utf-32"]
