"""What a person at a terminal gets, and what becomes of the program when its pipe or its person goes away."""

import os
import re
import signal
import subprocess
import sys

import pytest

from e2e.memofs_program import PATIENCE_S, PROGRAM, Workspace

D1 = "mem_aaaaaaaad100"
CODES = re.compile(r"\x1b\[[0-9;]*m")


def test_a_terminal_gets_colour_and_marks(library: Workspace) -> None:
    ran = library.terminal("recall", "tenant")
    assert ran.code == 0
    assert "\x1b[1;33mtenant\x1b[0m" in ran.out
    assert CODES.sub("", ran.out).startswith("1. Use D1 for tenant metadata\n")


@pytest.mark.parametrize(
    ("args", "env", "coloured"),
    [
        ([], {"NO_COLOR": "1"}, False),
        ([], {"TERM": "dumb"}, False),
        (["--no-color"], {}, False),
        (["--color", "never"], {}, False),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
    ],
)
def test_colour_can_be_turned_off(library: Workspace, args: list[str], env: dict[str, str], coloured: bool) -> None:
    assert ("\x1b" in library.terminal("list", *args, env=env).out) is coloured


def test_a_pipe_gets_colour_only_when_asked(library: Workspace) -> None:
    assert "\x1b" in library.memofs("--color", "always", "list").out
    assert "\x1b" in library.memofs("list", env={"FORCE_COLOR": "1"}).out
    assert "\x1b" not in library.memofs("list").out


def test_lines_fit_a_narrow_terminal(library: Workspace) -> None:
    out = CODES.sub("", library.terminal("list", columns=60).out)
    assert all(len(line) <= 60 for line in out.splitlines())
    assert "…" in out


EVIL = "# Clear\x1b[2J screen \x1b]0;owned\x07\n\nBody \u202egnp.exe \x9b31m and \x08 more.\n"


@pytest.fixture
def evil(workspace: Workspace) -> Workspace:
    workspace.write(".memofs/memory/evil.md", EVIL)
    return workspace


@pytest.mark.parametrize(
    "args", [["recall", "clear", "screen"], ["list"], ["list", "--bodies", "--json"], ["show", "ID", "--raw"]]
)
def test_a_memory_cannot_drive_the_terminal(evil: Workspace, args: list[str]) -> None:
    (memory,) = evil.json("list")["memories"]
    ran = evil.terminal(*(memory["id"] if arg == "ID" else arg for arg in args))
    assert "screen" in ran.out
    assert not set(CODES.sub("", ran.out)) & set("\x1b\x07\x08\x9b\u202e")


def test_forget_asks_a_person(own_library: Workspace) -> None:
    before = own_library.files()
    ran = own_library.terminal("forget", "d100", keys={"for good? [y/N]": b"n\n"})
    assert ran.code == 1
    assert "Use D1 for tenant metadata" in ran.out
    assert "nothing was forgotten" in ran.out
    assert own_library.files() == before
    ran = own_library.terminal("forget", "d100", keys={"Forget 1 memory for good? [y/N]": b"y\n"})
    assert ran.code == 0
    assert "use-d1-d100.md" not in own_library.files()


def test_an_end_of_input_is_a_no(own_library: Workspace) -> None:
    before = own_library.files()
    ran = own_library.terminal("forget", "d100", keys={"[y/N]": b"\x04"})
    assert ran.code == 1
    assert own_library.files() == before


def test_an_interrupted_question_exits_130_without_a_word(own_library: Workspace) -> None:
    before = own_library.files()
    ran = own_library.terminal("forget", "d100", keys={"[y/N]": signal.SIGINT})
    assert ran.code == 130
    assert "Traceback" not in ran.out
    assert "error" not in ran.out
    assert own_library.files() == before


def test_edit_offers_to_edit_again(own_library: Workspace) -> None:
    script = (
        "import pathlib, sys\npath = pathlib.Path(sys.argv[-1])\ntext = path.read_text()\n"
        "path.write_text(text.replace('[unclosed', 'note') if '[unclosed' in text"
        " else text.replace('kind: decision', 'kind: [unclosed'))\n"
    )
    editor = own_library.write("../home/editor.py", script)
    ran = own_library.terminal(
        "edit", "d100", env={"EDITOR": f"'{sys.executable}' '{editor}'"}, keys={"Edit again? [y/N]": b"y\n"}
    )
    assert ran.code == 0, ran.out
    assert own_library.json("show", D1)["memory"]["kind"] == "note"


def test_an_interrupt_typed_in_the_editor_does_not_end_memofs(own_library: Workspace) -> None:
    script = (
        "import pathlib, signal, sys\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])\n"
        "print('editing', flush=True)\nsignal.sigwait([signal.SIGINT])\n"
        "path = pathlib.Path(sys.argv[-1])\npath.write_text(path.read_text() + 'After the interrupt.\\n')\n"
    )
    editor = own_library.write("../home/editor.py", script)
    ran = own_library.terminal(
        "edit", "d100", env={"EDITOR": f"'{sys.executable}' '{editor}'"}, keys={"editing": b"\x03"}
    )
    assert ran.code == 0, ran.out
    assert own_library.files()["use-d1-d100.md"].endswith(b"After the interrupt.\n")


def test_long_work_shows_progress_on_a_terminal_and_wipes_it(workspace: Workspace) -> None:
    for number in range(60):
        workspace.write(f"docs/{number}.md", f"# Page {number}\n\nWhat page {number} says about topic {number * 7}.\n")
    ran = workspace.terminal("import", "markdown", "docs")
    assert ran.code == 0
    assert re.search(r"Importing.*\d+/60", ran.out), ran.out
    assert ran.out.count("\x1b[?25l") == ran.out.count("\x1b[?25h"), "the cursor is back"
    assert "Imported 60, " in ran.out
    piped = workspace.memofs("import", "markdown", "docs", "--force")
    assert piped.err == ""


def test_a_closed_pipe_is_quiet(workspace: Workspace) -> None:
    for number in range(3000):
        workspace.write(f".memofs/memory/n{number}.md", f"# Number {number} of a long row of numbers\n")
    read_end, write_end = os.pipe()
    process = subprocess.Popen(
        [*PROGRAM, "list", "--all"],
        stdout=write_end,
        stderr=subprocess.PIPE,
        cwd=workspace.root,
        env=workspace.environment(),
    )
    os.close(write_end)
    assert os.read(read_end, 10).startswith(b"mem_")
    os.close(read_end)
    _, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, err) == (0, b"")


def test_a_pipe_that_was_never_read_is_quiet(library: Workspace) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    ran = subprocess.run(
        [*PROGRAM, "recall", "tenant", "--json"],
        stdout=write_end,
        stderr=subprocess.PIPE,
        cwd=library.root,
        env=library.environment(),
        timeout=PATIENCE_S,
        check=False,
    )
    os.close(write_end)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_a_locale_without_unicode_replaces_and_never_fails(library: Workspace) -> None:
    ascii_only = {"LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii:strict", "PYTHONUTF8": "0"}
    ran = library.memofs("list", env=ascii_only)
    assert (ran.code, ran.err) == (0, "")
    assert "mem_aaaaaaaapend" in ran.out
    document = library.memofs("list", "--json", env=ascii_only).json()
    assert "缓存必须先预热" in {memory["title"] for memory in document["memories"]}
