"""The open documents of one editor, by URI, as that editor has them.

Invariant: after each edit a document's text is the editor's, version by version; what other sessions, the command line
and agents see is the disk. A document goes by the URI that it was opened with, whichever spelling it is asked for by.
"""

from collections.abc import Callable

from lsprotocol import types as lsp

from memofs.server.uris import canonical
from memofs.text.document import Change, Document, PlainEdit, Position, changed, document, plain_edits
from memofs.text.positions import Encoding

__all__ = ["Documents"]


class Documents:
    """The documents, in the encoding that was agreed on. Whoever follows them sets the callbacks."""

    def __init__(self) -> None:
        self.encoding: Encoding = "utf-16"
        self.on_open: Callable[[str, Document], None] = _ignore
        self.on_edit: Callable[[str, tuple[PlainEdit, ...], Document], None] = _ignore
        self.on_close: Callable[[str], None] = _ignore
        self._open: dict[str, Document] = {}
        self._spelled: dict[str, str] = {}

    def get(self, uri: str) -> Document | None:
        """The open document, None if it is not open."""
        return self._open.get(self.named(uri))

    def named(self, uri: str) -> str:
        """The URI that the document was opened with; of one that is not open, the URI itself."""
        return uri if uri in self._open else self._spelled.get(canonical(uri), uri)

    @property
    def uris(self) -> tuple[str, ...]:
        """The open documents' URIs, as the client spells them."""
        return tuple(self._open)

    def opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        """A document was opened; one that is open already is replaced."""
        item = params.text_document
        if (other := self.named(item.uri)) != item.uri:
            del self._open[other]
            self.on_close(other)
        self._spelled[canonical(item.uri)] = item.uri
        self._open[item.uri] = document(item.text, version=item.version, language=item.language_id)
        self.on_open(item.uri, self._open[item.uri])

    def changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """Edits came; for a document that is not open they count if they hold all of it."""
        uri, version = self.named(params.text_document.uri), params.text_document.version
        changes = [_change(change) for change in params.content_changes]
        before = self._open.get(uri)
        if before is None:
            if changes and changes[0].start is None:
                made = changed(document(""), changes, version=version, encoding=self.encoding)
                self._open[uri] = made
                self._spelled[canonical(uri)] = uri
                self.on_open(uri, made)
            return
        self._open[uri], edits = plain_edits(before, changes, version=version, encoding=self.encoding)
        self.on_edit(uri, edits, self._open[uri])

    def closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """The document is the disk's again."""
        uri = self.named(params.text_document.uri)
        if self._open.pop(uri, None) is not None:
            self._spelled.pop(canonical(uri), None)
            self.on_close(uri)

    def close(self) -> None:
        """Forget everything."""
        self._open.clear()
        self._spelled.clear()


def _ignore(*_: object) -> None:
    return


def _change(change: lsp.TextDocumentContentChangeEvent) -> Change:
    if isinstance(change, lsp.TextDocumentContentChangePartial):
        start, end = change.range.start, change.range.end
        return Change(
            text=change.text,
            start=Position(start.line, start.character),
            end=Position(end.line, end.character),
        )
    return Change(text=change.text)
