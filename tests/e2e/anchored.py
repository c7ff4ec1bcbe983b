"""A workspace in a real git repository, with code in it and memories tied to the code.

Most requests go over a connection of this process, opened for one request and closed again, so that every one starts
from what is on disk, as a run of the program does; `workspace` runs the program itself.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from e2e.memofs_program import Workspace
from memofs.cli.anchor_words import anchor_spec
from memofs.link.client import Client
from memofs.server.in_process import start
from memofs.wire.methods import METHODS
from unit.store.repository import Repository

__all__ = ["CODE", "Anchored", "insert_above"]

CODE: Mapping[str, str] = {
    "src/store.py": '''"""Where tenants are kept."""

import sqlite3

POOL_TIMEOUT_MS = 5000


def connect(path: str) -> sqlite3.Connection:
    """Open the database of one tenant."""
    connection = sqlite3.connect(path, timeout=POOL_TIMEOUT_MS / 1000)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


class TenantStore:
    """The tenants by name."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.opened: dict[str, sqlite3.Connection] = {}

    def open(self, tenant: str) -> sqlite3.Connection:
        if tenant not in self.opened:
            self.opened[tenant] = connect(f"{self.root}/{tenant}.db")
        return self.opened[tenant]

    def close(self) -> None:
        for connection in self.opened.values():
            connection.close()
        self.opened.clear()
''',
    "src/retry.py": '''"""Waiting before the next try."""

import random


def backoff(attempt: int, *, base_s: float = 0.2, most_s: float = 20.0) -> float:
    """Seconds to wait: exponential, with full jitter."""
    longest = min(most_s, base_s * 2**attempt)
    return random.uniform(0.0, longest)


def attempts(limit: int) -> range:
    """The numbers of the tries."""
    return range(limit)
''',
    "docs/limits.md": """# Limits

| what | limit | why |
|---|---|---|
| uploads | 20 MB | the proxy cuts larger bodies |
| requests | 50 a second | a burst of the mobile app |
| tenants | 400 | one file descriptor each |

Limits are raised by a change of this page, reviewed by operations.
""",
}


class Anchored:
    """A workspace whose root is a repository."""

    def __init__(self, workspace: Workspace, *, git: bool = True) -> None:
        self.workspace = workspace
        self.root = workspace.root
        self.repo = Repository(workspace.root)
        for path, text in CODE.items():
            workspace.write(path, text)
        if git:
            self.repo.git("init")
            self.repo.commit("code")

    def ask(self, method: str, **params: object) -> dict[str, Any]:
        """The result of one request, over a connection of its own. Raises RemoteError."""
        sock, wait = start(self.root)
        with Client(sock, role="cli", build="test", position_encoding="utf-32", on_close=wait) as client:
            name = f"memofs/{method}"
            return msgspec.json.decode(
                msgspec.json.encode(client.call(name, msgspec.convert(params, METHODS[name].params)))
            )

    def remember(self, text: str, *anchors: str, commit: bool = True) -> str:
        """The id of a new memory with these anchors."""
        specs = [msgspec.to_builtins(anchor_spec(each, here=self.root, root=self.root)) for each in anchors]
        id_ = self.ask("remember", body=text, anchors=specs)["memory"]["id"]
        if commit:
            self.repo.commit("a memory")
        return id_

    def verify(self, *ids: str) -> Sequence[dict[str, Any]]:
        """The memories after they were confirmed."""
        return self.ask("verify", ids=ids)["memories"]

    def rows(self, **params: object) -> list[dict[str, Any]]:
        """The anchors of all memories."""
        return self.ask("anchors", **params)["anchors"]

    def row(self, id_: str, index: int = 0) -> dict[str, Any]:
        """One anchor of one memory."""
        return next(row for row in self.rows() if (row["memory"], row["anchorIndex"]) == (id_, index))

    def where(self, id_: str, index: int = 0) -> tuple[str, str, int]:
        """Verdict, path and first line (from 1; 0 for a whole file)."""
        row = self.row(id_, index)
        return row["verdict"], row["path"], row["range"]["start"]["line"] + 1 if row["range"] else 0

    def stale(self, **params: object) -> list[str]:
        """The verdicts of a check's findings; everything could be checked."""
        found = self.ask("check", **params)
        assert found["unchecked"] == []
        return [each["code"].removeprefix("memofs.") for each in found["findings"]]

    def hit(self, question: str) -> dict[str, Any]:
        """The first hit."""
        return self.ask("recall", query=question)["hits"][0]

    def raw(self, id_: str) -> str:
        """The text of a memory's file."""
        return self.ask("get", id=id_)["text"]

    def path(self, name: str) -> Path:
        return self.root / name

    def read(self, name: str) -> str:
        return (self.root / name).read_bytes().decode()

    def replace(self, name: str, old: str, new: str) -> None:
        """Change the one place where a file says `old`."""
        text = self.read(name)
        assert text.count(old) == 1, (name, old, text.count(old))
        self.workspace.write(name, text.replace(old, new))


def insert_above(text: str, lines: int = 10) -> str:
    """The text with so many comment lines at its top."""
    return "".join(f"# line {number}\n" for number in range(lines)) + text
