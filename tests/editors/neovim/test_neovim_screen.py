"""What a person sees on the screen of a Neovim with its own messages: nothing waits for <Enter>, nothing is cut off."""

import os
import signal
from collections.abc import Generator
from pathlib import Path

import pytest

from e2e.daemon_program import Daemons, is_running, until
from e2e.memofs_program import PROGRAM
from editors.neovim.nvim_program import Nvim, neovim

OPEN, CLOSE = 7, 12
SCREEN = (80, 24)
TWO = {OPEN: "◆", CLOSE: "◆"}
LONG = "A title that is longer than the line that messages have at the bottom of the screen"
SETTINGS: dict[str, object] = {"cmd": list(PROGRAM)}


@pytest.fixture
def seen(user: Daemons) -> Generator[Nvim]:
    """A Neovim as people have it, with a file that two memories are tied to."""
    with neovim(user, f"{user.root}/src/store.py", settings=SETTINGS, screen=SCREEN) as found:
        found.until(lambda: found.signs() == TWO, "two signs")
        yield found


def told(nvim: Nvim) -> list[str]:
    """What was said, as the log of the plugin has it."""
    return [line for line in nvim.log() if ": ready, positions" not in line and "starting again" not in line]


def tells(nvim: Nvim, keys: str) -> str:
    """What typing this makes the plugin say; it is on the screen, and nobody has to press a key."""
    before = len(told(nvim))
    nvim.keys(keys)
    nvim.until(lambda: len(told(nvim)) > before, f"something is said to {keys!r}")
    line = nvim.shows("memofs: ")
    assert nvim.lua("return vim.o.cmdheight") == 1
    assert nvim.screen()[-1] == line
    return line


def test_no_message_waits_for_enter(seen: Nvim) -> None:
    seen.keys("3G")
    for command in (
        "nothing",
        "re",
        "!core",
        "here",
        "verify",
        "changes",
        "mute",
        "verify mem_nothing",
        "open mem_nothing",
        "recall kind=banana how do we store it",
        "recall zyzzyva quokka",
        "expand nothing-of-the-kind",
        "restart",
        "!restart",
        "stale",
        "undo",
        "12verify",
        "!retire",
        "undo",
    ):
        bang = "!" if command.startswith("!") else ""
        tells(seen, f":Memofs{bang} {command.lstrip('!')}<CR>")


def test_a_message_that_is_too_long_is_in_the_log_as_a_whole(seen: Nvim) -> None:
    seen.keys(":Memofs remember note<CR>")
    seen.shows("kind: note")
    line = tells(seen, f"iA text<Esc>:2s/$/{LONG}/<CR>:w<CR>")
    assert line.endswith("…")
    assert f"remembered: {LONG} (mem_" in told(seen)[-1]
    assert seen.lua("return vim.fn.strdisplaywidth(...)", line) < SCREEN[0]


def test_a_message_does_not_write_over_a_command_that_is_typed(seen: Nvim) -> None:
    seen.keys(":let g:typed = 1")
    seen.shows(":let g:typed = 1")
    seen.lua("require('memofs.message').error('something has come up')")
    assert seen.screen()[-1] == ":let g:typed = 1"
    assert len(told(seen)) == 1
    seen.keys("<CR>")
    seen.shows("memofs: something has come up")
    assert seen.lua("return vim.g.typed") == 1


def test_two_messages_at_once_are_shown_one_after_the_other(seen: Nvim) -> None:
    seen.lua(
        "local say = require('memofs.message') say.warn('first', 'hint') say.warn(('long '):rep(99)) say.info('last')"
    )
    seen.shows("memofs: last")
    assert len(told(seen)) == 3


def test_hints_are_in_the_words_of_the_editor(seen: Nvim) -> None:
    tells(seen, ":Memofs verify mem_nothing<CR>")
    assert ":Memofs open shows what there is" in told(seen)[-1]
    for given, expected in (
        ("memofs init makes one here", ":Memofs init makes one here"),
        ("what stands behind `memofs expand`", "what stands behind `:Memofs expand`"),
        ("memofs config set kinds '[]'", "memofs config set kinds '[]'"),
        (":Memofs undo takes it back", ":Memofs undo takes it back"),
    ):
        assert seen.lua("return require('memofs.message').here(...)", given) == expected


