"""The plugin as a piece of software: how it is installed, what it loads, its help, its style, the names it uses."""

import json
import os
import re
import subprocess
import textwrap
import tomllib
from pathlib import Path
from shutil import which

import pytest

from e2e.daemon_program import Daemons
from e2e.memofs_program import PROGRAM
from editors.neovim.nvim_program import PLUGIN, Nvim, neovim, nvim_path

TESTS = Path(__file__).parents[2]
REPOSITORY = TESTS.parent
PROTOCOL = REPOSITORY / "protocol.md"
STYLUA = TESTS / "tools" / "node_modules" / "@johnnymorganz" / "stylua"
FORMAT = Path(__file__).with_name("stylua.mjs")
PLUG = """\
function! plug#begin(...) abort
  command! -nargs=+ Plug lua table.insert(_G.plugged, [=[<args>]=])
endfunction
function! plug#end() abort
endfunction
"""
FILES = sorted(PLUGIN.rglob("*.lua"))


def node() -> str:
    """Node, of the system or of the virtual environment."""
    found = which("node")
    if found is None or not STYLUA.is_dir():
        pytest.skip("StyLua is not there: make test installs it with npm into tests/tools")
    return found


def snippets(language: str) -> list[str]:
    """The code of that language in the README."""
    text = (PLUGIN / "README.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_every_file_is_formatted() -> None:
    command = [
        node(),
        str(FORMAT),
        "check",
        str(TESTS / "tools"),
        *map(str, FILES),
        str(Path(__file__).with_name("stand_ins.lua")),
    ]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stdout) == (0, ""), ran


def test_the_settings_of_the_formatter_are_those_of_the_file() -> None:
    """The WebAssembly build reads no stylua.toml."""
    given = dict(re.findall(r'^(\w+) = "?(\w+)"?$', (PLUGIN / "stylua.toml").read_text(encoding="utf-8"), re.MULTILINE))
    used = FORMAT.read_text(encoding="utf-8")
    assert len(given) == 5
    for name, value in given.items():
        assert re.search(rf"config\.{name} = (stylua\.\w+\.)?{value};", used), name


def test_no_warnings_of_the_linter() -> None:
    if which("luacheck") is None:
        pytest.skip("luacheck is not there: on Debian it is the package lua-check")
    ran = subprocess.run(
        ["luacheck", "--codes", "."], cwd=PLUGIN, capture_output=True, text=True, check=False, timeout=60
    )
    assert ran.returncode == 0, ran.stdout


def test_every_file_is_lua_that_neovim_reads(nvim: Nvim) -> None:
    for path in FILES:
        assert nvim.lua("return select(2, loadfile(...)) or ''", str(path)) == ""


def test_modules_are_small_and_say_what_they_are() -> None:
    for path in FILES:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith("--"), f"{path.name} does not say what it is"
        assert len(lines) <= 600, path


def test_public_functions_are_annotated() -> None:
    for path in (PLUGIN / "lua").rglob("*.lua"):
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            found = re.match(r"function M\.\w+\((.*)\)", line)
            if found is None:
                continue
            above: list[str] = []
            while number and lines[number - 1].startswith("---"):
                number -= 1
                above.append(lines[number])
            for name in filter(None, found[1].split(", ")):
                assert any(f"@param {name}" in each for each in above) or name == "...", f"{path.name}: {line} ({name})"


def test_requests_and_notifications_are_those_of_the_protocol() -> None:
    page = PROTOCOL.read_text(encoding="utf-8")
    known = set(re.findall(r"^\| (memofs/\w+) \|", page, re.MULTILINE))
    commands = set(re.findall(r"`(memofs\.\w+) \[", page))
    used: set[str] = set()
    named: set[str] = set()
    for path in (PLUGIN / "lua").rglob("*.lua"):
        text = path.read_text(encoding="utf-8")
        used |= set(re.findall(r"['\"`](memofs/[a-z]\w+)['\"`]", text))
        named |= set(re.findall(r"\['(memofs\.\w+)'\] = function\(command", text))
    assert used - known == set()
    assert len(used) > 15
    assert named
    assert named <= commands


def test_params_that_are_sent_are_those_of_the_protocol(nvim: Nvim, user: Daemons) -> None:
    """Fields that nobody knows are refused by name, so a command that works names them right."""
    nvim.edit("src/store.py")
    nvim.command("2,3Memofs! context task=refactor tenants")
    nvim.until(lambda: nvim.name().startswith("memofs://context/"), "the briefing")
    assert user.log()[-1]["outcome"] == "ok"


