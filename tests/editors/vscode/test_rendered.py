"""The rendered editor on the sample workspace, used as a person uses it."""

import pytest

from editors.vscode.real_vscode import Ran, Stage, case

CASES = (
    "the status bar tells how many memories are stale",
    "the side bar has a search and two trees, and a badge",
    "search as one types, with the mouse",
    "search with the keyboard alone",
    "what is typed right after the shortcut reaches the search, and never the code",
    "the search is filtered by kind and by staleness",
    "nothing found is said",
    "what a screen reader is told",
    "hover",
    "a lens opens its memory",
    "a lens of several memories lets one be picked",
    "Here follows the cursor",
    "typing underlines what a memory is about, undoing takes it back",
    "the badge follows what is typed",
    "a quick fix verifies: the underline goes, the file on disk says so",
    "what changed is shown side by side",
    "remembering a selection writes a file that is anchored there",
    "the last write is taken back once that is confirmed",
    "a step left by Escape is offered again; Enter remembers no secret; the place is the first",
    "a briefing opens in a document of its own",
    "anchored lines have an icon in the gutter",
    "a killed daemon is started again",
    "pictures in dark, light and high contrast",
    "the walkthrough opens",
    "nothing was asked of anybody but this machine",
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def ran(home: Stage) -> Ran:
    """What was seen in the window."""
    home.sample()
    return home.run("rendered.ts")


@pytest.mark.parametrize("name", CASES)
def test_in_the_window(ran: Ran, name: str) -> None:
    case(ran, name)


def test_every_case_is_listed_and_the_program_came_to_its_end(ran: Ran) -> None:
    assert ran.trouble == ""
    assert tuple(ran.cases) == CASES
