"""The real VS Code for tests: programs of `drive/` run against it, and tell case by case what they saw.

A program starts code-server and Chromium, in a home of their own, and ends them; here the workspaces are made that it
opens, and the daemons are ended that it left. What is not set up is said by `missing`: tests skip then.
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

from e2e.conftest import SAMPLE, without_vectors
from e2e.daemon_program import is_running, until
from e2e.memofs_program import PROGRAM, Workspace
from unit.store.repository import Repository

__all__ = ["HERE", "ROOT", "SCREENSHOTS", "Case", "Ran", "Stage", "case", "missing", "node", "stage"]

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SCREENSHOTS = ROOT / "build" / "vscode"
VSIX = ROOT / "clients" / "vscode" / "dist" / "memofs.vsix"
PATIENCE_S = 420
DRIFT = (
    ("quayside/store.py", "POOL_TIMEOUT_MS = 5000", "POOL_TIMEOUT_MS = 2000"),
    ("web/src/retry.ts", "Math.floor(ceiling * random)", "Math.floor(ceiling / 2 + (ceiling / 2) * random)"),
)
"""Edits of the sample that contradict one memory each."""

Case = Mapping[str, Any]
"""`case`, `ok`, `ms`, and `error` or `data`."""


class Ran:
    """What a program told, by the names of its cases."""

    def __init__(self, cases: Mapping[str, Case], trouble: str) -> None:
        self.cases = cases
        self.trouble = trouble
        """Why it told no more than it did; empty if it came to its end."""


class Stage:
    """A home in which the editor runs, and the workspaces that are opened in it."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.places: dict[str, str] = {}
        for name in ("run", "tmp", "places"):
            (home / name).mkdir(mode=0o700)

    def folder(self, name: str) -> Workspace:
        """A new folder; the programs know it by its name."""
        root = self.home / "places" / name
        root.mkdir()
        self.places[name] = str(root)
        return Workspace(root, self.home)

    def sample(self, name: str = "sample") -> Workspace:
        """The sample workspace in a repository: every memory confirmed and committed, then two of them outdated."""
        workspace = self.folder(name)
        shutil.copytree(SAMPLE, workspace.root, dirs_exist_ok=True)
        without_vectors(workspace)
        repository = Repository(workspace.root)
        repository.git("init")
        repository.commit("code")
        workspace.ok("verify", "--all")
        repository.commit("memories")
        for path, old, new in DRIFT:
            text = (root := workspace.root / path).read_text(encoding="utf-8")
            assert text.count(old) == 1, path
            root.write_text(text.replace(old, new), encoding="utf-8")
        return workspace

    def file(self, name: str, text: str) -> None:
        """A file beside the folders, a `.code-workspace` for instance."""
        path = self.home / "places" / name
        path.write_text(text, encoding="utf-8")
        self.places[name] = str(path)

    def small(self, name: str, file: str, code: str, memory: str, *anchor: str) -> Workspace:
        """A folder with one file of code and one memory about it."""
        workspace = self.folder(name)
        workspace.ok("init")
        without_vectors(workspace)
        workspace.write(file, code)
        workspace.ok("remember", memory, "--anchor", *anchor)
        return workspace

    def run(self, program: str, **more: object) -> Ran:
        """Run a program of `drive/` to its end."""
        plan = self.home / "plan.json"
        plan.write_text(json.dumps({**self._plan(), **more}), encoding="utf-8")
        cases: dict[str, Case] = {}
        ours, lifeline = os.pipe()  # closed when this process ends, however that happens; then the program ends too
        process = subprocess.Popen(
            [node(), HERE / "drive" / program, plan],
            stdin=ours,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            said, errors = process.communicate(timeout=PATIENCE_S)
            trouble = "" if process.returncode in {0, 1} and not errors else f"exit {process.returncode}\n{errors}"
        except subprocess.TimeoutExpired:
            process.terminate()
            said, errors = process.communicate()
            trouble = f"not done after {PATIENCE_S} s\n{errors}"
        finally:
            os.close(ours)
            os.close(lifeline)
            self._end_daemons()
        for line in said.splitlines():
            told = json.loads(line)
            cases[told["case"]] = told
        return Ran(cases, trouble)

    def _plan(self) -> Mapping[str, object]:
        return {
            "home": str(self.home),
            "codeServer": str(_code_server()),
            "chromium": _chromium(),
            "vsix": str(VSIX),
            "memofs": list(PROGRAM),
            "screenshots": str(SCREENSHOTS),
            "recorders": str(HERE / "recorders"),
            "places": self.places,
        }

    def _end_daemons(self) -> None:
        for pid in _daemons_below(self.home):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            until(lambda pid=pid: not is_running(pid), f"daemon {pid} killed")


@contextlib.contextmanager
def stage() -> Generator[Stage]:
    """A home that goes with the context; its path is short, because sockets lie in it."""
    home = Path(tempfile.mkdtemp(prefix="mfv"))
    try:
        yield Stage(home)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def case(ran: Ran, name: str) -> Any:
    """What the case measured or read. Fails with what the program said of it."""
    told = ran.cases.get(name)
    assert told is not None, f"{name!r} did not run; {ran.trouble or 'the program has no such case'}"
    assert told["ok"], told["error"]
    return told.get("data")


def missing() -> str:
    """What keeps the editor from being driven here; empty if nothing does."""
    if not node().exists() or _code_server() is None:
        return "the real VS Code is not set up: tests/editors/vscode/setup"
    if _chromium() is None:
        return "no Chromium: tests/editors/vscode/setup installs it as root"
    return ""


def node() -> Path:
    """The Node.js that code-server demands."""
    machine = {"aarch64": "arm64"}.get(os.uname().machine, "x64")
    return HERE / "node_modules" / f"node-linux-{machine}" / "bin" / "node"


def _code_server() -> Path | None:
    found = sorted((ROOT / ".cache" / "vscode-rig").glob("code-server-*/.ready"))
    return found[0].parent / "node_modules" / "code-server" / "out" / "node" / "entry.js" if found else None


def _chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("google-chrome")


def _daemons_below(home: Path) -> set[int]:
    found: set[int] = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):
                words = (entry / "cmdline").read_bytes().split(b"\0")
                ours = any(word.startswith(os.fsencode(home) + b"/") for word in words)
                if b"memofs.server" in words and ours and is_running(int(entry.name)):
                    found.add(int(entry.name))
    return found
