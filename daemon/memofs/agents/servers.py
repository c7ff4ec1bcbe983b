"""An entry for our MCP server in an agent's settings, brought up to date without taking what a person put in. Pure.

A person may start the server by a path of theirs, through a package runner, for a certain folder, with variables: all
of that stays. What is ours are the words behind `memofs`, and only those that are missing are added.

Invariant: an entry that runs something else is never changed and never taken out.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

__all__ = ["merged", "runs_memofs"]

PROGRAM: Final = "memofs"
MODULE: Final = "memofs.mcp"
_IN_A_SHELL: Final = re.compile(r"(?:^|[\s;&|/\"'])memofs[\"']?\s(?:[^;&|]*\s)?mcp\b")
COMMAND_LINE: Final = ("command", "args")


def runs_memofs(entry: object) -> bool:
    """Whether the entry starts our server, in whatever way."""
    words = _words(entry)
    return _place(words) is not None or any(map(_IN_A_SHELL.search, words))


def merged(there: object, ours: Mapping[str, Any]) -> Mapping[str, Any]:
    """Our entry, with what a person changed in the one that is there. Raises ValueError if that runs something else."""
    if there is None:
        return ours
    words = _words(there)
    place = _place(words)
    if place is None and runs_memofs(there):
        return cast("Mapping[str, Any]", there)  # a line for a shell is the person's own
    if place is None or not isinstance(there, dict):
        raise ValueError("another server has the name memofs: give that one another name")
    found = cast("Mapping[str, Any]", there)
    _, *options = _words(ours)
    missing = _missing(words[place + 1 :], options)
    key = "command" if isinstance(found.get("command"), list) and "args" not in found else "args"
    there_now: object = found.get(key, [])
    listed = cast("list[str]", there_now) if isinstance(there_now, list) else [there_now]
    said = {key: [*listed, *missing]} if missing else {}
    more = {name: value for name, value in ours.items() if name not in found and name not in COMMAND_LINE}
    return {**found, **more, **said}


def _words(entry: object) -> Sequence[str]:
    """The command line of the entry, empty where it has none."""
    if not isinstance(entry, dict):
        return ()
    found = cast("Mapping[str, object]", entry)
    words: list[object] = []
    for key in COMMAND_LINE:
        value = found.get(key)
        words += cast("list[object]", value) if isinstance(value, list) else [value] if value is not None else []
    return [each for each in words if isinstance(each, str)] if all(isinstance(each, str) for each in words) else ()


def _place(words: Sequence[str]) -> int | None:
    """Which word is our program."""
    for place, word in enumerate(words):
        name = word.replace("\\", "/").rpartition("/")[2].removesuffix(".exe")
        if name in (PROGRAM, MODULE):
            return place
    return None


def _missing(there: Sequence[str], options: Sequence[str]) -> Sequence[str]:
    """Of our words (`mcp`, then options with their values) those that are not said yet."""
    found: list[str] = []
    pending = list(options)
    while pending:
        word = pending.pop(0)
        part = [word, pending.pop(0)] if word.startswith("--") and pending else [word]
        if not any(each == word or each.startswith(f"{word}=") for each in there):
            found += part
    return found