def test_a_beginning_that_fits_several_names_them(seen: Nvim) -> None:
    line = tells(seen, ":Memofs re<CR>")
    assert "re may be recall, remember, retire, reanchor or restart" in line


def test_a_daemon_that_is_killed_takes_no_keys(seen: Nvim, user: Daemons) -> None:
    seen.keys("ggO")
    typed = ""
    for number in range(3):
        pid = user.notice["pid"]
        os.kill(pid, signal.SIGKILL)
        until(lambda pid=pid: not is_running(pid), "the daemon is dead")
        for letter in f"word{number} ":
            seen.keys(letter)
            typed += letter
            assert not seen.waits()
        seen.until(
            lambda pid=pid: len(seen.signs()) == 2 and user.notice["pid"] != pid, "another daemon, and two signs again"
        )
    seen.keys("<Esc>")
    seen.until(lambda: seen.lines()[0] == typed, "all that was typed is there")
    assert not any("quit with" in line for line in seen.screen())
    assert told(seen) == []


def test_a_program_that_ends_at_once_is_told_once(user: Daemons, tmp_path: Path) -> None:
    program = tmp_path / "broken"
    program.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    program.chmod(0o755)
    settings = {"cmd": [str(program)], "restarts": 2}
    with neovim(user, f"{user.root}/src/store.py", settings=settings, screen=SCREEN) as nvim:
        nvim.shows("memofs: the server ended 3 times in a row (exit code 3)")
        assert len(told(nvim)) == 1


def test_without_a_program_the_file_is_shown_and_what_is_missing(user: Daemons) -> None:
    with neovim(user, f"{user.root}/src/store.py", settings={"cmd": ["/nowhere/memofs"]}, screen=SCREEN) as nvim:
        nvim.shows("memofs: the setting cmd names /nowhere/memofs")
        assert nvim.screen()[0] == '"""Tenants."""'
        nvim.keys("Go<Esc>")
        nvim.until(lambda: nvim.lines()[-1] == "", "keys arrive")


@pytest.mark.parametrize(
    "typed", ["", " recall tenants", " stale", " here", " core", " context", " remember", " status"]
)
def test_every_command_says_that_there_is_no_memory(user: Daemons, tmp_path: Path, typed: str) -> None:
    folder = tmp_path / ("a folder with a name so long that " * 3 + "no line has room for it")
    folder.mkdir()
    with neovim(user, "-c", f"cd {folder}", settings=SETTINGS, screen=SCREEN) as nvim:
        line = tells(nvim, f":Memofs{typed}<CR>")
        assert "there is no memory in " in line
        assert ":Memofs init makes one" in told(nvim)[-1]
        assert nvim.lua("return #vim.api.nvim_list_wins()") == 1
        assert nvim.log()[-1:] == told(nvim)[-1:], "no server was started to be told that"


def test_init_is_told_in_a_line(user: Daemons, tmp_path: Path) -> None:
    folder = tmp_path / "new"
    folder.mkdir()
    with neovim(user, "-c", f"cd {folder}", settings=SETTINGS, screen=SCREEN) as nvim:
        assert "memofs: the memory is in " in tells(nvim, ":Memofs init<CR>")
        assert "already" in tells(nvim, ":Memofs init<CR>") + told(nvim)[-1]


