"""The extension in the real extension host: what VS Code's own interface says of it."""

import pytest

from editors.vscode.real_vscode import Ran, Stage, case

CASES = (
    "activates by itself",
    "every contributed command is registered",
    "a hover says what is remembered, and trusts none of it",
    "a lens names the memory and opens it",
    "an edit is warned about, and undoing it is silent",
    "quick fixes: verify, show what changed, edit, retire",
    "a memory file completes its fields and leads to what it names",
    "settings of the memory are checked by a schema",
    "settings take lenses and warnings away and bring them back",
    "a briefing opens in a document of its own",
    "the daemon is restarted by a command and serves again",
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def ran(home: Stage) -> Ran:
    """What the host's tests told."""
    home.sample()
    return home.run("host.ts")


@pytest.mark.parametrize("name", CASES)
def test_in_the_extension_host(ran: Ran, name: str) -> None:
    case(ran, name)


def test_every_case_is_listed_and_the_program_came_to_its_end(ran: Ran) -> None:
    assert ran.trouble == ""
    assert tuple(ran.cases) == CASES
