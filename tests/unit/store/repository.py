"""Real git repositories for tests: nothing of the machine's own settings counts, times are fixed."""

import os
import subprocess
from pathlib import Path

__all__ = ["Repository", "repository"]

_IDENTITY = ("-c", "user.name=Ada L.", "-c", "user.email=ada@example.invalid", "-c", "init.defaultBranch=main")


class Repository:
    """A repository at `root`; every commit is a second younger than the one before."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._seconds = 1_500_000_000

    def git(self, *arguments: str) -> str:
        """What git prints; it has to succeed."""
        settings = {
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
            "GIT_AUTHOR_DATE": f"{self._seconds} +0000",
            "GIT_COMMITTER_DATE": f"{self._seconds} +0000",
        }
        done = subprocess.run(
            ["git", *_IDENTITY, *arguments], cwd=self.root, check=True, capture_output=True, env=os.environ | settings
        )
        return done.stdout.decode().strip()

    def write(self, path: str, content: str | bytes) -> Path:
        """A file in the working tree."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def commit(self, message: str = "a commit") -> str:
        """Commit all there is; the commit's id."""
        self._seconds += 1
        self.git("add", "--all")
        self.git("commit", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")


def repository(root: Path) -> Repository:
    """A new, empty repository."""
    root.mkdir(parents=True, exist_ok=True)
    made = Repository(root)
    made.git("init")
    return made
