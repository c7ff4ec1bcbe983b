"""Neovim and others on one daemon, daemons that end, and programs that are not there."""

import json
import os
import shutil
import signal
from pathlib import Path

import pytest

from e2e.daemon_program import Daemons, is_running, until
from e2e.memofs_program import PROGRAM
from editors.neovim.nvim_program import Nvim, neovim

OPEN, CLOSE = 7, 12
TWO = {OPEN: "◆", CLOSE: "◆"}


def clients(nvim: Nvim) -> int:
    """How many clients of ours there are."""
    return nvim.lua("return #vim.lsp.get_clients({ name = 'memofs' })")


def test_two_neovims_and_a_command_line_on_one_daemon(nvim: Nvim, user: Daemons) -> None:
    with neovim(user, settings={"cmd": list(PROGRAM)}) as other:
        for each in (nvim, other):
            each.edit("src/store.py")
            each.until(lambda each=each: each.signs() == TWO, "two signs")
        user.ok("remember", "Names are not checked here", "--anchor", "src/store.py:3")
        for each in (nvim, other):
            each.until(lambda each=each: set(each.signs()) == {3, OPEN, CLOSE}, "the sign of the new memory")
        nvim.cursor(9)
        nvim.keys('f/Celsewhere"<Esc>')
        nvim.until(lambda: nvim.signs()[OPEN] == "▲", "what is typed is stale here")
        assert other.signs()[OPEN] == "◆"
        assert user.memofs("check").code == 0
        nvim.command("write")
        until(lambda: user.memofs("check").code == 1, "saved it is stale for the command line")
        assert other.signs()[OPEN] == "◆", "its buffer has the old text still"
        other.command("set autoread | checktime")
        other.until(lambda: other.signs()[OPEN] == "▲", "it has read what was saved")
        assert len(user.pids()) == 1


def test_a_killed_daemon_is_started_again(nvim: Nvim, user: Daemons) -> None:
    nvim.edit("src/store.py")
    nvim.until(lambda: nvim.signs() == TWO, "two signs")
    for _ in range(2):
        pid = user.notice["pid"]
        nvim.lua("_G.failures = {}")
        os.kill(pid, signal.SIGKILL)
        until(lambda pid=pid: not is_running(pid), "the daemon is dead")
        nvim.until(lambda: nvim.signs() == {}, "nothing is shown that nobody answers for")
        nvim.until(lambda: nvim.signs() == TWO, "two signs again")
        assert user.notice["pid"] != pid
    assert any("starting again in 200 ms" in line for line in nvim.log())
    assert any("starting again in 400 ms" in line for line in nvim.log())


def test_two_neovims_survive_their_daemon(nvim: Nvim, user: Daemons) -> None:
    with neovim(user, settings={"cmd": list(PROGRAM)}) as other:
        for each in (nvim, other):
            each.edit("src/store.py")
            each.until(lambda each=each: each.signs() == TWO, "two signs")
        os.kill(user.notice["pid"], signal.SIGKILL)
        for each in (nvim, other):
            each.until(lambda each=each: any("starting again" in line for line in each.log()), "it was noticed")
            each.until(lambda each=each: each.signs() == TWO, "two signs again")
        until(lambda: len(user.pids()) == 1, "one daemon serves both")


def test_a_request_that_waits_while_the_daemon_dies_is_answered(nvim: Nvim, user: Daemons) -> None:
    nvim.edit("src/store.py")
    nvim.until(lambda: nvim.signs() == TWO, "two signs")
    os.kill(user.notice["pid"], signal.SIGSTOP)
    nvim.lua(
        """
        _G.answers = 0
        for _ = 1, 3 do
          require('memofs').recall('tenant', {}, function(failure) _G.answers = _G.answers + 1 _G.failure = failure end)
        end"""
    )
    os.kill(user.notice["pid"], signal.SIGKILL)
    nvim.until(lambda: nvim.lua("return _G.answers") == 3, "every one is answered")
    assert "ended before it answered" in nvim.lua("return _G.failure.message")


def test_attempts_are_not_endless(user: Daemons, tmp_path: Path) -> None:
    program = tmp_path / "broken"
    program.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    program.chmod(0o755)
    with neovim(user, settings={"cmd": [str(program)], "restarts": 2}) as nvim:
        nvim.edit("src/store.py")
        nvim.hears("the server ended 3 times in a row (exit code 3)")
        assert clients(nvim) == 0
        nvim.command("Memofs recall tenant")
        nvim.until(
            lambda: len([text for text in nvim.said() if "in a row" in text]) >= 2, "asking tries again, and tells"
        )


def test_lua_api(nvim: Nvim) -> None:
    nvim.lua(
        """
        require('memofs').recall('file per tenant', { limit = 2 }, function(failure, result)
          _G.failure, _G.hits = failure, result and result.hits
        end)
        require('memofs').context('', { detail = 'full' }, function(_, result) _G.briefing = result.text end)
        require('memofs').request('memofs/nothing', {}, function(failure) _G.refused = failure.message end)
        local cancel = require('memofs').recall('never seen', {}, function() _G.seen = true end)
        cancel()"""
    )
    hits = nvim.until(lambda: nvim.lua("return _G.hits"), "an answer")
    assert hits[0]["title"] == "One file per tenant"
    assert len(hits) <= 2
    nvim.until(lambda: nvim.lua("return _G.briefing"), "a briefing")
    nvim.until(lambda: nvim.lua("return _G.refused"), "an error")
    assert nvim.lua("return _G.seen == nil")


