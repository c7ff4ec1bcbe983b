"""What an editor can ask for, put together for one connection and what its client supports.

Invariant: a hover, lens or action that cannot be had is answered with nothing and logged; refreshes are sent only when
what is shown has changed.
"""

import asyncio
import functools
import inspect
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from lsprotocol import types as lsp

from memofs.engine.view import View
from memofs.model.memory import Memory
from memofs.server.editor.actions import actions
from memofs.server.editor.commands import COMMANDS
from memofs.server.editor.diagnostics import diagnostics
from memofs.server.editor.executing import Executing
from memofs.server.editor.lenses import lenses
from memofs.server.editor.live import LiveDocuments, Seen
from memofs.server.editor.memory_files import MOST_OFFERED, MemoryFile, faults
from memofs.server.editor.places import Shown, at, shown
from memofs.server.editor.watching import EVERY_FILE, Watching
from memofs.server.editor.words import hover_markdown, hover_plain, line_of
from memofs.server.editor.working import Working
from memofs.text.positions import Encoding
from memofs.wire.notify import DidChangeAnchors
from memofs.wire.read import RecallResult

if TYPE_CHECKING:
    from memofs.server.editor.session import Editor

__all__ = ["Features"]

log = logging.getLogger("memofs.editor")
T = TypeVar("T")

FAULTS_S: Final = 0.15
MOST_SYMBOLS: Final = 50

ENCODINGS: Mapping[lsp.PositionEncodingKind, Encoding] = {
    lsp.PositionEncodingKind.Utf8: "utf-8",
    lsp.PositionEncodingKind.Utf16: "utf-16",
    lsp.PositionEncodingKind.Utf32: "utf-32",
}


