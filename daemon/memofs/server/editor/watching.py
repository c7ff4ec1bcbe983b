"""What an editor tells of files: renamed, changed by others, and its settings.

Invariant: everything here may come twice, late or never: the daemon watches by itself, and what is told is checked
against the disk.
"""

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from lsprotocol import types as lsp

from memofs.engine.engine import Engine
from memofs.engine.renaming import renamed
from memofs.model.errors import MemoError
from memofs.server.uris import path_in

if TYPE_CHECKING:
    from memofs.server.editor.session import Editor

__all__ = ["EVERY_FILE", "Watching"]

log = logging.getLogger("memofs.editor")

EVERY_FILE: Final = lsp.FileOperationRegistrationOptions(
    filters=[lsp.FileOperationFilter(pattern=lsp.FileOperationPattern(glob="**/*"), scheme="file")]
)
WATCHED: Final = ("**/.memofs/memory/**/*.md", "**/.memofs/config.json", "**/.memofs/graph/*.jsonl")
_REGISTRATION: Final = "memofs.watched"


class Watching:
    """One connection's."""

    def __init__(self, editor: "Editor") -> None:
        self._editor = editor

    @property
    def _engine(self) -> Engine:
        return self._editor.engine

    async def register(self, capabilities: lsp.ClientCapabilities) -> None:
        """Have the client tell of memory files, if it can be asked: it may see what the daemon's own watch does not."""
        workspace = capabilities.workspace
        watched = workspace.did_change_watched_files if workspace is not None else None
        if watched is None or not watched.dynamic_registration:
            return
        options = lsp.DidChangeWatchedFilesRegistrationOptions(
            watchers=[lsp.FileSystemWatcher(glob_pattern=pattern) for pattern in WATCHED]
        )
        registration = lsp.Registration(
            id=_REGISTRATION, method=lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, register_options=options
        )
        await self._editor.server.client_register_capability_async(lsp.RegistrationParams([registration]))

    async def renamed(self, params: lsp.RenameFilesParams) -> None:
        """The memories that name these files name them as they are called now."""
        pairs = [
            (old, new)
            for each in params.files
            if (old := self._path(each.old_uri)) is not None and (new := self._path(each.new_uri)) is not None
        ]
        engine = self._engine
        if not pairs or not engine.initialized:
            return
        try:
            changed = await engine.lanes.write(lambda: renamed(engine, pairs, actor="editor"))
            await engine.lanes.wait(lambda: engine.anchoring.follow(again=True))
        except MemoError as error:
            log.warning("renamed files could not be followed: %s", error.message)
            return
        if changed.memories:
            log.info("%d memories follow a rename", len(changed.memories))

    async def changed(self, params: lsp.DidChangeWatchedFilesParams) -> None:
        """Take in what changed on disk."""
        paths = [path for each in params.changes if (path := self._path(each.uri)) is not None]
        await self._take_in(paths)

    async def configured(self, _: lsp.DidChangeConfigurationParams) -> None:
        """The settings are the workspace's: read them again, whatever the editor's are."""
        await self._take_in([".memofs/config.json"])

    async def _take_in(self, paths: Iterable[str]) -> None:
        engine = self._engine
        if not engine.is_open:
            return  # what is read first is read fresh
        memory = [path for path in paths if path.startswith(".memofs/")]
        others = [path for path in paths if not path.startswith(".memofs/")]

        def take() -> None:
            if ".memofs/config.json" in memory:
                engine.reconfigure()
            engine.refresh(memory)

        try:
            if memory:
                await engine.lanes.write(take)
            if others:
                await engine.lanes.wait(lambda: engine.anchoring.follow(again=True))
        except MemoError as error:
            log.warning("changed files could not be taken in: %s", error.message)

    def _path(self, uri: str) -> str | None:
        try:
            return path_in(self._engine.root, uri)
        except MemoError:
            return None
