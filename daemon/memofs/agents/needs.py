"""What else needs our part of a file: other agents that read it, other projects that use it. Pure but for `read`.

Invariant: what cannot be read counts as not needing anything.
"""

import contextlib
from collections.abc import Callable
from typing import Final

from memofs.agents import jsonc
from memofs.agents.catalog import AGENTS, File, JsonFile, MarkdownFile, Places, TomlFile, is_ours_somewhere
from memofs.agents.marked import has_block
from memofs.agents.names import Names
from memofs.agents.servers import runs_memofs
from memofs.agents.tables import has_table, users
from memofs.agents.wish import Unreadable, Wish

__all__ = ["Needs"]

EVERY_PROJECT: Final = "all your projects (--scope user)"
MOST_PROJECTS: Final = 200


class Needs:
    """For one wish. `same` tells that two paths are one file."""

    def __init__(
        self, wish: Wish, places: Places, *, read: Callable[[str], str | None], same: Callable[[str], str]
    ) -> None:
        self._wish = wish
        self._places = places
        self._read = read
        self._same = same

    def names(self, path: str) -> Names:
        """How tools are called in the rules of a file: one spelling for all agents that read it."""
        readers = self._readers(path)
        return "underscore" if any(AGENTS[name].names == "underscore" for name in readers) else "dotted"

    def of(self, file: File, text: str) -> tuple[str, ...]:
        """Who needs our part of the file although these agents do not any more."""
        if isinstance(file, MarkdownFile):
            return tuple(
                name for name in self._readers(file.path) if name not in self._wish.agents and self._is_set_up(name)
            )
        return self._projects(text) if isinstance(file, TomlFile) else ()

    def _readers(self, path: str) -> tuple[str, ...]:
        """The agents whose rules are in that file."""
        found: list[str] = []
        for name, agent in AGENTS.items():
            rules = agent.rules(self._wish.scope, self._places)
            if rules is not None and self._same(rules.path) == self._same(path):
                found.append(name)
        return tuple(found)

    def _is_set_up(self, name: str) -> bool:
        """Whether files that are the agent's alone hold our part."""
        agent = AGENTS[name]
        files = (agent.server(self._wish.scope, self._places), agent.hooks(self._wish.scope, self._places))
        return any(self._has_ours(file) for file in files if file is not None)

    def _projects(self, text: str) -> tuple[str, ...]:
        """Other projects that use a server which is the user's."""
        found: list[str] = []
        mine = self._places.project.rstrip("/") if self._wish.scope == "project" else None
        with contextlib.suppress(ValueError):
            for folder in [*users(text)][:MOST_PROJECTS]:
                if folder.rstrip("/") != mine and self._uses(f"{folder.rstrip('/')}/", "project"):
                    found.append(folder)
        if self._wish.scope == "project" and self._uses(self._places.project, "user"):
            found.append(EVERY_PROJECT)
        return tuple(found)

    def _uses(self, folder: str, scope: str) -> bool:
        """Whether Codex is set up there: by its hooks or its rules."""
        places = Places(
            project=folder,
            home=self._places.home,
            claude=self._places.claude,
            codex=self._places.codex,
            opencode=self._places.opencode,
            copilot=self._places.copilot,
        )
        codex = AGENTS["codex"]
        which = "user" if scope == "user" else "project"
        return any(
            self._has_ours(file)
            for file in (codex.rules(which, places), codex.hooks(which, places))
            if file is not None
        )

    def _has_ours(self, file: File) -> bool:
        with contextlib.suppress(Unreadable, ValueError):
            paths = (file.path, file.instead) if isinstance(file, JsonFile) else (file.path,)
            texts = [text for path in paths if path is not None and (text := self._read(path)) is not None]
            if isinstance(file, MarkdownFile):
                return any(map(has_block, texts))
            if isinstance(file, TomlFile):
                return any(has_table(text, file) for text in texts)
            return any(
                is_ours_somewhere(value) if edit.is_item else runs_memofs(value)
                for text in texts
                for edit in file.edits
                for value in (jsonc.value_at(text.removeprefix("\ufeff"), edit.path),)
            )
        return False
