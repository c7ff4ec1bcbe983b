"""Runs the examples of README.md in a copy of the sample workspace; run it to bring their output up to date.

An example is a console block behind the line `<!-- example -->`: each `$ memofs …` line is run, in order, and what it
prints follows it. Later examples see what earlier ones wrote.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "README.md"
SAMPLE = ROOT / "tests" / "data" / "sample"
NOW = "2026-12-01T12:00:00Z"
EXAMPLE = re.compile(r"(<!-- example -->\n```console\n)(.*?)(```\n)", re.DOTALL)


def replayed(text: str, folder: Path) -> str:
    """The page with the output of every example as the program prints it now."""
    workspace = folder / "sample"
    shutil.copytree(SAMPLE, workspace)
    _output("$ memofs index", workspace)  # how far recall gets by itself depends on the machine
    return EXAMPLE.sub(lambda found: found[1] + _block(found[2], workspace) + found[3], text)


def _block(block: str, workspace: Path) -> str:
    commands = [line for line in block.splitlines() if line.startswith("$ ")]
    return "\n\n".join(f"{command}\n{_output(command, workspace)}".rstrip() for command in commands) + "\n"


def _output(command: str, workspace: Path) -> str:
    program, *arguments = shlex.split(command.removeprefix("$ "))
    if program != "memofs":
        raise ValueError(f"an example runs memofs, not {program}")
    done = subprocess.run(
        [sys.executable, "-m", "memofs", *arguments],
        cwd=workspace,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(workspace.parent),
            "MEMOFS_NOW": NOW,
            "MEMOFS_NO_DAEMON": "1",
            "LC_ALL": "C.UTF-8",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    return _without_machine(done.stdout + done.stderr, workspace)


def _without_machine(output: str, workspace: Path) -> str:
    """What differs from machine to machine, put into one form: the folder, handles made of it, times and sizes."""
    output = output.replace(str(workspace.resolve()), "~/sample").replace(str(workspace), "~/sample")
    output = re.sub(r"opened in \d+ ms", "opened in 12 ms", output)
    output = re.sub(r"memofs expand [\w-]{16}", "memofs expand QrqZpdSmtl7xF2SL", output)
    return re.sub(r"memory use( +)[\d.]+ MB", r"memory use\g<1>55 MB", output)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        PAGE.write_text(replayed(PAGE.read_text(encoding="utf-8"), Path(folder)), encoding="utf-8")