def test_a_refused_draft_says_where_and_stays_in_sight(seen: Nvim) -> None:
    value = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    seen.keys(":Memofs remember<CR>")
    seen.shows("kind: note")
    seen.lua("vim.api.nvim_buf_set_lines(0, -2, -1, false, { '', 'Robots:', '', ... })", f"their token is {value}")
    draft = seen.lua("return vim.api.nvim_get_current_buf()")
    assert "memofs: not saved: " in tells(seen, ":w<CR>")
    assert ":w! saves it all the same" in told(seen)[-1]
    row: int = seen.diagnostics()[0]["lnum"]
    line: str = seen.lines()[row]
    assert line.endswith(value)
    assert "memofs: not saved: " in tells(seen, ":wq<CR>")
    assert seen.lua("return vim.api.nvim_get_current_buf()") == draft
    tells(seen, ":w!<CR>")
    seen.until(lambda: seen.name().endswith(".md"), "its file is shown")
    cursor = seen.lua("return vim.api.nvim_win_get_cursor(0)[1]")
    assert seen.lines()[cursor - 1] == "Robots:" or seen.lines()[cursor - 2] == "---"


def test_an_unknown_kind_is_told_where_it_stands(seen: Nvim) -> None:
    seen.keys(":Memofs remember<CR>")
    seen.shows("kind: note")
    seen.lua("vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'title: A', 'kind: banana', '---', 'Some text' })")
    tells(seen, ":w<CR>")
    assert [each["lnum"] for each in seen.diagnostics()] == [1]


def test_the_signs_of_the_plugin_are_what_is_seen(seen: Nvim) -> None:
    assert seen.shows("def close").startswith("◆ ")
    seen.cursor(9)
    seen.keys('f/Celsewhere"<Esc>')
    seen.until(seen.diagnostics, "a diagnostic")
    assert seen.until(
        lambda: next((line for line in seen.screen() if "def open" in line and line.startswith("▲")), None),
        "the plugin's sign, not that of the diagnostic",
    )


def test_the_picker_cuts_titles_with_a_mark_and_has_kinds_in_a_column(seen: Nvim, user: Daemons) -> None:
    user.ok("remember", f"{LONG} é😀\n\nIt is about a tenant.", "-k", "reference")
    seen.keys(":Memofs open<CR>")
    seen.picks("One file per tenant")
    seen.shows("5 memories")
    lines = [line for line in seen.screen() if any(word in line for word in ("reference ", "decision ", "constraint "))]
    lines = [line[line.index("│") + 1 :] for line in lines if "│" in line]
    starts = {
        line.index(title) for line in lines for title in ("A title that", "One file per", "Closing is") if title in line
    }
    assert starts == {len("constraint") + 2}
    assert any("…" in line for line in lines)
    assert not any("@@@" in line for line in seen.screen())
    seen.keys("<Esc>")


@pytest.mark.parametrize(
    ("keys", "end", "left"),
    [("ggOa word", "<Esc>", ["a word", 0]), (":let g:typed = 1", "<CR>", ['"""Tenants."""', 1])],
)
def test_an_answer_that_comes_late_takes_no_keys(
    seen: Nvim, user: Daemons, keys: str, end: str, left: list[object]
) -> None:
    os.kill(user.notice["pid"], signal.SIGSTOP)
    seen.keys(f":Memofs recall tenant<CR>{keys}")
    os.kill(user.notice["pid"], signal.SIGCONT)
    seen.lua("require('memofs').recall('tenant', {}, function() _G.answered = true end)")
    seen.until(lambda: seen.lua("return _G.answered or false"), "a later question is answered")
    assert seen.picker() is None
    seen.keys(end)
    seen.picks("One file per tenant")
    seen.keys("<Esc>")
    seen.until(lambda: seen.picker() is None, "it is closed")
    assert [seen.lines()[0], seen.lua("return vim.g.typed or 0")] == left


def test_a_picker_whose_question_fails_shows_all_of_the_reason(seen: Nvim) -> None:
    reason = "the daemon cannot be reached for a reason that takes more than a line of the list to tell in full"
    seen.lua(
        """
        require('memofs.picker').pick({ title = 'Recall', root = vim.fn.getcwd(), source = function(_, answer)
          answer({}, ...)
          return function() end
        end })""".replace("...", f"'{reason}'")
    )
    shown = " ".join("".join(seen.screen()).replace("│", " ").split())
    assert "tell in full" in shown
