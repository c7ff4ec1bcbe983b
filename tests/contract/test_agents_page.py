"""What docs/agents.md shows is there, and is what the program writes, serves and prints."""

import json
import re
import shlex
from pathlib import Path

import click
import pytest

from memofs.agents.catalog import AGENTS, JsonFile, Places
from memofs.agents.setup import Wish, files_of, plan
from memofs.cli.app import program
from memofs.mcp.arguments import MOST_CHARACTERS
from memofs.mcp.prompts import PROMPTS
from memofs.mcp.resources import FIXED
from memofs.mcp.tools import TOOLS
from memofs.mcp.uris import HERE_TEMPLATE, MEMORY_TEMPLATE
from memofs.server.bucket import BURST, PER_SECOND

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
PLACES = Places(project="", home="~/", claude="~/.claude/", codex="~/.codex/", opencode="~/o/", copilot="~/.copilot/")
CALLS = [*re.findall(r"^\$ (memofs .*)$", PAGE, re.MULTILINE), *re.findall(r"`(memofs \w+[^`]*)`", PAGE)]


@pytest.mark.parametrize("call", sorted(set(CALLS)))
def test_every_call_parses(call: str) -> None:
    command: click.Command = program
    context = click.Context(program)
    words = shlex.split(call)[1:]
    while words and isinstance(command, click.Group):
        found = command.get_command(context, words[0])
        if found is None:
            break
        command, words = found, words[1:]
    command.make_context("memofs", words, resilient_parsing=True)
    taken = {name for parameter in command.params for name in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= taken


def test_the_files_are_those_that_are_written() -> None:
    rows = re.findall(r"^\| `(\w+)` ([^|]+)\|([^|]*)\|([^|]*)\|([^|]*)\|$", PAGE, re.MULTILINE)
    assert [row[0] for row in rows] == list(AGENTS)
    for name, title, *cells in rows:
        assert title.strip() == AGENTS[name].title
        shown = [path for cell in cells for path in re.findall(r"`([^`]+)`", cell)]
        assert shown == [file.path for file in files_of(name, Wish(agents=(name,)), PLACES)]


def test_the_example_is_what_is_written() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    changes = plan(Wish(agents=("claude",)), PLACES, read=dict[str, str]().get, same=str)
    (written,) = [change.after for change in changes if change.path == ".mcp.json"]
    assert json.loads(block) == json.loads(written or "")
    created = re.findall(r"^created (.+)$", PAGE, re.MULTILINE)
    assert created == [change.path for change in changes]
    hooks = next(file for file in files_of("claude", Wish(agents=("claude",)), PLACES) if file.path.endswith("s.json"))
    assert isinstance(hooks, JsonFile)
    for call in ("memofs context --hook claude", "memofs status --hook claude"):
        assert call in PAGE
        assert call in str(hooks.edits)


def test_the_tools_resources_prompts_and_limits_are_those_that_there_are() -> None:
    assert set(re.findall(r"^\| `(memofs\.\w+)` \|", PAGE, re.MULTILINE)) == set(TOOLS)
    for uri in (*(each.uri for each in FIXED), MEMORY_TEMPLATE, HERE_TEMPLATE):
        assert f"`{uri}`" in PAGE
    assert all(f"`{name}`" in PAGE for name in PROMPTS)
    assert f"at most {MOST_CHARACTERS:,} characters" in PAGE
    assert (BURST, PER_SECOND) == (60, 1)
    assert "After sixty writes at once, an agent may write once a second" in PAGE
