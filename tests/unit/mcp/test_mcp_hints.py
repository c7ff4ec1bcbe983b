"""What agents are told to do about errors: nothing of the command line; names as the client knows them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import memofs
from memofs.agents.names import spoken
from memofs.link.client import RemoteError
from memofs.mcp.hints import hint_for
from memofs.mcp.tools import TOOLS, find, named

SOURCES = Path(memofs.__file__).parent
FAMILIES = frozenset({"NotFound", "InvalidRequest", "Refused", "Conflict", "Unavailable"})
FOR_A_SHELL = re.compile(r"\bmemofs [a-z]|(?<!\S)--[a-z]")


def raised() -> Iterator[RemoteError]:
    """Every error of the daemon whose code and hint stand in its source."""
    for file in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FAMILIES:
                texts = [
                    each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)
                ]
                if len(node.args) == 3 and texts and node.args[0] is not node.args[2]:
                    hint = node.args[2]
                    for said in ast.walk(hint):
                        if isinstance(said, ast.Constant) and isinstance(said.value, str):
                            yield RemoteError("m", family=node.func.id, code=texts[0], hint=said.value)


def test_no_hint_sends_an_agent_to_the_command_line() -> None:
    errors = list(raised())
    assert len(errors) > 60, "the search finds the daemon's errors"
    assert sum(FOR_A_SHELL.search(error.hint or "") is not None for error in errors) > 10
    for error in errors:
        hint = hint_for(error)
        assert hint
        assert FOR_A_SHELL.search(hint) is None or hint.startswith("tell "), (error.code, error.hint, hint)


@pytest.mark.parametrize("code", ["rangePastEnd", "memory", "entity", "anchor", "symbol", "badCursor", "emptyBody"])
def test_errors_that_agents_make_have_a_hint_of_their_own(code: str) -> None:
    assert hint_for(RemoteError("m", family="InvalidRequest", code=code, hint="")) not in {
        hint_for(RemoteError("m", family="InvalidRequest", code="", hint=""))
    }


def test_every_tool_is_spoken_of_by_the_name_that_the_client_knows() -> None:
    text = "".join(f"Call {name}(x) or `{name}`.\n> they say {name}\n" for name in TOOLS)
    said = spoken(text, "underscore").splitlines()
    assert all("memofs." not in line for line in said[::2])
    assert all("memofs." in line for line in said[1::2]), "what memories say is theirs"
    assert spoken(text, "dotted") == text
    assert spoken("> a\x0bmemofs.recall\x1cmemofs.stale", "underscore") == "> a\x0bmemofs.recall\x1cmemofs.stale"
    assert spoken("memofs.recalls and my.memofs.toml and memofs.io", "underscore") == (
        "memofs.recalls and my.memofs.toml and memofs.io"
    )


def test_a_tool_is_found_by_both_spellings() -> None:
    for names in (named("dotted"), named("underscore")):
        for name, tool in TOOLS.items():
            assert find(names, name) is tool
            assert find(names, name.replace(".", "_")) is tool
        for wrong in ("", "memofs", "memofs.", "memofs-recall", "recall", "memofs.nothing"):
            assert find(names, wrong) is None
