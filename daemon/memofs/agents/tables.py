"""Our table in a TOML file that is the user's, for all projects, with the projects that use it. Pure.

Invariant: what others wrote stays, comments too; a table of ours that runs something else is left alone. Which projects
use it stands in comments of ours in the table, since there is no better place that both we and a person see.
"""

import re
from collections.abc import Iterable
from typing import Any, cast

from memofs.agents.catalog import TomlFile
from memofs.agents.servers import merged, runs_memofs

__all__ = ["has_table", "unused", "users", "with_table", "without_table"]

_USED = re.compile(r"^# memofs is used by (/[^\n]*?)\r?$", re.MULTILINE)


def has_table(text: str, file: TomlFile) -> bool:
    """Whether our server stands there. Raises ValueError for what is no TOML."""
    return runs_memofs(_entry(_parsed(text), file))


def users(text: str) -> Iterable[str]:
    """Folders of projects that may use the table: those that were noted, and those that the agent itself knows."""
    projects: object = _parsed(text).get("projects")
    known = cast("dict[str, Any]", projects) if isinstance(projects, dict) else {}
    return dict.fromkeys((*_USED.findall(text), *(each for each in known if each.startswith("/"))))


def with_table(text: str | None, file: TomlFile) -> str:
    """The text with our table, brought up to date. Raises ValueError."""
    import tomlkit

    document = tomlkit.parse(text or "")
    outer, inner = file.table
    there = _entry(document.unwrap(), file)
    values = merged(there, file.values)
    tables: Any = cast("dict[str, Any]", document).get(outer)
    if tables is None:
        tables = tomlkit.table(is_super_table=True)
        document[outer] = tables
    if there is None:
        tables[inner] = tomlkit.table()
    for key, value in values.items():
        if there is None or cast("dict[str, Any]", there).get(key) != value:
            tables[inner][key] = value
    return _noted(tomlkit.dumps(document), file)


def without_table(text: str | None, file: TomlFile) -> str | None:
    """The text without our table; None where nothing is left. Raises ValueError."""
    if text is None or not has_table(text, file):
        return text
    import tomlkit

    document = tomlkit.parse(text)
    outer, inner = file.table
    tables: Any = cast("dict[str, Any]", document)[outer]
    del tables[inner]
    if not tables:
        del document[outer]
    left = tomlkit.dumps(document)
    if text.startswith(left.rstrip("\n")):
        left = f"{left.rstrip()}\n"  # it was the last, and the empty line before it was ours
    return left if left.strip() else None


def unused(text: str, file: TomlFile) -> str:
    """The text without the note that this project uses the table."""
    return text if file.user is None else text.replace(f"{_note(file.user)}\n", "")


def _noted(text: str, file: TomlFile) -> str:
    """The text with the note, where the table has a line of its own to put it under."""
    if file.user is None or "\n" in file.user or file.user in _USED.findall(text):
        return text
    outer, inner = map(re.escape, file.table)
    head = re.compile(rf"^\[[ \t]*{outer}[ \t]*\.[ \t]*{inner}[ \t]*\][^\n]*\n", re.MULTILINE)
    return head.sub(lambda found: f"{found[0]}{_note(file.user or '')}\n", text, count=1)


def _note(user: str) -> str:
    return f"# memofs is used by {user}"


def _parsed(text: str) -> dict[str, Any]:
    import tomlkit

    return tomlkit.parse(text).unwrap()


def _entry(document: dict[str, Any], file: TomlFile) -> object:
    outer, inner = file.table
    there: object = document.get(outer, {})
    if not isinstance(there, dict):
        raise ValueError(f"{outer} is no table")
    return cast("dict[str, Any]", there).get(inner)
