"""Whether the real VS Code can be driven here, and a home for each module's programs."""

from collections.abc import Generator

import pytest

from editors.vscode.real_vscode import Stage, missing, stage


@pytest.fixture(scope="module")
def home() -> Generator[Stage]:
    """A stage of the module's own; skips where the editor is not set up."""
    if said := missing():
        pytest.skip(said)
    with stage() as found:
        yield found
