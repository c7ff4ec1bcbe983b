"""Putting agents' set-up into files and taking it out again: text in, text out; `agents/disk.py` reads and writes.

Invariant: a file that cannot be read as what it should be is left alone and told; what is not ours in a file stays as
it is; doing the same again changes nothing, and removing leaves nothing of ours behind.
"""

import contextlib
import json
import os
from collections.abc import Callable, Sequence
from typing import Any, cast

import msgspec

from memofs.agents import jsonc
from memofs.agents.catalog import (
    AGENTS,
    Edit,
    File,
    JsonFile,
    MarkdownFile,
    Places,
    TomlFile,
    is_ours,
    with_changes,
)
from memofs.agents.marked import drop_block, project_of, put_block
from memofs.agents.needs import Needs
from memofs.agents.rules import rules
from memofs.agents.servers import merged, runs_memofs
from memofs.agents.tables import unused, with_table, without_table
from memofs.agents.wish import Unreadable, Wish

__all__ = ["Change", "Unreadable", "Wish", "files_of", "plan"]

JsonPath = tuple[str | int, ...]


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One file: its text before and after, None where there is no file.

    `problem` says why it is left alone, `kept_for` what needs our part of it still, though it was to be taken out.
    """

    path: str
    agents: tuple[str, ...]
    before: str | None
    after: str | None
    problem: str | None = None
    kept_for: tuple[str, ...] = ()


class _State:
    def __init__(self, path: str, read: Callable[[str], str | None]) -> None:
        self.path = path
        self.agents: dict[str, None] = {}
        self.problem: str | None = None
        self.kept_for: tuple[str, ...] = ()
        self.before: str | None = None
        try:
            self.before = read(path)
        except Unreadable as error:
            self.problem = str(error)
        self.after = self.before

    def change(self) -> Change:
        after = self.before if self.problem is not None else self.after
        return Change(
            path=self.path,
            agents=tuple(self.agents),
            before=self.before,
            after=after,
            problem=self.problem,
            kept_for=self.kept_for,
        )


def files_of(name: str, wish: Wish, places: Places) -> Sequence[File]:
    """The files of one agent that the wish is about."""
    agent = AGENTS[name]
    found: list[File | None] = [agent.rules(wish.scope, places)]
    if wish.with_server:
        found.append(agent.server(wish.scope, places))
    if wish.with_hooks:
        found.append(agent.hooks(wish.scope, places))
    return [each for each in found if each is not None]


def plan(
    wish: Wish,
    places: Places,
    *,
    read: Callable[[str], str | None],
    same: Callable[[str], str] = os.path.realpath,
) -> tuple[Change, ...]:
    """What would become of each file, in order. `same` tells that two paths are one file, by a link for instance."""
    states: dict[str, _State] = {}
    project = wish.project if wish.project is not None else _kept_project(wish, places, read)
    needs = Needs(wish, places, read=read, same=same)
    for name in wish.agents:
        for file in files_of(name, wish, places):
            path = file.path
            if isinstance(file, JsonFile) and file.instead is not None and _is_there(file.instead, read):
                path = file.instead
            state = states.setdefault(same(path), _State(path, read))
            state.agents[name] = None
            if state.problem is not None:
                continue
            if wish.remove and state.after is not None:
                state.kept_for = needs.of(file, state.after)
            if not state.kept_for:
                text = rules(project or wish.usual_project, needs.names(file.path))
                state.problem = _step(state, file, _Part(text=text, project=project or None), remove=wish.remove)
            elif isinstance(file, TomlFile):
                state.after = unused(state.after or "", file)
    return tuple(state.change() for state in states.values())


class _Part(msgspec.Struct, frozen=True, kw_only=True):
    """The rules, and the name of the project that a person gave, if any."""

    text: str
    project: str | None


def _kept_project(wish: Wish, places: Places, read: Callable[[str], str | None]) -> str | None:
    """The name that a person gave the project before, in the files of these agents or of others."""
    for name in (*wish.agents, *AGENTS):
        file = AGENTS[name].rules(wish.scope, places)
        if file is not None:
            with contextlib.suppress(Unreadable):
                found = project_of(read(file.path) or "")
                if found:
                    return found
    return None


def _step(state: _State, file: File, part: _Part, *, remove: bool) -> str | None:
    """Take one file's part in or out; why it cannot be."""
    try:
        if isinstance(file, MarkdownFile):
            state.after = _markdown(state.after, file, None if remove else part)
        elif isinstance(file, JsonFile):
            state.after = _without_json(state.after, file) if remove else _with_json(state.after, file)
        else:
            state.after = without_table(state.after, file) if remove else with_table(state.after, file)
    except jsonc.JsoncError as error:
        return f"it is not JSON that can be merged (line {error.line}: {error.message})"
    except ValueError as error:  # tomlkit's errors are such, too
        return f"it cannot be changed: {error}"
    return None


