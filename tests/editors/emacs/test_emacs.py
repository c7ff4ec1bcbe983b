"""Emacs with eglot as a client of `memofs lsp`: a second editor, of another make, on the same server."""

import json
import subprocess
from collections.abc import Generator
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

import pytest

from e2e.conftest import without_vectors
from e2e.daemon_program import Daemons, daemons
from e2e.memofs_program import PROGRAM, Workspace

SESSION = Path(__file__).with_name("session.el")
CODE = '''\
"""Tenants."""


class Store:
    def open(self, name: str) -> str:
        """Open the store of a tenant."""
        path = f"/srv/{name}.db"
        return path
'''
TITLE = "One file per tenant"
HAS_EGLOT = """
(unless (or (locate-library "eglot") (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/eglot-*"))
  (kill-emacs 3))"""


@pytest.fixture
def user(tmp_path: Path) -> Generator[Daemons]:
    """A workspace with a memory about a function."""
    workspace = Workspace(tmp_path / "project", tmp_path / "home")
    workspace.root.mkdir()
    (workspace.home / "tmp").mkdir(parents=True)
    workspace.ok("init")
    without_vectors(workspace)
    workspace.write("src/store.py", CODE)
    workspace.ok("remember", f"{TITLE}\n\nEach tenant has its own.", "--anchor", "src/store.py#Store.open")
    with TemporaryDirectory(prefix="mf") as runtime, daemons(workspace, runtime=Path(runtime)) as found:
        yield found


def emacs() -> str:
    """The program, with eglot."""
    found = which("emacs")
    if found is None:
        pytest.skip("Emacs is not there: on Debian it is the package emacs-nox, with elpa-eglot")
    if subprocess.run([found, "-Q", "--batch", "--eval", HAS_EGLOT], check=False, timeout=60).returncode != 0:
        pytest.skip("Emacs has no eglot: on Debian it is the package elpa-eglot")
    return found


def test_a_session_of_emacs(user: Daemons, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    program = "(" + " ".join(json.dumps(word) for word in PROGRAM) + ")"
    env = user.workspace.environment(
        {
            **user.env,
            "MEMOFS_PROGRAM": program,
            "MEMOFS_FILE": str(user.root / "src" / "store.py"),
            "MEMOFS_REPORT": str(report),
        }
    )
    command = [emacs(), "-Q", "--batch", "-l", str(SESSION)]
    ran = subprocess.run(command, env=env, cwd=user.root, capture_output=True, text=True, check=False, timeout=150)
    assert ran.returncode == 0, ran.stderr[-4000:]
    happened = json.loads(report.read_text(encoding="utf-8"))
    assert happened["name"] == "memofs"
    assert TITLE in happened["hover"]
    assert happened["recall"] == [TITLE]
    assert not happened["warnings-before"]
    assert len(happened["warnings-after-edit"]) == 1
    assert TITLE in happened["warnings-after-edit"][0]
    assert happened["warning-line"] == 5
    assert happened["verified"] == [TITLE]
    assert not happened["warnings-after-verify"]
    assert happened["exit-status"] == 0, "the server ends by itself, and well"
    assert happened["ended"] is True
    assert len(user.pids()) == 1, "the daemon is there for the next one"
