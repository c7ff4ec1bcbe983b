"""The program as a whole: every command is there, explained, and its examples are right."""

import io
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from memofs.cli.app import program, run
from memofs.cli.catalog import COMMANDS, HEADINGS, SYNONYMS
from memofs.cli.command import GLOBAL_OPTIONS, Command, Group
from memofs.cli.session import Session
from memofs.link.client import Client, RemoteError


def unreachable(root: Path, *, no_daemon: bool, note: Callable[[str], None]) -> Client:
    del root, no_daemon, note
    raise RemoteError("no daemon", family="Unavailable")


def context() -> click.Context:
    return program.make_context("memofs", [], obj=Session(unreachable), resilient_parsing=True)


def every_command() -> Iterator[tuple[str, click.Command]]:
    yield "memofs", program
    for name in program.list_commands(context()):
        command = program.get_command(context(), name)
        assert command is not None
        yield f"memofs {name}", command
        if isinstance(command, click.Group):
            for inner, subcommand in command.commands.items():
                yield f"memofs {name} {inner}", subcommand


ALL = dict(every_command())


def test_the_commands_of_the_issue_are_there() -> None:
    assert set(COMMANDS) >= {
        *("init", "remember", "recall", "show", "list", "edit", "retire", "restore", "forget", "undo", "history"),
        *("verify", "accept", "reject", "status", "doctor", "import", "migrate", "config", "snapshot", "completion"),
        *("index", "model", "daemon", "lsp", "context", "expand"),
    }
    assert {f"memofs {path}" for path in ("import adr", "import markdown", "config set", "snapshot diff")} <= set(ALL)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_catalog_says_what_the_command_says(name: str) -> None:
    command = ALL[f"memofs {name}"]
    assert command.name == name
    assert COMMANDS[name].heading in HEADINGS
    assert COMMANDS[name].summary.endswith(".")
    assert len(COMMANDS[name].summary) <= 68


@pytest.mark.parametrize("path", ALL)
def test_every_command_explains_itself(path: str) -> None:
    command = ALL[path]
    assert isinstance(command, Command | Group)
    assert any(set(path.split()) <= set(example.split()) for example in command.examples)
    assert command.help
    text = command.get_help(command.make_context(path, [], parent=context(), resilient_parsing=True))
    assert "Examples:" in text
    assert "--json" in text
    assert "-h, --help" in text
    for param in command.params:
        if isinstance(param, click.Option):
            assert param.help, f"{path} {param.opts}"
            assert param.help.endswith(".")


@pytest.mark.parametrize("path", ALL)
def test_every_command_takes_the_options_for_everything(path: str) -> None:
    assert {id(option) for option in GLOBAL_OPTIONS} <= {id(param) for param in ALL[path].params}


def call_in(example: str) -> list[str]:
    """The arguments of the memofs call in a line of shell."""
    lexer = shlex.shlex(example, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words = list(lexer)
    call = words[words.index("memofs") + 1 :]
    ends = [place for place, word in enumerate(call) if set(word) <= set("|<>();&")]
    return call[: ends[0]] if ends else call


REACHING = ("daemon", "lsp", "mcp", "generate")
"""They find and start daemons by themselves, or write where agents look; tests of their own run them."""
EXAMPLES = [
    example
    for command in ALL.values()
    if isinstance(command, Command | Group)
    for example in command.examples
    if not set(REACHING) & set(example.split())
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_is_right_as_far_as_the_connection(
    example: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for folder in ("docs/adr", "docs/notes", "doc/decisions", "notes", "packages/api"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("notes/retries.md", "README.md"):
        (tmp_path / file).write_text("text")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"text")))
    args = call_in(example)
    code = run(args, unreachable)
    needs_daemon = not {"--help", "completion", "log", "--hook"} & set(args)
    unreached = 2 if args[0] == "check" else 1  # a check that cannot be made finds nothing stale
    assert code == (unreached if needs_daemon else 0), capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("lst", "list"), ("recal", "recall"), ("search", "recall"), ("RM", "retire"), ("ls", "list"), ("xyzzy", None)],
)
def test_near_names(typed: str, meant: str | None) -> None:
    near = program.near(context(), typed)
    assert (near[0] if near else None) == meant


def test_synonyms_lead_to_commands_and_hide_none() -> None:
    assert not set(SYNONYMS) & set(COMMANDS)
    assert {name for names in SYNONYMS.values() for name in names} <= set(COMMANDS)
