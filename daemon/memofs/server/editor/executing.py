"""Doing what a lens or a quick fix named.

Invariant: a command goes the way of the memofs/* request that it stands for, and is refused with the same errors.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from lsprotocol import types as lsp

from memofs.model.errors import InvalidRequest, NotFound
from memofs.server.call import Flag
from memofs.server.editor import commands
from memofs.server.requests import answer, decode_params
from memofs.wire.values import Progress, Result

if TYPE_CHECKING:
    from memofs.server.editor.session import Editor

__all__ = ["Executing"]

_encode = msgspec.json.Encoder().encode


class Executing:
    """One connection's commands."""

    def __init__(self, editor: "Editor") -> None:
        self._editor = editor
        self._all: dict[str, Callable[..., Awaitable[Any]]] = {
            commands.VERIFY: self._verify,
            commands.RETIRE: self._retire,
            commands.REANCHOR: self._reanchor,
            commands.SHOW_MEMORIES: self._show_memories,
            commands.SHOW_CHANGES: self._show_changes,
            commands.INIT: self._init,
        }

    def handler(self, name: str) -> Callable[..., Awaitable[Any]]:
        """What pygls calls with the command's arguments."""
        work = self._all[name]

        async def run(*arguments: Any) -> Any:
            try:
                return await work(*arguments)
            except TypeError as error:
                raise InvalidRequest("arguments", f"wrong arguments for {name}") from error

        return run

    async def ask(self, method: str, **params: object) -> Result:
        """The answer to a memofs/* request of this session. Raises MemoError."""
        decoded = decode_params(method, msgspec.Raw(_encode(params)))
        return await answer(self._editor.engine, self._editor.session, method, decoded, Flag(), _nowhere)

    async def _verify(self, id_: str) -> object:
        return msgspec.to_builtins(await self.ask("memofs/verify", ids=[id_]))

    async def _retire(self, id_: str) -> object:
        return msgspec.to_builtins(await self.ask("memofs/retire", ids=[id_]))

    async def _reanchor(self, id_: str, index: int, place: dict[str, object]) -> object:
        choice = place if "candidate" in place else {"target": place}
        return msgspec.to_builtins(await self.ask("memofs/reanchor", id=id_, anchorIndex=index, **choice))

    async def _init(self) -> object:
        return msgspec.to_builtins(await self.ask("memofs/init"))

    async def _show_memories(self, ids: list[str]) -> None:
        """Open the one memory, or let the person choose among several."""
        view = await self._editor.engine.lanes.read(self._editor.engine.view)
        memories = [view.world.memories[id_] for id_ in ids if id_ in view.world.memories]
        if not memories:
            raise NotFound("memory", "these memories are gone")
        chosen = memories[0]
        if len(memories) > 1:
            titles = {f"{memory.title} ({memory.kind})": memory for memory in memories}
            answered = await self._editor.server.window_show_message_request_async(
                lsp.ShowMessageRequestParams(
                    type=lsp.MessageType.Info,
                    message="Which memory?",
                    actions=[lsp.MessageActionItem(title) for title in titles],
                )
            )
            if answered is None or answered.title not in titles:
                return
            chosen = titles[answered.title]
        await self._open(Path(view.root) / chosen.path, line=chosen.line)

    async def _show_changes(self, id_: str, index: int) -> object:
        """The code as it was and as it is; a client that shows no diff of its own gets it as a document."""
        return msgspec.to_builtins(await self.ask("memofs/changes", id=id_, anchorIndex=index))

    async def _open(self, path: Path, *, line: int) -> None:
        capabilities = self._editor.server.client_capabilities.window
        if capabilities is None or capabilities.show_document is None or not capabilities.show_document.support:
            return
        at = lsp.Position(line, 0)
        await self._editor.server.window_show_document_async(
            lsp.ShowDocumentParams(uri=path.as_uri(), take_focus=True, selection=lsp.Range(at, at))
        )


def _nowhere(_: Progress) -> None:
    return