def _markdown(text: str | None, file: MarkdownFile, part: _Part | None) -> str | None:
    if part is not None:
        return put_block(file.head if text is None else text, part.text, part.project)
    if text is None:
        return None
    left = drop_block(text)
    is_empty = not left.strip() or (bool(file.head) and left.strip() == file.head.strip())
    return None if is_empty and left != text else left


def _with_json(text: str | None, file: JsonFile) -> str:
    if text is None or not text.strip("\ufeff \t\r\n"):
        text = json.dumps(dict(file.base), indent=2) + "\n"
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text.removeprefix("\ufeff")
    for edit in file.edits:
        text = _with_item(text, edit) if edit.is_item else _with_server(text, edit)
    return mark + text


def _with_server(text: str, edit: Edit) -> str:
    return jsonc.put(text, edit.path, merged(jsonc.value_at(text, edit.path), edit.value))


def _with_item(text: str, edit: Edit) -> str:
    there = _ours(jsonc.value_at(text, edit.path), edit.path)
    if not there:
        return jsonc.append(text, edit.path, edit.value)
    first, *others = there
    for path in reversed(others):
        text = jsonc.drop(text, path)
    inner = edit.value["hooks"][0] if len(first) > len(edit.path) + 1 else edit.value
    return jsonc.put(text, first, with_changes(jsonc.value_at(text, first), inner))


def _without_json(text: str | None, file: JsonFile) -> str | None:
    if text is None or not text.strip("\ufeff \t\r\n"):
        return text
    before = text
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text.removeprefix("\ufeff")
    for edit in file.edits:
        if edit.is_item:
            there = _ours(jsonc.value_at(text, edit.path), edit.path)
            for path in reversed(there):
                text = jsonc.drop(text, path)
            is_changed = bool(there)
        else:
            is_changed = runs_memofs(jsonc.value_at(text, edit.path))
            text = jsonc.drop(text, edit.path) if is_changed else text
        if is_changed:
            text = _without_empty(text, edit.path if edit.is_item else edit.path[:-1])
    left = jsonc.parse(text)
    return None if mark + text != before and left in ({}, dict(file.base)) else mark + text


def _without_empty(text: str, path: Sequence[str]) -> str:
    """The text without containers on the path that have become empty."""
    for end in range(len(path), 0, -1):
        if jsonc.value_at(text, path[:end]) not in ({}, []):
            break
        text = jsonc.drop(text, path[:end])
    return text


def _ours(items: object, path: tuple[str, ...]) -> Sequence[JsonPath]:
    """Where our hooks are in a list: whole groups, or single hooks among those of others."""
    found: list[JsonPath] = []
    for index, item in enumerate(cast("list[Any]", items) if isinstance(items, list) else []):
        if is_ours(item):
            found.append((*path, index))
        elif isinstance(item, dict):
            hooks: object = cast("dict[str, Any]", item).get("hooks")
            inner = cast("list[Any]", hooks) if isinstance(hooks, list) else []
            found += [(*path, index, "hooks", place) for place, hook in enumerate(inner) if is_ours(hook)]
    return found


def _is_there(path: str, read: Callable[[str], str | None]) -> bool:
    try:
        return read(path) is not None
    except Unreadable:
        return True