def test_the_help_is_made_from_the_tables(tmp_path: Path) -> None:
    command = [nvim_path(), "--clean", "-n", "-i", "NONE", "-l", str(PLUGIN / "scripts" / "doc.lua")]
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, env=environment)
    assert ran.stdout == (PLUGIN / "doc" / "memofs.txt").read_text(encoding="utf-8"), "run scripts/doc.lua"


def test_the_help_can_be_looked_up(nvim: Nvim, tmp_path: Path) -> None:
    doc = tmp_path / "doc"
    doc.mkdir()
    (doc / "memofs.txt").write_bytes((PLUGIN / "doc" / "memofs.txt").read_bytes())
    nvim.command(f"helptags {doc}")
    nvim.command(f"set runtimepath^={tmp_path}")
    for tag in (
        "memofs",
        ":Memofs-recall",
        "g:memofs.picker",
        "<Plug>(memofs-remember)",
        "MemofsStale",
        "memofs.recall()",
    ):
        nvim.command(f"help {tag}")
        assert nvim.name().endswith("memofs.txt"), tag
    known = set((doc / "tags").read_text(encoding="utf-8").split())
    text = (doc / "memofs.txt").read_text(encoding="utf-8")
    for link in re.findall(r"\|([^|\s]+)\|", text):
        if "emofs" in link:
            assert link in known, f"{link} leads nowhere"
    assert max(len(line) for line in text.splitlines()) <= 80


def test_until_it_is_used_a_command_maps_and_an_autocommand_are_all_there_is(nvim: Nvim, tmp_path: Path) -> None:
    other = tmp_path / "plain.txt"
    other.write_text("x\n", encoding="utf-8")
    nvim.edit(str(other))
    loaded = nvim.lua(
        "return vim.tbl_filter(function(name) return name:match('^memofs') end, vim.tbl_keys(package.loaded))"
    )
    assert loaded == ["memofs.root"]
    assert nvim.session.funcs.exists(":Memofs") == 2
    maps = [each["lhs"] for each in nvim.session.api.get_keymap("n") if "memofs" in each["lhs"]]
    assert maps
    assert all(lhs.startswith("<Plug>(memofs-") for lhs in maps)


def test_plug_maps(nvim: Nvim) -> None:
    nvim.edit("src/store.py")
    nvim.until(lambda: len(nvim.signs()) == 2, "two signs")
    nvim.command("nmap X <Plug>(memofs-here)")
    nvim.command("xmap X <Plug>(memofs-remember)")
    nvim.cursor(8)
    nvim.keys("X")
    nvim.picks("One file per tenant")
    nvim.keys("<Esc>")
    nvim.until(lambda: nvim.picker() is None, "it closes")
    nvim.cursor(3)
    nvim.keys("VX")
    nvim.until(lambda: nvim.name().endswith("memofs://remember"), "the draft")
    assert "anchors: src/store.py:3" in nvim.lines()


def test_the_plain_package_of_the_readme(user: Daemons) -> None:
    """The commands of the README with a copy of the plugin in the place of the clone."""
    home = user.workspace.home
    (snippet,) = (code for code in snippets("sh") if "pack/" in code)
    target = re.search(r"(~/\S+/start)/", snippet)
    assert target is not None
    start = home / target[1].removeprefix("~/")
    start.mkdir(parents=True)
    (start / "memofs").symlink_to(PLUGIN)
    env = {"XDG_DATA_HOME": str(home / ".local" / "share")}
    more = ("--cmd", f"set packpath={home / '.local' / 'share' / 'nvim' / 'site'},$VIMRUNTIME")
    with neovim(user, *more, settings={"cmd": list(PROGRAM)}, env=env) as nvim:
        found = nvim.session.api.get_runtime_file("lua/memofs/init.lua", True)
        assert found == [str(start / "memofs" / "lua" / "memofs" / "init.lua")]
        nvim.edit("src/store.py")
        nvim.until(lambda: len(nvim.signs()) == 2, "two signs")


def test_packadd(user: Daemons) -> None:
    optional = user.workspace.home / "opt-site" / "pack" / "x" / "opt"
    optional.mkdir(parents=True)
    (optional / "memofs").symlink_to(PLUGIN)
    more = ("--cmd", f"set packpath={user.workspace.home / 'opt-site'},$VIMRUNTIME")
    with neovim(user, *more, settings={"cmd": list(PROGRAM)}) as nvim:
        assert nvim.session.funcs.exists(":Memofs") == 0
        nvim.command("packadd memofs")
        nvim.edit("src/store.py")
        nvim.until(lambda: len(nvim.signs()) == 2, "two signs")


