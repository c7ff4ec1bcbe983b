"""Doing what a lens or a quick fix named.

Invariant: a command goes the way of the memofs/* request that it stands for, and is refused with the same errors.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from memofs.model.errors import InvalidRequest, MemoError, NotFound
from memofs.server.call import Flag
from memofs.server.editor import commands
from memofs.server.editor.words import line_of
from memofs.server.requests import answer, decode_params
from memofs.store.disk import replace_file
from memofs.store.layout import Layout
from memofs.wire.anchors import ChangesResult
from memofs.wire.values import Progress, Result

if TYPE_CHECKING:
    from memofs.server.editor.session import Editor

__all__ = ["Executing"]

MOST_SHOWN = 2_000
SHOWING_S = 10.0
"""How long an editor may take to show a document before it is told in words where it is."""
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
        path = Path(view.root) / chosen.path
        if not await self._open(path, line=chosen.line):
            where = f"{line_of(chosen.title)} ({chosen.kind}): {path}"
            self._editor.server.window_show_message(lsp.ShowMessageParams(type=lsp.MessageType.Info, message=where))

    async def _show_changes(self, id_: str, index: int) -> object:
        """The code as it was and as it is; a client without a diff of its own gets it as a document or a message."""
        answered = await self.ask("memofs/changes", id=id_, anchorIndex=index)
        if isinstance(answered, ChangesResult):
            await self._show_diff(id_, index, answered)
        return msgspec.to_builtins(answered)

    async def _show_diff(self, id_: str, index: int, found: ChangesResult) -> None:
        text = found.diff or "# nothing has changed\n"
        if found.before is None:
            text = "# the code as it was cannot be had any more\n"
        elif found.after is None:
            text = "".join(f"-{line}\n" for line in found.before.split("\n"))
        if self._can_show:
            path = await self._editor.engine.lanes.wait(lambda: self._kept(f"changes-{id_}-{index + 1}.diff", text))
            if path is not None and await self._open(path, line=0):
                return
        message = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
        self._editor.server.window_show_message(lsp.ShowMessageParams(type=lsp.MessageType.Info, message=message))

    def _kept(self, name: str, text: str) -> Path | None:
        """A file of ours with the text, None where none can be written."""
        layout = Layout.of(self._editor.engine.root)
        try:
            layout.make(layout.tmp)
            replace_file(layout.tmp / name, text.encode("utf-8", "replace"), mode=0o600, durable=False)
        except (OSError, MemoError):
            return None
        return layout.tmp / name

    @property
    def _can_show(self) -> bool:
        window = self._editor.server.client_capabilities.window
        return window is not None and window.show_document is not None and window.show_document.support

    async def _open(self, path: Path, *, line: int) -> bool:
        """Whether the editor has opened it."""
        if not self._can_show:
            return False
        at = lsp.Position(line, 0)
        try:
            shown: Any = await asyncio.wait_for(
                self._editor.server.window_show_document_async(
                    lsp.ShowDocumentParams(uri=path.as_uri(), take_focus=True, selection=lsp.Range(at, at))
                ),
                SHOWING_S,
            )
        except (JsonRpcException, TimeoutError):
            return False
        return bool(shown and shown.success)


def _nowhere(_: Progress) -> None:
    return
