"""Workspaces for tests of the program: one to look at, and fresh ones to change.

They ask for no vectors, so that a run needs no model; what meaning finds is tested in test_meaning.py.
"""

import json
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from e2e.daemon_program import Daemons, daemons
from e2e.memofs_program import MEMORIES, Workspace
from e2e.tenants import CODE, PATH

SAMPLE = Path(__file__).parents[1] / "data" / "sample"


def workspace_in(folder: Path) -> Workspace:
    """An empty project and a home beside it."""
    home = folder / "home"
    (home / "tmp").mkdir(parents=True)
    root = folder / "project"
    root.mkdir()
    return Workspace(root, home)


@pytest.fixture(scope="session")
def _set_up(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    workspace = workspace_in(tmp_path_factory.mktemp("set-up"))
    workspace.ok("init", "--project-name", "Tenants")
    without_vectors(workspace)
    return workspace


@pytest.fixture
def empty(tmp_path: Path) -> Workspace:
    """A folder without a memory."""
    return workspace_in(tmp_path)


@pytest.fixture
def workspace(tmp_path: Path, _set_up: Workspace) -> Workspace:
    """A workspace that is set up and has no memories yet; the test may do with it what it likes."""
    fresh = workspace_in(tmp_path)
    shutil.copytree(_set_up.root / ".memofs", fresh.root / ".memofs")
    return fresh


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory, _set_up: Workspace) -> Workspace:
    """A workspace with the memories of `MEMORIES`; to be looked at only."""
    shared = workspace_in(tmp_path_factory.mktemp("library"))
    shutil.copytree(_set_up.root / ".memofs", shared.root / ".memofs")
    return fill(shared)


@pytest.fixture
def sample(tmp_path: Path) -> Workspace:
    """A copy of the sample workspace that `make demo` shows."""
    own = workspace_in(tmp_path)
    shutil.copytree(SAMPLE, own.root, dirs_exist_ok=True)
    without_vectors(own)
    return own


@pytest.fixture
def own_library(workspace: Workspace) -> Workspace:
    """The same memories, to be changed."""
    return fill(workspace)


@pytest.fixture
def runtime() -> Generator[Path]:
    """A run-time folder with a path short enough for sockets."""
    folder = Path(tempfile.mkdtemp(prefix="mf"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def user(workspace: Workspace, runtime: Path) -> Generator[Daemons]:
    """A workspace with a code file and two memories about it."""
    workspace.write(PATH, CODE)
    with daemons(workspace, runtime=runtime) as found:
        found.ok(
            "remember",
            "One file per tenant\n\nEach tenant has a *file* of its own.",
            "--anchor",
            f"{PATH}#Store.open",
        )
        found.ok("remember", "Closing is idempotent", "-k", "constraint", "--anchor", f"{PATH}#Store.close")
        yield found


def without_vectors(workspace: Workspace) -> None:
    """Let the settings of the workspace ask for none."""
    path = workspace.root / ".memofs" / "config.json"
    settings = json.loads(path.read_text(encoding="utf-8")) | {"embedding": {"provider": "none"}}
    path.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")


def fill(workspace: Workspace) -> Workspace:
    """The workspace with the memories of `MEMORIES` in it."""
    for name, text in MEMORIES.items():
        workspace.write(f".memofs/memory/{name}", text)
    workspace.write("src/db/tenants.py", "class TenantStore:\n    def open(self) -> None: ...\n")
    return workspace