def without_the_plugin(user: Daemons) -> tuple[str, str]:
    """Arguments for a Neovim that has not got it."""
    return ("--cmd", f"set packpath={user.workspace.home / 'nothing'},$VIMRUNTIME")


def works(nvim: Nvim) -> None:
    """Whether the plugin is there, and its server's configuration."""
    nvim.edit("src/store.py")
    nvim.until(lambda: len(nvim.signs()) == 2, "two signs")
    assert nvim.lua("return vim.lsp.is_enabled('memofs')")


def test_the_snippet_for_lazy(user: Daemons) -> None:
    """The manager cannot be had here: its spec is read, and its `config` called with what it would be given."""
    (code,) = (code for code in snippets("lua") if "lazy.nvim" in code)
    with neovim(user, *without_the_plugin(user), settings={"cmd": list(PROGRAM)}) as nvim:
        assert nvim.session.funcs.exists(":Memofs") == 0
        spec = re.sub(r"^--.*\n", "", code)
        nvim.lua(
            "local spec = loadstring('return ' .. ...)() spec.config({ dir = select(2, ...) })", spec, str(REPOSITORY)
        )
        works(nvim)


def test_the_snippet_for_mini_deps(user: Daemons) -> None:
    """The manager cannot be had here: what it would have cloned is put in place, and what it is asked for recorded."""
    (code,) = (code for code in snippets("lua") if "MiniDeps" in code)
    with neovim(user, *without_the_plugin(user), settings={"cmd": list(PROGRAM)}) as nvim:
        place = Path(nvim.session.funcs.stdpath("data")) / "site" / "pack" / "deps" / "opt"
        place.mkdir(parents=True)
        (place / "memofs").symlink_to(REPOSITORY)
        nvim.lua("_G.MiniDeps = { add = function(spec) _G.added = spec end } loadstring(...)()", code)
        assert nvim.lua("return _G.added") == {"source": "URL", "name": "memofs"}
        works(nvim)


def test_the_snippet_for_vim_plug(user: Daemons) -> None:
    """The manager cannot be had here: its commands are recorded, and the folder it would add is added."""
    (code,) = snippets("vim")
    with neovim(user, *without_the_plugin(user), settings={"cmd": list(PROGRAM)}) as nvim:
        manager = user.workspace.home / "manager" / "autoload" / "plug.vim"
        manager.parent.mkdir(parents=True)
        manager.write_text(PLUG, encoding="utf-8")
        nvim.command(f"set runtimepath+={manager.parents[1]}")
        nvim.lua("_G.plugged = {} vim.cmd((...))", code)
        (plugged,) = nvim.lua("return _G.plugged")
        given = re.fullmatch(r"'URL', \{ 'rtp': '([^']+)' \}", plugged)
        assert given is not None
        nvim.command(f"set runtimepath+={REPOSITORY / given[1]}")
        nvim.command("runtime! plugin/memofs.lua")
        works(nvim)


def test_recipes_for_other_editors_are_sound() -> None:
    (helix,) = map(tomllib.loads, snippets("toml"))
    assert helix["language-server"]["memofs"]["args"] == ["lsp"]
    assert "memofs" in helix["language"][0]["language-servers"]
    (zed,) = map(json.loads, snippets("json"))
    assert "memofs" in zed["languages"]["Python"]["language_servers"]
    (kakoune,) = snippets("kak")
    assert tomllib.loads(textwrap.dedent(kakoune.split("lsp_servers %{")[1].split("}")[0]))["memofs"]["args"] == ["lsp"]
    emacs = which("emacs")
    if emacs is not None:
        for code in snippets("elisp"):
            read = f"(read {json.dumps(code)})"
            subprocess.run([emacs, "-Q", "--batch", "--eval", read], check=True, capture_output=True, timeout=60)


def test_settings_of_the_readme_are_settings(nvim: Nvim) -> None:
    names = nvim.lua("return vim.tbl_map(function(s) return s.name end, require('memofs.config').schema)")
    text = "\n".join(snippets("lua"))
    for block in re.findall(r"vim\.g\.memofs = \{(.*?)\n?\}", text, re.DOTALL):
        for name in re.findall(r"(\w+) = ", block):
            assert name in names
