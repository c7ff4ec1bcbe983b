"""From arguments to exit code, up to the connection: what needs no daemon is tested without one."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from memofs.cli.app import run
from memofs.cli.failure import of_os_error, of_usage
from memofs.link.client import Client, RemoteError


class Connections:
    """Refuses every connection and remembers for which workspace it was asked."""

    def __init__(self) -> None:
        self.roots: list[Path] = []

    def __call__(self, root: Path, *, no_daemon: bool, note: Callable[[str], None]) -> Client:
        del no_daemon, note
        self.roots.append(root)
        raise RemoteError("the daemon is away\x1b[2J", family="Unavailable", code="away", hint="call it back")


@pytest.fixture
def connect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Connections:
    monkeypatch.chdir(tmp_path)
    return Connections()


def test_an_error_of_the_daemon_is_said_with_its_hint(
    connect: Connections, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(["recall", "x"], connect) == 1
    assert capsys.readouterr() == ("", "error: the daemon is away<U+001B>[2J\nhint: call it back\n")
    assert connect.roots == [tmp_path]


@pytest.mark.parametrize("argv", [["--json", "status"], ["status", "--json"], ["config", "--json", "get"]])
def test_with_json_an_error_is_one_document_on_standard_output(
    argv: list[str], connect: Connections, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run(argv, connect) == 1
    out, err = capsysbinary.readouterr()
    assert err == b""
    assert json.loads(out) == {
        "error": {
            "family": "Unavailable",
            "code": "away",
            "message": "the daemon is away\x1b[2J",
            "hint": "call it back",
        }
    }
    assert out.endswith(b"}\n")


@pytest.mark.parametrize(
    ("argv", "message", "hint"),
    [
        (["lisst"], "no such command 'lisst'; did you mean 'list'?", "memofs --help"),
        (["rm", "x"], "no such command 'rm'; did you mean 'retire' or 'forget'?", "memofs --help"),
        (["config", "sett"], "no such command 'sett'; did you mean 'set' or 'unset'?", "memofs config --help"),
        (["list", "--limt", "3"], "no such option", "memofs list --help"),
        (["recall", "--no-verify"], "no such option", "memofs recall -- --no-verify"),
        (["show"], "missing argument 'ID'", "memofs show --help"),
        (["remember", "x", "--confidence", "high"], "'high' is not a number from 0 to 1", "memofs remember --help"),
        (["remember", "x", "--confidence", "1.5"], "'1.5' is not a number from 0 to 1", ""),
        (["remember", "x", "--confidence", "nan"], "'nan' is not a number from 0 to 1", ""),
        (["remember", "x", "--stdin"], "TEXT, --stdin or --file: give one of them", ""),
        (["remember", "--file", "nowhere.md"], "File 'nowhere.md' does not exist", ""),
        (["recall", "-n", "0", "x"], "0 is not in the range 1<=x<=1000", ""),
        (["recall", "--flag", "old", "x"], "'old' is not one of", ""),
        (["recall", "--precision", "none", "x"], "'none' is not one of 'strict', 'balanced', 'all'", ""),
        (["verify"], "name memories or paths, or give --all", ""),
        (["verify", "--all", "mem_abcdef"], "name memories or paths, or give --all", ""),
        (["completion", "tcsh"], "'tcsh' is not one of 'bash', 'zsh', 'fish'", ""),
        (["-C", "nowhere", "status"], "Directory 'nowhere' does not exist", ""),
        (["recall", "\udcff"], "argument 2 is not UTF-8", ""),
    ],
)
def test_wrong_usage_exits_2_with_a_hint(
    argv: list[str], message: str, hint: str, connect: Connections, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(argv, connect) == 2
    out, err = capsys.readouterr()
    assert out == ""
    first, second = err.splitlines()
    assert first.startswith("error: ")
    assert message in first
    assert second.startswith("hint: ")
    assert hint in second
    assert connect.roots == []


def test_wrong_usage_with_json_is_json_even_before_the_option_was_read(
    connect: Connections, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run(["list", "--limt", "3", "--json"], connect) == 2
    out, err = capsysbinary.readouterr()
    assert (json.loads(out)["error"]["family"], err) == ("Usage", b"")
    assert run(["lst", "--", "--json"], connect) == 2
    out, err = capsysbinary.readouterr()
    assert (out, err[:7]) == (b"", b"error: ")


def test_a_command_with_commands_alone_shows_its_help(connect: Connections, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([], connect) == 2
    assert "Usage: memofs [OPTIONS] COMMAND" in capsys.readouterr().err
    assert run(["config"], connect) == 2
    assert "Usage: memofs config" in capsys.readouterr().err


@pytest.mark.parametrize(
    "argv", [["--help"], ["-h"], ["help"], ["help", "recall"], ["recall", "--help"], ["snapshot", "diff", "-h"]]
)
def test_help_needs_no_daemon(argv: list[str], connect: Connections, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(argv, connect) == 0
    assert "Examples:" in capsys.readouterr().out
    assert connect.roots == []


@pytest.mark.parametrize("argv", [["--version"], ["recall", "-V"]])
def test_version(argv: list[str], connect: Connections, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(argv, connect) == 0
    assert capsys.readouterr().out.startswith("memofs 0.")


def test_the_workspace_is_found_from_the_folder_named_last(connect: Connections, tmp_path: Path) -> None:
    (tmp_path / "a" / ".memofs").mkdir(parents=True)
    (tmp_path / "a" / "deep").mkdir()
    (tmp_path / "b").mkdir()
    run(["-C", "b", "status", "--root", "a/deep"], connect)
    run(["status", "-C", str(tmp_path / "b")], connect)
    assert connect.roots == [tmp_path / "a", tmp_path / "b"]


def test_init_takes_a_named_root_as_the_workspace_itself(connect: Connections, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "packages" / "api").mkdir(parents=True)
    run(["-C", "packages/api", "status"], connect)
    run(["-C", "packages/api", "init"], connect)
    run(["init"], connect)
    assert connect.roots == [tmp_path, tmp_path / "packages" / "api", tmp_path]


@pytest.mark.parametrize("argv", [["remember"], ["remember", "  "], ["remember", ""]])
def test_there_has_to_be_a_text(
    argv: list[str], connect: Connections, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert run(argv, connect) == 1
    err = capsys.readouterr().err
    assert err.startswith("error: there is no text to remember\nhint: ")
    assert "--stdin" in err
    assert connect.roots == []


def test_a_file_that_is_not_text_is_refused_by_name_and_offset(
    connect: Connections, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "latin1.txt").write_bytes(b"caf\xe9")
    assert run(["remember", "--file", "latin1.txt"], connect) == 1
    err = capsys.readouterr().err
    assert err.startswith("error: latin1.txt is not UTF-8: byte 0xe9 at offset 3\nhint: ")
    assert connect.roots == []


def test_forgetting_needs_somebody_to_ask(connect: Connections, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["forget", "mem_abcdef"], connect) == 1
    assert "the daemon is away" in capsys.readouterr().err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_need_no_daemon(
    shell: str, connect: Connections, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run(["completion", shell], connect) == 0
    script = capsysbinary.readouterr().out
    assert b"_MEMOFS_COMPLETE" in script
    assert run(["completion", shell, "--json"], connect) == 0
    document = json.loads(capsysbinary.readouterr().out)
    assert document == {"shell": shell, "script": script.decode().rstrip("\n") + "\n"}
    assert connect.roots == []


def test_an_interrupt_is_quiet(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def interrupted(root: Path, *, no_daemon: bool, note: Callable[[str], None]) -> Client:
        del root, no_daemon, note
        raise KeyboardInterrupt

    assert run(["status"], interrupted) == 130
    out, err = capsys.readouterr()
    assert (out, err.strip()) == ("", "")


@pytest.mark.usefixtures("connect")
def test_a_bug_keeps_its_traceback() -> None:

    def broken(root: Path, *, no_daemon: bool, note: Callable[[str], None]) -> Client:
        del root, no_daemon, note
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(["status"], broken)


def test_system_errors_name_the_file() -> None:
    assert of_os_error(OSError(28, "No space left on device", "/w/x")).message == "/w/x: No space left on device"
    assert of_os_error(OSError("odd")).message == "odd"


def test_usage_errors_without_a_command_point_to_the_program() -> None:
    assert of_usage(click.UsageError("Oh no.")).message == "oh no"
    assert "`memofs --help`" in (of_usage(click.UsageError("x")).hint or "")


def test_colour_of_errors_follows_the_option(connect: Connections, capsys: pytest.CaptureFixture[str]) -> None:
    assert not sys.stderr.isatty()
    run(["status", "--color", "always"], connect)
    assert capsys.readouterr().err.startswith("\x1b[1;31merror:\x1b[0m ")
    run(["--color", "always", "status", "--no-color"], connect)
    assert capsys.readouterr().err.startswith("error: ")