def with_venv(user: Daemons) -> Path:
    """A program in the virtual environment of the workspace."""
    program = user.workspace.write(".venv/bin/memofs", f'#!/bin/sh\nexec {" ".join(PROGRAM)} "$@"\n')
    program.chmod(0o755)
    return program


def without_memofs(user: Daemons, tmp_path: Path) -> dict[str, str]:
    """A PATH that has no memofs."""
    folder = tmp_path / "bin"
    folder.mkdir(exist_ok=True)
    for name in ("sh", "git", "env"):
        found = shutil.which(name)
        assert found is not None
        if not (folder / name).exists():
            (folder / name).symlink_to(found)
    del user
    return {"PATH": str(folder)}


def test_the_program_on_path(user: Daemons, tmp_path: Path) -> None:
    env = without_memofs(user, tmp_path)
    program = with_venv(user)
    program.rename(tmp_path / "bin" / "memofs")
    with neovim(user, env=env) as nvim:
        nvim.edit("src/store.py")
        nvim.until(lambda: nvim.signs() == TWO, "two signs")


def test_a_program_of_the_workspace_is_run_only_if_it_was_allowed(user: Daemons, tmp_path: Path) -> None:
    env = without_memofs(user, tmp_path)
    with neovim(user, env=env) as nvim:
        nvim.edit("src/store.py")
        assert "the program memofs is not on PATH" in nvim.hears("pipx install memofs")
        nvim.edit("src/emoji.py")
        assert len(nvim.said()) == 1, "it is said once"
    program = with_venv(user)
    with neovim(user, env=env) as nvim:
        nvim.edit("src/store.py")
        assert "is not allowed to run" in nvim.hears(":Memofs trust")
        assert clients(nvim) == 0
        nvim.command("Memofs trust")
        nvim.until(lambda: nvim.signs() == TWO, "two signs")
    with neovim(user, env=env) as nvim:
        nvim.edit("src/store.py")
        nvim.until(lambda: nvim.signs() == TWO, "it is allowed from now on")
    program.write_text(program.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    with neovim(user, env=env) as nvim:
        nvim.edit("src/store.py")
        nvim.hears("is not allowed to run")
    with neovim(user, env=env, settings={"allow_venv": True}) as nvim:
        nvim.edit("src/store.py")
        nvim.until(lambda: nvim.signs() == TWO, "or by the settings")


def test_health(nvim: Nvim) -> None:
    nvim.edit("src/store.py")
    nvim.until(lambda: nvim.signs() == TWO, "two signs")
    nvim.command("checkhealth memofs")
    text = "\n".join(nvim.lines())
    for part in (
        "Neovim 0.11",
        "memofs 0",
        "4 memories",
        "terms",
        "off by the settings",
        "daemon.log",
        "anchors are stale",
    ):
        assert part in text, text
    assert "ERROR" not in text


def test_health_tells_what_the_watcher_complained_of(nvim: Nvim, user: Daemons) -> None:
    nvim.edit("src/store.py")
    nvim.until(lambda: nvim.signs() == TWO, "two signs")
    log = user.root / ".memofs" / "logs" / "daemon.log"
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"level": "warning", "message": "anchored files cannot be watched: too many"}) + "\n")
    nvim.command("checkhealth memofs")
    text = "\n".join(nvim.lines())
    assert "anchored files cannot be watched" in text
    assert "max_user_watches" in text


def test_health_names_the_remedy(user: Daemons, tmp_path: Path) -> None:
    settings = {"picker": "none", "colour": "red", "cmd": ["/nowhere/memofs"]}
    with neovim(user, env=without_memofs(user, tmp_path), settings=settings) as nvim:
        nvim.command("checkhealth memofs")
        text = "\n".join(nvim.lines())
        for part in ("picker is", "colour is no setting", "/nowhere/memofs, which cannot be run", "leave it out"):
            assert part in text, text


@pytest.mark.parametrize("below", ["src", "."])
def test_the_workspace_is_the_nearest_with_a_memory_then_git_then_the_folder(
    user: Daemons, below: str, tmp_path: Path
) -> None:
    with neovim(user, settings={"cmd": list(PROGRAM)}) as nvim:
        of = "return require('memofs.root').of(...)"
        assert nvim.lua(of, str((user.root / below).resolve())) == str(user.root)
        repository = tmp_path / "repository" / "deep"
        repository.mkdir(parents=True)
        (tmp_path / "repository" / ".git").mkdir()
        assert nvim.lua(of, str(repository)) == str(tmp_path / "repository")
        plain = tmp_path / "plain"
        plain.mkdir()
        assert nvim.lua(of, str(plain)) == str(plain)


def test_all_files_or_none_as_the_settings_want_it(user: Daemons) -> None:
    with neovim(user, settings={"cmd": list(PROGRAM), "attach": "never"}) as nvim:
        nvim.edit("src/store.py")
        assert clients(nvim) == 0
        nvim.command("Memofs here")
        nvim.until(lambda: clients(nvim) == 1, "a command connects")
