"""The programs that drive the editor are typed strictly; nothing else reads them before they run."""

import subprocess

import pytest

from editors.vscode.real_vscode import HERE, missing, node


def test_the_programs_pass_the_type_checker() -> None:
    if said := missing():
        pytest.skip(said)
    compiler = HERE / "node_modules" / "typescript" / "bin" / "tsc"
    ran = subprocess.run([node(), compiler, "-p", HERE], capture_output=True, text=True, check=False, timeout=120)
    assert (ran.returncode, ran.stdout) == (0, "")