class Features:
    """One connection's features."""

    def __init__(self, editor: "Editor") -> None:
        self._editor = editor
        self._live = LiveDocuments(
            editor.engine,
            editor.documents,
            on_seen=self._seen,
            on_close=self._closed,
            on_memory=self._memory_changed,
        )
        self._faults: dict[str, asyncio.TimerHandle] = {}
        self._lenses: dict[str, list[tuple[int, str]]] = {}
        self._published: dict[str, list[lsp.Diagnostic]] = {}
        self._pulls = False
        self._refreshes_lenses = False
        self._markdown = True
        editor.session.unsaved = self._live.unsaved
        self.working = Working(editor)
        self._watching = Watching(editor)
        self._feature(lsp.INITIALIZE, self._initialize)
        self._feature(lsp.INITIALIZED, self._initialized)
        self._feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, self._watching.changed)
        self._feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION, self._watching.configured)
        self._feature(lsp.WORKSPACE_DID_RENAME_FILES, self._watching.renamed, EVERY_FILE)

    def close(self) -> None:
        """Stop following documents."""
        for timer in self._faults.values():
            timer.cancel()
        self._live.close()

    async def settle(self) -> None:
        """Return once the anchors in what was typed before are judged."""
        await self._live.settle()

    @property
    def encoding(self) -> Encoding:
        """The position encoding that was agreed on."""
        return self._editor.documents.encoding

    def _initialize(self, params: lsp.InitializeParams) -> None:
        """Register what this client can use, before pygls tells it what there is."""
        editor, server = self._editor, self._editor.server
        editor.client.name = params.client_info.name if params.client_info is not None else ""
        encoding = lsp.PositionEncodingKind(server.workspace.position_encoding)
        editor.documents.encoding = editor.session.encoding = ENCODINGS[encoding]
        text, workspace = params.capabilities.text_document, params.capabilities.workspace
        refresh = workspace.diagnostics if workspace is not None else None
        self._pulls = bool(
            text is not None and text.diagnostic is not None and refresh is not None and refresh.refresh_support
        )
        code_lens = workspace.code_lens if workspace is not None else None
        self._refreshes_lenses = bool(code_lens is not None and code_lens.refresh_support)
        hover = text.hover if text is not None else None
        formats = hover.content_format if hover is not None else None
        self._markdown = formats is None or lsp.MarkupKind.Markdown in formats
        self._feature(lsp.TEXT_DOCUMENT_HOVER, self._hover)
        self._feature(lsp.TEXT_DOCUMENT_CODE_LENS, self._lens, lsp.CodeLensOptions(resolve_provider=False))
        quick_fixes = lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])
        self._feature(lsp.TEXT_DOCUMENT_CODE_ACTION, self._action, quick_fixes)
        self._feature(lsp.TEXT_DOCUMENT_DID_SAVE, self._saved, lsp.SaveOptions(include_text=False))
        if self._pulls:
            options = lsp.DiagnosticOptions(
                identifier="memofs", inter_file_dependencies=False, workspace_diagnostics=False
            )
            self._feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC, self._diagnostic, options)
        triggers = [":", " ", "/", "[", ",", "."]
        completing = lsp.CompletionOptions(trigger_characters=triggers, resolve_provider=False)
        self._feature(lsp.TEXT_DOCUMENT_COMPLETION, self._completion, completing)
        self._feature(lsp.TEXT_DOCUMENT_DEFINITION, self._definition)
        self._feature(lsp.TEXT_DOCUMENT_REFERENCES, self._references)
        self._feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK, self._links, lsp.DocumentLinkOptions(resolve_provider=False))
        self._feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, self._symbols)
        self._feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE, self._folds)
        self._feature(lsp.WORKSPACE_SYMBOL, self._workspace_symbols)
        executing = Executing(editor)
        for name in COMMANDS:
            server.command(name)(executing.handler(name))

    def _initialized(self, _: lsp.InitializedParams) -> None:
        self._editor.greeted()

    async def register(self) -> None:
        """Ask the client for what it tells only when asked. A client that refuses is as good as one that cannot."""
        try:
            await self._watching.register(self._editor.server.client_capabilities)
        except Exception:  # noqa: BLE001
            log.info("the editor tells of no files")

    def _feature(self, method: str, work: Callable[[Any], Any], options: object = None) -> None:
        """Let `work` answer the method. pygls marks what it registers, which a bound method does not let it do."""
        if inspect.iscoroutinefunction(work):

            async def wait(params: Any) -> Any:
                return await work(params)

            self._editor.server.feature(method, options)(wait)
            return

        def run(params: Any) -> Any:
            return work(params)

        self._editor.server.feature(method, options)(run)

    def _seen(self, seen: Seen) -> None:
        """A document's anchors were judged: show what changed."""
        every = shown(seen, self.encoding)
        found = self._diagnostics(seen, every)
        if found != self._published.get(seen.uri, []):
            self._published[seen.uri] = found
            if self._pulls:
                self._request(lsp.WORKSPACE_DIAGNOSTIC_REFRESH)
        if not self._pulls:
            self._editor.server.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri=seen.uri, diagnostics=found, version=seen.live.version)
            )
        told = [(lens.range.start.line, lens.command.title if lens.command else "") for lens in lenses(every)]
        if told != self._lenses.get(seen.uri, []):
            self._lenses[seen.uri] = told
            if self._refreshes_lenses:
                self._request(lsp.WORKSPACE_CODE_LENS_REFRESH)
        if self._editor.client.tell is not None:
            told_of = DidChangeAnchors(uri=seen.uri, version=seen.live.version)
            self._editor.client.tell("memofs/didChangeAnchors", told_of)

    def _closed(self, uri: str) -> None:
        """What was said of unsaved text holds no longer."""
        self._lenses.pop(uri, None)
        if self._published.pop(uri, None) and not self._pulls:
            self._editor.server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri=uri, diagnostics=[]))

    def _request(self, method: str) -> None:
        """Ask the client to ask again; a client that does not answer keeps nobody waiting."""
        if self._editor.server.protocol.is_initialized and not self._editor.server.protocol.is_shut_down:
            self._editor.server.protocol.send_request(method, None)

    def _diagnostics(self, seen: Seen, every: tuple[Shown, ...]) -> list[lsp.Diagnostic]:
        return diagnostics(seen, every, self.encoding, location_of=_locations(seen.view))

    async def _hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        """The memories whose code the position is in; in a memory file, the one that is named there."""
        if self._live.memory_path(params.text_document.uri) is not None:
            return await self._in_memory_file(params.text_document.uri, lambda file: file.hover(params.position))
        seen = await self._current(params.text_document.uri)
        if seen is None:
            return None
        here = at(shown(seen, self.encoding), params.position)
        if not here:
            return None
        first = min((each for each in here if each.range is not None), key=_size, default=None)
        if self._markdown:
            text = hover_markdown(seen.view, here, lambda memory: _uri(seen.view, memory))
            kind = lsp.MarkupKind.Markdown
        else:
            text, kind = hover_plain(seen.view, here), lsp.MarkupKind.PlainText
        return lsp.Hover(lsp.MarkupContent(kind, text), first.range if first is not None else None)

    async def _lens(self, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        """One lens for each line that something is anchored to."""
        seen = await self._current(params.text_document.uri)
        return [] if seen is None else lenses(shown(seen, self.encoding))

    async def _action(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """What can be done about stale memories here."""
        seen = await self._current(params.text_document.uri)
        if seen is None:
            return []
        return actions(params.text_document.uri, shown(seen, self.encoding), params.context, params.range)

    async def _diagnostic(self, params: lsp.DocumentDiagnosticParams) -> lsp.DocumentDiagnosticReport:
        """The document's warnings, for a client that asks for them."""
        uri = params.text_document.uri
        if (path := self._live.memory_path(uri)) is not None:
            found = await self._faults_of(uri, path)
            return lsp.RelatedFullDocumentDiagnosticReport(items=found)
        seen = await self._current(uri)
        found = [] if seen is None else self._diagnostics(seen, shown(seen, self.encoding))
        result_id = format(hash(repr(found)) & 0xFFFFFFFFFFFF, "x")
        if params.previous_result_id == result_id:
            return lsp.RelatedUnchangedDocumentDiagnosticReport(result_id=result_id)
        return lsp.RelatedFullDocumentDiagnosticReport(items=found, result_id=result_id)

    # --- memory files ---------------------------------------------------------------------------------------------

    def _memory_changed(self, uri: str, path: str) -> None:
        """Say what is wrong with a memory file once the typing pauses."""
        if (timer := self._faults.pop(uri, None)) is not None:
            timer.cancel()
        loop = asyncio.get_running_loop()
        work = functools.partial(self._publish_faults, uri, path)
        self._faults[uri] = loop.call_later(FAULTS_S, lambda: self._editor.start(work()))

    async def _publish_faults(self, uri: str, path: str) -> None:
        document = self._editor.documents.get(uri)
        if document is None or not self._editor.engine.initialized:
            return
        found = await self._faults_of(uri, path)
        if found == self._published.get(uri, []):
            return
        self._published[uri] = found
        if self._pulls:
            self._request(lsp.WORKSPACE_DIAGNOSTIC_REFRESH)
        else:
            self._editor.server.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri=uri, diagnostics=found, version=document.version)
            )

    async def _faults_of(self, uri: str, path: str) -> list[lsp.Diagnostic]:
        document, engine = self._editor.documents.get(uri), self._editor.engine
        if document is None or not engine.initialized:
            return []
        return await engine.lanes.read(lambda: faults(path, document, engine))

    async def _in_memory_file(self, uri: str, work: Callable[[MemoryFile], T]) -> T | None:
        """What `work` says of an open memory file; None for any other document."""
        path, document, engine = self._live.memory_path(uri), self._editor.documents.get(uri), self._editor.engine
        if path is None or document is None or not engine.initialized:
            return None
        unsaved = self._live.unsaved()
        encoding = self.encoding
        return await engine.lanes.read(
            lambda: work(MemoryFile(path, document, engine.view().seeing(unsaved), encoding))
        )

    async def _completion(self, params: lsp.CompletionParams) -> lsp.CompletionList | None:
        items = await self._in_memory_file(params.text_document.uri, lambda file: file.complete(params.position))
        return None if items is None else lsp.CompletionList(is_incomplete=len(items) >= MOST_OFFERED, items=items)

    async def _definition(self, params: lsp.DefinitionParams) -> lsp.Location | None:
        return await self._in_memory_file(params.text_document.uri, lambda file: file.definition(params.position))

    async def _references(self, params: lsp.ReferenceParams) -> list[lsp.Location] | None:
        return await self._in_memory_file(params.text_document.uri, lambda file: file.references(params.position))

    async def _links(self, params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink] | None:
        return await self._in_memory_file(params.text_document.uri, lambda file: file.links())

    async def _symbols(self, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol] | None:
        return await self._in_memory_file(params.text_document.uri, lambda file: file.symbols())

    async def _folds(self, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange] | None:
        return await self._in_memory_file(params.text_document.uri, lambda file: file.folds())

    async def _workspace_symbols(self, params: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
        """Memories by title, as recall finds them."""
        if not self._editor.engine.initialized or not params.query.strip():
            return []
        asked = {"query": params.query, "limit": MOST_SYMBOLS, "wait": False}
        answered = await Executing(self._editor).ask("memofs/recall", **asked)
        if not isinstance(answered, RecallResult):
            return []
        return [
            lsp.SymbolInformation(
                name=line_of(hit.title),
                kind=lsp.SymbolKind.String,
                container_name=hit.kind,
                location=lsp.Location(hit.uri, lsp.Range(lsp.Position(hit.line, 0), lsp.Position(hit.line, 0))),
            )
            for hit in answered.hits
        ]

    async def _saved(self, params: lsp.DidSaveTextDocumentParams) -> None:
        """Saved text is what other sessions see too: follow it on disk."""
        del params
        engine = self._editor.engine
        if engine.initialized:
            await engine.lanes.wait(lambda: engine.anchoring.follow())
            self._live.refresh()

    async def _current(self, uri: str) -> Seen | None:
        try:
            return await self._live.current(uri)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("an open document could not be looked at")
            return None


def _locations(view: View) -> Callable[[Memory], lsp.Location]:
    def location_of(memory: Memory) -> lsp.Location:
        start = lsp.Position(memory.line, 0)
        return lsp.Location(_uri(view, memory), lsp.Range(start, start))

    return location_of


def _uri(view: View, memory: Memory) -> str:
    return (Path(view.root) / memory.path).as_uri()


def _size(each: Shown) -> tuple[int, int]:
    range_: Any = each.range
    return range_.end.line - range_.start.line, range_.end.character - range_.start.character
