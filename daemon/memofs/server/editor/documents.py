"""The open documents of one editor, by URI, as that editor has them.

Invariant: after each edit a document's text is the editor's, version by version; what other sessions, the command line
and agents see is the disk.
"""

from collections.abc import Callable

from lsprotocol import types as lsp

from memofs.text.document import Change, Document, Position, changed, document
from memofs.text.positions import Encoding

__all__ = ["Documents"]


class Documents:
    """The documents, in the encoding that was agreed on. `watchers` are told of each one that changed."""

    def __init__(self) -> None:
        self.encoding: Encoding = "utf-16"
        self.watchers: list[Callable[[str], None]] = []
        self._open: dict[str, Document] = {}

    def get(self, uri: str) -> Document | None:
        """The open document, None if it is not open."""
        return self._open.get(uri)

    def opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        """A document was opened; one that is open already is replaced."""
        item = params.text_document
        self._open[item.uri] = document(item.text, version=item.version, language=item.language_id)
        self._tell(item.uri)

    def changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """Edits came; for a document that is not open they count if they hold all of it."""
        uri, version = params.text_document.uri, params.text_document.version
        changes = [_change(change) for change in params.content_changes]
        before = self._open.get(uri)
        if before is None:
            if not changes or changes[0].start is not None:
                return
            before = document("")
        self._open[uri] = changed(before, changes, version=version, encoding=self.encoding)
        self._tell(uri)

    def closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """The document is the disk's again."""
        if self._open.pop(params.text_document.uri, None) is not None:
            self._tell(params.text_document.uri)

    async def close(self) -> None:
        """Forget everything."""
        self._open.clear()

    def _tell(self, uri: str) -> None:
        for watcher in self.watchers:
            watcher(uri)


def _change(change: lsp.TextDocumentContentChangeEvent) -> Change:
    if isinstance(change, lsp.TextDocumentContentChangePartial):
        start, end = change.range.start, change.range.end
        return Change(
            text=change.text,
            start=Position(start.line, start.character),
            end=Position(end.line, end.character),
        )
    return Change(text=change.text)
