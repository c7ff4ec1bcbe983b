"""Somebody types, in a document that several anchors are in: the server's text and places are the client's, each time.

A state machine of edits as editors send them (a position may lie beyond the line or the text, a range may be given
back to front, changes come in batches) against plain strings.
"""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from lsprotocol import types as lsp

from memofs.anchors.track import TextEdit, Tracked, track
from memofs.model.place import Span
from memofs.server.editor.documents import Documents
from memofs.text.document import Document, PlainEdit, plain
from memofs.text.lines import line_index
from memofs.text.positions import Encoding, from_units

URI = "file:///project/a.py"
TEXT = st.text(alphabet=st.sampled_from("ab =é😀e\u0301\n\r\t"), max_size=24)
PLACES = st.tuples(st.integers(0, 8), st.integers(0, 14))
EDITS = st.tuples(PLACES, PLACES, TEXT)


def offset_in(text: str, place: tuple[int, int], encoding: Encoding) -> int:
    """The offset of a position, by the protocol's own words."""
    index = line_index(text)
    line, character = place
    if line >= len(index.starts):
        return len(text)
    start, end = index.starts[line], index.ends[line]
    return start + from_units(text[start:end], character, encoding)


class Typing(RuleBasedStateMachine):
    """One document from its opening to its closing, and again."""

    def __init__(self) -> None:
        super().__init__()
        self.documents = Documents()
        self.text = ""
        self.version = 0
        self.is_open = False
        self.followed = ""
        self.documents.on_open = self.opened_
        self.documents.on_edit = self.edited_
        self.marked: tuple[Tracked, ...] = ()

    def opened_(self, _: str, document: Document) -> None:
        self.followed = plain(document)
        middle = len(self.followed) // 2
        self.marked = (Tracked(span=Span(0, middle)), Tracked(span=Span(middle, len(self.followed))))

    def edited_(self, _: str, edits: tuple[PlainEdit, ...], __: Document) -> None:
        changes = [TextEdit(each.start, each.end, each.text) for each in edits]
        self.marked = track(self.followed, self.marked, changes)
        for each in edits:
            self.followed = self.followed[: each.start] + each.text + self.followed[each.end :]

    @initialize(encoding=st.sampled_from(["utf-8", "utf-16", "utf-32"]))
    def agree(self, encoding: Encoding) -> None:
        self.documents.encoding = encoding

    @rule(text=TEXT)
    def open(self, text: str) -> None:
        self.text, self.is_open = text, True
        self.version += 1
        item = lsp.TextDocumentItem(uri=URI, language_id="python", version=self.version, text=text)
        self.documents.opened(lsp.DidOpenTextDocumentParams(item))

    @precondition(lambda self: self.is_open)
    @rule(edits=st.lists(EDITS, min_size=1, max_size=4))
    def type(self, edits: list[tuple[tuple[int, int], tuple[int, int], str]]) -> None:
        changes: list[lsp.TextDocumentContentChangeEvent] = []
        for one, other, text in edits:
            start, end = sorted((one, other))
            first = offset_in(self.text, start, self.documents.encoding)
            last = offset_in(self.text, end, self.documents.encoding)
            self.text = self.text[:first] + text + self.text[last:]
            changes.append(
                lsp.TextDocumentContentChangePartial(lsp.Range(lsp.Position(*one), lsp.Position(*other)), text)
            )
        self._send(changes)

    @precondition(lambda self: self.is_open)
    @rule(text=TEXT)
    def replace(self, text: str) -> None:
        self.text = text
        self._send([lsp.TextDocumentContentChangeWholeDocument(text)])

    @precondition(lambda self: self.is_open)
    @rule()
    def close(self) -> None:
        self.is_open = False
        self.documents.closed(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(URI)))
        self.followed, self.marked = "", ()

    @invariant()
    def texts_agree(self) -> None:
        document = self.documents.get(URI)
        assert (document is not None) == self.is_open
        if document is not None:
            assert document.text == self.text
            assert document.version == self.version
            assert self.followed == plain(document)
            assert all(0 <= each.span.start <= each.span.end <= len(self.followed) for each in self.marked)

    def _send(self, changes: list[lsp.TextDocumentContentChangeEvent]) -> None:
        self.version += 1
        named = lsp.VersionedTextDocumentIdentifier(version=self.version, uri=URI)
        self.documents.changed(lsp.DidChangeTextDocumentParams(named, changes))


TestTyping = Typing.TestCase
TestTyping.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
