"""Where the region of a declaration begins and ends: its documentation, decorators, attributes and wrappers."""

from typing import Final

import msgspec
from tree_sitter import Node

from memofs.anchors.declared.rules import Named, Rules
from memofs.anchors.source import Source, line_at, nodes_of, span_of
from memofs.model.place import Span

__all__ = ["Region", "Regions"]


class Region(msgspec.Struct, frozen=True, kw_only=True):
    """`core` is the bare declaration, `dressed` with decorators, attributes and wrappers, `span` with documentation.

    `body` is what is in it, if it has one.
    """

    span: Span
    dressed: Span
    core: Span
    body: Span | None


class Regions:
    """The regions in one source. A comment documents what follows if it stands right above.

    Right above: alone on its lines, without a blank line between, as far from the margin as what follows.
    """

    def __init__(self, source: Source, rules: Rules) -> None:
        self.rules: Final = rules
        self._source: Final = source
        self._before: Final[dict[int, Node]] = {}
        for node in nodes_of(source, rules.comments | rules.attributes):
            if not (node.start_byte == 0 and source.text.startswith("#!")):
                self._before[_end_of_text(source.text, node)] = node

    def of(self, one: Named) -> Region:
        """Return the region of a declaration."""
        node = one.node
        outer = self._wrapped(node)
        end = _end_of_text(self._source.text, node) if one.end is None else len(self._source.text[: one.end].rstrip())
        core = Span(node.start_byte, self._tail(end))
        dressed = Span(outer.start_byte, self._tail(max(end, _end_of_text(self._source.text, outer))))
        start = dressed.start
        documented = False
        while (before := self._standing_before(start)) is not None:
            start = before.start_byte
            documented = documented or (before.type in self.rules.comments and self._is_alone(before))
            if not documented:
                dressed = Span(start, dressed.end)
        return Region(span=Span(start, dressed.end), dressed=dressed, core=core, body=_body(node))

    def _wrapped(self, node: Node) -> Node:
        """Return the outermost wrapper that holds this declaration alone."""
        outer = node
        while (around := outer.parent) is not None and around.type in self.rules.wrappers:
            listed = sum(part.type in self.rules.listing for part in around.named_children)
            if listed > 1:
                break
            outer = around
        return outer

    def _tail(self, end: int) -> int:
        tail = self.rules.tail
        return end + len(tail) if tail and self._source.text.startswith(tail, end) else end

    def _standing_before(self, start: int) -> Node | None:
        """Return the comment right above, or the attribute before, what begins at `start`."""
        text = self._source.text
        end = start
        while end > 0 and text[end - 1].isspace():
            end -= 1
        node = self._before.get(end)
        if node is None or node.type in self.rules.attributes:
            return node
        if not self._is_alone(node):
            # Behind an attribute it belongs to that; behind anything else to what comes before.
            before = len(text[: node.start_byte].rstrip())
            attribute = self._before.get(before)
            return node if attribute is not None and attribute.type in self.rules.attributes else None
        here = line_at(self._source, start)
        alike = self._margin(node.start_byte) == text[self._source.starts[here] : start]
        return node if alike and here - line_at(self._source, end - 1) == 1 else None

    def _is_alone(self, node: Node) -> bool:
        return not self._margin(node.start_byte).strip()

    def _margin(self, offset: int) -> str:
        """Return what stands before `offset` on its line."""
        return self._source.text[self._source.starts[line_at(self._source, offset)] : offset]


def _end_of_text(text: str, node: Node) -> int:
    """Return where the text of a node ends: some grammars count a line end to the comment before it.

    The one of markdown even counts a line end that is not there, at the end of a text.
    """
    end = min(node.end_byte, len(text))
    while end > node.start_byte and text[end - 1].isspace():
        end -= 1
    return end


def _body(node: Node) -> Span | None:
    """Return the body of a declaration, or of the function or type that it gives a name to."""
    for holder in (node, *(node.child_by_field_name(field) for field in ("value", "right", "type"))):
        body = holder.child_by_field_name("body") if holder else None
        if body is not None:
            return span_of(body)
    return None
