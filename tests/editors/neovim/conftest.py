"""A workspace with code and memories about it, and Neovim in it."""

import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from e2e.conftest import without_vectors, workspace_in
from e2e.daemon_program import Daemons, daemons
from e2e.memofs_program import PROGRAM, Workspace
from editors.neovim.nvim_program import Nvim, neovim

CODE = '''\
"""Tenants."""

LIMIT = 5


class Store:
    def open(self, name: str) -> str:
        """Open the store of a tenant."""
        path = f"/srv/{name}.db"
        return path

    def close(self) -> None:
        self.closed = True
'''
EMOJI = 'x = "é😀"; y = 1\n'


@pytest.fixture(scope="session")
def _made(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    made = workspace_in(tmp_path_factory.mktemp("neovim"))
    made.ok("init", "--project-name", "Tenants")
    without_vectors(made)
    made.write("src/store.py", CODE)
    made.write("src/emoji.py", EMOJI)
    body = "One file per tenant\n\nEach tenant has a *file* of its own."
    made.ok("remember", body, "-k", "decision", "-t", "storage", "--anchor", "src/store.py#Store.open")
    made.ok("remember", "Closing is idempotent", "-k", "constraint", "--anchor", "src/store.py#Store.close")
    made.ok("remember", "y is one", "--anchor", "src/emoji.py:1:11-1:16")
    made.ok("remember", "Deploys happen on Tuesdays", "-k", "preference")
    return made


@pytest.fixture
def user(tmp_path: Path, _made: Workspace) -> Generator[Daemons]:
    """Somebody with a home, a workspace and four memories: three of code, one of none."""
    own = workspace_in(tmp_path)
    shutil.copytree(_made.root, own.root, dirs_exist_ok=True)
    runtime = Path(tempfile.mkdtemp(prefix="mf"))
    with daemons(own, runtime=runtime) as found:
        yield found
    shutil.rmtree(runtime)


@pytest.fixture
def nvim(user: Daemons) -> Generator[Nvim]:
    """Neovim in the workspace; the program is named in the settings."""
    with neovim(user, settings={"cmd": list(PROGRAM)}) as found:
        yield found
