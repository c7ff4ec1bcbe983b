"""Running the `git` program: read-only, without locks, network, prompts or programs of the repository's choosing.

Invariant: whatever git does or lacks, there is an answer: its output, or None. What is asked is left to git.py,
git_objects.py and git_history.py.
"""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

__all__ = ["TIMEOUT_S", "command", "environment", "names_in", "no_filters", "run", "spelled"]

TIMEOUT_S = 10.0
_SAFE = (
    *("-c", "core.fsmonitor=false", "-c", "core.quotepath=false"),
    *("-c", "log.showSignature=false"),
)
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "LC_ALL": "C",
}
# Set by git around its hooks: they would point a call at another repository than the folder it runs in.
_DROPPED = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE")
_FILTERS = r"^filter\..*\.(clean|process)$"


def command(*arguments: str) -> list[str]:
    """The words of a call of git."""
    return ["git", *_SAFE, *arguments]


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables that git sees; `more` are added."""
    kept = {key: value for key, value in os.environ.items() if key not in _DROPPED}
    return kept | _ENVIRONMENT | dict(more or {})


def run(
    root: Path,
    *arguments: str,
    timeout_s: float = TIMEOUT_S,
    more: Mapping[str, str] | None = None,
    stdin: bytes = b"",
) -> bytes | None:
    """What `git ARGUMENTS` prints in the folder; None without git, after the time, and where git fails."""
    try:
        done = subprocess.run(  # noqa: S603 - a fixed program; the arguments are ours or follow `--`
            command(*arguments),
            cwd=root,
            env=environment(more),
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=timeout_s,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None


def no_filters(root: Path) -> dict[str, str]:
    """Settings, as variables, under which comparing the working tree runs no filter that the settings name.

    A file that only a filter makes equal to what was committed then counts as changed.
    """
    output = run(root, "config", "-z", "--name-only", "--get-regexp", _FILTERS)
    drivers = sorted({name.rpartition(".")[0] for name in names_in(output)})
    settings = [
        pair
        for driver in drivers
        for pair in ((f"{driver}.clean", ""), (f"{driver}.process", ""), (f"{driver}.required", "false"))
    ]
    first = os.environ.get("GIT_CONFIG_COUNT", "")
    at = int(first) if first.isdecimal() else 0
    variables = {"GIT_CONFIG_COUNT": str(at + len(settings))} if settings else {}
    for number, (key, value) in enumerate(settings, start=at):
        variables |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return variables


def names_in(output: bytes | None) -> frozenset[str]:
    """The paths of an output that ends each with a NUL."""
    return frozenset(spelled(stripped) for name in (output or b"").split(b"\0") if (stripped := name.strip(b"\n")))


def spelled(name: bytes) -> str:
    """A path as the file system would spell it, whatever bytes it holds."""
    return name.decode("utf-8", "surrogateescape")
