"""The rendered editor on folders of other kinds: several at once, not trusted, with memories that mean harm."""

import json
from pathlib import Path

import pytest

from editors.vscode.real_vscode import Ran, Stage, case

CASES = (
    "a folder that is not trusted: read, not written, and none of its programs run",
    "it can write once it is trusted",
    "two folders have a memory each, and each file sees its own",
    "the search asks the folder that is chosen",
    "a folder without a memory is offered one, and gets it",
    "what a memory says is shown and never acted on",
)

CODE = '''"""The harbour."""


def berths(count: int) -> range:
    return range(1, count + 1)
'''
GATE = '''"""The gate."""


def opens() -> int:
    return {hour}
'''
HOSTILE = """Click here

[Click here](command:workbench.action.terminal.new) ![pixel](TRAP/markdown.png) <img src="TRAP/html.png">
<a href="command:memofs.retire">retire</a> TRAP/plain <script src="TRAP/script.js"></script> $(trash) \u202eback
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def ran(home: Stage) -> Ran:
    """What was seen in the windows."""
    stranger = home.small("stranger", "harbour.py", CODE, "Berths are counted from one", "harbour.py#berths")
    program = _program(stranger.root / "own" / "memofs", marker=stranger.root / "ran")
    _program(stranger.root / ".venv" / "bin" / "memofs", marker=stranger.root / "ran")
    stranger.write(".vscode/settings.json", json.dumps({"memofs.command": [str(program)]}))
    for name, hour in (("east", "six"), ("west", "seven")):
        code = GATE.format(hour={"six": 6, "seven": 7}[hour])
        home.small(name, f"{name}.py", code, f"Gates in the {name} open at {hour}", f"{name}.py#opens")
    home.folder("bare").write("plain.py", "HARBOUR = None\n")
    home.file("many.code-workspace", json.dumps({"folders": [{"path": each} for each in ("east", "west", "bare")]}))
    home.small("hostile", "harbour.py", CODE, HOSTILE, "harbour.py#berths")
    return home.run("folders.ts")


@pytest.mark.parametrize("name", CASES)
def test_in_the_windows(ran: Ran, name: str) -> None:
    case(ran, name)


def test_every_case_is_listed_and_the_program_came_to_its_end(ran: Ran) -> None:
    assert ran.trouble == ""
    assert tuple(ran.cases) == CASES


def _program(path: Path, *, marker: Path) -> Path:
    """A program that leaves a mark when it runs."""
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\ntouch '{marker}'\n", encoding="utf-8")
    path.chmod(0o755)
    return path
