"""What the Neovim client costs: `python tests/bench/neovim.py [--rounds 30]`.

Loading, by `--startuptime`: the plugin's file, and all of a start with it and without; then in a real Neovim on a real
daemon: from `:edit` to the signs, from a change to the sign that turns, and what a search as one types waits for.
Prints percentiles in milliseconds beside the targets; nothing is asserted.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from e2e.conftest import without_vectors
from e2e.daemon_program import Daemons, daemons
from e2e.memofs_program import PROGRAM, Workspace
from editors.neovim.conftest import CODE
from editors.neovim.nvim_program import PLUGIN, Nvim, neovim, nvim_path

TURN = """
local from, to = ...
local space = vim.api.nvim_get_namespaces()['memofs']
local function sign()
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })) do
    if mark[2] == 6 and mark[4].sign_text then return vim.trim(mark[4].sign_text) end
  end
end
local started = vim.uv.hrtime()
local before = sign()
local line = vim.api.nvim_buf_get_lines(0, 8, 9, false)[1]
vim.api.nvim_buf_set_lines(0, 8, 9, false, { (line:gsub(from, to)) })
vim.wait(20000, function() return sign() ~= before end, 1)
return (vim.uv.hrtime() - started) / 1e6
"""
RECALL = """
local started, answered = vim.uv.hrtime(), false
require('memofs').recall(..., { wait = false, limit = 30 }, function() answered = true end)
vim.wait(20000, function() return answered end, 1)
return (vim.uv.hrtime() - started) / 1e6
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30)
    rounds = parser.parse_args(argv).rounds
    folder = Path(tempfile.mkdtemp(prefix="mf"))
    print(f"{'':<52}{'p50':>8}{'p95':>8}   target")
    try:
        _loading(folder / "loading", rounds)
        with daemons(_workspace(folder), runtime=folder) as user:
            _use(user, rounds)
    finally:
        shutil.rmtree(folder)
    return 0


def _row(what: str, times_ms: Sequence[float], target: str = "") -> None:
    ordered = sorted(times_ms)
    p95 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    print(f"{what:<52}{ordered[len(ordered) // 2]:>8.2f}{p95:>8.2f}   {target}")


def _workspace(folder: Path) -> Workspace:
    workspace = Workspace(folder / "project", folder / "home")
    workspace.root.mkdir()
    (workspace.home / "tmp").mkdir(parents=True)
    workspace.ok("init")
    without_vectors(workspace)
    workspace.write("src/store.py", CODE)
    workspace.ok("remember", "One file per tenant", "--anchor", "src/store.py#Store.open")
    return workspace


def _loading(folder: Path, rounds: int) -> None:
    start = folder / "site" / "pack" / "x" / "start"
    start.mkdir(parents=True)
    (start / "memofs").symlink_to(PLUGIN)
    file = folder / "plain.txt"
    file.write_text("x\n", encoding="utf-8")
    own: list[float] = []
    whole: dict[bool, list[float]] = {True: [], False: []}
    opened: list[float] = []
    for _ in range(rounds):
        for with_plugin in (True, False):
            log = folder / "startup.log"
            log.unlink(missing_ok=True)
            package = ["--cmd", f"set packpath+={folder / 'site'}"] if with_plugin else []
            command = [nvim_path(), "--headless", "--clean", "-n", "-i", "NONE", *package, "--startuptime", str(log)]
            env = {"HOME": str(folder), "PATH": "/usr/bin:/bin"}
            subprocess.run([*command, str(file), "+qa"], env=env, check=True, capture_output=True, timeout=60)
            text = log.read_text(encoding="utf-8")
            whole[with_plugin].append(max(float(each) for each in re.findall(r"^(\d+\.\d+) ", text, re.MULTILINE)))
            if with_plugin:
                own += [float(each) for each in re.findall(r"(\d+\.\d+): sourcing \S*/plugin/memofs\.lua", text)]
                opened += [float(each) for each in re.findall(r"(\d+\.\d+): require\('memofs\.root'\)", text)]
    _row("loading: plugin/memofs.lua", own, "2")
    _row("  and for a file without a memory: memofs.root", opened)
    _row("a start of Neovim without it", whole[False])
    _row("a start of Neovim with it", whole[True])


def _use(user: Daemons, rounds: int) -> None:
    settings = {"cmd": list(PROGRAM)}
    with neovim(user, settings=settings) as nvim:
        _row(":edit to the signs, no daemon yet", [_first(nvim)])
        turns = [nvim.lua(TURN, *pair) for _ in range(rounds) for pair in (("srv", "elsewhere"), ("elsewhere", "srv"))]
        _row("a change to the sign that turns", turns, "100 of these are the pause that is waited for")
        words = ("tenant", "file per tenant", "one", "store of a tenant")
        _row("a recall, as one types", [nvim.lua(RECALL, words[n % len(words)]) for n in range(rounds)], "50")
    starts: list[float] = []
    for _ in range(max(3, rounds // 6)):
        with neovim(user, settings=settings) as nvim:
            starts.append(_first(nvim))
    _row(":edit to the signs, the daemon runs", starts)


def _first(nvim: Nvim) -> float:
    started_s = time.perf_counter()
    nvim.edit("src/store.py")
    nvim.until(nvim.signs, "a sign")
    return (time.perf_counter() - started_s) * 1000


if __name__ == "__main__":
    sys.exit(main())
