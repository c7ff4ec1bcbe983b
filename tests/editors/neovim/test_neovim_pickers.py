"""Pickers of other plugins. The plugins are not in any registry: stand-ins of `stand_ins.lua` take their calls."""

from pathlib import Path

import pytest

from editors.neovim.nvim_program import Nvim

STAND_INS = Path(__file__).with_name("stand_ins.lua")
TITLE = "One file per tenant"
TITLES = """
return vim.tbl_map(function(entry)
  return type(entry) == 'string' and entry or entry.display or entry.text
end, _G.shown.entries)"""


def shows(nvim: Nvim, part: str, first: bool = False) -> int:
    """The index of the entry with that in it, once the stand-in shows it."""

    def found() -> int | None:
        if not nvim.lua("return _G.shown and _G.shown.complete or false"):
            return None
        entries: list[str] = nvim.lua(TITLES)
        numbers = [number for number, entry in enumerate(entries, 1) if part in entry]
        return numbers[0] if numbers and (not first or numbers[0] == 1) else None

    return nvim.until(found, f"{part} is shown")


@pytest.mark.parametrize("name", ["telescope", "fzf-lua", "snacks"])
def test_soft_adapters(nvim: Nvim, name: str) -> None:
    nvim.edit("src/store.py")
    nvim.ready()
    nvim.lua("dofile(...)[select(2, ...)]()", str(STAND_INS), name)
    assert nvim.lua("return select(2, require('memofs.picker').chosen())") == name
    nvim.command("Memofs recall")
    shows(nvim, TITLE)
    nvim.lua("_G.typed('closing is idempotent')")
    index = shows(nvim, "Closing is idempotent", first=True)
    assert any("idempotent" in line for line in nvim.lua("return _G.preview(...)", index))
    nvim.lua("_G.accept(...)", index)
    nvim.until(lambda: "closing-is-idempotent" in nvim.name(), "its file is open")
    nvim.command("Memofs recall file per tenant")
    index = shows(nvim, TITLE)
    assert any("file" in line for line in nvim.lua("return _G.preview(...)", index))
    nvim.lua("_G.accept(...)", index)
    nvim.until(lambda: "one-file-per-tenant" in nvim.name(), "its file is open")


def test_a_select_that_another_plugin_has_put_in_place(nvim: Nvim) -> None:
    assert nvim.lua("return select(2, require('memofs.picker').chosen())") == "window"
    nvim.lua(
        """
        vim.ui.select = function(items, options, choose)
          _G.offered = vim.tbl_map(options.format_item, items)
          _G.preview_of = options.preview_item(items[1])
          choose(items[1], 1)
        end
        vim.ui.input = function(options, answer) answer('file per tenant') end"""
    )
    assert nvim.lua("return select(2, require('memofs.picker').chosen())") == "select"
    nvim.command("Memofs recall")
    nvim.until(lambda: "one-file-per-tenant" in nvim.name(), "its file is open")
    assert nvim.lua("return _G.offered")[0].startswith("decision  One file per tenant")
    assert nvim.lua("return _G.preview_of.path").endswith(".md")


def test_a_picker_that_is_asked_for_and_not_there(nvim: Nvim) -> None:
    nvim.lua("require('memofs').setup({ picker = 'telescope', cmd = vim.g.memofs.cmd })")
    assert nvim.lua("return select(2, require('memofs.picker').chosen())") == "window"
    nvim.hears("telescope is not installed")


def test_a_lens_of_two_memories_lets_choose(nvim: Nvim) -> None:
    nvim.edit("src/store.py")
    nvim.until(lambda: len(nvim.signs()) == 2, "two signs")
    nvim.command("7Memofs remember")
    nvim.keys("iOpening is cheap<Esc>:w<CR>")
    nvim.hears("remembered: ")
    nvim.edit("src/store.py")
    nvim.until(lambda: nvim.lenses().get(7) == "2 memories", "a lens of two")
    nvim.cursor(7)
    nvim.lua("vim.lsp.codelens.run()")
    nvim.picks(TITLE, "Opening is cheap")


def test_a_quick_fix_shows_what_changed(nvim: Nvim) -> None:
    nvim.edit("src/store.py")
    nvim.until(lambda: len(nvim.signs()) == 2, "two signs")
    nvim.cursor(9)
    nvim.keys('f/Celsewhere"<Esc>:w<CR>')
    nvim.until(nvim.diagnostics, "a diagnostic")
    nvim.cursor(7, 6)
    nvim.lua(
        """
        vim.lsp.buf.code_action({ apply = true, filter = function(action)
          return action.title == 'Show what changed'
        end })"""
    )
    nvim.until(lambda: nvim.name().endswith("/after"), "the diff")
